//! The exponential function of f32 as sums and products. Vectors, what remains beside them, and scalar loops take the same
//! steps, so that the result for an element does not depend on where it stands.

use crate::{Error, Target};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, OperationRef, Type, Value, attributes, operations_named, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::math;
use skriptnd_mlir::rewrite::with_rewriter;

/// Below, the result is nearer to 0 than to the least number; above, it is infinite.
const LIMITS: (f64, f64) = (-104.0, 89.0);
/// The logarithm of 2 in two parts; the first has few digits, so that its products with small integers are exact.
const LN_2: (f64, f64) = (0.693_359_375, -2.121_944_4e-4);
/// Coefficients of `(exp(r) - 1 - r) / r^2` for `|r| <= ln 2 / 2`, highest power first, by Chebyshev's nodes.
const COEFFICIENTS: [f64; 6] = [
    1.989_127_995_26e-4,
    1.393_391_035_39e-3,
    8.333_310_664_24e-3,
    4.166_646_257_28e-2,
    1.666_666_668_19e-1,
    5.000_000_013_7e-1,
];
/// Has no bits behind the point: neither has a sum with it, whose low bits are the nearest integer.
const WHOLE: f64 = 12_582_912.0;
/// `WHOLE` as bits of an f32.
const WHOLE_BITS: i64 = 0x4b40_0000;
/// Bits of an f32 behind the exponent, and the exponent of 1.
const MANTISSA_BITS: i64 = 23;
const EXPONENT_BIAS: i64 = 127;

/// Takes apart every `math.exp` of f32 or of a vector of them, scalable ones too. The results are within one unit in the last place,
/// numbers below the normal ones included. Returns their number.
pub fn expand<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut expanded = 0;
    let operations = operations_named(module, math::EXP);
    if operations.is_empty() {
        return Ok(0);
    }
    let target = Target::noted(module);
    for operation in operations {
        let x = operation.operand(0)?;
        let context = operation.context();
        if types::element(x.r#type()) != types::f32(context) {
            continue;
        }
        let word = types::integer(context, 32);
        let words = match types::shape(x.r#type()) {
            Some(_) => types::with_lanes_of(x.r#type(), word),
            None => Some(word),
        };
        // What is on tensors is none yet.
        let Some(words) = words else { continue };
        let steps = Steps {
            place: Builder::before(operation)?,
            reals: x.r#type(),
            words,
            fused: target.isa.fused_multiply_add,
        };
        let result = steps.exponential(x)?;
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &[result]))?;
        expanded += 1;
    }
    Ok(expanded)
}

/// Builds operations before the one that is taken apart.
struct Steps<'c, 'a> {
    place: Builder<'c, 'a>,
    /// The operand's type.
    reals: Type<'c>,
    /// The type of its elements' bits.
    words: Type<'c>,
    /// Whether products and sums are fused.
    fused: bool,
}

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// `exp(x) = 2^n exp(r)` with `x = n ln 2 + r`. Not a number passes through all of it.
    fn exponential(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let x = self.bounded(x)?;
        let whole = self.real(WHOLE)?;
        let shifted = self.multiply_add(x, self.real(std::f64::consts::LOG2_E)?, whole)?;
        let power = arith::subf(&self.place, shifted, whole)?;
        let rest = self.multiply_add(power, self.real(-LN_2.0)?, x)?;
        let rest = self.multiply_add(power, self.real(-LN_2.1)?, rest)?;
        let mut sum = self.real(COEFFICIENTS[0])?;
        for coefficient in &COEFFICIENTS[1..] {
            sum = self.multiply_add(sum, rest, self.real(*coefficient)?)?;
        }
        let square = arith::mulf(&self.place, rest, rest)?;
        let above_one = self.multiply_add(sum, square, rest)?;
        let mantissa = arith::addf(&self.place, above_one, self.real(1.0)?)?;
        let bits = arith::bitcast(&self.place, shifted, self.words)?;
        let power = arith::subi(&self.place, bits, self.word(WHOLE_BITS)?)?;
        self.scaled(mantissa, power)
    }

    /// The nearest number between the limits.
    fn bounded(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let (low, high) = (self.real(LIMITS.0)?, self.real(LIMITS.1)?);
        let x = self.select_less(high, x, high, x)?;
        self.select_less(x, low, low, x)
    }

    /// `2^power` is applied in two halves: neither 2^128 nor 2^-149 is a normal number. Only the second product rounds.
    fn scaled(&self, mantissa: Value<'c, 'a>, power: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let half = arith::shrsi(&self.place, power, self.word(1)?)?;
        let other = arith::subi(&self.place, power, half)?;
        let scaled = arith::mulf(&self.place, mantissa, self.power_of_two(half)?)?;
        arith::mulf(&self.place, scaled, self.power_of_two(other)?)
    }

    fn power_of_two(&self, exponent: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let biased = arith::addi(&self.place, exponent, self.word(EXPONENT_BIAS)?)?;
        let bits = arith::shli(&self.place, biased, self.word(MANTISSA_BITS)?)?;
        arith::bitcast(&self.place, bits, self.reals)
    }

    fn multiply_add(&self, a: Value<'c, 'a>, b: Value<'c, 'a>, c: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        if self.fused {
            return math::fma(&self.place, a, b, c);
        }
        let product = arith::mulf(&self.place, a, b)?;
        arith::addf(&self.place, product, c)
    }

    /// `if left < right then yes else no`
    fn select_less(
        &self,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
        yes: Value<'c, 'a>,
        no: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let less = arith::cmpf(&self.place, FloatPredicate::Olt, left, right)?;
        arith::select(&self.place, less, yes, no)
    }

    fn real(&self, value: f64) -> Result<Value<'c, 'a>, Failure> {
        let element = types::element(self.reals);
        self.constant(self.reals, attributes::typed_real(self.place.context(), element, value))
    }

    fn word(&self, value: i64) -> Result<Value<'c, 'a>, Failure> {
        self.constant(self.words, attributes::typed_integer(types::element(self.words), value))
    }

    /// A constant, the same in all lanes.
    fn constant(&self, r#type: Type<'c>, element: Option<Attribute<'c>>) -> Result<Value<'c, 'a>, Failure> {
        let scalar = types::shape(r#type).is_none();
        let value = element.and_then(|element| if scalar { Some(element) } else { attributes::splat(r#type, element) });
        let value = value.ok_or_else(|| Failure::new(format!("no constant of type {}", r#type)))?;
        self.place.constant(value, r#type)
    }
}
