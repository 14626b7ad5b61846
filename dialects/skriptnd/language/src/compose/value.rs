//! Compile-time values of attributes and helper symbols (specification, sections 2.3 and 2.4).

pub use super::extent::POSITION;
use super::extent::{Float, RealExpr, SymExpr};
use crate::arithmetic::Scalar;
pub use crate::arithmetic::ScalarType;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A compile-time value.
#[derive(Debug, Clone)]
pub enum Value {
    /// Null of any optional type.
    Null,
    /// `int`; `int(inf)` is `i64::MAX`, `int(-inf)` is `i64::MIN`.
    Int(i64),
    /// What depends on extents known only at run time.
    Symbolic(Symbolic),
    /// `real`
    Real(f64),
    /// `bool`
    Bool(bool),
    /// `str`
    Str(Arc<str>),
    /// A pack. A uniform one of hostile length is `Repeat`.
    Pack(Vec<Value>),
    /// `[x..(n)]`, kept short: never materialise it without need.
    Repeat(Box<Value>, u64),
}

/// Values are equal if nothing tells them apart: one that is not a number equals itself, and the two zeros differ.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Symbolic(a), Value::Symbolic(b)) => a == b,
            (Value::Real(a), Value::Real(b)) => Float::from(*a) == Float::from(*b),
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Pack(a), Value::Pack(b)) => a == b,
            (Value::Repeat(a, m), Value::Repeat(b, n)) => (a, m) == (b, n),
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Null => {}
            Value::Int(value) => value.hash(state),
            Value::Symbolic(value) => value.hash(state),
            Value::Real(value) => Float::from(*value).hash(state),
            Value::Bool(value) => value.hash(state),
            Value::Str(value) => value.hash(state),
            Value::Pack(items) => items.hash(state),
            Value::Repeat(item, count) => (item, count).hash(state),
        }
    }
}

impl From<Scalar> for Value {
    fn from(value: Scalar) -> Self {
        match value {
            Scalar::Int(value) => Value::Int(value),
            Scalar::Real(value) => Value::Real(value),
            Scalar::Bool(value) => Value::Bool(value),
        }
    }
}

impl Value {
    /// Calls `visit` with every symbol of extents, as often as it occurs.
    pub fn symbols(&self, visit: &mut dyn FnMut(&Arc<str>)) {
        match self {
            Value::Symbolic(Symbolic::Int(expr) | Symbolic::Bool(expr)) => expr.symbols(visit),
            Value::Symbolic(Symbolic::Real(expr)) => expr.symbols(visit),
            Value::Symbolic(Symbolic::Pack { item, length }) => {
                length.symbols(visit);
                item.symbols(&mut |name| {
                    if **name != *POSITION {
                        visit(name)
                    }
                });
            }
            Value::Symbolic(Symbolic::Str(items)) | Value::Pack(items) => {
                items.iter().for_each(|item| item.symbols(visit));
            }
            Value::Repeat(item, _) => item.symbols(visit),
            Value::Null | Value::Int(_) | Value::Real(_) | Value::Bool(_) | Value::Str(_) => {}
        }
    }

    /// The value with other expressions in place of some symbols; none where it has no value then.
    pub fn substitute(&self, lookup: &dyn Fn(&str) -> Option<SymExpr>) -> Option<Value> {
        let all = |items: &[Value]| items.iter().map(|item| item.substitute(lookup)).collect::<Option<Vec<_>>>();
        Some(match self {
            Value::Symbolic(symbolic) => Value::Symbolic(match symbolic {
                Symbolic::Int(expr) => Symbolic::Int(expr.substitute(lookup)?),
                Symbolic::Bool(expr) => Symbolic::Bool(expr.substitute(lookup)?),
                Symbolic::Real(expr) => Symbolic::Real(expr.substitute(lookup)?),
                Symbolic::Str(parts) => Symbolic::Str(all(parts)?),
                Symbolic::Pack { item, length } => {
                    let inside = |name: &str| if name == POSITION { None } else { lookup(name) };
                    let item = Box::new(item.substitute(&inside)?);
                    Symbolic::Pack { item, length: length.substitute(lookup)? }
                }
            }),
            Value::Pack(items) => Value::Pack(all(items)?),
            Value::Repeat(item, count) => Value::Repeat(Box::new(item.substitute(lookup)?), *count),
            Value::Null | Value::Int(_) | Value::Real(_) | Value::Bool(_) | Value::Str(_) => self.clone(),
        })
    }
}

/// A value that depends on extents known only at run time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Symbolic {
    /// `int`
    Int(SymExpr),
    /// `bool`: true where the expression is not 0.
    Bool(SymExpr),
    /// `real`
    Real(RealExpr),
    /// `str` that is put together from its parts.
    Str(Vec<Value>),
    /// A pack whose length depends on them.
    Pack {
        /// What it holds at the position [`POSITION`].
        item: Box<Value>,
        /// How many items.
        length: SymExpr,
    },
}
