use super::Call;
use crate::tensor::{Tensor, TensorData};

/// The positions of elements other than zero, in row-major order: one row per dimension, one column per element.
pub(super) fn nonzero(call: &Call) -> Result<Vec<Tensor>, String> {
    let input = call.input(0)?;
    let flat: Vec<usize> = match &input.data {
        TensorData::F32(items) => positions(items, |&item| item != 0.0),
        TensorData::I64(items) => positions(items, |&item| item != 0),
        TensorData::Bool(items) => positions(items, |&item| item),
    };
    let rank = input.shape.len();
    let mut rows = Vec::with_capacity(rank * flat.len());
    for dimension in 0..rank {
        let stride: usize = input.shape[dimension + 1..].iter().product();
        rows.extend(flat.iter().map(|at| (at / stride % input.shape[dimension]) as i64));
    }
    Ok(vec![Tensor { shape: vec![rank, flat.len()], data: TensorData::I64(rows) }])
}

fn positions<T>(items: &[T], is_set: impl Fn(&T) -> bool) -> Vec<usize> {
    items.iter().enumerate().filter(|(_, item)| is_set(item)).map(|(at, _)| at).collect()
}
