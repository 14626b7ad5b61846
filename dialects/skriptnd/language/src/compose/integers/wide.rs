//! Products of 16 bits and 8 whose sums leave 32 bits: the upper and the lower bytes have sums of their own, which are joined when
//! they are multiplied.

use super::rules::{Rounding, Rules, Scaled};
use crate::compose::graph::TensorId;
use crate::compose::value::{ScalarType, Value};

/// The integers of a byte.
const BYTE: i64 = 256;
/// The greatest number of terms that sums of 37 bits have room for: bytes times 16 bits.
const MOST_TERMS: i64 = 1 << 13;

impl Rules<'_, '_> {
    /// The upper and the lower bytes of integers with more bits, and the greatest magnitude of sums of so many products of the lower ones.
    pub(super) fn halves(&mut self, [x, by]: [&Scaled; 2], terms: i64) -> Option<(Vec<Scaled>, i64)> {
        let (least, most) = self.range(x.whole).filter(|(least, most)| most - least >= BYTE && terms <= MOST_TERMS)?;
        let zero = x.zero.map_or(Some(0.0), |zero| self.editor.number(zero))? as i64;
        let upper = (least.div_euclid(BYTE), most.div_euclid(BYTE));
        let upper = self.half(x, "math.div", (zero.div_euclid(BYTE), upper))?;
        let lower = self.half(x, "math.mod", (zero.rem_euclid(BYTE), (0, BYTE - 1)))?;
        self.sum_of_products([&upper, by], terms)?;
        let sum = self.sum_of_products([&lower, by], terms)?;
        Some((vec![upper, lower], sum))
    }

    fn half(&mut self, x: &Scaled, operator: &str, (zero, limits): (i64, (i64, i64))) -> Option<Scaled> {
        let byte = self.editor.known(ScalarType::Int, &[], Value::Int(BYTE))?;
        let whole = self.editor.call(operator, vec![], &[x.whole, byte])?;
        self.limits.insert(whole, limits);
        let zero = self.editor.known(ScalarType::Int, &[], Value::Int(zero))?;
        Some(Scaled { whole, zero: Some(zero), ..*x })
    }

    /// Sums, or those of upper and of lower bytes, as quantized values, with one zero or one for each index of the dimension that factors
    /// belong to.
    pub(super) fn joined(
        &mut self,
        sums: &[TensorId],
        (factor, axis): (TensorId, usize),
        zero: TensorId,
        to: &Rounding,
    ) -> Option<TensorId> {
        match *sums {
            [sum] => self.requantized_from(sum, (factor, axis), zero, to),
            [upper, lower] => {
                let (multiplier, shift) = self.multipliers(factor)?;
                let mut attributes = to.limits_of_results();
                attributes.push(("axis", Value::Int(i64::try_from(axis).ok()?)));
                self.editor.call("quantized.requantize_halves", attributes, &[upper, lower, multiplier, shift, zero])
            }
            _ => None,
        }
    }
}
