//! The remainder of a quotient that is rounded towards zero.

use super::steps::Steps;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Value, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::vector::{self, CombiningKind};
use skriptnd_mlir::ops::{math, scf};

/// Quotients below have a part behind the point, and are off by less than that of their whole part.
const LARGE: f64 = 4_194_304.0;

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// The exact one of vectors, by the library where a quotient is large; none if all of it is the library's.
    ///
    /// The whole part of the rounded quotient is right, or greater by one where the quotient was rounded up to it. What it leaves is exact,
    /// and so is the sum that mends it.
    pub fn remainder(&self, x: Value<'c, 'a>, y: Value<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Failure> {
        if !self.fused || types::shape(self.reals).is_none_or(|shape| shape.len() != 1) {
            return Ok(None);
        }
        let place = &self.place;
        let (dividend, divisor) = (math::absf(place, x)?, math::absf(place, y)?);
        let quotient = arith::divf(place, dividend, divisor)?;
        let is_small = arith::cmpf(place, FloatPredicate::Olt, quotient, self.real(LARGE)?)?;
        let is_finite = arith::cmpf(place, FloatPredicate::Olt, divisor, self.real(f64::INFINITY)?)?;
        let is_near = arith::andi(place, is_small, is_finite)?;
        let all = vector::reduction(place, CombiningKind::And, is_near, types::integer(place.context(), 1))?;
        let branch = scf::r#if(place, all, &[self.reals])?;
        let near = self.at(branch.then);
        let whole = math::trunc(&near.place, quotient)?;
        let left = math::fma(&near.place, arith::negf(&near.place, whole)?, divisor, dividend)?;
        let more = arith::addf(&near.place, left, divisor)?;
        let rest = near.select_less(left, near.real(0.0)?, more, left)?;
        scf::r#yield(&branch.then, &[math::copysign(&near.place, rest, x)?])?;
        scf::r#yield(&branch.otherwise, &[arith::remf(&branch.otherwise, x, y)?])?;
        Ok(Some(branch.operation.result(0)?))
    }
}
