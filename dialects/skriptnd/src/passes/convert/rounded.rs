//! Numbers rounded to half precision, with the numbers of 32 bits that every target has: not all have halves, nor functions
//! that convert to them.

use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, Value, attributes, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{linalg, tensor};

/// The bits of a float but its sign.
const MAGNITUDE: i64 = 0x7fff_ffff;
/// The bits of the fraction that a half has not.
const DROPPED_BITS: i64 = 13;
/// Infinity; what is above is no number.
const INFINITY: i64 = 0x7f80_0000;
/// 2^16: rounded halves are below.
const TOO_LARGE: i64 = 0x4780_0000;
/// 2^-14, the least half that has all bits of its fraction.
const LEAST_NORMAL: i64 = 0x3880_0000;
/// 0.5, whose neighbours are 2^-24 away from it, as small halves from each other.
const ONE_HALF: (f64, i64) = (0.5, 0x3f00_0000);
/// The bits by which the exponents of halves begin later.
const EXPONENTS: i64 = 112 << 23;
/// Infinity among halves, and the bit of those above that are no signals.
const HALF_INFINITY: i64 = 0x7c00;
const HALF_QUIET: i64 = 0x200;
/// The upper half of a bfloat that is no number and no signal.
const BFLOAT_QUIET: i64 = 0x40;
/// The difference between neighbouring small halves.
const LEAST: f64 = 1.0 / 16_777_216.0;

/// The elements of a tensor of reals, each rounded to the nearest half.
pub(super) fn to_half<'c: 'a, 'a>(builder: &Builder<'c, 'a>, input: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let ty = input.r#type();
    let shape = types::shape(ty).unwrap_or_default();
    let open = shape.iter().enumerate().filter(|(_, extent)| extent.is_none());
    let open: Vec<_> = open.map(|(dim, _)| tensor::dim(builder, input, dim)).collect::<Result<_, _>>()?;
    let empty = tensor::empty(builder, ty, &open)?;
    let maps = vec![Map::identity(shape.len()); 2];
    let body = linalg::generic(builder, &[input], &[empty], &maps, &vec![false; shape.len()])?;
    let rounded = Steps { place: &body.builder }.rounded(body.arguments[0])?;
    linalg::r#yield(&body.builder, &[rounded])?;
    body.operation.result(0)
}

/// The bits of the half that is nearest to a real.
pub(super) fn bits_of_half<'c: 'a, 'a>(place: &Builder<'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    Steps { place }.bits_of_half(x)
}

/// The upper half of the bits of the real whose lower half is zero that is nearest to a real.
pub(super) fn bits_of_bfloat<'c: 'a, 'a>(place: &Builder<'c, 'a>, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    Steps { place }.bits_of_bfloat(x)
}

struct Steps<'s, 'c, 'a> {
    place: &'s Builder<'c, 'a>,
}

impl<'c: 'a, 'a> Steps<'_, 'c, 'a> {
    fn rounded(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = self.place;
        let (magnitude, sign) = self.parts(x)?;
        let is_small = arith::cmpi(place, IntegerPredicate::Slt, magnitude, self.word(LEAST_NORMAL)?)?;
        let rounded = arith::select(place, is_small, self.small(magnitude)?, self.normal(magnitude)?)?;
        let signed = arith::ori(place, rounded, sign)?;
        arith::bitcast(place, signed, x.r#type())
    }

    fn bits_of_half(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = self.place;
        let (magnitude, sign) = self.parts(x)?;
        let is_small = arith::cmpi(place, IntegerPredicate::Slt, magnitude, self.word(LEAST_NORMAL)?)?;
        let normal = arith::subi(place, self.normal(magnitude)?, self.word(EXPONENTS)?)?;
        let normal = arith::shrui(place, normal, self.word(DROPPED_BITS)?)?;
        let half = arith::select(place, is_small, self.steps(magnitude)?, normal)?;
        // What was too large is infinite, whose exponent is another one.
        let half = arith::select(place, self.is_above(half, HALF_INFINITY)?, self.word(HALF_INFINITY)?, half)?;
        let fraction = arith::shrui(place, magnitude, self.word(DROPPED_BITS)?)?;
        let fraction = arith::andi(place, fraction, self.word(HALF_QUIET - 1)?)?;
        let none = arith::ori(place, fraction, self.word(HALF_INFINITY | HALF_QUIET)?)?;
        let half = arith::select(place, self.is_above(magnitude, INFINITY)?, none, half)?;
        self.signed(half, sign)
    }

    fn bits_of_bfloat(&self, x: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = self.place;
        let (magnitude, sign) = self.parts(x)?;
        let sixteen = self.word(16)?;
        let last = arith::andi(place, arith::shrui(place, magnitude, sixteen)?, self.word(1)?)?;
        let added = arith::addi(place, arith::addi(place, magnitude, self.word(0x7fff)?)?, last)?;
        let rounded = arith::shrui(place, added, sixteen)?;
        let none = arith::ori(place, arith::shrui(place, magnitude, sixteen)?, self.word(BFLOAT_QUIET)?)?;
        let upper = arith::select(place, self.is_above(magnitude, INFINITY)?, none, rounded)?;
        self.signed(upper, sign)
    }

    /// The bits of a real's magnitude, and its sign.
    fn parts(&self, x: Value<'c, 'a>) -> Result<(Value<'c, 'a>, Value<'c, 'a>), Failure> {
        let place = self.place;
        let bits = arith::bitcast(place, x, types::integer(place.context(), 32))?;
        let magnitude = arith::andi(place, bits, self.word(MAGNITUDE)?)?;
        Ok((magnitude, arith::xori(place, bits, magnitude)?))
    }

    fn is_above(&self, value: Value<'c, 'a>, limit: i64) -> Result<Value<'c, 'a>, Failure> {
        arith::cmpi(self.place, IntegerPredicate::Sgt, value, self.word(limit)?)
    }

    /// 16 bits with the sign of 32.
    fn signed(&self, magnitude: Value<'c, 'a>, sign: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = self.place;
        let sign = arith::shrui(place, sign, self.word(16)?)?;
        arith::trunci(place, arith::ori(place, magnitude, sign)?, types::integer(place.context(), 16))
    }

    /// Half of what is dropped is added, or less where the last bit that stays is 0: of two halves that are as near, the even
    /// one is taken.
    fn normal(&self, magnitude: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = self.place;
        let last = arith::shrui(place, magnitude, self.word(DROPPED_BITS)?)?;
        let last = arith::andi(place, last, self.word(1)?)?;
        let below_half = self.word((1 << (DROPPED_BITS - 1)) - 1)?;
        let added = arith::addi(place, arith::addi(place, magnitude, below_half)?, last)?;
        let rounded = arith::andi(place, added, self.word(-1 << DROPPED_BITS)?)?;
        let infinity = self.word(INFINITY)?;
        let is_too_large = arith::cmpi(place, IntegerPredicate::Sge, rounded, self.word(TOO_LARGE)?)?;
        let rounded = arith::select(place, is_too_large, infinity, rounded)?;
        let is_no_number = arith::cmpi(place, IntegerPredicate::Sgt, magnitude, infinity)?;
        arith::select(place, is_no_number, magnitude, rounded)
    }

    fn small(&self, magnitude: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = self.place;
        let (real, word) = (types::f32(place.context()), magnitude.r#type());
        let steps = self.steps(magnitude)?;
        let rounded = arith::mulf(place, arith::sitofp(place, steps, real)?, self.real(LEAST)?)?;
        arith::bitcast(place, rounded, word)
    }

    /// The bits of the sum with 0.5 count the steps between small halves.
    fn steps(&self, magnitude: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let place = self.place;
        let (real, word) = (types::f32(place.context()), magnitude.r#type());
        let sum = arith::addf(place, arith::bitcast(place, magnitude, real)?, self.real(ONE_HALF.0)?)?;
        arith::subi(place, arith::bitcast(place, sum, word)?, self.word(ONE_HALF.1)?)
    }

    fn word(&self, value: i64) -> Result<Value<'c, 'a>, Failure> {
        let ty = types::integer(self.place.context(), 32);
        let value = attributes::typed_integer(ty, value).ok_or("a number has more than 32 bits")?;
        arith::constant(self.place, value, ty)
    }

    fn real(&self, value: f64) -> Result<Value<'c, 'a>, Failure> {
        let ty = types::f32(self.place.context());
        let value = attributes::typed_real(self.place.context(), ty, value).ok_or("f32 has no such number")?;
        arith::constant(self.place, value, ty)
    }
}
