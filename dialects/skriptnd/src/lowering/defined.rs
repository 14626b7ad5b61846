//! Where expressions of extents have a value: divisors are not 0. What is computed where there is none is of no use, but safe.

use super::limits::Limits;
use skriptnd_language::compose::extent::{FOLDED_ITEMS, Fold, FoldOp, RealExpr, SymExpr, SymOp};
use skriptnd_language::compose::value::{Symbolic, Value};

/// Powers of extents are smaller than this one.
const LARGEST_POWER: i64 = 1 << 40;

/// The condition under which an expression has a value; none if it always has one, but for overflow.
pub fn condition(expr: &SymExpr, limits: &Limits) -> Option<SymExpr> {
    match expr {
        SymExpr::Const(_) | SymExpr::Symbol(_) => None,
        SymExpr::Fold(fold) => of_fold(fold, limits),
        SymExpr::Sum(parts) | SymExpr::Product(parts) => of_all(parts, limits),
        SymExpr::Apply(SymOp::Select, parts) => match parts.as_slice() {
            [choice, a, b] => chosen(choice, condition(a, limits), condition(b, limits), limits),
            _ => None,
        },
        SymExpr::Apply(op @ (SymOp::And | SymOp::Or), parts) => connected(*op, parts, limits),
        SymExpr::Apply(op, parts) => both(of_all(parts, limits), of_operator(*op, parts, limits)),
        SymExpr::Truncated(real) => of_real(real, limits),
        SymExpr::Compared(_, sides) => both(of_real(&sides[0], limits), of_real(&sides[1], limits)),
    }
}

/// Whether powers of extents stay small enough to be computed with: what is sized by too large ones would be beyond all memory.
pub fn has_fitting_powers(expr: &SymExpr, limits: &Limits) -> bool {
    match expr {
        SymExpr::Const(_) | SymExpr::Symbol(_) => true,
        // A position is below the length, which is no power.
        SymExpr::Fold(fold) => [&fold.item, &fold.length].into_iter().all(|part| has_fitting_powers(part, limits)),
        SymExpr::Truncated(_) | SymExpr::Compared(..) => true,
        SymExpr::Apply(SymOp::Pow, parts) => {
            let is_small = limits.upper_bound(expr).is_some_and(|bound| bound < LARGEST_POWER);
            is_small && parts.get(1).is_some_and(|exponent| limits.is_never_negative(exponent))
        }
        SymExpr::Sum(parts) | SymExpr::Product(parts) | SymExpr::Apply(_, parts) => {
            parts.iter().all(|part| has_fitting_powers(part, limits))
        }
    }
}

/// Whether an extent always has a value where some conditions hold.
pub fn follows(extent: &SymExpr, conditions: &[SymExpr], limits: &Limits) -> bool {
    let parts = |condition: &SymExpr| match condition {
        SymExpr::Apply(SymOp::And, parts) => parts.clone(),
        other => vec![other.clone()],
    };
    let known: Vec<SymExpr> = conditions.iter().flat_map(parts).collect();
    condition(extent, limits).is_none_or(|condition| parts(&condition).iter().all(|part| known.contains(part)))
}

/// The condition under which the value of an attribute exists.
pub fn of_value(value: &Value, limits: &Limits) -> Option<SymExpr> {
    match value {
        Value::Symbolic(Symbolic::Int(expr) | Symbolic::Bool(expr)) => condition(expr, limits),
        Value::Symbolic(Symbolic::Real(expr)) => of_real(expr, limits),
        Value::Pack(items) => items.iter().fold(None, |all, item| both(all, of_value(item, limits))),
        Value::Repeat(item, _) => of_value(item, limits),
        Value::Symbolic(Symbolic::Pack { item, length }) => {
            let items = of_value(item, limits);
            let items = items.and_then(|item| SymExpr::folded(FoldOp::All, item, length.clone()));
            both(condition(length, limits), items)
        }
        _ => None,
    }
}

/// Whether it is known where powers in the value of an attribute fit in 64 bits; nothing is sized by them.
pub fn value_has_fitting_powers(value: &Value, limits: &Limits) -> bool {
    match value {
        Value::Symbolic(Symbolic::Int(SymExpr::Apply(SymOp::Pow, parts)))
            if matches!(parts.as_slice(), [SymExpr::Const(_), _]) =>
        {
            has_fitting_powers(&parts[1], limits)
        }
        Value::Symbolic(Symbolic::Int(expr) | Symbolic::Bool(expr)) => has_fitting_powers(expr, limits),
        Value::Pack(items) => items.iter().all(|item| value_has_fitting_powers(item, limits)),
        Value::Repeat(item, _) => value_has_fitting_powers(item, limits),
        Value::Symbolic(Symbolic::Pack { item, length }) => {
            value_has_fitting_powers(item, limits) && has_fitting_powers(length, limits)
        }
        _ => true,
    }
}

fn of_real(real: &RealExpr, limits: &Limits) -> Option<SymExpr> {
    match real {
        RealExpr::Const(_) => None,
        RealExpr::Int(expr) => condition(expr, limits),
        RealExpr::Unary(_, a) | RealExpr::Builtin(_, a) => of_real(a, limits),
        RealExpr::Binary(_, sides) => both(of_real(&sides[0], limits), of_real(&sides[1], limits)),
        RealExpr::Select(choice, sides) => {
            chosen(choice, of_real(&sides[0], limits), of_real(&sides[1], limits), limits)
        }
    }
}

/// Each item needs a value; there are not too many of them, and one at least where no item has no value.
fn of_fold(fold: &Fold, limits: &Limits) -> Option<SymExpr> {
    let Fold { op, item, length } = fold;
    let items = condition(item, limits).and_then(|item| SymExpr::folded(FoldOp::All, item, length.clone()));
    let is_between = |low: &SymExpr, high: &SymExpr| {
        (!limits.is_at_most(low, high)).then(|| SymExpr::apply(SymOp::Le, vec![low.clone(), high.clone()])).flatten()
    };
    let none = op.empty().is_none().then(|| is_between(&SymExpr::Const(1), length)).flatten();
    let many = is_between(length, &SymExpr::Const(FOLDED_ITEMS));
    both(both(condition(length, limits), both(none, many)), items)
}

/// Only the branch that is taken needs a value.
fn chosen(choice: &SymExpr, a: Option<SymExpr>, b: Option<SymExpr>, limits: &Limits) -> Option<SymExpr> {
    let taken = (a.is_some() || b.is_some()).then(|| {
        let [a, b] = [a, b].map(|branch| branch.unwrap_or(SymExpr::Const(1)));
        SymExpr::apply(SymOp::Select, vec![choice.clone(), a, b])
    });
    both(condition(choice, limits), taken.flatten())
}

fn of_all(parts: &[SymExpr], limits: &Limits) -> Option<SymExpr> {
    parts.iter().fold(None, |all, part| both(all, condition(part, limits)))
}

/// One part that decides makes the others irrelevant, even if they have no value.
fn connected(op: SymOp, parts: &[SymExpr], limits: &Limits) -> Option<SymExpr> {
    let all = of_all(parts, limits)?;
    let decides = |part: &SymExpr| {
        let decisive =
            if op == SymOp::Or { Some(part.clone()) } else { SymExpr::apply(SymOp::Not, vec![part.clone()]) };
        both(condition(part, limits), decisive)
    };
    let alternatives = parts.iter().map(decides).chain([Some(all)]);
    SymExpr::apply(SymOp::Or, alternatives.collect::<Option<Vec<_>>>()?)
}

/// What an operator asks of its operands.
fn of_operator(op: SymOp, parts: &[SymExpr], limits: &Limits) -> Option<SymExpr> {
    let is_positive = |expr: &SymExpr| limits.is_at_most(&SymExpr::Const(1), expr);
    match (op, parts) {
        (SymOp::FloorDiv | SymOp::CeilDiv | SymOp::Mod, [_, divisor]) if !is_positive(divisor) => {
            SymExpr::apply(SymOp::Ne, vec![divisor.clone(), SymExpr::Const(0)])
        }
        (SymOp::Pow, [SymExpr::Const(base), exponent]) => of_power(*base, exponent, limits),
        _ => None,
    }
}

/// A power of a number has a value of 64 bits up to some exponent.
fn of_power(base: i64, exponent: &SymExpr, limits: &Limits) -> Option<SymExpr> {
    let below = (!limits.is_never_negative(exponent))
        .then(|| SymExpr::apply(SymOp::Le, vec![SymExpr::Const(0), exponent.clone()]))
        .flatten();
    let largest = (0..64).take_while(|exponent| base.checked_pow(*exponent).is_some()).last().map(i64::from);
    let largest = largest.filter(|_| base.unsigned_abs() > 1).map(SymExpr::Const);
    let above = largest.filter(|largest| !limits.is_at_most(exponent, largest));
    both(below, above.and_then(|largest| SymExpr::apply(SymOp::Le, vec![exponent.clone(), largest])))
}

fn both(a: Option<SymExpr>, b: Option<SymExpr>) -> Option<SymExpr> {
    match (a, b) {
        (Some(a), Some(b)) => SymExpr::apply(SymOp::And, vec![a, b]),
        (a, b) => a.or(b),
    }
}
