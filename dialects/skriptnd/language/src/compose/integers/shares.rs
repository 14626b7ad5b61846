//! Softmax of integers: powers from a table, and one division for each sum.

use super::constants::is_positive;
use super::rules::{Rounding, Rules};
use crate::compose::edit::single;
use crate::compose::graph::{Operation, OperatorCall, TensorId};
use crate::compose::value::{ScalarType, Value};

/// What the power of 0 is in the table, as `quantized.softmax` expects it.
const ONE: i64 = 1 << 23;
/// The greatest number of steps that 1 has before it is shifted.
const MOST_ONES: f64 = 16_777_216.0;
/// The shift where 1 has so many steps, and those of results are 1 / 256.
const SHIFT: i64 = 22;
/// The scales of results that there are bits for.
const SCALES: std::ops::RangeInclusive<f64> = 1.0 / 4096.0..=65536.0;

impl Rules<'_, '_> {
    /// Shares of the sum of powers, of one quantized tensor of bytes.
    pub(super) fn shares_of_powers(
        &mut self,
        operation: &Operation,
        call: &OperatorCall,
        to: &Rounding,
    ) -> Option<TensorId> {
        let x = self.scaled(single(&operation.inputs)?).filter(|x| x.axis.is_none() && self.has_table(x))?;
        let (least, most) = self.range(x.whole)?;
        let scale = self.editor.number(x.scale).filter(|scale| is_positive(&(*scale as f32)))?;
        let to_scale = self.editor.number(to.scale).filter(|scale| SCALES.contains(scale))?;
        let powers = self.powers(most - least + 1, scale)?;
        let (mut ones, mut shift) = (MOST_ONES / 256.0 / to_scale, SHIFT);
        while ones > MOST_ONES {
            (ones, shift) = (ones / 2.0, shift - 1);
        }
        let ones = self.editor.known(ScalarType::Int, &[], Value::Int(ones.round() as i64))?;
        let zero = self.zero_of_results(to)?;
        let mut attributes = to.limits_of_results();
        attributes.extend([("axes", call.attributes.get("axes")?.clone()), ("shift", Value::Int(shift))]);
        self.editor.call("quantized.softmax", attributes, &[x.whole, powers, ones, zero])
    }

    /// Powers of what lies so many steps below 0, as whole numbers.
    fn powers(&mut self, count: i64, scale: f64) -> Option<TensorId> {
        let attributes = vec![("first", Value::Int(0)), ("last", Value::Int(count)), ("stride", Value::Int(1))];
        let below = self.editor.call("layout.range", attributes, &[])?;
        let scale = self.editor.known(ScalarType::Real, &[1], Value::Real(-scale))?;
        let zero = self.editor.known(ScalarType::Int, &[1], Value::Int(0))?;
        let reals = self.editor.call("quantized.dequantize", vec![], &[below, scale, zero])?;
        let powers = self.editor.call("math.exp", vec![], &[reals])?;
        let step = self.editor.known(ScalarType::Real, &[1], Value::Real(1.0 / ONE as f64))?;
        let limits = vec![("least", Value::Int(0)), ("most", Value::Int(ONE))];
        self.editor.call("quantized.quantize", limits, &[powers, step, zero])
    }
}
