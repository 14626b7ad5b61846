//! Softmax of integers: powers from a table, and one division for each sum. Bytes that become bytes take one table of 24 bits. Others take
//! two, of upper and lower bytes, whose products are powers of 31 bits: so many parts of a sum depart from it by half of their number times
//! 2^-30, which is at most an eighth of a step of results.

use super::constants::is_positive;
use super::rules::{Rounding, Rules, Scaled};
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

/// What the power of 0 is in the tables of `quantized.fine_softmax`.
const FINE_ONE: f64 = (1u64 << 30) as f64;
/// The same for results: `2^31` times what is multiplied by it.
const FINE_BITS: i64 = 61;
/// The integers of a lower byte.
const LOWER: i64 = 256;
/// The greatest number of steps that lie between integers of 16 bits.
const MOST_STEPS: i64 = 65_535;

/// Powers of how far integers lie below the greatest one.
struct Powers {
    /// How far they may lie.
    steps: i64,
    scale: f64,
    /// The scale of results.
    to_scale: f64,
}

impl Powers {
    /// Those of so many multiples of a number of steps.
    fn of(&self, count: i64, stride: i64) -> Value {
        let power = |at: i64| ((-self.scale * (at * stride) as f64).exp() * FINE_ONE).round() as i64;
        Value::Pack((0..count).map(|at| Value::Int(power(at))).collect())
    }
}

impl Rules<'_, '_> {
    /// Shares of the sum of powers, of one quantized tensor.
    pub(super) fn shares_of_powers(
        &mut self,
        operation: &Operation,
        call: &OperatorCall,
        to: &Rounding,
    ) -> Option<TensorId> {
        let x = self.scaled(single(&operation.inputs)?).filter(|x| x.axis.is_none())?;
        let (least, most) = self.range(x.whole)?;
        let scale = self.editor.number(x.scale).filter(|scale| is_positive(&(*scale as f32)))?;
        let to_scale = self.editor.number(to.scale).filter(|scale| is_positive(&(*scale as f32)))?;
        let powers = Powers { steps: most - least, scale, to_scale };
        let are_bytes = self.has_table(&x) && to.limits.1 - to.limits.0 < 256 && SCALES.contains(&to_scale);
        match are_bytes {
            true => self.shares_of_bytes(&x, call, &powers, to),
            false => self.fine_shares(&x, call, &powers, to),
        }
    }

    fn shares_of_bytes(&mut self, x: &Scaled, call: &OperatorCall, of: &Powers, to: &Rounding) -> Option<TensorId> {
        let powers = self.powers(of.steps + 1, of.scale)?;
        let (mut ones, mut shift) = (MOST_ONES / 256.0 / of.to_scale, SHIFT);
        while ones > MOST_ONES {
            (ones, shift) = (ones / 2.0, shift - 1);
        }
        let ones = self.editor.known(ScalarType::Int, &[], Value::Int(ones.round() as i64))?;
        let zero = self.zero_of_results(to)?;
        let mut attributes = to.limits_of_results();
        attributes.extend([("axes", call.attributes.get("axes")?.clone()), ("shift", Value::Int(shift))]);
        self.editor.call("quantized.softmax", attributes, &[x.whole, powers, ones, zero])
    }

    fn fine_shares(&mut self, x: &Scaled, call: &OperatorCall, of: &Powers, to: &Rounding) -> Option<TensorId> {
        let parts = self.most_reduced(call, x.whole)? as f64;
        let is_near = parts <= FINE_ONE * of.to_scale / 4.0 && of.to_scale <= 1.0 && of.steps <= MOST_STEPS;
        is_near.then_some(())?;
        let ones = 1.0 / of.to_scale;
        let exponent = ones.log2().ceil() as i64;
        let steps = (ones * 2f64.powi((FINE_BITS - exponent) as i32)).round() as i64;
        let count = of.steps / LOWER + 1;
        let coarse = self.editor.known(ScalarType::Int, &[count], of.of(count, LOWER))?;
        let fine = self.editor.known(ScalarType::Int, &[LOWER], of.of(LOWER, 1))?;
        let zero = self.zero_of_results(to)?;
        let mut attributes = to.limits_of_results();
        attributes.extend([
            ("axes", call.attributes.get("axes")?.clone()),
            ("ones", Value::Int(steps)),
            ("shift", Value::Int(FINE_BITS - exponent)),
        ]);
        self.editor.call("quantized.fine_softmax", attributes, &[x.whole, coarse, fine, zero])
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
