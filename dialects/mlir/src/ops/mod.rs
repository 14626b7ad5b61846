//! Typed constructors of upstream's operations: one function for each, in a module for each dialect, with the operation's
//! name. They insert where a [`Builder`](crate::ir::Builder) stands. Operations with regions give builders for those.

/// Names of operations that are recognized, but not built.
macro_rules! names {
    ($($constant:ident = $name:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub const $constant: &str = $name;
        )*
    };
}

/// Operations of two operands of one type, which is that of the result.
macro_rules! binary {
    ($($function:ident $($constant:ident)? = $name:literal;)*) => {
        $(
            $(
                #[doc = concat!("The name of `", $name, "`.")]
                pub const $constant: &str = $name;
            )?
            #[doc = concat!("`", $name, "`")]
            pub fn $function<'c, 'a>(
                builder: &Builder<'c, 'a>,
                left: Value<'c, 'a>,
                right: Value<'c, 'a>,
            ) -> Result<Value<'c, 'a>, Failure> {
                builder.value($name, &[left, right], &[], left.r#type())
            }
        )*
    };
}

/// Operations of one operand, whose type is that of the result.
macro_rules! unary {
    ($($function:ident $($constant:ident)? = $name:literal;)*) => {
        $(
            $(
                #[doc = concat!("The name of `", $name, "`.")]
                pub const $constant: &str = $name;
            )?
            #[doc = concat!("`", $name, "`")]
            pub fn $function<'c, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
                builder.value($name, &[value], &[], value.r#type())
            }
        )*
    };
}

/// Operations of one operand whose result is of another type.
macro_rules! conversion {
    ($($function:ident $($constant:ident)? = $name:literal;)*) => {
        $(
            $(
                #[doc = concat!("The name of `", $name, "`.")]
                pub const $constant: &str = $name;
            )?
            #[doc = concat!("`", $name, "`")]
            pub fn $function<'c, 'a>(
                builder: &Builder<'c, 'a>,
                value: Value<'c, 'a>,
                r#type: Type<'c>,
            ) -> Result<Value<'c, 'a>, Failure> {
                builder.value($name, &[value], &[], r#type)
            }
        )*
    };
}

/// Operations that hand values on, or nothing, and have no results.
macro_rules! terminator {
    ($($function:ident $($constant:ident)? = $name:literal;)*) => {
        $(
            $(
                #[doc = concat!("The name of `", $name, "`.")]
                pub const $constant: &str = $name;
            )?
            #[doc = concat!("`", $name, "`")]
            pub fn $function<'c, 'a>(builder: &Builder<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<(), Failure> {
                builder.operation($name, values, &[], &[]).map(drop)
            }
        )*
    };
}

pub mod affine;
pub mod arith;
pub mod bufferization;
mod common;
pub mod func;
pub mod linalg;
pub mod llvm;
pub mod math;
pub mod memref;
pub mod scf;
pub mod tensor;
pub mod vector;

use crate::Failure;
use crate::ir::{Attribute, Builder, Context, Value, attributes};

/// How many operands, or results, belong to each declared one.
fn segments<'c>(context: &'c Context, sizes: &[usize]) -> (&'static str, Attribute<'c>) {
    let sizes: Vec<i32> = sizes.iter().map(|&size| i32::try_from(size).unwrap_or(i32::MAX)).collect();
    ("operandSegmentSizes", attributes::segment_sizes(context, &sizes))
}

/// A size, an offset or a number of elements of padding: known, or a value of type `index`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size<'c, 'a> {
    /// Known.
    Known(i64),
    /// Computed.
    Value(Value<'c, 'a>),
}

/// What stands for a computed number among known ones.
const DYNAMIC: i64 = i64::MIN;

impl<'c, 'a> Size<'c, 'a> {
    /// The size as a value.
    ///
    /// # Errors
    /// Where the builder can't make a constant.
    pub fn value(self, builder: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        match self {
            Size::Known(known) => builder.index(known),
            Size::Value(value) => Ok(value),
        }
    }

    /// The sum of two.
    ///
    /// # Errors
    /// Where the builder can't make a sum.
    pub fn plus(self, other: Self, builder: &Builder<'c, 'a>) -> Result<Self, Failure> {
        Ok(match (self, other) {
            (Size::Known(0), size) | (size, Size::Known(0)) => size,
            (Size::Known(one), Size::Known(other)) => Size::Known(one.saturating_add(other)),
            (one, other) => Size::Value(arith::addi(builder, one.value(builder)?, other.value(builder)?)?),
        })
    }

    /// The product of two.
    ///
    /// # Errors
    /// Where the builder can't make a product.
    pub fn times(self, other: Self, builder: &Builder<'c, 'a>) -> Result<Self, Failure> {
        Ok(match (self, other) {
            (Size::Known(1), size) | (size, Size::Known(1)) => size,
            (Size::Known(one), Size::Known(other)) => Size::Known(one.saturating_mul(other)),
            (one, other) => Size::Value(arith::muli(builder, one.value(builder)?, other.value(builder)?)?),
        })
    }

    /// What a run computes; none if it is known.
    pub fn computed(self) -> Option<Value<'c, 'a>> {
        if let Size::Value(value) = self { Some(value) } else { None }
    }

    /// The known numbers, with a mark in place of others, which follow.
    fn split(sizes: &[Size<'c, 'a>]) -> (Vec<i64>, Vec<Value<'c, 'a>>) {
        let known = |size: &Size<'c, 'a>| if let Size::Known(known) = size { *known } else { DYNAMIC };
        (sizes.iter().map(known).collect(), sizes.iter().copied().filter_map(Size::computed).collect())
    }
}

/// The dimensions that are one dimension on the other side, as `reassociation` has them.
fn reassociation<'c>(context: &'c Context, groups: &[Vec<usize>]) -> (&'static str, Attribute<'c>) {
    let group = |group: &Vec<usize>| {
        let dimensions: Vec<_> = group.iter().map(|&number| attributes::integer(context, number as i64)).collect();
        attributes::array(context, &dimensions)
    };
    ("reassociation", attributes::array(context, &groups.iter().map(group).collect::<Vec<_>>()))
}
