//! How terms and values are shown.

use super::Term;
use crate::compose::extent::SymExpr;
use crate::compose::value::Value;
use std::fmt;

/// How many items of a pack of dynamic length a message shows.
const SHOWN_FIRST: i64 = 3;

/// How many items of a pack a message shows.
const SHOWN_ITEMS: usize = 16;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Null => f.write_str("null"),
            Term::Int(value) => value.fmt(f),
            Term::Symbolic(expr) | Term::Condition(expr) => expr.fmt(f),
            Term::SymbolicReal(expr) => expr.fmt(f),
            Term::Formatted(parts) => parts.iter().try_for_each(|part| part.fmt(f)),
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
            Term::Empty(_) | Term::Repeat(_, 0) => f.write_str("[]"),
            Term::Repeat(item, count) => write!(f, "[{} ..({count})]", Quoted(item)),
            Term::Sequence(sequence) if sequence.is_uniform() => {
                write!(f, "[{} ..({})]", Quoted(&sequence.item), sequence.length)
            }
            Term::Sequence(sequence) => {
                f.write_str("[")?;
                let first = (0..SHOWN_FIRST).filter_map(|at| sequence.at(&SymExpr::Const(at)));
                first.into_iter().try_for_each(|item| write!(f, "{}, ", Quoted(&item)))?;
                write!(f, "... ({} items)]", sequence.length)
            }
            Term::Scalar(_) | Term::Index(_) => f.write_str("a value known only at run time"),
            Term::Tensor(_) => f.write_str("a tensor"),
            Term::Type(dtype) => f.write_str(dtype.keyword()),
            Term::Unknown | Term::Fault(_) => f.write_str("unknown"),
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
