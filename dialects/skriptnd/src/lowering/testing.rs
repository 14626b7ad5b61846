//! Formulas written by hand, for tests.

use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, Guard, LoopIndex, ScalarExpr, ScalarKind, Target, TensorRef,
};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::ast::{AssignOp, BinaryOp};

pub(crate) fn int(value: i64) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Const(Value::Int(value)) }
}

pub(crate) fn real(value: f64) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Real, kind: ScalarKind::Const(Value::Real(value)) }
}

pub(crate) fn index(number: usize) -> ScalarExpr {
    ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(number) }
}

pub(crate) fn binary(op: BinaryOp, a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    let compares =
        matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne);
    let dtype = if compares { ScalarType::Bool } else { a.dtype };
    ScalarExpr { dtype, kind: ScalarKind::Binary(op, Box::new(a), Box::new(b)) }
}

pub(crate) fn add(a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    binary(BinaryOp::Add, a, b)
}

pub(crate) fn sub(a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    binary(BinaryOp::Sub, a, b)
}

pub(crate) fn mul(a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
    binary(BinaryOp::Mul, a, b)
}

pub(crate) fn bare(index: ScalarExpr) -> AccessIndex {
    AccessIndex { index, guard: Guard::None }
}

pub(crate) fn skip(index: ScalarExpr) -> AccessIndex {
    AccessIndex { index, guard: Guard::Skip }
}

pub(crate) fn access(dtype: ScalarType, tensor: TensorRef, indices: Vec<AccessIndex>) -> ScalarExpr {
    ScalarExpr { dtype, kind: ScalarKind::Access { tensor, indices } }
}

pub(crate) fn input(number: usize, indices: Vec<AccessIndex>) -> ScalarExpr {
    access(ScalarType::Real, TensorRef::Input(number), indices)
}

pub(crate) fn assign(extents: &[i64], op: AssignOp, indices: Vec<AccessIndex>, value: ScalarExpr) -> Assignment {
    let name = |(number, &extent): (usize, &i64)| LoopIndex { name: format!("i{number}"), extent, dynamic: None };
    Assignment {
        loops: extents.iter().enumerate().map(name).collect(),
        locals: Vec::new(),
        op,
        targets: vec![Target { tensor: TensorRef::Output(0), indices }],
        values: vec![value],
        condition: None,
        span: Span { file: FileId(0), start: 0, end: 0 },
    }
}
