//! Makes ops of both dialects before the op that they replace.

use crate::apply::Elements;
use crate::dialect;
use crate::engine;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{
    Context, Location, Operation, OperationBuilder, OperationExt, OperationLike, OperationRef, Type, Value, ValueLike,
    types,
};
use skriptnd_mlir::rewrite::{Rewriter, with_rewriter};

/// Makes ops with the location of the op that they replace.
pub struct Builder<'r, 'c, 'a> {
    rewriter: &'r Rewriter<'c, 'a>,
    location: Location<'c>,
}

impl<'c: 'a, 'a> Builder<'_, 'c, 'a> {
    /// The context.
    pub fn context(&self) -> &'c Context {
        self.rewriter.context()
    }

    /// The location of the op that is replaced.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// Puts an operation before the op that is replaced, and gives its result.
    pub fn insert(&self, operation: Operation<'c>) -> Result<Value<'c, 'a>, Failure> {
        Ok(self.rewriter.insert(operation).result(0)?.into())
    }

    /// An op of the `htp` dialect, its name given with package.
    pub fn node(&self, name: &str, inputs: &[Value<'c, 'a>], ty: Type<'c>) -> Result<Value<'c, 'a>, Failure> {
        let name = dialect::operation_name(name);
        self.insert(OperationBuilder::new(&name, self.location).add_operands(inputs).add_results(&[ty]).build()?)
    }

    /// A `$Shape`.
    pub fn shape(&self, dims: &[u64]) -> Result<Value<'c, 'a>, Failure> {
        let ty = tensor(types::integer(self.context(), 32), dims)?;
        self.insert(engine::shape(self.location, ty)?)
    }

    /// A `$Const` of integers.
    pub fn ints(&self, values: &[i64], dims: &[u64]) -> Result<Value<'c, 'a>, Failure> {
        let ty = tensor(types::integer(self.context(), 32), dims)?;
        self.insert(engine::constant(self.context(), self.location, &Elements::Ints(values.to_vec()), ty)?)
    }

    /// A `$Const` of floating-point numbers.
    pub fn reals(&self, values: &[f64], dims: &[u64]) -> Result<Value<'c, 'a>, Failure> {
        let ty = tensor(types::f32(self.context()), dims)?;
        self.insert(engine::constant(self.context(), self.location, &Elements::Reals(values.to_vec()), ty)?)
    }

    /// `q::Transpose`.
    pub fn transpose(&self, value: Value<'c, 'a>, permutation: &[usize]) -> Result<Value<'c, 'a>, Failure> {
        let dims = static_dims(value.r#type()).ok_or("has an operand of dynamic shape")?;
        let permuted = permutation.iter().map(|axis| dims.get(*axis).copied()).collect::<Option<Vec<_>>>();
        let ty = tensor(types::element(value.r#type()), &permuted.ok_or("has an operand of another rank")?)?;
        let axes: Vec<i64> = permutation.iter().map(|axis| *axis as i64).collect();
        let axes = self.ints(&axes, &[permutation.len() as u64])?;
        self.node("q::Transpose", &[value, axes], ty)
    }
}

/// Replaces an op of one result by what `make` makes, if it makes something.
pub fn replace<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    make: impl FnOnce(&Builder<'_, 'c, 'a>) -> Result<Option<Value<'c, 'a>>, Failure>,
) -> Result<bool, Failure> {
    with_rewriter(op, |rewriter| {
        let builder = Builder { rewriter, location: op.location() };
        match make(&builder)? {
            None => Ok(false),
            Some(value) if [value.r#type()] != op.result_types()[..] => {
                let (expected, found) = (op.result_types(), value.r#type());
                Err(Failure::new(format!("expected conversion to {}, found {found}", expected[0])))
            }
            Some(value) => Ok(rewriter.replace(op, &[value]).map(|()| true)?),
        }
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
