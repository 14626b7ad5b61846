//! Casts and built-in functions.

use super::Evaluator;
use crate::arithmetic;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::scalar;
use crate::compose::extent::{RealExpr, SymExpr, SymOp};
use crate::compose::failure::{Eval, Failure};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Builtin, Expr, TypeExpr, TypeName};

impl Evaluator<'_> {
    /// The concrete type that a type expression stands for here.
    pub(crate) fn resolve_type(&self, ty: &TypeExpr) -> Eval<ScalarType> {
        match ty {
            TypeExpr::Concrete(name, span) => concrete(*name).ok_or_else(|| say::abstract_type(*name, *span).into()),
            TypeExpr::Generic(name) => match self.env.get(&name.text) {
                Some(Term::Type(dtype)) => Ok(*dtype),
                Some(Term::Unknown) => Err(Failure::Silent),
                _ => Err(say::unknown_type(&name.text, name.span).into()),
            },
        }
    }

    pub(super) fn cast(&self, ty: &TypeExpr, value: Option<&Expr>, span: Span) -> Eval<Term> {
        let dtype = self.resolve_type(ty)?;
        let Some(value) = value else { return Ok(Term::default(dtype)) };
        let value = self.eval(value)?;
        if value.dtype().is_none() && value.length() == Some(0) {
            return Ok(Term::Empty(dtype));
        }
        self.map(value, &mut |item| match (item, dtype) {
            (Term::Real(real), ScalarType::Int) if !real.is_infinite() && !fits_int(*real) => {
                Err(say::cast_overflow(*real, span).into())
            }
            (item, dtype) => convert(item, dtype).ok_or_else(|| say::no_such_cast(item, dtype, span).into()),
        })
    }

    pub(super) fn builtin(&self, function: Builtin, value: &Expr, span: Span) -> Eval<Term> {
        let value = self.eval(value)?;
        self.map(value, &mut |item| match (function, item) {
            (Builtin::Abs, Term::Int(i64::MIN)) => Err(say::integer_overflow(span).into()),
            (function, item) => apply(function, item).ok_or_else(|| say::builtin_type(function, item, span).into()),
        })
    }
}

/// The type of a keyword that names one.
pub(crate) fn concrete(name: TypeName) -> Option<ScalarType> {
    match name {
        TypeName::Int => Some(ScalarType::Int),
        TypeName::Real => Some(ScalarType::Real),
        TypeName::Bool => Some(ScalarType::Bool),
        TypeName::Str => Some(ScalarType::Str),
        TypeName::Type | TypeName::Arith | TypeName::Num => None,
    }
}

/// Whether a real, truncated, is a 64-bit integer.
fn fits_int(value: f64) -> bool {
    // 2 ** 63, which has no integer of its own.
    const END: f64 = 9_223_372_036_854_775_808.0;
    (-END..END).contains(&value)
}

/// Between arithmetic types, and any type to itself.
pub(crate) fn convert(item: &Term, dtype: ScalarType) -> Option<Term> {
    if let Term::Scalar(expr) = item {
        return scalar::cast((**expr).clone(), dtype).map(Term::from);
    }
    if item.dtype() == Some(dtype) {
        return Some(item.clone());
    }
    Some(match (item, dtype) {
        (Term::Int(value), ScalarType::Real) => Term::Real(*value as f64),
        (Term::Int(value), ScalarType::Bool) => Term::Bool(*value != 0),
        // Truncates and saturates, so that infinities become the extremal integers; not a number becomes 0.
        (Term::Real(value), ScalarType::Int) => Term::Int(*value as i64),
        (Term::Real(value), ScalarType::Bool) => Term::Bool(*value != 0.0),
        (Term::Bool(value), ScalarType::Int) => Term::Int(i64::from(*value)),
        (Term::Bool(value), ScalarType::Real) => Term::Real(f64::from(u8::from(*value))),
        (Term::Symbolic(expr) | Term::Condition(expr), ScalarType::Real) => Term::real(RealExpr::of(expr.clone())),
        (Term::Symbolic(expr), ScalarType::Bool) => {
            Term::condition(SymExpr::apply(SymOp::Ne, vec![expr.clone(), SymExpr::Const(0)])?)
        }
        (Term::Condition(expr), ScalarType::Int) => Term::extent(expr.clone()),
        (Term::SymbolicReal(expr), ScalarType::Int) => Term::extent(expr.clone().truncated()),
        (Term::SymbolicReal(expr), ScalarType::Bool) => {
            Term::condition(RealExpr::compare(SymOp::Ne, expr.clone(), RealExpr::known(0.0)))
        }
        _ => return None,
    })
}

fn apply(function: Builtin, item: &Term) -> Option<Term> {
    match (function, item) {
        (_, Term::Scalar(expr)) => scalar::builtin(function, (**expr).clone()).map(Term::from),
        (_, Term::Int(value)) => arithmetic::int_builtin(function, *value)?.exact().ok().map(Term::Int),
        (Builtin::Abs, Term::Symbolic(expr)) => SymExpr::apply(SymOp::Abs, vec![expr.clone()]).map(Term::extent),
        (Builtin::Sign, Term::Symbolic(expr)) => SymExpr::apply(SymOp::Sign, vec![expr.clone()]).map(Term::extent),
        (_, Term::SymbolicReal(expr)) => Some(Term::real(RealExpr::builtin(function, expr.clone()))),
        (_, Term::Real(value)) => Some(Term::Real(arithmetic::real_builtin(function, *value))),
        _ => None,
    }
}
