//! What `top_k` looks for, and which element stands before which.

use super::super::emit::negation;
use super::{Invocation, arithmetic, whole};
use crate::scalars::Scalars as _;
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::arith;
use skriptnd_syntax::ast::BinaryOp;

/// An element and its position in the sequence, of type `i64`; below 0 if there is none.
#[derive(Clone, Copy)]
pub struct Element<'c, 'a> {
    /// The value.
    pub item: Value<'c, 'a>,
    /// The position.
    pub at: Value<'c, 'a>,
}

/// What is looked for.
pub struct Search<'c, 'a> {
    /// The operand.
    pub input: Value<'c, 'a>,
    /// Of the elements.
    pub dtype: ScalarType,
    /// The dimension.
    pub axis: usize,
    /// How many there are.
    pub length: Value<'c, 'a>,
    /// How many are taken.
    pub count: Value<'c, 'a>,
    largest: bool,
}

impl<'c: 'a, 'a> Search<'c, 'a> {
    /// From the attributes of `top_k`.
    pub fn new(invocation: &Invocation<'_, 'c, 'a>) -> Result<Self, Failure> {
        let (shape, input) = invocation.input(0)?;
        let Constant::Int(axis) = *invocation.attribute("axis")? else {
            return Err("has an attribute 'axis' that only a run knows".into());
        };
        let axis = if axis < 0 { axis + shape.shape.len() as i64 } else { axis };
        let axis = usize::try_from(axis).ok().filter(|&axis| axis < shape.shape.len());
        let axis = axis.ok_or("has an attribute 'axis' that is not a dimension of the input")?;
        let found = invocation.output(0)?.shape.get(axis).ok_or("has a result of another rank")?;
        Ok(Search {
            input,
            dtype: shape.dtype,
            axis,
            length: invocation.extents.index(&invocation.builder, &shape.shape[axis])?,
            count: invocation.extents.index(&invocation.builder, found)?,
            largest: invocation.bool("largest")?,
        })
    }

    /// Whether one element stands before another one in the result, whatever their positions.
    pub fn precedes(
        &self,
        builder: &Builder<'c, 'a>,
        a: Value<'c, 'a>,
        b: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let (a, b) = if self.largest { (a, b) } else { (b, a) };
        let is_greater = arithmetic::binary(builder, BinaryOp::Gt, self.dtype, a, b)?;
        if self.dtype != ScalarType::Real {
            return Ok(is_greater);
        }
        // What is not a number is larger than everything else.
        let is_nan = arithmetic::binary(builder, BinaryOp::Ne, self.dtype, a, a)?;
        let is_number = arithmetic::binary(builder, BinaryOp::Eq, self.dtype, b, b)?;
        arith::ori(builder, is_greater, arith::andi(builder, is_nan, is_number)?)
    }

    /// Whether an element stands behind another one; of equal ones the lower position comes first.
    pub fn follows(
        &self,
        builder: &Builder<'c, 'a>,
        a: Element<'c, 'a>,
        b: Element<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let is_higher = whole(builder, BinaryOp::Gt, a.at, b.at)?;
        let is_before = self.precedes(builder, a.item, b.item)?;
        let follows = arith::andi(builder, negation(builder, is_before)?, is_higher)?;
        arith::ori(builder, follows, self.precedes(builder, b.item, a.item)?)
    }

    /// The same of what has a position below 0 as well, which stands behind all others.
    pub fn is_behind(
        &self,
        builder: &Builder<'c, 'a>,
        a: Element<'c, 'a>,
        b: Element<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let is_none = |element: Element<'c, 'a>| whole(builder, BinaryOp::Lt, element.at, builder.int(0)?);
        let follows = self.follows(builder, a, b)?;
        let follows = arith::andi(builder, follows, negation(builder, is_none(b)?)?)?;
        arith::ori(builder, follows, is_none(a)?)
    }
}
