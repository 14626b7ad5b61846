//! The hyperbolic tangent.

use super::steps::Steps;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::{arith, math};

/// From here on the result is 1.
const ONE: f64 = 9.2;
/// Up to here, what is missing from half of `g` is computed: the rounding of a sum with 2 would be seen.
const SMALL: f64 = 1.0;

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// `tanh(x) = q = g / (g + 2) = g / 2 - q g / 2` with `g = exp(2 x) - 1`, within two units in the last place, and never beyond 1.
    pub fn tangent(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let (size, end) = (math::absf(place, x)?, self.real(ONE)?);
        // Not a number stays none.
        let size = self.select_less(end, size, end, size)?;
        let growth = self.whole_growth(arith::addf(place, size, size)?)?;
        let large = arith::divf(place, growth, arith::addf(place, growth, self.real(2.0)?)?)?;
        let half = arith::mulf(place, growth, self.real(0.5)?)?;
        let small = self.multiply_add(arith::negf(place, half)?, large, half)?;
        math::copysign(place, self.select_less(growth, self.real(SMALL)?, small, large)?, x)
    }
}
