//! Sums and means of elements of one tensor: in windows, or along dimensions.

use super::constants::Of;
use super::rules::{Rounding, Rules, Scaled};
use crate::compose::graph::{Argument, Operation, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// Elements of a window along a dimension, at most, where windows have more or fewer: 32 bits have no parts for more.
const MOST_ALONG: i64 = 16;

/// Elements that are added up.
struct Sums {
    operator: &'static str,
    /// How many there are in a sum, at most.
    terms: i64,
    /// What sums are divided by.
    divisor: i64,
    /// Whether sums are of as many parts as the divisor says, where some have fewer elements than others.
    is_shared: bool,
}

impl Rules<'_, '_> {
    /// Sums or means of windows, or along dimensions.
    pub(super) fn mean(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let [Argument::Single(x)] = operation.inputs[..] else { return None };
        let x = self.scaled(x).filter(|x| x.axis.is_none())?;
        let sums = self.sums(call, x.whole)?;
        self.fits(&x, sums.terms).then_some(())?;
        let centered = self.centered(&x)?;
        let mut added = self.added(call, sums.operator, centered)?;
        if sums.is_shared {
            let shares = self.shares(call, &x, sums.divisor)?;
            added = self.editor.call("math.mul", vec![], &[added, shares])?;
        }
        let scale = self.editor.vector(x.scale)?;
        let divisor = self.editor.known(ScalarType::Real, &[1], Value::Real(sums.divisor as f64))?;
        let step = self.editor.scales(Of::Quotient, [scale, divisor])?;
        let factor = self.by_scale(step, to)?;
        self.requantized(added, factor, 0, to)
    }

    fn sums(&self, call: &OperatorCall, x: TensorId) -> Option<Sums> {
        let of = |operator, terms, divisor| Sums { operator, terms, divisor, is_shared: false };
        Some(match &*call.operator {
            "math.sum_reduce" => of("math.sum_reduce", self.reduced(call, x)?, 1),
            "math.mean_reduce" => {
                let count = self.reduced(call, x)?;
                of("math.sum_reduce", count, count)
            }
            "nn.sum_pool" => of("nn.sum_pool", window(call)?, 1),
            _ if are_alike(call) => {
                let count = window(call)?;
                of("nn.sum_pool", count, count)
            }
            _ => {
                let parts = parts(call)?;
                Sums { operator: "nn.sum_pool", terms: parts, divisor: parts, is_shared: true }
            }
        })
    }

    fn added(&mut self, call: &OperatorCall, operator: &str, x: TensorId) -> Option<TensorId> {
        let attributes = call.attributes.iter().filter(|(name, _)| *name != "ignore_border");
        let attributes = attributes.map(|(name, value)| (name.as_str(), value.clone())).collect();
        self.editor.call(operator, attributes, &[x])
    }

    /// How many of so many parts each element has that is counted in a window: windows have fewer elements at the borders.
    fn shares(&mut self, call: &OperatorCall, x: &Scaled, parts: i64) -> Option<TensorId> {
        let extents = &self.editor.ty(x.whole).shape;
        let mut shape = vec![1; extents.len()];
        for axis in self.axes(call, extents.len())? {
            shape[axis] = extents[axis].as_known()?;
        }
        let ones = self.editor.known(ScalarType::Int, &shape, Value::Int(1))?;
        let counts = self.added(call, "nn.sum_pool", ones)?;
        // A window may lie beyond the border.
        let counts = self.no_less(counts, 1)?;
        let parts = self.editor.known(ScalarType::Int, &[], Value::Int(parts))?;
        self.editor.call("math.div", vec![], &[parts, counts])
    }

    /// How many elements an operator reduces to one.
    fn reduced(&self, call: &OperatorCall, x: TensorId) -> Option<i64> {
        let shape = &self.editor.ty(x).shape;
        let axes = self.axes(call, shape.len())?;
        let mut extents = axes.into_iter().map(|axis| shape.get(axis)?.as_known());
        extents.try_fold(1, |all: i64, extent| all.checked_mul(extent?)).filter(|count| *count > 0)
    }

    /// The same at most, where only a run knows it.
    pub(super) fn most_reduced(&self, call: &OperatorCall, x: TensorId) -> Option<i64> {
        let shape = &self.editor.ty(x).shape;
        let axes = self.axes(call, shape.len())?;
        let mut most = axes.into_iter().map(|axis| shape[axis].as_known().or(shape[axis].bound));
        most.try_fold(1, |all: i64, extent| all.checked_mul(extent?))
    }

    fn axes(&self, call: &OperatorCall, rank: usize) -> Option<Vec<usize>> {
        let axes = integers(call.attributes.get("axes")?)?;
        let from_first = |axis: i64| if axis < 0 { axis + rank as i64 } else { axis };
        axes.into_iter().map(|axis| usize::try_from(from_first(axis)).ok().filter(|axis| *axis < rank)).collect()
    }
}

/// Whether all windows of an average are divided by their size.
fn are_alike(call: &OperatorCall) -> bool {
    let is = |name: &str, value: bool| call.attributes.get(name) == Some(&Value::Bool(value));
    let padding = call.attributes.get("padding").and_then(integers);
    let is_unpadded = || padding.is_some_and(|padding| padding.iter().all(|count| *count == 0));
    is("ignore_border", false) || is("ceil_mode", false) && is_unpadded()
}

/// How many elements a window has.
fn window(call: &OperatorCall) -> Option<i64> {
    integers(call.attributes.get("size")?)?.into_iter().try_fold(1, i64::checked_mul)
}

/// The least number that is divisible by all numbers of elements that windows may have within the borders.
fn parts(call: &OperatorCall) -> Option<i64> {
    let sizes = integers(call.attributes.get("size")?)?;
    sizes.into_iter().map(divisible_by_all).try_fold(1, |all: i64, parts| all.checked_mul(parts?))
}

/// The least number that is divisible by all numbers up to one, if it is not too great for sums of such parts.
fn divisible_by_all(most: i64) -> Option<i64> {
    let divisor = |mut left: i64, mut right: i64| {
        while right != 0 {
            (left, right) = (right, left % right);
        }
        left
    };
    if most > MOST_ALONG {
        return None;
    }
    (1..=most).try_fold(1, |all: i64, count| all.checked_mul(count / divisor(all, count)))
}

/// The items of a pack of known integers.
pub(super) fn integers(value: &Value) -> Option<Vec<i64>> {
    let item = |value: &Value| if let Value::Int(value) = value { Some(*value) } else { None };
    match value {
        Value::Pack(items) => items.iter().map(item).collect(),
        Value::Repeat(value, count) => Some(vec![item(value)?; usize::try_from(*count).ok()?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::divisible_by_all;

    #[test]
    fn windows_at_borders_have_whole_parts() {
        assert_eq!([1, 2, 3, 5, 7].map(divisible_by_all), [1, 2, 6, 60, 420].map(Some));
        assert_eq!(divisible_by_all(17), None);
    }
}
