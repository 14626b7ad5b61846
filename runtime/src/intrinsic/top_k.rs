use super::Call;
use crate::tensor::{Tensor, TensorData};
use std::cmp::Ordering;

/// The `k` largest or smallest elements along a dimension, with their positions there. Of equal elements the one at
/// the lower position comes first; NaN counts as larger than everything. Unsorted results stand in the order of the
/// input.
pub(super) fn top_k(call: &Call) -> Result<Vec<Tensor>, String> {
    let (shape, items) = call.reals(0)?;
    let axis = call.int("axis")?;
    let rank = shape.len() as i64;
    let axis = usize::try_from(if axis < 0 { axis + rank } else { axis }).ok().filter(|&axis| axis < shape.len());
    let axis = axis.ok_or("attribute `axis` is not a dimension of the input")?;
    let (largest, sorted) = (call.bool("largest")?, call.bool("sorted")?);
    let length = shape[axis];
    let count = usize::try_from(call.int("k")?).map_err(|_| "attribute `k` must not be negative")?.min(length);

    let inner: usize = shape[axis + 1..].iter().product();
    let outer: usize = shape[..axis].iter().product();
    let mut values = vec![0.0; outer * count * inner];
    let mut indices = vec![0; outer * count * inner];
    for before in 0..outer {
        for after in 0..inner {
            let item = |at: usize| items[(before * length + at) * inner + after];
            let mut order: Vec<usize> = (0..length).collect();
            order.sort_by(|&a, &b| compare(item(a), item(b), largest));
            order.truncate(count);
            if !sorted {
                order.sort_unstable();
            }
            for (place, at) in order.into_iter().enumerate() {
                let out = (before * count + place) * inner + after;
                values[out] = item(at);
                indices[out] = at as i64;
            }
        }
    }
    let mut shape = shape.to_vec();
    shape[axis] = count;
    Ok(vec![
        Tensor { shape: shape.clone(), data: TensorData::F32(values) },
        Tensor { shape, data: TensorData::I64(indices) },
    ])
}

fn compare(a: f32, b: f32, largest: bool) -> Ordering {
    let ascending = a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()));
    if largest { ascending.reverse() } else { ascending }
}
