//! The hyperbolic tangent.

use super::steps::Steps;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::math;

/// From here on the result is 1.
const ONE: f64 = 9.2;
/// Up to here, what is missing from `g` is computed: the rounding of a sum with 1 would be seen.
const SMALL: f64 = 0.5;

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// `tanh(x) = q = g / (g + 1) = g - q g` with `g = (exp(2 x) - 1) / 2`, within two units in the last place, and never beyond 1.
    pub fn tangent(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let (size, end) = (math::absf(place, x)?, self.real(ONE)?);
        // Not a number stays none.
        let size = self.select_less(end, size, end, size)?;
        let growth = self.half_growth(arith::addf(place, size, size)?)?;
        let large = arith::divf(place, growth, arith::addf(place, growth, self.real(1.0)?)?)?;
        let small = self.multiply_add(arith::negf(place, growth)?, large, growth)?;
        // A sum starts beside products where a comparison does not.
        let sign = arith::bitcast(place, arith::subf(place, growth, self.real(SMALL)?)?, self.words)?;
        let is_small = arith::cmpi(place, IntegerPredicate::Slt, sign, self.word(0)?)?;
        math::copysign(place, arith::select(place, is_small, small, large)?, x)
    }
}
