//! Scalars of the language as types and constants of MLIR.

use skriptnd_language::compose::value::ScalarType;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Context, Type, Value, types};

/// What a builder makes of the language's scalars.
pub trait Scalars<'c, 'a> {
    /// A constant of type `int`.
    fn int(&self, value: i64) -> Result<Value<'c, 'a>, Failure>;

    /// A constant of type `real`.
    fn float(&self, value: f64) -> Result<Value<'c, 'a>, Failure>;

    /// The type of scalars.
    fn scalar_type(&self, dtype: ScalarType) -> Result<Type<'c>, Failure>;

    /// The type of tensors with known extents.
    fn tensor_type(&self, dtype: ScalarType, shape: &[i64]) -> Result<Type<'c>, Failure>;
}

impl<'c: 'a, 'a> Scalars<'c, 'a> for Builder<'c, 'a> {
    fn int(&self, value: i64) -> Result<Value<'c, 'a>, Failure> {
        self.integer(types::integer(self.context(), 64), value)
    }

    fn float(&self, value: f64) -> Result<Value<'c, 'a>, Failure> {
        self.real(types::f32(self.context()), value)
    }

    fn scalar_type(&self, dtype: ScalarType) -> Result<Type<'c>, Failure> {
        scalar_type(self.context(), dtype)
    }

    fn tensor_type(&self, dtype: ScalarType, shape: &[i64]) -> Result<Type<'c>, Failure> {
        let extents: Option<Vec<_>> = shape.iter().map(|&extent| u64::try_from(extent).ok().map(Some)).collect();
        let extents = extents.ok_or("an extent is negative")?;
        types::tensor(self.scalar_type(dtype)?, &extents).ok_or_else(|| "no such tensor type".into())
    }
}

/// The MLIR type of scalars: `real` is `f32`, `int` is `i64`, `bool` is `i1`.
pub fn scalar_type(context: &Context, dtype: ScalarType) -> Result<Type<'_>, Failure> {
    match dtype {
        ScalarType::Real => Ok(types::f32(context)),
        ScalarType::Int => Ok(types::integer(context, 64)),
        ScalarType::Bool => Ok(types::integer(context, 1)),
        ScalarType::Str => Err("tensors of strings have no run-time representation".into()),
    }
}

/// The SkriptND type of MLIR scalars.
pub fn dtype_of(r#type: Type<'_>) -> Option<ScalarType> {
    if r#type.is_float() {
        return (types::width(r#type) == Some(32)).then_some(ScalarType::Real);
    }
    match types::width(r#type)? {
        64 => Some(ScalarType::Int),
        1 => Some(ScalarType::Bool),
        _ => None,
    }
}
