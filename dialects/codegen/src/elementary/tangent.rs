//! The hyperbolic tangent.

use super::steps::Steps;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::{arith, math};

/// Below, a polynomial; above, the exponential function.
const SMALL: f64 = 0.625;
/// Of `(tanh(x) / x - 1) / x^2` as a function of `x^2`, up to `SMALL`.
const COEFFICIENTS: [f64; 5] =
    [-5.717_044_501_73e-3, 2.065_058_677_52e-2, -5.374_349_791_28e-2, 1.333_149_128_49e-1, -3.333_328_392_52e-1];

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// Within two units in the last place, and never beyond 1.
    pub fn tangent(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let square = arith::mulf(place, x, x)?;
        let cube = arith::mulf(place, x, square)?;
        let small = self.multiply_add(cube, self.polynomial(square, &COEFFICIENTS)?, x)?;
        let size = math::absf(place, x)?;
        let power = self.exponential(arith::addf(place, size, size)?)?;
        let one = self.real(1.0)?;
        let missing = arith::divf(place, self.real(2.0)?, arith::addf(place, power, one)?)?;
        let large = arith::subf(place, one, missing)?;
        // Also the polynomial of a zero needs its sign: the last sum is one of zeros of both signs.
        math::copysign(place, self.select_less(size, self.real(SMALL)?, small, large)?, x)
    }
}
