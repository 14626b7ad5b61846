//! Operators on single values. Integers of extents go to [`SymExpr`], run-time scalars to [`scalar`].

use crate::arithmetic::{self, IntFault};
use crate::compose::extent::{RealExpr, SymExpr, SymOp};
use crate::compose::lower::scalar;
use crate::compose::term::Term;
use skriptnd_syntax::ast::{BinaryOp, UnaryOp};

/// Why an operator has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not defined for these types.
    Types,
    /// Beyond 64 bits.
    Overflow,
    /// Division by zero.
    DivisionByZero,
    /// An integer power with a negative exponent.
    NegativeExponent,
}

impl From<IntFault> for Fault {
    fn from(fault: IntFault) -> Self {
        match fault {
            IntFault::Overflow => Fault::Overflow,
            IntFault::DivisionByZero => Fault::DivisionByZero,
            IntFault::NegativeExponent => Fault::NegativeExponent,
        }
    }
}

pub(crate) fn unary(op: UnaryOp, operand: &Term) -> Result<Term, Fault> {
    match (op, operand) {
        (_, Term::Scalar(expr)) => scalar::unary(op, (**expr).clone()).map(Term::from).ok_or(Fault::Types),
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

pub(crate) fn binary(op: BinaryOp, a: &Term, b: &Term) -> Result<Term, Fault> {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => int(op, *a, *b),
        (Term::Real(a), Term::Real(b)) => real(op, *a, *b),
        (Term::Bool(a), Term::Bool(b)) => arithmetic::logic(op, *a, *b).map(Term::Bool).ok_or(Fault::Types),
        (Term::Str(a), Term::Str(b)) => arithmetic::compare(op, a, b).map(Term::Bool).ok_or(Fault::Types),
        (Term::Scalar(_), _) | (_, Term::Scalar(_)) => runtime(op, a, b),
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

fn runtime(op: BinaryOp, a: &Term, b: &Term) -> Result<Term, Fault> {
    let (a, b) = (scalar::of(a).ok_or(Fault::Types)?, scalar::of(b).ok_or(Fault::Types)?);
    scalar::binary(op, a, b).map(Term::from).ok_or(Fault::Types)
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
    let apply = |op: SymOp, a: SymExpr, b: SymExpr| extent(SymExpr::apply(op, vec![a, b]));
    let zero = b == SymExpr::Const(0);
    match op {
        BinaryOp::Add => extent(a.plus(&b)),
        BinaryOp::Sub => extent(a.minus(&b)),
        BinaryOp::Mul => extent(a.times(&b)),
        BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::Mod if zero => Err(Fault::DivisionByZero),
        BinaryOp::Div => apply(SymOp::FloorDiv, a, b),
        BinaryOp::CeilDiv => apply(SymOp::CeilDiv, a, b),
        BinaryOp::Mod => apply(SymOp::Mod, a, b),
        BinaryOp::Pow => apply(SymOp::Pow, a, b),
        BinaryOp::Min => apply(SymOp::Min, a, b),
        BinaryOp::Max => apply(SymOp::Max, a, b),
        BinaryOp::Lt => condition(SymOp::Lt, vec![a, b]),
        BinaryOp::Le => condition(SymOp::Le, vec![a, b]),
        BinaryOp::Gt => condition(SymOp::Lt, vec![b, a]),
        BinaryOp::Ge => condition(SymOp::Le, vec![b, a]),
        BinaryOp::Eq => condition(SymOp::Eq, vec![a, b]),
        BinaryOp::Ne => condition(SymOp::Ne, vec![a, b]),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Implies => Err(Fault::Types),
    }
}

fn symbolic_real(op: BinaryOp, a: RealExpr, b: RealExpr) -> Result<Term, Fault> {
    let compared = |op: SymOp, a, b| Ok(Term::condition(RealExpr::compare(op, a, b)));
    match op {
        BinaryOp::Lt => compared(SymOp::Lt, a, b),
        BinaryOp::Le => compared(SymOp::Le, a, b),
        BinaryOp::Gt => compared(SymOp::Lt, b, a),
        BinaryOp::Ge => compared(SymOp::Le, b, a),
        BinaryOp::Eq => compared(SymOp::Eq, a, b),
        BinaryOp::Ne => compared(SymOp::Ne, a, b),
        _ => RealExpr::binary(op, a, b).map(Term::real).ok_or(Fault::Types),
    }
}

fn conditions(op: BinaryOp, a: SymExpr, b: SymExpr) -> Result<Term, Fault> {
    match op {
        BinaryOp::And => condition(SymOp::And, vec![a, b]),
        BinaryOp::Or => condition(SymOp::Or, vec![a, b]),
        BinaryOp::Xor | BinaryOp::Ne => condition(SymOp::Ne, vec![a, b]),
        BinaryOp::Eq => condition(SymOp::Eq, vec![a, b]),
        BinaryOp::Implies => {
            let not = SymExpr::apply(SymOp::Not, vec![a]).ok_or(Fault::Overflow)?;
            condition(SymOp::Or, vec![not, b])
        }
        _ => Err(Fault::Types),
    }
}

fn condition(op: SymOp, parts: Vec<SymExpr>) -> Result<Term, Fault> {
    SymExpr::apply(op, parts).map(Term::condition).ok_or(Fault::Overflow)
}
