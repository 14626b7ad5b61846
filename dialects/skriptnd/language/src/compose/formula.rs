//! Instantiated formulas: `@lower` of one operator with attributes, types and operand shapes filled in
//! (specification, section 2.12). Packs are expanded, generics resolved, compile-time parts evaluated, loops over
//! the items of tensor packs unrolled; what is left are scalar expressions over loop indices and tensor elements.

mod known;
mod linear;
mod ranges;

use super::extent::SymExpr;
use super::value::{ScalarType, Value};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{AssignOp, BinaryOp, Builtin, UnaryOp};
use std::sync::Arc;

pub use super::extent::interval::Interval;
pub use known::Known;
pub use linear::LinearForm;
pub use ranges::Ranges;

/// A tensor that a formula reads or writes, counted over the flattened packs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TensorRef {
    /// Operand: inputs and then variables in order, the items of packs one by one, absent ones not counted.
    Input(usize),
    /// Result, likewise; also readable.
    Output(usize),
    /// One of [`Formula::constants`].
    Constant(usize),
}

/// A `@constant` tensor of an operator that has a formula.
#[derive(Debug, Clone)]
pub struct FormulaConstant {
    /// What the operator's definition calls it, for messages.
    pub name: Arc<str>,
    /// Type.
    pub dtype: ScalarType,
    /// Extents.
    pub shape: Vec<i64>,
    /// One scalar for all elements, or all of them in row-major order.
    pub value: Value,
}

/// All assignments of an operator, to be executed in order.
#[derive(Debug, Clone, Default)]
pub struct Formula {
    /// Tensors of its own.
    pub constants: Vec<FormulaConstant>,
    /// In order.
    pub assignments: Vec<Assignment>,
}

/// One nest of loops.
#[derive(Debug, Clone)]
pub struct Assignment {
    /// Index symbols from the outermost loop inwards, with their extents (the loop runs from 0 to below the extent).
    pub loops: Vec<LoopIndex>,
    /// Scalar values computed once per iteration, in order, before everything else; later ones may use earlier ones.
    pub locals: Vec<ScalarExpr>,
    /// How values combine with what is there. `Add` and so on without an earlier assignment to the same output start
    /// from the operator's null element; that initialisation is an assignment of its own here, put there when
    /// instantiated.
    pub op: AssignOp,
    /// The elements that are written, all of them as one atomic step: more than one for packed assignments.
    pub targets: Vec<Target>,
    /// One value per target.
    pub values: Vec<ScalarExpr>,
    /// Only where this holds.
    pub condition: Option<ScalarExpr>,
    /// Where the statement stands.
    pub span: Span,
}

/// A loop of a formula.
#[derive(Debug, Clone)]
pub struct LoopIndex {
    /// As written, with the item's number behind it for packs: `i0`, `i1`.
    pub name: String,
    /// Exclusive upper bound; never negative. An upper bound of it where it is known only at run time.
    pub extent: i64,
    /// The exclusive upper bound where it is known only at run time.
    pub dynamic: Option<SymExpr>,
}

/// An element that is written.
#[derive(Debug, Clone)]
pub struct Target {
    /// The tensor, an output.
    pub tensor: TensorRef,
    /// One per dimension. With a guard of [`Guard::Skip`] the assignment is skipped outside.
    pub indices: Vec<AccessIndex>,
}

/// What happens to an index outside the tensor.
#[derive(Debug, Clone, PartialEq)]
pub enum Guard {
    /// It can't be outside.
    None,
    /// `|i|`: the whole assignment is skipped in that iteration.
    Skip,
    /// `|i <> below : above|`: replaced.
    Remap {
        /// Where the index is negative.
        below: Box<ScalarExpr>,
        /// Where it is at least the extent.
        above: Box<ScalarExpr>,
    },
}

/// One index of an access.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessIndex {
    /// Which element along the dimension.
    pub index: ScalarExpr,
    /// What happens where the index is outside.
    pub guard: Guard,
}

/// A scalar expression; `dtype` says what it evaluates to.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalarExpr {
    /// What the expression evaluates to.
    pub dtype: ScalarType,
    /// What it is.
    pub kind: ScalarKind,
}

/// Scalar expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ScalarKind {
    /// A scalar [`Value`]. [`Value::Symbolic`] is an expression of extents that only the run knows.
    Const(Value),
    /// A loop index (int).
    Index(usize),
    /// One of [`Assignment::locals`].
    Local(usize),
    /// An element. A guard that fails in the branch of a [`ScalarKind::Select`] that is not taken has no effect.
    Access {
        /// The tensor that is read.
        tensor: TensorRef,
        /// One per dimension.
        indices: Vec<AccessIndex>,
    },
    /// Unary operator.
    Unary(UnaryOp, Box<ScalarExpr>),
    /// Binary operator; semantics as for compile-time values.
    Binary(BinaryOp, Box<ScalarExpr>, Box<ScalarExpr>),
    /// Only the chosen branch is evaluated.
    Select(Box<ScalarExpr>, Box<ScalarExpr>, Box<ScalarExpr>),
    /// Conversion to `dtype`.
    Cast(Box<ScalarExpr>),
    /// Built-in function.
    Builtin(Builtin, Box<ScalarExpr>),
}
