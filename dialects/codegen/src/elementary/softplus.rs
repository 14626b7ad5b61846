//! The hyperbolic tangent of a softplus, by which Mish multiplies.

use super::steps::{Steps, constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::{arith, math};

/// From here on the result is 1.
const ONE: f64 = 20.0;

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// `tanh(log(1 + e)) = n / (n + 2)` with `e = exp(x)` and `n = e (e + 2)`: nothing is taken from anything, and one exponential
    /// is in place of two and a logarithm. Within three units in the last place.
    pub fn tangent_of_softplus(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let (place, two, end) = (&self.place, self.real(2.0)?, self.real(ONE)?);
        // Not a number stays none.
        let power = self.exponential(self.select_less(end, x, end, x)?)?;
        let growth = self.multiply_add(power, power, arith::addf(place, power, power)?)?;
        arith::divf(place, growth, arith::addf(place, growth, two)?)
    }
}

/// The `x` that a value is `log(1 + exp(x))` of, as that is written or as `max(x, 0) + log(1 + exp(-|x|))`, which has no large powers.
pub fn softplus_of<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    logarithm_of_power(value).or_else(|| {
        either_way(value, arith::ADDF, |greater, logarithm| {
            let x = either_way(greater, arith::MAXIMUMF, |x, zero| (constant(zero) == Some(0.0)).then_some(x))?;
            let size = of(logarithm_of_power(logarithm)?, arith::NEGF)?;
            (of(size, math::ABSF)? == x).then_some(x)
        })
    })
}

/// The `x` that a value is `log(1 + exp(x))` of.
fn logarithm_of_power<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    let sum = of(value, math::LOG)?;
    either_way(sum, arith::ADDF, |power, one| if constant(one) == Some(1.0) { of(power, math::EXP) } else { None })
}

/// The operand of the operation of this name that makes a value.
fn of<'c: 'a, 'a>(value: Value<'c, 'a>, name: &str) -> Option<Value<'c, 'a>> {
    value.defining_operation().filter(|made| made.full_name() == name)?.operand(0).ok()
}

/// What is found of the two operands of an operation that has no order of them.
fn either_way<'c: 'a, 'a, T>(
    value: Value<'c, 'a>,
    name: &str,
    find: impl Fn(Value<'c, 'a>, Value<'c, 'a>) -> Option<T>,
) -> Option<T> {
    let made = value.defining_operation().filter(|made| made.full_name() == name)?;
    let (left, right) = (made.operand(0).ok()?, made.operand(1).ok()?);
    find(left, right).or_else(|| find(right, left))
}
