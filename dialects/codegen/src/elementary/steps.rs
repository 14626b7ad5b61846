//! What expansions are built of.

use super::scale::Scale;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, Builder, Type, Value, attributes, types};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::{math, vector};

/// The logarithm of 2 in two parts; the first has few digits, so that its products with small integers are exact.
pub const LN_2: (f64, f64) = (0.693_359_375, -2.121_944_4e-4);
/// Of f64s: has no bits behind the point; neither has a sum with it, whose low bits are the nearest integer.
pub const WHOLE: f64 = 6_755_399_441_055_744.0;
/// Bits of an f32 behind the exponent, and the exponent of 1.
pub const MANTISSA_BITS: i64 = 23;
pub const EXPONENT_BIAS: i64 = 127;

/// Builds operations before the one that is taken apart.
pub struct Steps<'c, 'a> {
    /// Before it.
    pub place: Builder<'c, 'a>,
    /// The operand's type.
    pub reals: Type<'c>,
    /// The type of its elements' bits.
    pub words: Type<'c>,
    /// Whether products and sums are fused.
    pub fused: bool,
    /// What multiplies by powers of two.
    pub scale: Option<&'static Scale>,
}

impl<'c: 'a, 'a> Steps<'c, 'a> {
    /// The same with as many elements of f64. `fused`: whether their products and sums are.
    pub fn wide(&self, fused: bool) -> Option<Steps<'c, 'a>> {
        let context = self.place.context();
        let wide = |element| match types::shape(self.reals) {
            Some(_) => types::with_lanes_of(self.reals, element),
            None => Some(element),
        };
        let (reals, words) = wide(types::f64(context)).zip(wide(types::integer(context, 64)))?;
        Some(Steps { place: self.place, reals, words, fused, scale: None })
    }

    /// The same at another place.
    pub fn at(&self, place: Builder<'c, 'a>) -> Steps<'c, 'a> {
        Steps { place, ..*self }
    }

    /// A polynomial with these coefficients, highest power first.
    pub fn polynomial(&self, x: Value<'c, 'a>, coefficients: &[f64]) -> Result<Value<'c, 'a>, Failure> {
        let Some((highest, rest)) = coefficients.split_first() else { return self.real(0.0) };
        let mut sum = self.real(*highest)?;
        for coefficient in rest {
            sum = self.multiply_add(sum, x, self.real(*coefficient)?)?;
        }
        Ok(sum)
    }

    /// `a b + c`
    pub fn multiply_add(&self, a: Value<'c, 'a>, b: Value<'c, 'a>, c: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        if self.fused {
            return math::fma(&self.place, a, b, c);
        }
        let product = arith::mulf(&self.place, a, b)?;
        arith::addf(&self.place, product, c)
    }

    /// `if left < right then yes else no`
    pub fn select_less(
        &self,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
        yes: Value<'c, 'a>,
        no: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let less = arith::cmpf(&self.place, FloatPredicate::Olt, left, right)?;
        arith::select(&self.place, less, yes, no)
    }

    /// The number between the limits that is nearest.
    pub fn bounded(&self, x: Value<'c, 'a>, (low, high): (f64, f64)) -> Result<Value<'c, 'a>, Failure> {
        let (low, high) = (self.real(low)?, self.real(high)?);
        let x = self.select_less(high, x, high, x)?;
        self.select_less(x, low, low, x)
    }

    /// A number in all lanes.
    pub fn real(&self, value: f64) -> Result<Value<'c, 'a>, Failure> {
        let element = types::element(self.reals);
        self.constant(self.reals, attributes::typed_real(self.place.context(), element, value))
    }

    /// An integer in all lanes.
    pub fn word(&self, value: i64) -> Result<Value<'c, 'a>, Failure> {
        self.constant(self.words, attributes::typed_integer(types::element(self.words), value))
    }

    fn constant(&self, r#type: Type<'c>, element: Option<Attribute<'c>>) -> Result<Value<'c, 'a>, Failure> {
        let scalar = types::shape(r#type).is_none();
        let value = element.and_then(|element| if scalar { Some(element) } else { attributes::splat(r#type, element) });
        let value = value.ok_or_else(|| Failure::new(format!("no constant of type {}", r#type)))?;
        self.place.constant(value, r#type)
    }
}

/// The number that a value is in all lanes, if that is known.
pub fn constant(value: Value<'_, '_>) -> Option<f64> {
    let mut definition = value.defining_operation()?;
    if definition.full_name() == vector::BROADCAST {
        definition = definition.operand(0).ok()?.defining_operation()?;
    }
    let value = definition.get("value").filter(|_| definition.full_name() == arith::CONSTANT)?;
    attributes::as_real(value).or_else(|| attributes::as_real(attributes::as_splat(value)?))
}
