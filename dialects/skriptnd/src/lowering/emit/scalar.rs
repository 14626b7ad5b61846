//! Scalar expressions of a formula inside a structured operation or a nest of loops.

use super::arithmetic::{self, Right};
use super::extents::Extents;
use super::{integers, truth};
use crate::lowering::plan::{Tensors, extent_of};
use crate::lowering::requirements::Bounds;
use crate::scalars::Scalars as _;
use skriptnd_language::arithmetic::may_be_undefined;
use skriptnd_language::compose::extent::SymExpr;
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
    /// Whether there is a value at all: it is not made of what is required and does not hold. Always, if there is none,
    /// or if that is not followed.
    pub exists: Option<Value<'c, 'a>>,
}

/// Indices of one element.
pub struct Positions<'c, 'a> {
    /// One for each dimension, inside of the tensor.
    pub indices: Vec<Value<'c, 'a>>,
    /// Whether no guard skips the iteration; always, if there is none.
    pub condition: Option<Value<'c, 'a>>,
    /// Whether all of them exist and are the ones that were asked for.
    pub exist: Option<Value<'c, 'a>>,
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

/// What the expressions of a formula see.
#[derive(Clone, Copy)]
pub struct Scope<'s, 'c, 'a> {
    /// The tensors.
    pub tensors: Tensors<'s>,
    /// What is known of the constant ones.
    pub constants: &'s [FormulaConstant],
    /// The extents that a run knows.
    pub extents: &'s Extents<'c, 'a>,
}

/// Emits the expressions of one assignment at one place.
pub struct Scalars<'s, 'c, 'a> {
    builder: Builder<'c, 'a>,
    assignment: &'s Assignment,
    tensors: Tensors<'s>,
    extents: &'s Extents<'c, 'a>,
    surroundings: &'s dyn Surroundings<'c, 'a>,
    bounds: Bounds<'s>,
    follows_faults: bool,
    locals: RefCell<Vec<Option<Guarded<'c, 'a>>>>,
}

impl<'s, 'c: 'a, 'a> Scalars<'s, 'c, 'a> {
    /// At the builder's place.
    pub fn new(
        builder: Builder<'c, 'a>,
        assignment: &'s Assignment,
        Scope { tensors, constants, extents }: Scope<'s, 'c, 'a>,
        surroundings: &'s dyn Surroundings<'c, 'a>,
    ) -> Self {
        let bounds = Bounds::new(assignment, constants, tensors.limits);
        let locals = RefCell::new(vec![None; assignment.locals.len()]);
        Scalars { builder, assignment, tensors, extents, surroundings, bounds, follows_faults: false, locals }
    }

    /// Follows which values there are: those that there are not decide nothing, take no branch and skip no iteration.
    pub fn following_faults(self) -> Self {
        Scalars { follows_faults: true, ..self }
    }

    /// Where the expressions are emitted.
    pub fn builder(&self) -> Builder<'c, 'a> {
        self.builder
    }

    /// The value of an expression.
    pub fn emit(&self, expression: &ScalarExpr) -> Result<Guarded<'c, 'a>, Failure> {
        let always = |value| Guarded { value, condition: None, exists: None };
        let builder = &self.builder;
        match &expression.kind {
            ScalarKind::Const(value) => Ok(always(self.extents.constant(builder, value, expression.dtype)?)),
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
        if let Some(shifted) = self.shifted(op, a, b)? {
            return Ok(shifted);
        }
        let right = if let ScalarKind::Const(value) = &b.kind { Some(value) } else { None };
        let is_plain = matches!(op, BinaryOp::Div | BinaryOp::Mod)
            // Powers of 2 are shifts and masks in any case.
            && matches!(right, Some(Constant::Int(by @ 1..)) if by.count_ones() > 1)
            && self.bounds.of(a).is_some_and(|(low, _)| low >= 0);
        let known = Right { constant: right, range: self.bounds.of(b).unwrap_or(integers::ANY) };
        let (dtype, a, b) = (a.dtype, self.emit(a)?, self.emit(b)?);
        let mut exists = self.both(a.exists, b.exists)?;
        if self.follows_faults && dtype == ScalarType::Int && may_be_undefined(op) {
            exists = self.both(exists, Some(self.is_defined(op, a.value, b.value)?))?;
        }
        let value = match is_plain {
            true => integers::divide_unsigned(&self.builder, op, a.value, b.value)?,
            false => arithmetic::binary_with(&self.builder, op, dtype, (a.value, b.value), &known)?,
        };
        Ok(Guarded { value, condition: self.both(a.condition, b.condition)?, exists })
    }

    /// A power of 2, or a division by one, which rounds down: bits are moved.
    fn shifted(&self, op: BinaryOp, a: &ScalarExpr, b: &ScalarExpr) -> Result<Option<Guarded<'c, 'a>>, Failure> {
        let builder = &self.builder;
        let [a, b] = match op {
            _ if a.dtype != ScalarType::Int => return Ok(None),
            BinaryOp::Pow if is_two(a) && self.is_exponent(b) => {
                let exponent = self.emit(b)?;
                return Ok(Some(Guarded { value: integers::power_of_two(builder, exponent.value)?, ..exponent }));
            }
            BinaryOp::Div => match &b.kind {
                ScalarKind::Binary(BinaryOp::Pow, two, exponent) if is_two(two) && self.is_exponent(exponent) => {
                    [self.emit(a)?, self.emit(exponent)?]
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let value = arith::shrsi(builder, a.value, b.value)?;
        let condition = self.both(a.condition, b.condition)?;
        Ok(Some(Guarded { value, condition, exists: self.both(a.exists, b.exists)? }))
    }

    fn is_exponent(&self, exponent: &ScalarExpr) -> bool {
        let (least, most) = (integers::EXPONENTS.start(), integers::EXPONENTS.end());
        self.bounds.of(exponent).is_some_and(|(low, high)| low >= *least && high <= *most)
    }

    /// Whether an operator on integers has a value.
    pub fn is_defined(
        &self,
        op: BinaryOp,
        left: Value<'c, 'a>,
        right: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Failure> {
        let (builder, int) = (&self.builder, ScalarType::Int);
        let zero = builder.int(0)?;
        if op != BinaryOp::Pow {
            return arithmetic::binary(builder, BinaryOp::Ne, int, right, zero);
        }
        let is_not_zero = arithmetic::binary(builder, BinaryOp::Ne, int, left, zero)?;
        let is_not_negative = arithmetic::binary(builder, BinaryOp::Ge, int, right, zero)?;
        truth::boolean(builder, BinaryOp::Or, is_not_zero, is_not_negative)
    }

    /// Both branches are computed, which is safe because every fetch stays inside its tensor; the guards of the branch
    /// that is not taken have no effect.
    fn select(&self, condition: &ScalarExpr, a: &ScalarExpr, b: &ScalarExpr) -> Result<Guarded<'c, 'a>, Failure> {
        let (condition, a, b) = (self.emit(condition)?, self.emit(a)?, self.emit(b)?);
        let value = arith::select(&self.builder, condition.value, a.value, b.value)?;
        let branches = self.chosen(condition.value, a.condition, b.condition)?;
        let branches = self.where_it_exists(condition.exists, branches)?;
        let exists = self.both(condition.exists, self.chosen(condition.value, a.exists, b.exists)?)?;
        Ok(Guarded { value, condition: self.both(condition.condition, branches)?, exists })
    }

    /// One of two conditions.
    fn chosen(
        &self,
        condition: Value<'c, 'a>,
        a: Option<Value<'c, 'a>>,
        b: Option<Value<'c, 'a>>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        if a.is_none() && b.is_none() {
            return Ok(None);
        }
        let always = self.builder.boolean(true)?;
        arith::select(&self.builder, condition, a.unwrap_or(always), b.unwrap_or(always)).map(Some)
    }

    /// A condition that holds, too, where the value does not exist that it is about.
    pub fn where_it_exists(
        &self,
        exists: Option<Value<'c, 'a>>,
        condition: Option<Value<'c, 'a>>,
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        match (exists, condition) {
            (Some(exists), Some(condition)) => {
                truth::boolean(&self.builder, BinaryOp::Implies, exists, condition).map(Some)
            }
            (_, condition) => Ok(condition),
        }
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
        if shape.is_empty() {
            let value = arithmetic::constant(&self.builder, &super::zero(dtype), dtype)?;
            return Ok(Guarded { value, condition: Some(self.builder.boolean(false)?), exists: None });
        }
        let Positions { mut indices, condition, exist } = self.positions(indices, &shape.shape)?;
        self.keep_inside(&mut indices, &shape.shape)?;
        let value = tensor::extract(&self.builder, self.surroundings.tensor(tensor)?, &indices)?;
        Ok(Guarded { value, condition, exists: exist })
    }

    /// Indices of type `index` that are inside the tensor, and whether they are the ones that were asked for.
    pub fn positions(&self, indices: &[AccessIndex], shape: &[SymExpr]) -> Result<Positions<'c, 'a>, Failure> {
        let (mut positions, mut condition, mut exist) = (Vec::new(), None, None);
        for (index, extent) in indices.iter().zip(shape) {
            let position = self.position(index, extent)?;
            condition = self.both(condition, position.condition)?;
            exist = self.both(exist, position.exists)?;
            let r#type = types::index(self.builder.context());
            positions.push(arith::index_cast(&self.builder, position.value, r#type)?);
        }
        Ok(Positions { indices: positions, condition, exist })
    }

    /// Nothing is read of a tensor that turns out to have no elements but the first one, which memory always has.
    fn keep_inside(&self, positions: &mut [Value<'c, 'a>], shape: &[SymExpr]) -> Result<(), Failure> {
        let Some(has_elements) = self.extents.are_positive(&self.builder, shape, self.tensors.limits)? else {
            return Ok(());
        };
        for position in positions {
            *position = arith::select(&self.builder, has_elements, *position, self.builder.index(0)?)?;
        }
        Ok(())
    }

    /// Whether a tensor of open extents has elements; always, if none. An index that is that of a loop as long as the dimension
    /// says so by being there.
    pub fn has_elements(&self, indices: &[AccessIndex], shape: &[SymExpr]) -> Result<Option<Value<'c, 'a>>, Failure> {
        let goes_along = |index: &AccessIndex, extent: &SymExpr| match index.index.kind {
            ScalarKind::Index(number) => self.assignment.loops.get(number).is_some_and(|l| extent_of(l) == *extent),
            _ => false,
        };
        let others = indices.iter().zip(shape).filter(|(index, extent)| !goes_along(index, extent));
        self.extents.are_positive(&self.builder, others.map(|(_, extent)| extent), self.tensors.limits)
    }

    fn position(&self, index: &AccessIndex, extent: &SymExpr) -> Result<Guarded<'c, 'a>, Failure> {
        let position = self.index(index, extent)?;
        let Guarded { value, condition, mut exists } = position;
        if self.bounds.is_within(&index.index, extent) {
            return Ok(position);
        }
        if index.guard != Guard::Skip {
            if self.follows_faults {
                let end = self.extents.int(&self.builder, extent)?;
                exists = self.both(exists, Some(arithmetic::is_inside(&self.builder, value, end)?))?;
            }
            return Ok(Guarded { value: self.clamp(value, extent)?, condition, exists });
        }
        let inside = arithmetic::is_inside(&self.builder, value, self.extents.int(&self.builder, extent)?)?;
        let value = arith::select(&self.builder, inside, value, self.builder.int(0)?)?;
        let runs = self.where_it_exists(exists, Some(inside))?;
        Ok(Guarded { value, condition: self.both(condition, runs)?, exists })
    }

    /// An index, remapped if it has such a guard; it may be outside of the tensor.
    pub fn index(&self, index: &AccessIndex, extent: &SymExpr) -> Result<Guarded<'c, 'a>, Failure> {
        let (builder, int) = (&self.builder, ScalarType::Int);
        let plain = self.emit(&index.index)?;
        let Guard::Remap { below, above } = &index.guard else { return Ok(plain) };
        if self.bounds.is_within(&index.index, extent) {
            return Ok(plain);
        }
        let Guarded { value, condition, exists } = plain;
        let (below, above) = (self.emit(below)?, self.emit(above)?);
        let is_above = arithmetic::binary(builder, BinaryOp::Ge, int, value, self.extents.int(builder, extent)?)?;
        let is_below = arithmetic::binary(builder, BinaryOp::Lt, int, value, builder.int(0)?)?;
        let value = arith::select(builder, is_above, above.value, value)?;
        let value = arith::select(builder, is_below, below.value, value)?;
        let condition = self.both(condition, self.both(below.condition, above.condition)?)?;
        let exists = self.both(exists, self.both(below.exists, above.exists)?)?;
        Ok(Guarded { value, condition, exists })
    }

    /// The nearest index inside the tensor: wrong data must not reach other memory.
    fn clamp(&self, index: Value<'c, 'a>, extent: &SymExpr) -> Result<Value<'c, 'a>, Failure> {
        let builder = &self.builder;
        let last = extent.minus(&SymExpr::Const(1)).ok_or("an extent that is too large")?;
        let last = self.extents.int(builder, &last)?;
        let below = arithmetic::binary(builder, BinaryOp::Min, ScalarType::Int, index, last)?;
        arithmetic::binary(builder, BinaryOp::Max, ScalarType::Int, below, builder.int(0)?)
    }
}

fn is_two(expression: &ScalarExpr) -> bool {
    matches!(&expression.kind, ScalarKind::Const(Constant::Int(2)))
}
