//! The exponential function on vectors of f32: argument reduction to `|r| <= ln 2 / 2` and a polynomial.

use crate::Error;
use skriptnd_mlir::ir::{Builder, Value, attributes, types};

/// Above, the result is infinite.
const LARGEST: f64 = 88.722_839;
/// Below, the result is no normal number and becomes 0.
const SMALLEST: f64 = -87.336_544;
/// The logarithm of 2 in two parts; the first has few digits, so that its products with small integers are exact.
const LN_2: (f64, f64) = (0.693_359_375, -2.121_944_4e-4);
/// Minimax coefficients of `(exp(r) - 1 - r) / r^2`, highest power first.
const COEFFICIENTS: [f64; 6] =
    [1.987_569_1e-4, 1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5.000_000_1e-1];
/// Bits of an f32 behind the exponent, and the exponent of 1.
const MANTISSA_BITS: i64 = 23;
const EXPONENT_BIAS: i64 = 127;

struct Lanes<'c, 'a> {
    builder: Builder<'c, 'a>,
    lanes: i64,
}

impl<'c: 'a, 'a> Lanes<'c, 'a> {
    fn real(&self, value: f64) -> Result<Value<'c, 'a>, Error> {
        let scalar = self.builder.real(types::f32(self.builder.context()), value)?;
        Ok(self.builder.broadcast(scalar, self.lanes)?)
    }

    fn integer(&self, value: i64) -> Result<Value<'c, 'a>, Error> {
        let scalar = self.builder.integer(types::integer(self.builder.context(), 32), value)?;
        Ok(self.builder.broadcast(scalar, self.lanes)?)
    }

    fn reals(&self, name: &str, operands: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        let result = types::lanes(types::f32(self.builder.context()), self.lanes);
        Ok(self.builder.value(name, operands, &[], result)?)
    }

    fn integers(&self, name: &str, operands: &[Value<'c, 'a>]) -> Result<Value<'c, 'a>, Error> {
        let result = types::lanes(types::integer(self.builder.context(), 32), self.lanes);
        Ok(self.builder.value(name, operands, &[], result)?)
    }

    /// `if left PREDICATE right then yes else no`; predicates are numbered as in `arith.cmpf`.
    fn select(
        &self,
        predicate: i64,
        of: [Value<'c, 'a>; 2],
        yes: Value<'c, 'a>,
        no: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let context = self.builder.context();
        let bits = types::lanes(types::integer(context, 1), self.lanes);
        let predicate = attributes::integer(context, predicate);
        let condition = self.builder.value("arith.cmpf", &of, &[("predicate", predicate)], bits)?;
        self.reals("arith.select", &[condition, yes, no])
    }
}

const ORDERED_GREATER: i64 = 2;
const ORDERED_LESS: i64 = 4;
const UNORDERED: i64 = 14;

/// `exp(x)`, within 2 units in the last place; 0 below the smallest normal number.
pub fn vector<'c: 'a, 'a>(builder: Builder<'c, 'a>, x: Value<'c, 'a>, lanes: i64) -> Result<Value<'c, 'a>, Error> {
    let on = Lanes { builder, lanes };
    let (low, high) = (on.real(SMALLEST)?, on.real(LARGEST)?);
    let bounded = on.reals("arith.maxnumf", &[x, low])?;
    let bounded = on.reals("arith.minnumf", &[bounded, high])?;
    let scale = on.real(std::f64::consts::LOG2_E)?;
    let scaled = on.reals("arith.mulf", &[bounded, scale])?;
    let exponent = on.reals("math.roundeven", &[scaled])?;
    let (coarse, fine) = (on.real(-LN_2.0)?, on.real(-LN_2.1)?);
    let rest = on.reals("math.fma", &[exponent, coarse, bounded])?;
    let rest = on.reals("math.fma", &[exponent, fine, rest])?;
    let mut sum = on.real(COEFFICIENTS[0])?;
    for coefficient in &COEFFICIENTS[1..] {
        let coefficient = on.real(*coefficient)?;
        sum = on.reals("math.fma", &[sum, rest, coefficient])?;
    }
    let square = on.reals("arith.mulf", &[rest, rest])?;
    let one = on.real(1.0)?;
    let linear = on.reals("arith.addf", &[rest, one])?;
    let mantissa = on.reals("math.fma", &[sum, square, linear])?;
    // 2^128 is no f32: the power is applied in two halves.
    let whole = on.integers("arith.fptosi", &[exponent])?;
    let shift = on.integer(1)?;
    let half = on.integers("arith.shrsi", &[whole, shift])?;
    let other = on.integers("arith.subi", &[whole, half])?;
    let half = power_of_two(&on, half)?;
    let other = power_of_two(&on, other)?;
    let result = on.reals("arith.mulf", &[mantissa, half])?;
    let result = on.reals("arith.mulf", &[result, other])?;
    let (infinite, zero) = (on.real(f64::INFINITY)?, on.real(0.0)?);
    let result = on.select(ORDERED_GREATER, [x, high], infinite, result)?;
    let result = on.select(ORDERED_LESS, [x, low], zero, result)?;
    on.select(UNORDERED, [x, x], x, result)
}

fn power_of_two<'c: 'a, 'a>(on: &Lanes<'c, 'a>, exponent: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let (bias, bits) = (on.integer(EXPONENT_BIAS)?, on.integer(MANTISSA_BITS)?);
    let biased = on.integers("arith.addi", &[exponent, bias])?;
    let shifted = on.integers("arith.shli", &[biased, bits])?;
    on.reals("arith.bitcast", &[shifted])
}
