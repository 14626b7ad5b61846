//! Ops of both dialects before the op that they replace.

use crate::apply::Elements;
use crate::engine;
use crate::generated::operations::TransposeOpBuilder;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, types};
use skriptnd_mlir::rewrite::with_rewriter;

/// What a builder makes of the `htp` dialect.
pub trait Nodes<'c, 'a> {
    /// A `$Shape`.
    fn shape(&self, dims: &[u64]) -> Result<Value<'c, 'a>, Failure>;

    /// A `$Const` of integers.
    fn ints(&self, values: &[i64], dims: &[u64]) -> Result<Value<'c, 'a>, Failure>;

    /// A `$Const` of floating-point numbers.
    fn reals(&self, values: &[f64], dims: &[u64]) -> Result<Value<'c, 'a>, Failure>;

    /// `q::Transpose`.
    fn transpose(&self, value: Value<'c, 'a>, permutation: &[usize]) -> Result<Value<'c, 'a>, Failure>;
}

impl<'c: 'a, 'a> Nodes<'c, 'a> for Builder<'c, 'a> {
    fn shape(&self, dims: &[u64]) -> Result<Value<'c, 'a>, Failure> {
        engine::shape(self, tensor(types::integer(self.context(), 32), dims)?)
    }

    fn ints(&self, values: &[i64], dims: &[u64]) -> Result<Value<'c, 'a>, Failure> {
        let ty = tensor(types::integer(self.context(), 32), dims)?;
        engine::constant(self, &Elements::Ints(values.to_vec()), ty)
    }

    fn reals(&self, values: &[f64], dims: &[u64]) -> Result<Value<'c, 'a>, Failure> {
        engine::constant(self, &Elements::Reals(values.to_vec()), tensor(types::f32(self.context()), dims)?)
    }

    fn transpose(&self, value: Value<'c, 'a>, permutation: &[usize]) -> Result<Value<'c, 'a>, Failure> {
        let dims = static_dims(value.r#type()).ok_or("has an operand of dynamic shape")?;
        let permuted = permutation.iter().map(|axis| dims.get(*axis).copied()).collect::<Option<Vec<_>>>();
        let ty = tensor(types::element(value.r#type()), &permuted.ok_or("has an operand of another rank")?)?;
        let axes: Vec<i64> = permutation.iter().map(|axis| *axis as i64).collect();
        let axes = self.ints(&axes, &[permutation.len() as u64])?;
        TransposeOpBuilder::new(self).input(value).permutation(axes).output_type(ty).build()?.output()
    }
}

/// Replaces an op of one result by what `make` makes, if it makes something.
pub fn replace<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    make: impl FnOnce(&Builder<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Failure>,
) -> Result<bool, Failure> {
    with_rewriter(op, |rewriter| match make(&rewriter.before(op)?)? {
        None => Ok(false),
        Some(value) if [value.r#type()] != op.result_types()[..] => {
            let (expected, found) = (op.result_types(), value.r#type());
            Err(Failure::new(format!("expected conversion to {}, found {found}", expected[0])))
        }
        Some(value) => rewriter.replace(op, &[value]).map(|()| true),
    })
}

/// The extents of a tensor of static shape.
pub fn static_dims(ty: Type<'_>) -> Option<Vec<u64>> {
    types::shape(ty)?.into_iter().collect()
}

/// A tensor type of static shape.
pub fn tensor<'c>(element: Type<'c>, dims: &[u64]) -> Result<Type<'c>, Failure> {
    let extents: Vec<_> = dims.iter().copied().map(Some).collect();
    types::tensor(element, &extents).ok_or_else(|| Failure::new(format!("tensors can't have elements {element}")))
}
