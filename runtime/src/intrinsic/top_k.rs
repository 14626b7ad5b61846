use super::Call;
use crate::tensor::{Tensor, TensorData};
use std::cmp::Ordering;

/// The `k` largest or smallest elements along a dimension, with their positions there. Of equal elements the one at
/// the lower position comes first; NaN counts as larger than everything. Unsorted results stand in the order of the
/// input.
pub(super) fn top_k(call: &Call) -> Result<Vec<Tensor>, String> {
    let input = call.input(0)?;
    let search = Search::new(call, &input.shape)?;
    let (values, indices) = match &input.data {
        TensorData::F32(items) => {
            let (values, indices) = search.run(items, compare);
            (TensorData::F32(values), indices)
        }
        TensorData::I64(items) => {
            let (values, indices) = search.run(items, |a, b| a.cmp(&b));
            (TensorData::I64(values), indices)
        }
        TensorData::Bool(_) => return Err("input 0 must be real or int, not bool".to_owned()),
    };
    let mut shape = input.shape.clone();
    shape[search.axis] = search.count;
    Ok(vec![Tensor { shape: shape.clone(), data: values }, Tensor { shape, data: TensorData::I64(indices) }])
}

/// What is looked for, and where: `outer` times `inner` sequences of `length` elements.
struct Search {
    axis: usize,
    outer: usize,
    length: usize,
    inner: usize,
    count: usize,
    largest: bool,
    sorted: bool,
}

impl Search {
    fn new(call: &Call, shape: &[usize]) -> Result<Search, String> {
        let axis = call.int("axis")?;
        let axis = usize::try_from(if axis < 0 { axis + shape.len() as i64 } else { axis }).ok();
        let axis = axis.filter(|&axis| axis < shape.len()).ok_or("attribute `axis` is not a dimension of the input")?;
        let count = usize::try_from(call.int("k")?).map_err(|_| "attribute `k` must not be negative")?;
        Ok(Search {
            axis,
            outer: shape[..axis].iter().product(),
            length: shape[axis],
            inner: shape[axis + 1..].iter().product(),
            count: count.min(shape[axis]),
            largest: call.bool("largest")?,
            sorted: call.bool("sorted")?,
        })
    }

    /// The chosen elements of each sequence and their positions.
    fn run<T: Copy + Default>(&self, items: &[T], ascending: impl Fn(T, T) -> Ordering) -> (Vec<T>, Vec<i64>) {
        let mut values = vec![T::default(); self.outer * self.count * self.inner];
        let mut indices = vec![0; values.len()];
        for before in 0..self.outer {
            for after in 0..self.inner {
                let item = |at: usize| items[(before * self.length + at) * self.inner + after];
                for (place, at) in self.chosen(|a, b| ascending(item(a), item(b))).into_iter().enumerate() {
                    let out = (before * self.count + place) * self.inner + after;
                    values[out] = item(at);
                    indices[out] = at as i64;
                }
            }
        }
        (values, indices)
    }

    /// Positions in one sequence.
    fn chosen(&self, ascending: impl Fn(usize, usize) -> Ordering) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.length).collect();
        order.sort_by(|&a, &b| if self.largest { ascending(b, a) } else { ascending(a, b) });
        order.truncate(self.count);
        if !self.sorted {
            order.sort_unstable();
        }
        order
    }
}

fn compare(a: f32, b: f32) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}
