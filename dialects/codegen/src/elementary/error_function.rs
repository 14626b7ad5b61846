//! The error function.

use super::steps::Steps;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_mlir::ops::{arith, math};

/// Below, a polynomial; above, the exponential function of one.
const SMALL: f64 = 0.9;
/// From here on the result is 1.
const ONE: f64 = 3.95;
/// Of `erf(x) / x - 1` as a function of `x^2`, up to `SMALL`.
const NEAR: [f64; 6] = [
    -6.111_293_988_46e-4,
    5.016_228_760_06e-3,
    -2.678_195_717_74e-2,
    1.128_222_996_87e-1,
    -3.761_253_244_58e-1,
    1.283_791_553_19e-1,
];
/// Of `log(1 - erf(x))` from `SMALL` to `ONE`.
const FAR: [f64; 7] = [
    1.982_197_234_91e-4,
    -3.065_490_909_69e-3,
    2.231_521_523_94e-2,
    -1.041_136_827_28e-1,
    -6.369_760_792_4e-1,
    -1.127_797_244_66,
    -1.664_471_807_57e-4,
];

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// Within two units in the last place, and never beyond 1.
    pub fn error(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = &self.place;
        let square = arith::mulf(place, x, x)?;
        let near = self.multiply_add(x, self.polynomial(square, &NEAR)?, x)?;
        let size = math::absf(place, x)?;
        let end = self.real(ONE)?;
        let power = self.polynomial(self.select_less(end, size, end, size)?, &FAR)?;
        let far = arith::subf(place, self.real(1.0)?, self.exponential(power)?)?;
        let far = math::copysign(place, far, x)?;
        self.select_less(size, self.real(SMALL)?, near, far)
    }
}
