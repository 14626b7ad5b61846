//! Operators on single values that are known or depend on extents.

use crate::arithmetic::{self, IntResult};
use crate::compose::extent::{RealExpr, SymExpr, SymOp};
use crate::compose::failure::Fault;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_syntax::ast::{BinaryOp, UnaryOp};

pub(super) fn unary(op: UnaryOp, operand: &Term) -> Result<Term, Fault> {
    match (op, operand) {
        (UnaryOp::Plus, Term::Int(_) | Term::Real(_) | Term::Symbolic(_)) => Ok(operand.clone()),
        (UnaryOp::Neg, Term::Int(value)) => value.checked_neg().map(Term::Int).ok_or(Fault::Overflow),
        (UnaryOp::Neg, Term::Real(value)) => Ok(Term::Real(-value)),
        (UnaryOp::Neg, Term::Symbolic(expr)) => {
            expr.times(&SymExpr::Const(-1)).map(Term::extent).ok_or(Fault::Overflow)
        }
        (UnaryOp::Not, Term::Bool(value)) => Ok(Term::Bool(!value)),
        (UnaryOp::Not, Term::Condition(expr)) => condition(SymOp::Not, vec![expr.clone()]),
        (UnaryOp::Neg | UnaryOp::Plus, Term::SymbolicReal(expr)) => Ok(Term::real(RealExpr::unary(op, expr.clone()))),
        _ => Err(Fault::Types),
    }
}

pub(super) fn binary(op: BinaryOp, a: &Term, b: &Term) -> Result<Term, Fault> {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => int(op, *a, *b),
        (Term::Real(a), Term::Real(b)) => real(op, *a, *b),
        (Term::Bool(a), Term::Bool(b)) => arithmetic::logic(op, *a, *b).map(Term::Bool).ok_or(Fault::Types),
        (Term::Str(a), Term::Str(b)) => arithmetic::compare(op, a, b).map(Term::Bool).ok_or(Fault::Types),
        (Term::Symbolic(_), _) | (_, Term::Symbolic(_)) => match (a.as_extent(), b.as_extent()) {
            (Some(a), Some(b)) => symbolic(op, a, b),
            _ => Err(Fault::Types),
        },
        (Term::Condition(_), _) | (_, Term::Condition(_)) => match (a.as_condition(), b.as_condition()) {
            (Some(a), Some(b)) => conditions(op, a, b),
            _ => Err(Fault::Types),
        },
        (Term::SymbolicReal(_), _) | (_, Term::SymbolicReal(_)) => match (a.as_real(), b.as_real()) {
            (Some(a), Some(b)) => symbolic_real(op, a, b),
            _ => Err(Fault::Types),
        },
        _ => Err(Fault::Types),
    }
}

fn int(op: BinaryOp, a: i64, b: i64) -> Result<Term, Fault> {
    match arithmetic::int(op, a, b) {
        Some(result) => Ok(Term::Int(result.exact()?)),
        None => arithmetic::compare(op, a, b).map(Term::Bool).ok_or(Fault::Types),
    }
}

fn real(op: BinaryOp, a: f64, b: f64) -> Result<Term, Fault> {
    match arithmetic::real(op, a, b) {
        Some(value) => Ok(Term::Real(value)),
        None => arithmetic::compare(op, a, b).map(Term::Bool).ok_or(Fault::Types),
    }
}

fn symbolic(op: BinaryOp, a: SymExpr, b: SymExpr) -> Result<Term, Fault> {
    let extent = |value: Option<SymExpr>| value.map(Term::extent).ok_or(Fault::Overflow);
    let divided = b.as_known().and_then(|divisor| arithmetic::int(op, 1, divisor));
    if let Some(Err(fault)) = divided.map(IntResult::wrapped) {
        return Err(fault.into());
    }
    match (op, arithmetic::result_type(op, ScalarType::Int)) {
        (_, None) => Err(Fault::Types),
        (BinaryOp::Add, _) => extent(a.plus(&b)),
        (BinaryOp::Sub, _) => extent(a.minus(&b)),
        (BinaryOp::Mul, _) => extent(a.times(&b)),
        (op, Some(dtype)) => {
            let (op, parts) = applied(op, a, b)?;
            if dtype == ScalarType::Bool { condition(op, parts) } else { extent(SymExpr::apply(op, parts)) }
        }
    }
}

fn symbolic_real(op: BinaryOp, a: RealExpr, b: RealExpr) -> Result<Term, Fault> {
    match SymOp::of(op).filter(|_| arithmetic::is_comparison(op)) {
        Some((op, false)) => Ok(Term::condition(RealExpr::compare(op, a, b))),
        Some((op, true)) => Ok(Term::condition(RealExpr::compare(op, b, a))),
        None => RealExpr::binary(op, a, b).map(Term::real).ok_or(Fault::Types),
    }
}

fn conditions(op: BinaryOp, a: SymExpr, b: SymExpr) -> Result<Term, Fault> {
    match op {
        BinaryOp::Implies => {
            let not = SymExpr::apply(SymOp::Not, vec![a]).ok_or(Fault::Overflow)?;
            condition(SymOp::Or, vec![not, b])
        }
        // The order of truth values is not one of extents.
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Eq | BinaryOp::Ne => {
            let (op, parts) = applied(op, a, b)?;
            condition(op, parts)
        }
        _ => Err(Fault::Types),
    }
}

/// The counterpart of an operator for extents, with its operands in their order.
fn applied(op: BinaryOp, a: SymExpr, b: SymExpr) -> Result<(SymOp, Vec<SymExpr>), Fault> {
    let (op, exchanged) = SymOp::of(op).ok_or(Fault::Types)?;
    Ok((op, if exchanged { vec![b, a] } else { vec![a, b] }))
}

fn condition(op: SymOp, parts: Vec<SymExpr>) -> Result<Term, Fault> {
    SymExpr::apply(op, parts).map(Term::condition).ok_or(Fault::Overflow)
}
