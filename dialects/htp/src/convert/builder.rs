//! Ops of both dialects before the op that they replace.

use super::images::TO_CHANNELS_LAST;
use crate::apply::{Elements, Graph};
use crate::engine::{self, IrGraph};
use crate::generated::operations::{ReshapeOpBuilder, TransposeOpBuilder};
use skriptnd_dialect::generated::operations::ConstantOp;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, attributes, types};
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

    /// An image with its channels last.
    fn last(&self, image: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure>;

    /// The same elements in another shape: a `$Const` where the value is a small uniform constant, else `q::Reshape`.
    fn reshaped(&self, value: Value<'c, 'a>, dims: &[u64]) -> Result<Value<'c, 'a>, Failure>;
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
        let ty = permuted(value.r#type(), permutation)?;
        let axes: Vec<i64> = permutation.iter().map(|axis| *axis as i64).collect();
        let axes = self.ints(&axes, &[permutation.len() as u64])?;
        TransposeOpBuilder::new(self).input(value).permutation(axes).output_type(ty).build()?.output()
    }

    fn last(&self, image: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
        let ty = permuted(image.r#type(), &TO_CHANNELS_LAST)?;
        match uniform(image) {
            Some(elements) => engine::constant(self, &elements, ty),
            None => self.transpose(image, &TO_CHANNELS_LAST),
        }
    }

    fn reshaped(&self, value: Value<'c, 'a>, dims: &[u64]) -> Result<Value<'c, 'a>, Failure> {
        let ty = tensor(types::element(value.r#type()), dims)?;
        match uniform(value) {
            Some(elements) => engine::constant(self, &elements, ty),
            None => ReshapeOpBuilder::new(self).input(value).shape(self.shape(dims)?).output_type(ty).build()?.output(),
        }
    }
}

/// Constants up to this size become ops that hold their elements.
pub const MOST_ELEMENTS: u64 = 4096;

/// The elements of a constant of 32-bit floats that are all the same.
fn uniform(value: Value<'_, '_>) -> Option<Elements> {
    let op = value.defining_operation()?;
    let count = static_dims(value.r#type())?.into_iter().try_fold(1u64, u64::checked_mul)?;
    let count = usize::try_from(count).ok().filter(|_| count <= MOST_ELEMENTS)?;
    let element = match ConstantOp::new(op) {
        Some(constant) => attributes::as_real(attributes::as_splat(constant.value().ok()?)?)?,
        None => match IrGraph::default().constant(value)? {
            Elements::Reals(all) if all.windows(2).all(|pair| pair[0] == pair[1]) => *all.first()?,
            _ => return None,
        },
    };
    Some(Elements::Reals(vec![element; count]))
}

/// A `$Const` in place of a small uniform constant of the `skriptnd` dialect.
pub fn constant<'c: 'a, 'a>(value: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Failure> {
    uniform(value).map(|elements| engine::constant(to, &elements, value.r#type())).transpose()
}

/// A tensor type with its dimensions in another order.
pub fn permuted<'c>(ty: Type<'c>, permutation: &[usize]) -> Result<Type<'c>, Failure> {
    let dims = static_dims(ty).ok_or("has a tensor of dynamic shape")?;
    let permuted = permutation.iter().map(|axis| dims.get(*axis).copied()).collect::<Option<Vec<_>>>();
    tensor(types::element(ty), &permuted.ok_or("has an operand of another rank")?)
}

/// Replaces an op by what `make` makes, value for value.
pub fn replace<'c: 'a, 'a, E: From<Failure>>(
    op: OperationRef<'c, 'a>,
    make: impl FnOnce(&Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, E>,
) -> Result<(), E> {
    let values = make(&Builder::before(op)?)?;
    let found: Vec<_> = values.iter().map(|value| value.r#type()).collect();
    let expected = op.result_types();
    if let Some((expected, found)) = expected.iter().zip(&found).find(|(expected, found)| expected != found) {
        return Err(Failure::new(format!("expected conversion to {expected}, found {found}")).into());
    }
    Ok(with_rewriter(op, |rewriter| rewriter.replace(op, &values))?)
}

/// The extents of a tensor of static shape.
pub fn static_dims(ty: Type<'_>) -> Option<Vec<u64>> {
    types::shape(ty)?.into_iter().collect()
}

/// A tensor type of static shape.
pub fn tensor<'c>(element: Type<'c>, dims: &[u64]) -> Result<Type<'c>, Failure> {
    let extents: Vec<_> = dims.iter().copied().map(Some).collect();
    // Only its text makes a tensor of a type that another dialect defines, as quantized ones are.
    let text = || format!("tensor<{}{element}>", dims.iter().map(|extent| format!("{extent}x")).collect::<String>());
    let ty = types::tensor(element, &extents).or_else(|| types::parse(element.context(), &text()));
    ty.ok_or_else(|| Failure::new(format!("tensors can't have elements {element}")))
}
