//! Scalar expressions of a formula inside a structured operation or a nest of loops.

use super::arithmetic::{self, Right};
use super::integers;
use crate::lowering::plan::Tensors;
use crate::lowering::requirements::Bounds;
use crate::scalars::Scalars as _;
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, FormulaConstant, Guard, ScalarExpr, ScalarKind, TensorRef,
};
use skriptnd_language::compose::value::{ScalarType, Value as Constant};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::{arith, tensor};
use skriptnd_syntax::ast::BinaryOp;
use std::cell::RefCell;

/// A value with the condition under which it counts: where a guard fails, the iteration is skipped.
#[derive(Clone, Copy)]
pub struct Guarded<'c, 'a> {
    /// The value; anything where it does not count.
    pub value: Value<'c, 'a>,
    /// Always, if there is none.
    pub condition: Option<Value<'c, 'a>>,
}

/// What the surrounding operation provides.
pub trait Surroundings<'c, 'a> {
    /// The index of a loop, as `i64`.
    fn index(&self, builder: &Builder<'c, 'a>, number: usize) -> Result<Value<'c, 'a>, Failure>;

    /// The value of an access, if it is at hand.
    fn element(&self, access: &ScalarExpr) -> Option<Value<'c, 'a>>;

    /// A tensor to fetch elements from.
    fn tensor(&self, tensor: TensorRef) -> Result<Value<'c, 'a>, Failure>;
}

/// Emits the expressions of one assignment at one place.
pub struct Scalars<'s, 'c, 'a> {
    builder: Builder<'c, 'a>,
    assignment: &'s Assignment,
    tensors: Tensors<'s>,
    surroundings: &'s dyn Surroundings<'c, 'a>,
    bounds: Bounds<'s>,
    locals: RefCell<Vec<Option<Guarded<'c, 'a>>>>,
}

impl<'s, 'c: 'a, 'a> Scalars<'s, 'c, 'a> {
    /// At the builder's place.
    pub fn new(
        builder: Builder<'c, 'a>,
        assignment: &'s Assignment,
        (tensors, constants): (Tensors<'s>, &'s [FormulaConstant]),
        surroundings: &'s dyn Surroundings<'c, 'a>,
    ) -> Self {
        let bounds = Bounds::new(assignment, constants);
        let locals = RefCell::new(vec![None; assignment.locals.len()]);
        Scalars { builder, assignment, tensors, surroundings, bounds, locals }
    }

    /// Where the expressions are emitted.
    pub fn builder(&self) -> Builder<'c, 'a> {
        self.builder
    }

    /// The value of an expression.
    pub fn emit(&self, expression: &ScalarExpr) -> Result<Guarded<'c, 'a>, Failure> {
        let always = |value| Guarded { value, condition: None };
        let builder = &self.builder;
        match &expression.kind {
            ScalarKind::Const(value) => Ok(always(arithmetic::constant(builder, value, expression.dtype)?)),
            ScalarKind::Index(number) => Ok(always(self.surroundings.index(builder, *number)?)),
            ScalarKind::Local(number) => self.local(*number),
            ScalarKind::Access { tensor, indices } => match self.surroundings.element(expression) {
                Some(value) => Ok(always(value)),
                None => self.fetch(*tensor, indices, expression.dtype),
            },
            ScalarKind::Unary(op, a) => {
                let a = self.emit(a)?;
                Ok(Guarded { value: arithmetic::unary(builder, *op, expression.dtype, a.value)?, ..a })
            }
            ScalarKind::Cast(a) => {
                let (from, a) = (a.dtype, self.emit(a)?);
                Ok(Guarded { value: arithmetic::cast(builder, from, expression.dtype, a.value)?, ..a })
            }
            ScalarKind::Builtin(function, a) => {
                let (from, a) = (a.dtype, self.emit(a)?);
                Ok(Guarded { value: arithmetic::builtin(builder, *function, from, a.value)?, ..a })
            }
            ScalarKind::Binary(op, a, b) => self.binary(*op, a, b),
            ScalarKind::Select(condition, a, b) => self.select(condition, a, b),
        }
    }

    fn local(&self, number: usize) -> Result<Guarded<'c, 'a>, Failure> {
        let known = self.locals.borrow().get(number).copied().flatten();
        if let Some(known) = known {
            return Ok(known);
        }
        let expression = self.assignment.locals.get(number).ok_or("a formula uses a value that it does not define")?;
        let value = self.emit(expression)?;
        if let Some(slot) = self.locals.borrow_mut().get_mut(number) {
            *slot = Some(value);
        }
        Ok(value)
    }

    /// Whether the guards of loop-local values let the iteration run. They have a value in every iteration, used or not.
    pub fn locals_run(&self) -> Result<Option<Value<'c, 'a>>, Failure> {
        (0..self.assignment.locals.len()).try_fold(None, |runs, number| self.both(runs, self.local(number)?.condition))
    }

    fn binary(&self, op: BinaryOp, a: &ScalarExpr, b: &ScalarExpr) -> Result<Guarded<'c, 'a>, Failure> {
        let right = if let ScalarKind::Const(value) = &b.kind { Some(value) } else { None };
        let is_plain = matches!(op, BinaryOp::Div | BinaryOp::Mod)
            && matches!(right, Some(Constant::Int(1..)))
            && self.bounds.of(a).is_some_and(|(low, _)| low >= 0);
        let known = Right { constant: right, range: self.bounds.of(b).unwrap_or(integers::ANY) };
        let (dtype, a, b) = (a.dtype, self.emit(a)?, self.emit(b)?);
        let value = match is_plain {
            true => integers::divide_unsigned(&self.builder, op, a.value, b.value)?,
            false => arithmetic::binary_with(&self.builder, op, dtype, (a.value, b.value), &known)?,
        };
        Ok(Guarded { value, condition: self.both(a.condition, b.condition)? })
    }

    /// Both branches are computed, which is safe because every fetch stays inside its tensor; the guards of the branch
    /// that is not taken have no effect.
    fn select(&self, condition: &ScalarExpr, a: &ScalarExpr, b: &ScalarExpr) -> Result<Guarded<'c, 'a>, Failure> {
        let (condition, a, b) = (self.emit(condition)?, self.emit(a)?, self.emit(b)?);
        let value = arith::select(&self.builder, condition.value, a.value, b.value)?;
        let branches = match (a.condition, b.condition) {
            (None, None) => None,
            (a, b) => {
                let always = self.builder.boolean(true)?;
                let (a, b) = (a.unwrap_or(always), b.unwrap_or(always));
                Some(arith::select(&self.builder, condition.value, a, b)?)
            }
        };
        Ok(Guarded { value, condition: self.both(condition.condition, branches)? })
    }

    /// The conjunction of two conditions.
    pub fn both(&self, a: Option<Value<'c, 'a>>, b: Option<Value<'c, 'a>>) -> Result<Option<Value<'c, 'a>>, Failure> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                arithmetic::binary(&self.builder, BinaryOp::And, ScalarType::Bool, a, b).map(Some)
            }
            (a, b) => Ok(a.or(b)),
        }
    }

    fn fetch(&self, tensor: TensorRef, indices: &[AccessIndex], dtype: ScalarType) -> Result<Guarded<'c, 'a>, Failure> {
        let shape = self.tensors.get(tensor).ok_or("a formula reads a tensor that it does not have")?;
        if shape.shape.contains(&0) {
            let value = arithmetic::constant(&self.builder, &super::zero(dtype), dtype)?;
            return Ok(Guarded { value, condition: Some(self.builder.boolean(false)?) });
        }
        let (positions, condition) = self.positions(indices, &shape.shape)?;
        let value = tensor::extract(&self.builder, self.surroundings.tensor(tensor)?, &positions)?;
        Ok(Guarded { value, condition })
    }

    /// Indices of type `index` that are inside the tensor, and whether they are the ones that were asked for.
    pub fn positions(
        &self,
        indices: &[AccessIndex],
        shape: &[i64],
    ) -> Result<(Vec<Value<'c, 'a>>, Option<Value<'c, 'a>>), Failure> {
        let (mut positions, mut condition) = (Vec::new(), None);
        for (index, &extent) in indices.iter().zip(shape) {
            let position = self.position(index, extent)?;
            condition = self.both(condition, position.condition)?;
            let r#type = types::index(self.builder.context());
            positions.push(arith::index_cast(&self.builder, position.value, r#type)?);
        }
        Ok((positions, condition))
    }

    fn position(&self, index: &AccessIndex, extent: i64) -> Result<Guarded<'c, 'a>, Failure> {
        let Guarded { value, condition } = self.index(index, extent)?;
        if self.bounds.is_within(&index.index, extent) {
            return Ok(Guarded { value, condition });
        }
        if index.guard != Guard::Skip {
            return Ok(Guarded { value: self.clamp(value, extent)?, condition });
        }
        let inside = arithmetic::is_inside(&self.builder, value, extent)?;
        let value = arith::select(&self.builder, inside, value, self.builder.int(0)?)?;
        Ok(Guarded { value, condition: self.both(condition, Some(inside))? })
    }

    /// An index, remapped if it has such a guard; it may be outside of the tensor.
    pub fn index(&self, index: &AccessIndex, extent: i64) -> Result<Guarded<'c, 'a>, Failure> {
        let (builder, int) = (&self.builder, ScalarType::Int);
        let Guarded { value, condition } = self.emit(&index.index)?;
        let Guard::Remap { below, above } = &index.guard else { return Ok(Guarded { value, condition }) };
        if self.bounds.is_within(&index.index, extent) {
            return Ok(Guarded { value, condition });
        }
        let (below, above) = (self.emit(below)?, self.emit(above)?);
        let is_above = arithmetic::binary(builder, BinaryOp::Ge, int, value, builder.int(extent)?)?;
        let is_below = arithmetic::binary(builder, BinaryOp::Lt, int, value, builder.int(0)?)?;
        let value = arith::select(builder, is_above, above.value, value)?;
        let value = arith::select(builder, is_below, below.value, value)?;
        let condition = self.both(condition, self.both(below.condition, above.condition)?)?;
        Ok(Guarded { value, condition })
    }

    /// The nearest index inside the tensor: wrong data must not reach other memory.
    fn clamp(&self, index: Value<'c, 'a>, extent: i64) -> Result<Value<'c, 'a>, Failure> {
        let builder = &self.builder;
        let last = builder.int(extent - 1)?;
        let below = arithmetic::binary(builder, BinaryOp::Min, ScalarType::Int, index, last)?;
        arithmetic::binary(builder, BinaryOp::Max, ScalarType::Int, below, builder.int(0)?)
    }
}
