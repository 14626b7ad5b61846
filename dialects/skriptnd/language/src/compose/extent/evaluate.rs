//! The values of expressions where those of the symbols are known.

use super::{RealExpr, SymExpr, SymOp};
use crate::arithmetic::{self, real_builtin};
use skriptnd_syntax::ast::UnaryOp;

/// Why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoValue {
    /// A symbol has none yet.
    Open,
    /// Division by zero, or beyond 64 bits.
    Undefined,
}

/// Gives the values of symbols.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<i64>;

impl SymExpr {
    /// The value where `lookup` gives those of the symbols; `None` if one is missing, on overflow and division by zero.
    pub fn evaluate(&self, lookup: Lookup<'_>) -> Option<i64> {
        self.value(lookup).ok()
    }

    /// The value, or why there is none.
    pub fn value(&self, lookup: Lookup<'_>) -> Result<i64, NoValue> {
        let undefined = |value: Option<i64>| value.ok_or(NoValue::Undefined);
        match self {
            SymExpr::Const(value) => Ok(*value),
            SymExpr::Symbol(name) => lookup(name).ok_or(NoValue::Open),
            SymExpr::Sum(terms) => {
                terms.iter().try_fold(0i64, |sum, term| undefined(sum.checked_add(term.value(lookup)?)))
            }
            SymExpr::Product(factors) => {
                factors.iter().try_fold(1i64, |product, factor| undefined(product.checked_mul(factor.value(lookup)?)))
            }
            SymExpr::Apply(SymOp::Select, parts) if parts.len() == 3 => {
                let taken = if parts[0].value(lookup)? != 0 { &parts[1] } else { &parts[2] };
                taken.value(lookup)
            }
            SymExpr::Apply(op @ (SymOp::And | SymOp::Or), parts) => connected(*op, parts, lookup),
            SymExpr::Apply(op, parts) => {
                let values = parts.iter().map(|part| part.value(lookup)).collect::<Result<Vec<_>, _>>()?;
                undefined(op.evaluate(&values))
            }
            SymExpr::Truncated(real) => Ok(real.value(lookup)? as i64),
            SymExpr::Compared(op, sides) => {
                let (a, b) = (sides[0].value(lookup)?, sides[1].value(lookup)?);
                Ok(i64::from(holds(*op, a, b)))
            }
            SymExpr::Fold(fold) => fold.value(lookup),
        }
    }
}

/// One part that decides makes the others irrelevant, even if they have no value.
fn connected(op: SymOp, parts: &[SymExpr], lookup: Lookup<'_>) -> Result<i64, NoValue> {
    let decisive = op == SymOp::Or;
    let mut missing = None;
    for part in parts {
        match part.value(lookup) {
            Ok(value) if (value != 0) == decisive => return Ok(i64::from(decisive)),
            Ok(_) => {}
            Err(reason) => {
                missing = Some(missing.map_or(reason, |first| if first == NoValue::Open { first } else { reason }))
            }
        }
    }
    missing.map_or(Ok(i64::from(!decisive)), Err)
}

impl RealExpr {
    /// The value, or why there is none.
    pub fn value(&self, lookup: Lookup<'_>) -> Result<f64, NoValue> {
        match self {
            RealExpr::Const(value) => Ok(value.get()),
            RealExpr::Int(expr) => Ok(expr.value(lookup)? as f64),
            RealExpr::Unary(UnaryOp::Neg, value) => Ok(-value.value(lookup)?),
            RealExpr::Unary(_, value) => value.value(lookup),
            RealExpr::Builtin(function, value) => Ok(real_builtin(*function, value.value(lookup)?)),
            RealExpr::Binary(op, sides) => {
                arithmetic::real(*op, sides[0].value(lookup)?, sides[1].value(lookup)?).ok_or(NoValue::Undefined)
            }
            RealExpr::Select(condition, sides) => sides[usize::from(condition.value(lookup)? == 0)].value(lookup),
        }
    }
}

/// Whether a comparison of known numbers holds.
pub(super) fn holds(op: SymOp, a: f64, b: f64) -> bool {
    match op {
        SymOp::Lt => a < b,
        SymOp::Le => a <= b,
        SymOp::Eq => a == b,
        _ => a != b,
    }
}
