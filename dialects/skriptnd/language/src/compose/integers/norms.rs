//! Normalizations of integers: of layers, groups and instances, with or without the mean. `n` integers with the sum `S` and the sum of
//! squares `Q` have the variance `(n Q - S^2) / n^2`, so that sums are exact, and an element lies `(n q - S) / sqrt(n Q - S^2 + e)`
//! deviations above the mean, where `e` is what is added to variances in steps of `n^2`: one reciprocal of a root for all of them.
//!
//! What is computed differs from that by less than half a step of results, where a deviation has at most a quarter of as many steps as
//! results have values (`g` steps, of `b` bits: `g <= 2^(b - 2)`):
//!
//! - The reciprocal `R` has `precision` bits behind the point, so that `(n q - S) R` departs by `n range 2^-(precision + 1)` deviations, and
//!   its product by half of the steps that it is rounded to: `g` times the sum of both is at most a quarter (`is_precise`).
//! - Newton's steps leave 2^-24 of a root: of results of 16 bits, and of as much that offsets take away again, that is 2^-7.
//! - Products and offsets have `fraction` bits behind the point of results, 4 at least: each adds half of such a step, 2^-5 at most.
//!   Factors are nearer.

use super::rules::{Rounding, Rules, Scaled};
use super::spread::Spread;
use crate::compose::graph::{Argument, OperationKind, TensorId};
use crate::compose::value::{ScalarType, Value};

/// Bits that integers of 64 bits have for sums of squares, without the sign.
const MOST_BITS: f64 = 61.0;
/// The greatest number of places behind the point of variances.
const MOST_PLACES: i64 = 40;
/// The least shift behind which nothing but the upper word of a product is left.
const UPPER_WORD: i64 = 33;
const MOST_BITS_OF_RESULTS: i64 = 16;
/// Steps of a deviation, in bits, that are enough for results of 16 bits.
const MOST_FRACTION: i64 = 20;

/// Where the points are of the numbers that a normalization computes, as `quantized.deviations` takes them.
struct Fixed {
    epsilon: i64,
    places: i64,
    precision: i64,
    ahead: i64,
    shift: i64,
    /// The greatest magnitude of results, in bits.
    bits: i64,
    /// Bits of a deviation.
    fraction: i64,
    /// What deviations are multiplied by, besides what they are scaled by.
    unit: f64,
}

/// What a normalization is told of its elements.
struct Elements {
    count: f64,
    /// The greatest magnitude, and the greatest one of what lies above the mean.
    greatest: f64,
    range: f64,
    /// The least variance of elements that are not all alike, times the square of how many there are.
    least_variance: f64,
    /// What is added to variances, in the same steps.
    epsilon: f64,
}

impl Fixed {
    fn of(elements: &Elements, result_bits: i64) -> Option<Self> {
        let Elements { count, greatest, range, least_variance, epsilon } = *elements;
        let squares = (count * greatest).powi(2);
        let most_places = (MOST_BITS - (squares + epsilon).log2() - 1.0).floor() as i64;
        let places = most_places.min(MOST_PLACES) & !1;
        // The greatest reciprocal has 31 bits.
        let most_word = f64::from(i32::MAX);
        let precision = (most_word * (least_variance + epsilon).sqrt()).log2().floor() as i64;
        let precision = precision.min(60 - places.max(0) / 2);
        let ahead = (most_word / (count * range.max(1.0))).log2().floor() as i64;
        let has_room = squares.log2() < MOST_BITS && places >= 0 && precision > 0 && (0..32).contains(&ahead);
        has_room.then_some(())?;
        // Products of two words become words again; upper words alone are enough for bytes.
        let least_shift = if result_bits <= 8 { UPPER_WORD } else { UPPER_WORD - 2 };
        let fraction = (precision + ahead - least_shift).min(MOST_FRACTION);
        let bits = fraction + (count.log2() / 2.0).ceil() as i64;
        let epsilon = (epsilon * power(places)).round() as i64;
        let shift = precision + ahead - fraction;
        let fixed = Fixed { epsilon, places, precision, ahead, shift, bits, fraction, unit: 1.0 };
        let is_precise = power(result_bits - 2) * fixed.departure(elements) <= 0.25;
        (is_precise && shift < 62 && (1..31).contains(&bits)).then_some(fixed)
    }

    /// By how much of a deviation a product departs.
    fn departure(&self, elements: &Elements) -> f64 {
        power(-self.fraction - 1) + elements.count * elements.range * power(-self.precision - 1)
    }
}

fn power(exponent: i64) -> f64 {
    2f64.powi(exponent as i32)
}

/// How many bits results have that lie between limits.
fn bits_of(limits: (i64, i64)) -> i64 {
    i64::from(64 - (limits.1 - limits.0).leading_zeros())
}

impl Rules<'_, '_> {
    /// What is normalized, multiplied and added to by numbers or by those of a dimension.
    pub(super) fn normalized(&mut self, x: TensorId, to: &Rounding) -> Option<TensorId> {
        // Of elements that are all alike, nothing by nothing is no number, which counts as 0 where it is no deviation.
        let spread = Spread::of(self, x).filter(|spread| spread.epsilon > 0.0 || spread.norm.is_some())?;
        let elements = self.scaled(spread.input).filter(|elements| elements.axis.is_none())?;
        // Several zeros would be part of the variance.
        elements.zero.is_none_or(|zero| self.editor.volume(zero) == Some(1)).then_some(())?;
        let fixed = self.fixed(&spread, &elements, to)?;
        let whole = if spread.centered { elements.whole } else { self.centered(&elements)? };
        let axes = spread.axes.iter().map(|axis| Value::Int(*axis as i64)).collect();
        let attributes = vec![
            ("axes", Value::Pack(axes)),
            ("centered", Value::Bool(spread.centered)),
            ("epsilon", Value::Int(fixed.epsilon)),
            ("places", Value::Int(fixed.places)),
            ("precision", Value::Int(fixed.precision)),
            ("ahead", Value::Int(fixed.ahead)),
            ("shift", Value::Int(fixed.shift)),
            ("most", Value::Int((1 << fixed.bits) - 1)),
        ];
        let mut deviations = self.editor.call("quantized.deviations", attributes, &[whole])?;
        for operation in spread.moves.iter().rev() {
            let OperationKind::Operator(call) = &operation.kind else { return None };
            deviations = self.again(call, vec![Argument::Single(deviations)])?;
        }
        self.in_steps(deviations, &spread, &fixed, to)
    }

    fn fixed(&self, spread: &Spread, elements: &Scaled, to: &Rounding) -> Option<Fixed> {
        let (least, most) = self.range(elements.whole)?;
        let scale = self.editor.number(elements.scale).filter(|scale| *scale > 0.0 && scale.is_finite())?;
        let extents = &self.editor.ty(elements.whole).shape;
        let mut along = spread.axes.iter().map(|axis| extents.get(*axis)?.as_known());
        let count = along.try_fold(1i64, |all, extent| all.checked_mul(extent?)).filter(|count| *count > 0)? as f64;
        let zero = match elements.zero {
            Some(zero) if !spread.centered => self.editor.number(zero)? as i64,
            _ => 0,
        };
        let greatest = (least - zero).abs().max((most - zero).abs()) as f64;
        let (range, least_variance) = match spread.centered {
            true => ((most - least) as f64, count - 1.0),
            false => (greatest, count),
        };
        // The least norm that is not 0 is one step.
        spread.norm.is_none_or(|least| least <= scale).then_some(())?;
        let unit = if spread.norm.is_some() { count.sqrt().recip() } else { 1.0 };
        let epsilon = count * count * spread.epsilon / (scale * scale);
        let elements = Elements { count, greatest, range, least_variance, epsilon };
        Some(Fixed { unit, ..Fixed::of(&elements, bits_of(to.limits))? })
    }

    /// Deviations in steps of results.
    fn in_steps(&mut self, deviations: TensorId, spread: &Spread, fixed: &Fixed, to: &Rounding) -> Option<TensorId> {
        let bits = bits_of(to.limits);
        // Factors have a sign and 31 bits, so that a deviation may have twice as many steps as there are results.
        let places = 30 - bits;
        // Bytes take the upper words of products where that leaves a part of a step.
        let fraction = if bits <= 8 { (fixed.fraction + places - UPPER_WORD).clamp(4, 8) } else { 5 };
        let factor = self.vector_or(spread.factor, fixed.unit)?;
        let offset = self.vector_or(spread.offset, 0.0)?;
        let (step, zero) = (self.editor.vector(to.scale)?, self.zero_of_results(to)?);
        let shift = fixed.fraction + places - fraction;
        // Products are words behind the shift.
        (fixed.bits <= shift && bits <= MOST_BITS_OF_RESULTS).then_some(())?;
        let mut attributes = to.limits_of_results();
        attributes.extend([
            ("axis", Value::Int(spread.channels as i64)),
            ("places", Value::Int(places)),
            ("shift", Value::Int(shift)),
            ("fraction", Value::Int(fraction)),
        ]);
        self.editor.call("quantized.scale", attributes, &[deviations, factor, offset, step, zero])
    }

    /// A tensor as a vector, or a number in its place.
    fn vector_or(&mut self, given: Option<TensorId>, number: f64) -> Option<TensorId> {
        match given {
            Some(given) => self.editor.vector(given),
            None => self.editor.known(ScalarType::Real, &[1], Value::Real(number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Elements, Fixed};

    /// Rows of so many bytes or words, with what is added to variances in steps of theirs.
    fn rows(count: f64, range: f64, epsilon: f64) -> Elements {
        let epsilon = count * count * epsilon;
        Elements { count, greatest: range, range, least_variance: count - 1.0, epsilon }
    }

    #[test]
    fn rows_of_bytes_have_room() {
        for count in [2.0, 3.0, 64.0, 768.0, 4096.0, 16384.0] {
            for epsilon in [0.0, 1e-9, 0.004, 10.0] {
                let fixed = Fixed::of(&rows(count, 255.0, epsilon), 8);
                assert!(fixed.is_some_and(|fixed| fixed.bits < 31 && fixed.shift > 32), "{count} {epsilon}");
            }
        }
    }

    #[test]
    fn rows_of_words_need_what_is_added() {
        assert!(Fixed::of(&rows(768.0, 65535.0, 256.0), 16).is_some());
        assert!(Fixed::of(&rows(768.0, 65535.0, 0.0), 16).is_none());
        assert!(Fixed::of(&rows(1e6, 65535.0, 256.0), 8).is_none());
        let alone = Elements { count: 1.0, greatest: 0.0, range: 0.0, least_variance: 0.0, epsilon: 0.0 };
        assert!(Fixed::of(&alone, 8).is_none());
    }
}
