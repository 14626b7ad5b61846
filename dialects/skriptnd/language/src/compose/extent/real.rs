//! Real numbers that depend on extents: `int(ceil(real(n) * 1.5))` may be an extent, too.

use super::evaluate::holds;
use super::{RealExpr, SymExpr, SymOp};
use crate::arithmetic::{self, real_builtin};
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};
use std::sync::Arc;

/// Integers up to this size are exact as reals.
const EXACT: f64 = (1i64 << 52) as f64;

impl RealExpr {
    /// A known number.
    pub fn known(value: f64) -> Self {
        RealExpr::Const(value.into())
    }

    /// `real(n)`
    pub fn of(expr: SymExpr) -> Self {
        match expr {
            SymExpr::Const(value) => RealExpr::known(value as f64),
            expr => RealExpr::Int(expr),
        }
    }

    /// The value if it is known.
    pub fn as_known(&self) -> Option<f64> {
        match self {
            RealExpr::Const(value) => Some(value.get()),
            _ => None,
        }
    }

    /// As an integer expression, where it is a whole number for sure.
    fn whole(&self) -> Option<SymExpr> {
        match self {
            RealExpr::Const(value) if value.get().fract() == 0.0 && value.get().abs() < EXACT => {
                Some(SymExpr::Const(value.get() as i64))
            }
            RealExpr::Int(expr) => Some(expr.clone()),
            _ => None,
        }
    }

    /// `-x`
    pub fn unary(op: UnaryOp, value: RealExpr) -> Self {
        match (op, value) {
            (UnaryOp::Plus, value) => value,
            (_, RealExpr::Const(value)) => RealExpr::known(-value.get()),
            (op, value) => match value.whole().and_then(|whole| whole.scaled(-1)) {
                Some(whole) => RealExpr::of(whole),
                None => RealExpr::Unary(op, value.into()),
            },
        }
    }

    /// Arithmetic of reals; none for operators that are no arithmetic. Whole numbers stay integers, whose arithmetic
    /// can be reasoned about.
    pub fn binary(op: BinaryOp, a: RealExpr, b: RealExpr) -> Option<Self> {
        if let (Some(a), Some(b)) = (a.as_known(), b.as_known()) {
            return arithmetic::real(op, a, b).map(RealExpr::known);
        }
        if let (Some(a), Some(b)) = (a.whole(), b.whole()) {
            let whole = match op {
                BinaryOp::Add => a.plus(&b),
                BinaryOp::Sub => a.minus(&b),
                BinaryOp::Mul => a.times(&b),
                BinaryOp::Min => SymExpr::apply(SymOp::Min, vec![a, b]),
                BinaryOp::Max => SymExpr::apply(SymOp::Max, vec![a, b]),
                BinaryOp::CeilDiv if b.as_known().is_some_and(|b| b != 0) => SymExpr::apply(SymOp::CeilDiv, vec![a, b]),
                _ => None,
            };
            if let Some(whole) = whole {
                return Some(RealExpr::of(whole));
            }
        }
        let arithmetic = arithmetic::real(op, 1.0, 1.0).is_some();
        arithmetic.then(|| RealExpr::Binary(op, Box::new([a, b])))
    }

    /// A built-in function.
    pub fn builtin(function: Builtin, value: RealExpr) -> Self {
        if let Some(known) = value.as_known() {
            return RealExpr::known(real_builtin(function, known));
        }
        let whole = match (function, &value) {
            (Builtin::Floor | Builtin::Ceil | Builtin::Round, value) if value.whole().is_some() => value.whole(),
            (Builtin::Floor, value) => value.quotient(SymOp::FloorDiv),
            (Builtin::Ceil, value) => value.quotient(SymOp::CeilDiv),
            (Builtin::Abs, value) => value.whole().and_then(|whole| SymExpr::apply(SymOp::Abs, vec![whole])),
            (Builtin::Sign, value) => value.whole().and_then(|whole| SymExpr::apply(SymOp::Sign, vec![whole])),
            _ => None,
        };
        whole.map_or_else(|| RealExpr::Builtin(function, value.into()), RealExpr::of)
    }

    /// A quotient of whole numbers, rounded.
    fn quotient(&self, op: SymOp) -> Option<SymExpr> {
        let RealExpr::Binary(BinaryOp::Div, sides) = self else { return None };
        let (a, b) = (sides[0].whole()?, sides[1].whole()?);
        b.as_known().filter(|divisor| *divisor != 0)?;
        SymExpr::apply(op, vec![a, b])
    }

    /// `int(x)`
    pub fn truncated(self) -> SymExpr {
        match (&self, self.whole()) {
            (_, Some(whole)) => whole,
            (RealExpr::Const(value), _) => SymExpr::Const(value.get() as i64),
            _ => SymExpr::Truncated(Box::new(self)),
        }
    }

    /// A comparison: `<`, `<=`, `==` or `!=`.
    pub fn compare(op: SymOp, a: RealExpr, b: RealExpr) -> SymExpr {
        if let (Some(a), Some(b)) = (a.as_known(), b.as_known()) {
            return SymExpr::Const(i64::from(holds(op, a, b)));
        }
        let whole = a.whole().zip(b.whole()).and_then(|(a, b)| SymExpr::apply(op, vec![a, b]));
        whole.unwrap_or_else(|| SymExpr::Compared(op, Box::new([a, b])))
    }

    /// `condition ? a : b`
    pub fn select(condition: SymExpr, a: RealExpr, b: RealExpr) -> Self {
        match condition {
            SymExpr::Const(0) => b,
            SymExpr::Const(_) => a,
            _ if a == b => a,
            condition => RealExpr::Select(condition, Box::new([a, b])),
        }
    }

    /// Calls `visit` with every symbol, as often as it occurs.
    pub fn symbols(&self, visit: &mut dyn FnMut(&Arc<str>)) {
        match self {
            RealExpr::Const(_) => {}
            RealExpr::Int(expr) => expr.symbols(visit),
            RealExpr::Unary(_, value) | RealExpr::Builtin(_, value) => value.symbols(visit),
            RealExpr::Binary(_, sides) => sides.iter().for_each(|side| side.symbols(visit)),
            RealExpr::Select(condition, sides) => {
                condition.symbols(visit);
                sides.iter().for_each(|side| side.symbols(visit));
            }
        }
    }

    /// The expression with some symbols replaced; `None` on overflow and division by zero.
    pub fn substitute(&self, lookup: &dyn Fn(&str) -> Option<SymExpr>) -> Option<RealExpr> {
        Some(match self {
            RealExpr::Const(_) => self.clone(),
            RealExpr::Int(expr) => RealExpr::of(expr.substitute(lookup)?),
            RealExpr::Unary(op, value) => RealExpr::unary(*op, value.substitute(lookup)?),
            RealExpr::Builtin(function, value) => RealExpr::builtin(*function, value.substitute(lookup)?),
            RealExpr::Binary(op, sides) => {
                RealExpr::binary(*op, sides[0].substitute(lookup)?, sides[1].substitute(lookup)?)?
            }
            RealExpr::Select(condition, sides) => RealExpr::select(
                condition.substitute(lookup)?,
                sides[0].substitute(lookup)?,
                sides[1].substitute(lookup)?,
            ),
        })
    }
}
