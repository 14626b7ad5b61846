//! How far tensors are from what is expected.

use skriptnd_runtime::{Tensor, TensorData};

/// The element that is farthest from what is expected.
#[derive(Debug, PartialEq)]
pub struct Farthest {
    /// Its place.
    pub index: Vec<usize>,
    /// What was computed and what is expected, as text.
    pub values: [String; 2],
}

/// Finds the element that is farthest from what is expected; none where shapes or types differ, or nothing does.
pub fn farthest(computed: &Tensor, expected: &Tensor) -> Option<Farthest> {
    if computed.shape != expected.shape {
        return None;
    }
    let (at, values) = match (&computed.data, &expected.data) {
        (TensorData::F32(a), TensorData::F32(b)) => {
            let distances = a.iter().zip(b).map(|(&a, &b)| difference(a.into(), b.into()));
            let (at, _) = distances.enumerate().filter(|(_, far)| *far > 0.0).max_by(|a, b| a.1.total_cmp(&b.1))?;
            (at, [format!("{:?}", a[at]), format!("{:?}", b[at])])
        }
        (TensorData::I64(a), TensorData::I64(b)) => {
            let (at, _) =
                a.iter().zip(b).enumerate().max_by_key(|(_, (a, b))| a.abs_diff(**b)).filter(|(_, (a, b))| a != b)?;
            (at, [a[at].to_string(), b[at].to_string()])
        }
        (TensorData::Bool(a), TensorData::Bool(b)) => {
            let at = a.iter().zip(b).position(|(a, b)| a != b)?;
            (at, [a[at].to_string(), b[at].to_string()])
        }
        _ => return None,
    };
    Some(Farthest { index: place(at, &expected.shape), values })
}

/// The indices of an element by its number in row-major order.
fn place(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|extent| {
            let here = at % extent;
            at /= extent;
            here
        })
        .collect();
    index.reverse();
    index
}

/// What differences of integers are relative to at most: steps of 8 bits, which stand for reals. So no usual tolerance takes one
/// index for another.
const MOST_STEPS: u64 = 255;

/// The largest difference relative to the largest expected element; infinite where shapes, types or the places of NaN
/// are not the same.
pub fn ratio(computed: &Tensor, expected: &Tensor) -> f64 {
    if computed.shape != expected.shape {
        return f64::INFINITY;
    }
    match (&computed.data, &expected.data) {
        (TensorData::F32(computed), TensorData::F32(expected)) => {
            let largest =
                expected.iter().filter(|x| x.is_finite()).fold(f64::MIN_POSITIVE, |m, &x| m.max(x.abs().into()));
            computed.iter().zip(expected).map(|(&a, &b)| difference(a.into(), b.into()) / largest).fold(0.0, f64::max)
        }
        (TensorData::I64(computed), TensorData::I64(expected)) => {
            let largest = expected.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0).clamp(1, MOST_STEPS);
            let farthest = computed.iter().zip(expected).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
            farthest as f64 / largest as f64
        }
        (computed, expected) if computed == expected => 0.0,
        _ => f64::INFINITY,
    }
}

fn difference(computed: f64, expected: f64) -> f64 {
    match computed == expected || (computed.is_nan() && expected.is_nan()) {
        true => 0.0,
        false if computed.is_finite() && expected.is_finite() => (computed - expected).abs(),
        false => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reals(values: &[f32]) -> Tensor {
        Tensor { shape: vec![values.len()], data: TensorData::F32(values.to_vec()) }
    }

    #[test]
    fn differences_are_relative_to_the_largest_element() {
        assert_eq!(ratio(&reals(&[1.0, 100.0]), &reals(&[2.0, 100.0])), 0.01);
        assert_eq!(ratio(&reals(&[f32::NAN, 1.0]), &reals(&[f32::NAN, 1.0])), 0.0);
    }

    #[test]
    fn differences_of_integers_are_steps() {
        let whole = |values: &[i64]| Tensor { shape: vec![values.len()], data: TensorData::I64(values.to_vec()) };
        assert_eq!(ratio(&whole(&[3, -9]), &whole(&[3, -10])), 0.1);
        assert_eq!(ratio(&whole(&[70_001, 255]), &whole(&[70_000, 255])), 1.0 / 255.0);
        assert_eq!(ratio(&whole(&[0, 2]), &whole(&[0, 0])), 2.0);
        assert_eq!(ratio(&whole(&[i64::MAX]), &whole(&[i64::MAX])), 0.0);
        assert_eq!(ratio(&whole(&[]), &whole(&[])), 0.0);
    }

    #[test]
    fn the_farthest_element_is_found() {
        let tensor = |values: &[f32]| Tensor { shape: vec![2, 2], data: TensorData::F32(values.to_vec()) };
        let found = farthest(&tensor(&[1.0, 2.0, 5.5, 4.5]), &tensor(&[1.0, 2.0, 3.0, 4.0]));
        let values = ["5.5", "3.0"].map(str::to_string);
        assert_eq!(found, Some(Farthest { index: vec![1, 0], values }));
        assert_eq!(farthest(&tensor(&[f32::NAN; 4]), &tensor(&[f32::NAN; 4])), None);
    }

    #[test]
    fn what_cannot_be_compared_differs() {
        assert_eq!(ratio(&reals(&[f32::NAN]), &reals(&[1.0])), f64::INFINITY);
        assert_eq!(ratio(&reals(&[1.0, 2.0]), &reals(&[1.0])), f64::INFINITY);
        let whole = Tensor { shape: vec![1], data: TensorData::I64(vec![1]) };
        assert_eq!(ratio(&reals(&[1.0]), &whole), f64::INFINITY);
    }
}
