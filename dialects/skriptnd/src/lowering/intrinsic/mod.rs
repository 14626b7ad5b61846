//! Operators that the language has no formula for, as loops over elements. They compute what `skriptnd_runtime::intrinsic`
//! does, which the interpreter calls; what they do with elements comes from there: the order of equal ones, what is not a
//! number, random numbers.

mod draws;
mod heap;
mod loops;
mod merge;
mod nonzero;
mod random;
mod roi_pool;
mod search;
mod suppress;
mod top_k;

pub use self::draws::Draws;
use super::emit::extents::Extents;
use super::emit::{arithmetic, empty};
use super::limits::Limits;
use super::plan::TensorShape;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_language::compose::graph::OperatorCall;
use skriptnd_language::compose::value::{ScalarType, Symbolic, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::arith;
use skriptnd_syntax::ast::BinaryOp;

/// One invocation of an operator.
pub struct Invocation<'s, 'c, 'a> {
    /// Where it is computed.
    pub builder: Builder<'c, 'a>,
    /// Every attribute.
    pub call: &'s OperatorCall,
    /// The types of the operands.
    pub inputs: &'s [TensorShape],
    /// The types of the results.
    pub outputs: &'s [TensorShape],
    /// The operands.
    pub operands: &'s [Value<'c, 'a>],
    /// The extents that only a run knows; those that data determine are added.
    pub extents: &'s mut Extents<'c, 'a>,
    /// Their bounds.
    pub limits: &'s Limits,
    /// Where random numbers begin that have no seed.
    pub draws: &'s mut Draws<'c, 'a>,
}

/// Emits an operator; gives its results.
pub fn emit<'c: 'a, 'a>(invocation: &mut Invocation<'_, 'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
    match &*invocation.call.operator {
        "algo.top_k" => top_k::emit(invocation),
        "image.max_roi_pool" => roi_pool::emit(invocation, roi_pool::Reduction::Max),
        "image.avg_roi_pool" => roi_pool::emit(invocation, roi_pool::Reduction::Mean),
        "rand.uniform" => random::uniform(invocation),
        "rand.normal" => random::normal(invocation),
        "rand.bernoulli" => random::bernoulli(invocation),
        "layout.nonzero" => nonzero::emit(invocation),
        "algo.nonmax_suppress" => suppress::emit(invocation),
        _ => Err("can't be compiled yet: the language has no formula for it".into()),
    }
}

/// Whether data determine an extent of the first result of an operator.
pub fn finds_extents(operator: &str) -> bool {
    matches!(operator, "layout.nonzero" | "algo.nonmax_suppress")
}

/// The dimension of which data determine the extent, and what it is at most.
pub fn most(call: &OperatorCall, inputs: &[TensorShape]) -> Option<(usize, SymExpr)> {
    let product =
        |extents: &[SymExpr]| extents.iter().try_fold(SymExpr::Const(1), |product, extent| product.times(extent));
    match &*call.operator {
        "layout.nonzero" => Some((1, product(&inputs.first()?.shape)?)),
        "algo.nonmax_suppress" => {
            let [groups @ .., count] = inputs.get(1)?.shape.as_slice() else { return None };
            let most = match call.attributes.get("max_outputs_per_class")? {
                Constant::Int(most) => SymExpr::Const((*most).max(0)),
                Constant::Symbolic(Symbolic::Int(most)) => most.clone(),
                _ => return None,
            };
            Some((0, product(groups)?.times(&SymExpr::apply(SymOp::Min, vec![most, count.clone()])?)?))
        }
        _ => None,
    }
}

impl<'c: 'a, 'a> Invocation<'_, 'c, 'a> {
    fn attribute(&self, name: &str) -> Result<&Constant, Failure> {
        self.call.attributes.get(name).ok_or_else(|| format!("needs the attribute '{name}'").into())
    }

    fn bool(&self, name: &str) -> Result<bool, Failure> {
        match self.attribute(name)? {
            Constant::Bool(value) => Ok(*value),
            _ => Err(format!("has an attribute '{name}' that only a run knows").into()),
        }
    }

    /// An attribute as `i64`.
    fn int(&self, name: &str) -> Result<Value<'c, 'a>, Failure> {
        match self.attribute(name)? {
            Constant::Int(value) => self.builder.int(*value),
            Constant::Symbolic(Symbolic::Int(expr)) => self.extents.int(&self.builder, expr),
            _ => Err(format!("has an attribute '{name}' that is no integer").into()),
        }
    }

    /// An attribute as `f64`: the interpreter computes with as many digits.
    fn real(&self, name: &str) -> Result<Value<'c, 'a>, Failure> {
        let wide = types::f64(self.builder.context());
        match self.attribute(name)? {
            Constant::Real(value) => self.builder.real(wide, *value),
            Constant::Symbolic(Symbolic::Real(expr)) => self.extents.real(&self.builder, expr),
            _ => Err(format!("has an attribute '{name}' that is no real number").into()),
        }
    }

    fn input(&self, number: usize) -> Result<(&TensorShape, Value<'c, 'a>), Failure> {
        let operand = self.inputs.get(number).zip(self.operands.get(number).copied());
        operand.ok_or_else(|| format!("has no input {number}").into())
    }

    fn output(&self, number: usize) -> Result<&TensorShape, Failure> {
        self.outputs.get(number).ok_or_else(|| format!("has no output {number}").into())
    }

    /// Tensors for the results, all of whose elements are written.
    fn results(&self) -> Result<Vec<Value<'c, 'a>>, Failure> {
        self.outputs.iter().map(|shape| empty((&self.builder, self.extents), shape)).collect()
    }

    /// Gives an extent of a result, a symbol of its own, the value that data determine, of type `index`.
    fn tell(&mut self, output: usize, dimension: usize, value: Value<'c, 'a>) -> Result<(), Failure> {
        let extent = self.output(output)?.shape.get(dimension).ok_or("has a result of another rank")?;
        let Some(symbol) = self.extents.untold(extent) else { return Ok(()) };
        let value = counted(&self.builder, value)?;
        self.extents.tell(&self.builder, &symbol, value, self.limits)
    }

    /// What an extent of a result is at most.
    fn most(&self, output: usize, dimension: usize) -> Result<SymExpr, Failure> {
        let extent = self.output(output)?.shape.get(dimension).ok_or("has a result of another rank")?;
        let bound = || self.limits.upper_bound(extent).map(SymExpr::Const);
        let room = self.extents.untold(extent).and_then(|symbol| self.limits.room(&symbol));
        room.or_else(bound).ok_or_else(|| format!("the extent {extent} has no bound").into())
    }

    /// The values of extents, of type `index`.
    fn indices(&self, shape: &[SymExpr]) -> Result<Vec<Value<'c, 'a>>, Failure> {
        shape.iter().map(|extent| self.extents.index(&self.builder, extent)).collect()
    }
}

/// An operator on `int`, or on values of type `index`.
fn whole<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    op: BinaryOp,
    a: Value<'c, 'a>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    arithmetic::binary(builder, op, ScalarType::Int, a, b)
}

/// An index as `i64`.
fn counted<'c: 'a, 'a>(builder: &Builder<'c, 'a>, index: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::index_cast(builder, index, types::integer(builder.context(), 64))
}
