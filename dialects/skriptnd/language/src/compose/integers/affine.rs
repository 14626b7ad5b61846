//! Integers times a number for each channel, to which another one is added: a batch normalization that no product has taken in.

use super::rules::{Rounding, Rules};
use crate::compose::edit::single;
use crate::compose::graph::{Operation, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// Factors are in steps of `2 ** -PLACES`, and below `2 ** (31 - PLACES)`.
const PLACES: i64 = 18;
/// Bits behind the point of what is added.
const FRACTION: i64 = 8;

impl Rules<'_, '_> {
    pub(super) fn scaled_by_channel(
        &mut self,
        operation: &Operation,
        call: &OperatorCall,
        to: &Rounding,
    ) -> Option<TensorId> {
        let tensor = |at: usize| single(operation.inputs.get(at..=at)?);
        let (mean, variance) = (tensor(1)?, tensor(2)?);
        let x = self.scaled(tensor(0)?).filter(|x| x.axis.is_none() && self.range(x.whole).is_some())?;
        let (Some(Value::Real(epsilon)), Some(Value::Int(axis))) =
            (call.attributes.get("epsilon"), call.attributes.get("channel_axis"))
        else {
            return None;
        };
        let axis = if *axis < 0 { axis + self.editor.rank(x.whole) as i64 } else { *axis };
        let epsilon = self.editor.known(ScalarType::Real, &[], Value::Real(*epsilon))?;
        let sum = self.editor.call("math.add", vec![], &[variance, epsilon])?;
        let root = self.editor.call("math.sqrt", vec![], &[sum])?;
        let mut factor = self.editor.call("math.rcp", vec![], &[root])?;
        if let Some(scale) = tensor(4) {
            factor = self.editor.call("math.mul", vec![], &[factor, scale])?;
        }
        let below = self.editor.call("math.mul", vec![], &[mean, factor])?;
        let offset = match tensor(3) {
            Some(bias) => self.editor.call("math.sub", vec![], &[bias, below])?,
            None => self.editor.call("math.neg", vec![], &[below])?,
        };
        let scale = self.editor.vector(x.scale)?;
        let factor = self.editor.call("math.mul", vec![], &[factor, scale])?;
        let (step, zero) = (self.editor.vector(to.scale)?, self.zero_of_results(to)?);
        let whole = self.centered(&x)?;
        let mut attributes = to.limits_of_results();
        attributes.extend([
            ("axis", Value::Int(axis)),
            ("places", Value::Int(PLACES)),
            ("shift", Value::Int(PLACES - FRACTION)),
            ("fraction", Value::Int(FRACTION)),
        ]);
        self.editor.call("quantized.scale", attributes, &[whole, factor, offset, step, zero])
    }
}
