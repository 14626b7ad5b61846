//! Extents: integers, or expressions over symbols that are bound when the model runs (specification, section 3.1).

use std::sync::Arc;

/// An integer expression over run-time symbols, kept in a canonical form so that equal expressions compare equal as
/// far as polynomial reasoning goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
}

/// Operations that have no polynomial form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SymOp {
    FloorDiv,
    CeilDiv,
    Mod,
    Pow,
    Min,
    Max,
    Abs,
    /// 1 if true.
    Lt,
    Le,
    Eq,
    Ne,
    Not,
    And,
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
        match self.value {
            SymExpr::Const(value) => Some(value),
            _ => None,
        }
    }
}
