//! What expressions evaluate to while composing: compile-time values, tensors (in `@compose`) and run-time scalars
//! (in `@lower`), all in one type, because the language mixes them in one expression.

use super::extent::SymExpr;
use super::formula::{AccessIndex, ScalarExpr};
use super::graph::TensorId;
use super::limits;
use super::value::{ScalarType, Value};
use std::fmt;
use std::sync::Arc;

/// The result of evaluating an expression. Packs hold neither packs nor nulls.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Term {
    /// Null of any optional type.
    Null,
    /// `int`
    Int(i64),
    /// `int` that depends on extents known only at run time.
    Symbolic(SymExpr),
    /// `bool` that depends on them: non-zero is true.
    Condition(SymExpr),
    /// `real(e)` of such an integer.
    SymbolicReal(SymExpr),
    /// `real`
    Real(f64),
    /// `bool`
    Bool(bool),
    /// `str`
    Str(Arc<str>),
    /// Items of one type.
    Pack(Vec<Term>),
    /// A uniform pack, kept short.
    Repeat(Box<Term>, u64),
    /// A run-time scalar of a formula.
    Scalar(Box<ScalarExpr>),
    /// A guarded index of a formula.
    Index(Box<AccessIndex>),
    /// A tensor.
    Tensor(TensorId),
    /// The type that a generic name stands for.
    Type(ScalarType),
    /// What an earlier error left undefined; whoever uses it stays silent.
    Unknown,
}

impl Term {
    /// A uniform pack, written out if it is short.
    pub(crate) fn repeat(item: Term, count: u64) -> Term {
        if matches!(item, Term::Null | Term::Unknown) {
            return item;
        }
        match usize::try_from(count) {
            Ok(length) if count <= limits::SHORT_PACK => Term::Pack(vec![item; length]),
            _ => Term::Repeat(Box::new(item), count),
        }
    }

    /// An integer of extents.
    pub(crate) fn extent(expr: SymExpr) -> Term {
        match expr {
            SymExpr::Const(value) => Term::Int(value),
            expr => Term::Symbolic(expr),
        }
    }

    /// A truth value of extents.
    pub(crate) fn condition(expr: SymExpr) -> Term {
        match expr {
            SymExpr::Const(value) => Term::Bool(value != 0),
            expr => Term::Condition(expr),
        }
    }

    /// The integer as an expression of extents.
    pub(crate) fn as_extent(&self) -> Option<SymExpr> {
        match self {
            Term::Int(value) => Some(SymExpr::Const(*value)),
            Term::Symbolic(expr) => Some(expr.clone()),
            _ => None,
        }
    }

    /// The truth value as an expression of extents.
    pub(crate) fn as_condition(&self) -> Option<SymExpr> {
        match self {
            Term::Bool(value) => Some(SymExpr::Const(i64::from(*value))),
            Term::Condition(expr) => Some(expr.clone()),
            _ => None,
        }
    }

    pub(crate) fn is_pack(&self) -> bool {
        matches!(self, Term::Pack(_) | Term::Repeat(..))
    }

    /// Length of a pack.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Term::Pack(items) => Some(items.len() as u64),
            Term::Repeat(_, count) => Some(*count),
            _ => None,
        }
    }

    /// An item of a pack; any item of what is not a pack is the term itself, as broadcasting wants it.
    pub(crate) fn item(&self, at: usize) -> Option<&Term> {
        match self {
            Term::Pack(items) => items.get(at),
            Term::Repeat(item, count) => ((at as u64) < *count).then_some(item),
            single => Some(single),
        }
    }

    /// The type of the value or of the pack's items, as far as the term tells.
    pub(crate) fn dtype(&self) -> Option<ScalarType> {
        match self {
            Term::Int(_) | Term::Symbolic(_) | Term::Index(_) => Some(ScalarType::Int),
            Term::Real(_) | Term::SymbolicReal(_) => Some(ScalarType::Real),
            Term::Bool(_) | Term::Condition(_) => Some(ScalarType::Bool),
            Term::Str(_) => Some(ScalarType::Str),
            Term::Scalar(expr) => Some(expr.dtype),
            Term::Pack(items) => items.first().and_then(Term::dtype),
            Term::Repeat(item, _) => item.dtype(),
            Term::Null | Term::Tensor(_) | Term::Type(_) | Term::Unknown => None,
        }
    }

    /// What it is, for messages: `int`, `pack of 3 real`, `null`.
    pub(crate) fn describe(&self) -> String {
        match self {
            Term::Null => "null".into(),
            Term::Tensor(_) => "tensor".into(),
            Term::Type(_) => "type".into(),
            Term::Unknown => "unknown".into(),
            pack if pack.is_pack() => {
                let item = pack.item(0).map(Term::describe);
                format!("pack of {} {}", pack.length().unwrap_or(0), item.unwrap_or_else(|| "items".into()))
            }
            single => single.dtype().map_or_else(String::new, |dtype| dtype.keyword().to_owned()),
        }
    }

    /// As a value that leaves the front end; `None` for tensors, run-time scalars and types.
    pub(crate) fn to_value(&self) -> Option<Value> {
        Some(match self {
            Term::Null => Value::Null,
            Term::Int(value) => Value::Int(*value),
            Term::Symbolic(expr) | Term::Condition(expr) | Term::SymbolicReal(expr) => Value::Symbolic(expr.clone()),
            Term::Real(value) => Value::Real(*value),
            Term::Bool(value) => Value::Bool(*value),
            Term::Str(value) => Value::Str(value.clone()),
            Term::Pack(items) => Value::Pack(items.iter().map(Term::to_value).collect::<Option<_>>()?),
            Term::Repeat(item, count) => Value::Repeat(Box::new(item.to_value()?), *count),
            Term::Scalar(_) | Term::Index(_) | Term::Tensor(_) | Term::Type(_) | Term::Unknown => return None,
        })
    }

    pub(crate) fn from_value(value: &Value) -> Term {
        match value {
            Value::Null => Term::Null,
            Value::Int(value) => Term::Int(*value),
            Value::Symbolic(expr) => Term::extent(expr.clone()),
            Value::Real(value) => Term::Real(*value),
            Value::Bool(value) => Term::Bool(*value),
            Value::Str(value) => Term::Str(value.clone()),
            Value::Pack(items) => Term::Pack(items.iter().map(Term::from_value).collect()),
            Value::Repeat(item, count) => Term::repeat(Term::from_value(item), *count),
        }
    }
}

/// How many items of a pack a message shows.
const SHOWN_ITEMS: usize = 16;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Null => f.write_str("null"),
            Term::Int(i64::MAX) => f.write_str("int(inf)"),
            Term::Int(i64::MIN) => f.write_str("int(-inf)"),
            Term::Int(value) => value.fmt(f),
            Term::Symbolic(expr) | Term::Condition(expr) => expr.fmt(f),
            Term::SymbolicReal(expr) => write!(f, "real({expr})"),
            // Debug output of floats always has a point or an exponent, as literals of the language have.
            Term::Real(value) => write!(f, "{value:?}"),
            Term::Bool(value) => value.fmt(f),
            Term::Str(value) => f.write_str(value),
            Term::Pack(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().take(SHOWN_ITEMS).enumerate() {
                    write!(f, "{}{}", if at > 0 { ", " } else { "" }, Quoted(item))?;
                }
                f.write_str(if items.len() > SHOWN_ITEMS { ", ...]" } else { "]" })
            }
            Term::Repeat(item, count) => write!(f, "[{} ..({count})]", Quoted(item)),
            Term::Scalar(_) | Term::Index(_) => f.write_str("a value known only at run time"),
            Term::Tensor(_) => f.write_str("a tensor"),
            Term::Type(dtype) => f.write_str(dtype.keyword()),
            Term::Unknown => f.write_str("unknown"),
        }
    }
}

/// Strings within packs show their quotes.
struct Quoted<'a>(&'a Term);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Term::Str(value) => write!(f, "'{value}'"),
            other => other.fmt(f),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Term::from_value(self).fmt(f)
    }
}
