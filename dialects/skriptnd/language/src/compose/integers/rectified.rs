//! A rectified linear unit with a slope for each channel below 0: what lies below and what lies above have multipliers of their own.

use super::constants::Of;
use super::rules::{Rounding, Rules};
use crate::compose::graph::{Argument, Operation, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// Slopes of no magnitude have no sign.
const LEAST_SLOPE: f64 = 1e-37;

impl Rules<'_, '_> {
    pub(super) fn rectified(&mut self, operation: &Operation, call: &OperatorCall, to: &Rounding) -> Option<TensorId> {
        let [Argument::Single(x), Argument::Single(slopes)] = operation.inputs[..] else { return None };
        let x = self.scaled(x).filter(|x| x.axis.is_none() && self.range(x.whole).is_some())?;
        let Some(Value::Int(axis)) = call.attributes.get("axis") else { return None };
        let axis = usize::try_from(if *axis < 0 { axis + self.editor.rank(x.whole) as i64 } else { *axis }).ok()?;
        let whole = self.centered(&x)?;
        let scale = self.editor.vector(x.scale)?;
        let (above, below) = (self.no_less(whole, 0)?, self.no_more(whole, 0)?);
        let steps = self.by_scale(scale, to)?;
        let alike = Rounding { zero: None, limits: (to.limits.0 - to.limits.1, to.limits.1 - to.limits.0), ..*to };
        let above = self.requantized(above, steps, 0, &alike)?;
        // Multipliers have no sign.
        let (sizes, signs) = (self.editor.call("math.abs", vec![], &[slopes])?, self.signs(slopes)?);
        let align = vec![("rhs_align", Value::Int(i64::try_from(axis).ok()?))];
        let below = self.editor.call("math.mul", align, &[below, signs])?;
        let steps = self.editor.scales(Of::Product, [steps, sizes])?;
        let below = self.requantized(below, steps, axis, &alike)?;
        let sum = self.editor.call("math.add", vec![], &[above, below])?;
        let zero = self.zero_of_results(to)?;
        let sum = self.editor.call("math.add", vec![], &[sum, zero])?;
        let sum = self.no_less(sum, to.limits.0)?;
        self.no_more(sum, to.limits.1)
    }

    /// 1 for what lies above 0, -1 for what lies below.
    fn signs(&mut self, reals: TensorId) -> Option<TensorId> {
        let step = self.editor.known(ScalarType::Real, &[1], Value::Real(LEAST_SLOPE))?;
        let zero = self.editor.known(ScalarType::Int, &[1], Value::Int(0))?;
        let limits = vec![("least", Value::Int(-1)), ("most", Value::Int(1))];
        self.editor.call("quantized.quantize", limits, &[reals, step, zero])
    }
}
