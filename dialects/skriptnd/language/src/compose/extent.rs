//! Extents: integers, or expressions over symbols that are bound when the model runs (specification, section 3.1).

mod bounds;
mod display;
mod evaluate;
mod fold;
mod integer;
pub(crate) mod interval;
mod polynomial;
mod quotient;
mod real;
mod simplify;
mod size;
#[cfg(test)]
mod tests;

pub use evaluate::NoValue;
pub use fold::{Fold, FoldOp};
pub use real::{Float, RealExpr};
use std::sync::Arc;

/// An integer expression over run-time symbols, kept in a canonical form so that equal expressions compare equal as
/// far as polynomial reasoning and that of quotients by constants go. Truth values are 0 and 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymExpr {
    /// Known.
    Const(i64),
    /// The extent of a graph's input, by name.
    Symbol(Arc<str>),
    /// A sum.
    Sum(Vec<SymExpr>),
    /// A product.
    Product(Vec<SymExpr>),
    /// Anything else.
    Apply(SymOp, Vec<SymExpr>),
    /// `int(x)`
    Truncated(Box<RealExpr>),
    /// `a < b`, `a <= b`, `a == b` or `a != b` of reals.
    Compared(SymOp, Box<[RealExpr; 2]>),
    /// `x * ..` over a pack of dynamic length.
    Fold(Box<Fold>),
}

/// Operations that have no polynomial form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SymOp {
    FloorDiv,
    CeilDiv,
    Mod,
    Pow,
    /// Of two or more.
    Min,
    /// Of two or more.
    Max,
    Abs,
    Sign,
    /// 1 if true.
    Lt,
    Le,
    Eq,
    Ne,
    Not,
    /// Of two or more.
    And,
    /// Of two or more.
    Or,
    /// condition, then, else
    Select,
}

/// An extent of a tensor.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Extent {
    /// Its value.
    pub value: SymExpr,
    /// Upper bound where the value is not known.
    pub bound: Option<i64>,
}

impl Extent {
    /// A known extent.
    pub fn known(value: i64) -> Self {
        Extent { value: SymExpr::Const(value), bound: None }
    }

    /// Its value if it is known.
    pub fn as_known(&self) -> Option<i64> {
        self.value.as_known()
    }
}

impl SymExpr {
    /// An expression without a value.
    pub(crate) fn undefined() -> SymExpr {
        SymExpr::Apply(SymOp::FloorDiv, vec![SymExpr::Const(1), SymExpr::Const(0)])
    }

    /// Its value if it is known.
    pub fn as_known(&self) -> Option<i64> {
        match self {
            SymExpr::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// Calls `visit` with every symbol, as often as it occurs.
    pub fn symbols(&self, visit: &mut dyn FnMut(&Arc<str>)) {
        match self {
            SymExpr::Const(_) => {}
            SymExpr::Symbol(name) => visit(name),
            SymExpr::Sum(parts) | SymExpr::Product(parts) | SymExpr::Apply(_, parts) => {
                parts.iter().for_each(|part| part.symbols(visit));
            }
            SymExpr::Truncated(real) => real.symbols(visit),
            SymExpr::Compared(_, sides) => sides.iter().for_each(|side| side.symbols(visit)),
            SymExpr::Fold(fold) => fold.symbols(visit),
        }
    }

    /// The symbol whose value follows from that of the expression, and its value: rounded down where there is none.
    pub fn solve(&self, value: i64) -> Option<(Arc<str>, i64)> {
        let (name, coefficient, offset) = self.affine()?;
        Some((name, integer::floor_div(value.checked_sub(offset)?, coefficient)?))
    }

    /// As `coefficient * symbol + offset`.
    pub(crate) fn affine(&self) -> Option<(Arc<str>, i64, i64)> {
        let polynomial = polynomial::Polynomial::of(self);
        let mut terms = polynomial.symbolic();
        match (terms.next(), terms.next()) {
            (Some((factors, coefficient)), None) => match factors.as_slice() {
                [SymExpr::Symbol(name)] => Some((name.clone(), coefficient, polynomial.constant())),
                _ => None,
            },
            _ => None,
        }
    }
}
