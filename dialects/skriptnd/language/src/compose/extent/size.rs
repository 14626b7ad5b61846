//! How large expressions are: one that is built from itself again and again grows exponentially.

use super::{RealExpr, SymExpr};

impl SymExpr {
    /// Takes its nodes off what is left; false if that is not enough.
    pub(crate) fn fits(&self, left: &mut usize) -> bool {
        take(left)
            && match self {
                SymExpr::Const(_) | SymExpr::Symbol(_) => true,
                SymExpr::Sum(parts) | SymExpr::Product(parts) | SymExpr::Apply(_, parts) => {
                    parts.iter().all(|part| part.fits(left))
                }
                SymExpr::Truncated(real) => real.fits(left),
                SymExpr::Compared(_, sides) => sides.iter().all(|side| side.fits(left)),
                SymExpr::Fold(fold) => fold.item.fits(left) && fold.length.fits(left),
            }
    }
}

impl SymExpr {
    /// Whether a run goes through the items of a pack for it. To do so for each item of another one takes too long.
    pub(crate) fn folds(&self) -> bool {
        match self {
            SymExpr::Const(_) | SymExpr::Symbol(_) => false,
            SymExpr::Sum(parts) | SymExpr::Product(parts) | SymExpr::Apply(_, parts) => {
                parts.iter().any(SymExpr::folds)
            }
            SymExpr::Truncated(real) => real.folds(),
            SymExpr::Compared(_, sides) => sides.iter().any(RealExpr::folds),
            SymExpr::Fold(_) => true,
        }
    }
}

impl RealExpr {
    fn folds(&self) -> bool {
        match self {
            RealExpr::Const(_) => false,
            RealExpr::Int(expr) => expr.folds(),
            RealExpr::Unary(_, operand) | RealExpr::Builtin(_, operand) => operand.folds(),
            RealExpr::Binary(_, sides) => sides.iter().any(RealExpr::folds),
            RealExpr::Select(condition, sides) => condition.folds() || sides.iter().any(RealExpr::folds),
        }
    }

    /// Takes its nodes off what is left; false if that is not enough.
    pub(crate) fn fits(&self, left: &mut usize) -> bool {
        take(left)
            && match self {
                RealExpr::Const(_) => true,
                RealExpr::Int(expr) => expr.fits(left),
                RealExpr::Unary(_, operand) | RealExpr::Builtin(_, operand) => operand.fits(left),
                RealExpr::Binary(_, sides) => sides.iter().all(|side| side.fits(left)),
                RealExpr::Select(condition, sides) => condition.fits(left) && sides.iter().all(|side| side.fits(left)),
            }
    }
}

fn take(left: &mut usize) -> bool {
    let enough = *left > 0;
    *left = left.saturating_sub(1);
    enough
}
