//! Extents: integers, or expressions over symbols that are bound when the model runs (specification, section 3.1).

mod algebra;
pub(crate) mod interval;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

/// An integer expression over run-time symbols, kept in a canonical form so that equal expressions compare equal as
/// far as polynomial reasoning goes.
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
}

/// Operations that have no polynomial form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bound {
            Some(bound) => write!(f, "{}|{bound}", self.value),
            None => self.value.fmt(f),
        }
    }
}

impl fmt::Display for SymExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymExpr::Const(value) => value.fmt(f),
            SymExpr::Symbol(name) => name.fmt(f),
            SymExpr::Sum(terms) => join(f, terms, " + "),
            SymExpr::Product(factors) => join(f, factors, " * "),
            SymExpr::Apply(SymOp::Select, parts) if parts.len() == 3 => {
                write!(f, "({} ? {} : {})", parts[0], parts[1], parts[2])
            }
            SymExpr::Apply(SymOp::Not, parts) if parts.len() == 1 => write!(f, "!{}", parts[0]),
            SymExpr::Apply(SymOp::Abs, parts) if parts.len() == 1 => write!(f, "abs({})", parts[0]),
            SymExpr::Apply(op, parts) => join(f, parts, op.infix()),
        }
    }
}

impl SymOp {
    fn infix(self) -> &'static str {
        match self {
            SymOp::FloorDiv => " / ",
            SymOp::CeilDiv => " \\ ",
            SymOp::Mod => " % ",
            SymOp::Pow => " ** ",
            SymOp::Min => " << ",
            SymOp::Max => " >> ",
            SymOp::Lt => " < ",
            SymOp::Le => " <= ",
            SymOp::Eq => " == ",
            SymOp::Ne => " != ",
            SymOp::And => " && ",
            SymOp::Or => " || ",
            SymOp::Abs | SymOp::Not | SymOp::Select => ", ",
        }
    }
}

fn join(f: &mut fmt::Formatter<'_>, parts: &[SymExpr], separator: &str) -> fmt::Result {
    f.write_str("(")?;
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            f.write_str(separator)?;
        }
        fmt::Display::fmt(part, f)?;
    }
    f.write_str(")")
}
