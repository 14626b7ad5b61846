//! Random numbers: of a given seed those of `skriptnd_runtime::intrinsic::random`, one after the other; else of a seed that
//! each run has for each operation.

use super::super::emit::arithmetic;
use super::loops::{nest, up_to};
use super::{Invocation, whole};
use crate::scalars::Scalars as _;
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::{math, tensor};
use skriptnd_syntax::ast::{BinaryOp, Builtin};

/// Uniform between `min` (inclusive) and `max` (exclusive), of their type.
pub fn uniform<'c: 'a, 'a>(invocation: &mut Invocation<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    if invocation.output(0)?.dtype == ScalarType::Int {
        let (min, max) = (invocation.int("min")?, invocation.int("max")?);
        let span = arith::subi(&invocation.builder, max, min)?;
        return draw(invocation, |generator| {
            let below = generator.below(span)?;
            arith::addi(&generator.builder, min, below)
        });
    }
    let (min, max) = (invocation.real("min")?, invocation.real("max")?);
    let (lowest, limit) = (narrow(&invocation.builder, min)?, narrow(&invocation.builder, max)?);
    draw(invocation, |generator| {
        let unit = generator.unit()?;
        let builder = &generator.builder;
        let span = arith::subf(builder, max, min)?;
        let item = narrow(builder, arith::addf(builder, min, arith::mulf(builder, unit, span)?)?)?;
        // Rounding to 32 bits may reach the limit.
        let is_too_high = arith::cmpf(builder, FloatPredicate::Oge, item, limit)?;
        arith::select(builder, is_too_high, lowest, item)
    })
}

/// Normal distribution, by Box and Muller. Targets have the functions in single precision only.
pub fn normal<'c: 'a, 'a>(invocation: &mut Invocation<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let (mean, deviation) = (invocation.real("mean")?, invocation.real("std")?);
    draw(invocation, |generator| {
        let (first, second) = (generator.unit()?, generator.unit()?);
        let builder = &generator.builder;
        // Exact: units have 24 bits.
        let rest = narrow(builder, arith::subf(builder, wide(builder, 1.0)?, first)?)?;
        let logarithm = arith::mulf(builder, builder.float(-2.0)?, math::log(builder, rest)?)?;
        let radius = math::sqrt(builder, logarithm)?;
        let angle = narrow(builder, arith::mulf(builder, wide(builder, std::f64::consts::TAU)?, second)?)?;
        let cosine = arithmetic::builtin(builder, Builtin::Cos, ScalarType::Real, angle)?;
        let item = widened(builder, arith::mulf(builder, radius, cosine)?)?;
        narrow(builder, arith::addf(builder, mean, arith::mulf(builder, item, deviation)?)?)
    })
}

/// True with the given probability.
pub fn bernoulli<'c: 'a, 'a>(invocation: &mut Invocation<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let probability = invocation.real("prob")?;
    draw(invocation, |generator| {
        let unit = generator.unit()?;
        arith::cmpf(&generator.builder, FloatPredicate::Olt, unit, probability)
    })
}

/// A tensor whose elements are drawn one after the other.
fn draw<'c: 'a, 'a>(
    invocation: &mut Invocation<'_, 'c, 'a>,
    next: impl FnOnce(&mut Generator<'c, 'a>) -> Result<Value<'c, 'a>, Failure>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let builder = invocation.builder;
    let shape = invocation.indices(&invocation.output(0)?.shape)?;
    let seed = match invocation.attribute("seed")? {
        Constant::Null => invocation.draws.seed(&builder)?,
        _ => invocation.int("seed")?,
    };
    let carried = [invocation.results()?, vec![seed]].concat();
    let drawn = nest(builder, &up_to(&builder, &shape)?, &carried, |builder, at, carried| {
        let [result, state] = *carried else { return Err("a loop without a result".into()) };
        let mut generator = Generator { builder, state };
        let item = next(&mut generator)?;
        Ok(vec![tensor::insert(&builder, item, result, at)?, generator.state])
    })?;
    Ok(drawn[..1].to_vec())
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub(super) struct Generator<'c, 'a> {
    pub(super) builder: Builder<'c, 'a>,
    pub(super) state: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Generator<'c, 'a> {
    /// The next number of 64 random bits.
    pub(super) fn bits(&mut self) -> Result<Value<'c, 'a>, Failure> {
        let builder = &self.builder;
        self.state = arith::addi(builder, self.state, builder.int(0x9E37_79B9_7F4A_7C15_u64 as i64)?)?;
        let mixed = self.folded(self.state, 30)?;
        let mixed = arith::muli(builder, mixed, builder.int(0xBF58_476D_1CE4_E5B9_u64 as i64)?)?;
        let mixed = self.folded(mixed, 27)?;
        let mixed = arith::muli(builder, mixed, builder.int(0x94D0_49BB_1331_11EB_u64 as i64)?)?;
        self.folded(mixed, 31)
    }

    /// Bits, changed by those above them.
    fn folded(&self, bits: Value<'c, 'a>, distance: i64) -> Result<Value<'c, 'a>, Failure> {
        let above = arith::shrui(&self.builder, bits, self.builder.int(distance)?)?;
        arith::xori(&self.builder, bits, above)
    }

    /// At least 0 and below 1, of type `f64`.
    fn unit(&mut self) -> Result<Value<'c, 'a>, Failure> {
        let bits = self.bits()?;
        let builder = &self.builder;
        let high = arith::shrui(builder, bits, builder.int(40)?)?;
        let high = arith::sitofp(builder, high, types::f64(builder.context()))?;
        arith::mulf(builder, high, wide(builder, 1.0 / f64::from(1 << 24))?)
    }

    /// A whole number below a limit without sign; 0 if there is none: the upper half of a product of 128 bits, from
    /// products of halves.
    fn below(&mut self, limit: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let bits = self.bits()?;
        let builder = &self.builder;
        let high = |value| arith::shrui(builder, value, builder.int(32)?);
        let low = |value| arith::andi(builder, value, builder.int(0xFFFF_FFFF)?);
        let product = |a, b| whole(builder, BinaryOp::Mul, a, b);
        let plus = |a, b| whole(builder, BinaryOp::Add, a, b);
        let (a, b) = ((high(bits)?, low(bits)?), (high(limit)?, low(limit)?));
        let upper = plus(product(a.0, b.1)?, high(product(a.1, b.1)?)?)?;
        let lower = plus(product(a.1, b.0)?, low(upper)?)?;
        plus(product(a.0, b.0)?, plus(high(upper)?, high(lower)?)?)
    }
}

fn wide<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: f64) -> Result<Value<'c, 'a>, Failure> {
    builder.real(types::f64(builder.context()), value)
}

fn widened<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::extf(builder, value, types::f64(builder.context()))
}

fn narrow<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::truncf(builder, value, types::f32(builder.context()))
}
