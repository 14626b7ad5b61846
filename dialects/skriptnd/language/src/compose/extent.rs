//! Extents: integers, or expressions over symbols that are bound when the model runs (specification, section 3.1).

mod bounds;
mod display;
mod evaluate;
mod fold;
mod growing;
mod integer;
pub(crate) mod interval;
pub(crate) mod marker;
mod parse;
mod polynomial;
mod quotient;
mod real;
mod simplify;
mod size;
#[cfg(test)]
mod tests;

pub(crate) use display::{Level, level_of};
pub use evaluate::NoValue;
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The symbol that stands for the number of an item in packs of dynamic length; no model can write it.
pub const POSITION: &str = "#";

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

impl SymOp {
    /// What stands for an operator that is no polynomial, and whether its operands are exchanged. On conditions, `^` is
    /// `!=`.
    pub fn of(op: BinaryOp) -> Option<(SymOp, bool)> {
        let (op, exchanged) = match op {
            BinaryOp::Div => (SymOp::FloorDiv, false),
            BinaryOp::CeilDiv => (SymOp::CeilDiv, false),
            BinaryOp::Mod => (SymOp::Mod, false),
            BinaryOp::Pow => (SymOp::Pow, false),
            BinaryOp::Min => (SymOp::Min, false),
            BinaryOp::Max => (SymOp::Max, false),
            BinaryOp::Lt => (SymOp::Lt, false),
            BinaryOp::Le => (SymOp::Le, false),
            BinaryOp::Gt => (SymOp::Lt, true),
            BinaryOp::Ge => (SymOp::Le, true),
            BinaryOp::Eq => (SymOp::Eq, false),
            BinaryOp::Ne | BinaryOp::Xor => (SymOp::Ne, false),
            BinaryOp::And => (SymOp::And, false),
            BinaryOp::Or => (SymOp::Or, false),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Implies => return None,
        };
        Some((op, exchanged))
    }
}

/// A real number with an order among all of them, so that expressions can be compared.
#[derive(Debug, Clone, Copy)]
pub struct Float(f64);

impl Float {
    /// The number itself.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl From<f64> for Float {
    fn from(value: f64) -> Self {
        Float(value)
    }
}

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Float {}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for Float {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// A real expression over run-time symbols.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RealExpr {
    /// Known.
    Const(Float),
    /// `real(n)`
    Int(SymExpr),
    /// `-x`
    Unary(UnaryOp, Box<RealExpr>),
    /// A built-in function.
    Builtin(Builtin, Box<RealExpr>),
    /// Arithmetic.
    Binary(BinaryOp, Box<[RealExpr; 2]>),
    /// `condition ? a : b`
    Select(SymExpr, Box<[RealExpr; 2]>),
}

/// Items of a pack of dynamic length that a run folds one by one.
pub const FOLDED_ITEMS: i64 = 1 << 16;

/// What the items of a pack are folded by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FoldOp {
    Sum,
    Product,
    Min,
    Max,
    /// Whether all are true.
    All,
    /// Whether one is true.
    Any,
}

/// The fold of the values that an expression of [`POSITION`] has below a length.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fold {
    /// By what.
    pub op: FoldOp,
    /// An item.
    pub item: SymExpr,
    /// How many items there are.
    pub length: SymExpr,
}

/// An extent of a tensor.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Extent {
    /// What it is, known or an expression of symbols.
    pub value: SymExpr,
    /// Upper bound where the value is not known.
    pub bound: Option<i64>,
}

impl Extent {
    /// A known extent.
    pub fn known(value: i64) -> Self {
        Extent { value: SymExpr::Const(value), bound: None }
    }

    /// The value if it is known.
    pub fn as_known(&self) -> Option<i64> {
        self.value.as_known()
    }

    /// The symbol that it depends on alone, with the largest value of this with which it does not exceed its bound.
    pub fn symbol_bound(&self) -> Option<(Arc<str>, i64)> {
        match self.value.affine()? {
            (symbol, factor @ 1.., offset) => Some((symbol, self.bound?.checked_sub(offset)?.div_euclid(factor))),
            _ => None,
        }
    }
}

impl SymExpr {
    /// An expression without a value.
    pub(crate) fn undefined() -> SymExpr {
        SymExpr::Apply(SymOp::FloorDiv, vec![SymExpr::Const(1), SymExpr::Const(0)])
    }

    /// The value if it is known.
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
}
