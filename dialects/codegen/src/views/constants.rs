//! Numbers that constants have.

use skriptnd_mlir::ir::{Attribute, Value, attributes};
use skriptnd_mlir::ops::arith;

/// What a constant is, a number or a tensor of them.
pub fn constant<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<Attribute<'c>> {
    value.defining_operation().filter(|made| made.full_name() == arith::CONSTANT)?.get("value")
}

/// The integer that a value is, if that is known.
pub fn integer(value: Value<'_, '_>) -> Option<i64> {
    constant(value).and_then(attributes::as_integer)
}

/// The real that a value is, if that is known.
pub fn real(value: Value<'_, '_>) -> Option<f64> {
    constant(value).and_then(attributes::as_real)
}

/// Whether a value is known to be zero.
pub fn is_zero(value: Value<'_, '_>) -> bool {
    integer(value) == Some(0) || real(value) == Some(0.0)
}
