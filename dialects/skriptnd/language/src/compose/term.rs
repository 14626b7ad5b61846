//! What expressions evaluate to while composing: compile-time values, tensors (in `@compose`) and run-time scalars
//! (in `@lower`), all in one type, because the language mixes them in one expression.

mod display;

use super::extent::{RealExpr, SymExpr};
use super::failure::Failure;
use super::formula::{AccessIndex, ScalarExpr};
use super::limits;
use super::tensors::Argument;
use super::tensors::TermTensor;
use super::value::{POSITION, ScalarType, Symbolic, Value};
use skriptnd_source::diagnostics::Diagnostic;
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
    /// `real` that depends on them.
    SymbolicReal(RealExpr),
    /// `str` in which such values are formatted: its parts.
    Formatted(Vec<Term>),
    /// `real`
    Real(f64),
    /// `bool`
    Bool(bool),
    /// `str`
    Str(Arc<str>),
    /// Items of one type.
    Pack(Vec<Term>),
    /// A uniform pack, kept short. Without items it still has its uniform value.
    Repeat(Box<Term>, u64),
    /// A pack whose length depends on extents known only at run time.
    Sequence(Box<Sequence>),
    /// A pack without items of a type that is known, so that its sum is `0` or `0.0`.
    Empty(ScalarType),
    /// An item that has no value, which is an error unless `?:` chooses another one.
    Fault(Fault),
    /// A run-time scalar of a formula.
    Scalar(Box<ScalarExpr>),
    /// A guarded index of a formula.
    Index(Box<AccessIndex>),
    /// A tensor.
    Tensor(TermTensor),
    /// The type that a generic name stands for.
    Type(ScalarType),
    /// What an earlier error left undefined; whoever uses it stays silent.
    Unknown,
}

/// Why an item has no value; every one is different.
#[derive(Debug, Clone)]
pub(crate) struct Fault(Arc<Diagnostic>);

impl PartialEq for Fault {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl From<Box<Diagnostic>> for Fault {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Fault(Arc::from(diagnostic))
    }
}

impl Term {
    /// The value of `T()`.
    pub(crate) fn default(dtype: ScalarType) -> Term {
        match dtype {
            ScalarType::Int => Term::Int(0),
            ScalarType::Real => Term::Real(0.0),
            ScalarType::Bool => Term::Bool(false),
            ScalarType::Str => Term::Str("".into()),
        }
    }

    /// A pack of items; of this type, where it is known, if there are none.
    pub(crate) fn pack(items: Vec<Term>, dtype: Option<ScalarType>) -> Term {
        match dtype {
            Some(dtype) if items.is_empty() => Term::Empty(dtype),
            _ => Term::Pack(items),
        }
    }

    /// The term for the name of an argument.
    pub(crate) fn of_tensors<T: Copy + Into<TermTensor>>(argument: &Argument<T>) -> Term {
        let tensor = |id: &T| Term::Tensor((*id).into());
        match argument {
            Argument::Null => Term::Null,
            Argument::Single(id) => tensor(id),
            Argument::Pack(items) => Term::Pack(items.iter().map(tensor).collect()),
        }
    }

    /// The tensors that the term consists of; none if it is something else, or tensors that `of` does not take.
    pub(crate) fn tensors<T>(&self, of: impl Fn(TermTensor) -> Option<T>) -> Option<Argument<T>> {
        let tensor = |term: &Term| if let Term::Tensor(tensor) = term { of(*tensor) } else { None };
        match self {
            Term::Null => Some(Argument::Null),
            Term::Empty(_) => Some(Argument::Pack(Vec::new())),
            Term::Pack(items) => items.iter().map(tensor).collect::<Option<_>>().map(Argument::Pack),
            single => tensor(single).map(Argument::Single),
        }
    }

    /// The same with all empty packs in one form.
    pub(crate) fn written_out(self) -> Term {
        match self {
            Term::Empty(_) | Term::Repeat(_, 0) => Term::Pack(Vec::new()),
            other => other,
        }
    }

    /// The term, unless it has no value.
    pub(crate) fn checked(&self) -> Result<&Term, Failure> {
        match self {
            Term::Fault(Fault(diagnostic)) => Err(Failure::Report(Box::new((**diagnostic).clone()))),
            value => Ok(value),
        }
    }

    /// A uniform pack, written out if it is short.
    pub(crate) fn repeat(item: Term, count: u64) -> Term {
        if matches!(item, Term::Null | Term::Unknown) {
            return item;
        }
        match usize::try_from(count) {
            Ok(length) if (1..=limits::SHORT_PACK).contains(&count) => Term::Pack(vec![item; length]),
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

    /// A real of extents.
    pub(crate) fn real(expr: RealExpr) -> Term {
        expr.as_known().map_or_else(|| Term::SymbolicReal(expr), Term::Real)
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

    /// The real as an expression of extents.
    pub(crate) fn as_real(&self) -> Option<RealExpr> {
        match self {
            Term::Real(value) => Some(RealExpr::known(*value)),
            Term::SymbolicReal(expr) => Some(expr.clone()),
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
        matches!(self, Term::Pack(_) | Term::Repeat(..) | Term::Empty(_) | Term::Sequence(_))
    }

    /// Length of a pack, which may depend on extents.
    pub(crate) fn extent_length(&self) -> Option<SymExpr> {
        match self {
            Term::Sequence(sequence) => Some(sequence.length.clone()),
            pack => i64::try_from(pack.length()?).ok().map(SymExpr::Const),
        }
    }

    /// Length of a pack, if it is known.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Term::Pack(items) => Some(items.len() as u64),
            Term::Repeat(_, count) => Some(*count),
            Term::Empty(_) => Some(0),
            _ => None,
        }
    }

    /// An item of a pack; any item of what is not a pack is the term itself, as broadcasting wants it.
    pub(crate) fn item(&self, at: usize) -> Option<&Term> {
        match self {
            Term::Pack(items) => items.get(at),
            Term::Repeat(item, count) => ((at as u64) < *count).then_some(item),
            Term::Empty(_) | Term::Sequence(_) => None,
            single => Some(single),
        }
    }

    /// The term that stands for every item, if the items are not told apart.
    pub(crate) fn uniform_item(&self) -> Option<&Term> {
        match self {
            Term::Pack(_) | Term::Empty(_) | Term::Sequence(_) => None,
            Term::Repeat(item, _) => Some(item),
            single => Some(single),
        }
    }

    /// The type of the value or of the pack's items, as far as the term tells.
    pub(crate) fn dtype(&self) -> Option<ScalarType> {
        match self {
            Term::Int(_) | Term::Symbolic(_) | Term::Index(_) => Some(ScalarType::Int),
            Term::Real(_) | Term::SymbolicReal(_) => Some(ScalarType::Real),
            Term::Bool(_) | Term::Condition(_) => Some(ScalarType::Bool),
            Term::Str(_) | Term::Formatted(_) => Some(ScalarType::Str),
            Term::Scalar(expr) => Some(expr.dtype),
            Term::Pack(items) => items.first().and_then(Term::dtype),
            Term::Repeat(item, _) => item.dtype(),
            Term::Sequence(sequence) => sequence.item.dtype(),
            Term::Empty(dtype) => Some(*dtype),
            Term::Null | Term::Tensor(_) | Term::Type(_) | Term::Unknown | Term::Fault(_) => None,
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
                let item = pack.dtype().map(|dtype| dtype.keyword().to_owned());
                let item = item.or_else(|| pack.item(0).map(Term::describe)).unwrap_or_else(|| "items".into());
                let length = pack.extent_length().unwrap_or(SymExpr::Const(0));
                format!("pack of {length} {item}")
            }
            single => single.dtype().map_or_else(String::new, |dtype| dtype.keyword().to_owned()),
        }
    }

    /// Takes the parts that only the run knows off what is left; false if that is not enough.
    pub(crate) fn fits(&self, left: &mut usize) -> bool {
        match self {
            Term::Symbolic(expr) | Term::Condition(expr) => expr.fits(left),
            Term::SymbolicReal(expr) => expr.fits(left),
            Term::Formatted(parts) => parts.len() <= *left && parts.iter().all(|part| part.fits(left)),
            Term::Pack(items) => items.iter().all(|item| item.fits(&mut left.clone())),
            Term::Repeat(item, _) => item.fits(left),
            _ => true,
        }
    }

    /// As a value that leaves the front end; `None` for tensors, run-time scalars and types.
    pub(crate) fn to_value(&self) -> Option<Value> {
        Some(match self {
            Term::Null => Value::Null,
            Term::Int(value) => Value::Int(*value),
            Term::Symbolic(expr) => Value::Symbolic(Symbolic::Int(expr.clone())),
            Term::Condition(expr) => Value::Symbolic(Symbolic::Bool(expr.clone())),
            Term::SymbolicReal(expr) => Value::Symbolic(Symbolic::Real(expr.clone())),
            Term::Formatted(parts) => {
                Value::Symbolic(Symbolic::Str(parts.iter().map(Term::to_value).collect::<Option<_>>()?))
            }
            Term::Real(value) => Value::Real(*value),
            Term::Bool(value) => Value::Bool(*value),
            Term::Str(value) => Value::Str(value.clone()),
            Term::Pack(items) => Value::Pack(items.iter().map(Term::to_value).collect::<Option<_>>()?),
            Term::Sequence(sequence) => Value::Symbolic(Symbolic::Pack {
                item: Box::new(sequence.item.to_value()?),
                length: sequence.length.clone(),
            }),
            Term::Empty(_) | Term::Repeat(_, 0) => Value::Pack(Vec::new()),
            Term::Repeat(item, count) => Value::Repeat(Box::new(item.to_value()?), *count),
            Term::Scalar(_) | Term::Index(_) | Term::Tensor(_) | Term::Type(_) | Term::Unknown | Term::Fault(_) => {
                return None;
            }
        })
    }

    pub(crate) fn from_value(value: &Value) -> Term {
        match value {
            Value::Null => Term::Null,
            Value::Int(value) => Term::Int(*value),
            Value::Symbolic(Symbolic::Int(expr)) => Term::extent(expr.clone()),
            Value::Symbolic(Symbolic::Bool(expr)) => Term::condition(expr.clone()),
            Value::Symbolic(Symbolic::Real(expr)) => Term::real(expr.clone()),
            Value::Symbolic(Symbolic::Str(parts)) => Term::Formatted(parts.iter().map(Term::from_value).collect()),
            Value::Symbolic(Symbolic::Pack { item, length }) => {
                Term::Sequence(Box::new(Sequence { length: length.clone(), item: Term::from_value(item) }))
            }
            Value::Real(value) => Term::Real(*value),
            Value::Bool(value) => Term::Bool(*value),
            Value::Str(value) => Term::Str(value.clone()),
            Value::Pack(items) => Term::Pack(items.iter().map(Term::from_value).collect()),
            Value::Repeat(item, count) => Term::repeat(Term::from_value(item), *count),
        }
    }
}

/// A pack of dynamic length.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sequence {
    /// Never negative.
    pub(crate) length: SymExpr,
    /// What it holds at [`POSITION`].
    pub(crate) item: Term,
}

impl Sequence {
    /// The item at a position, which must be one of the pack.
    pub(crate) fn at(&self, position: &SymExpr) -> Option<Term> {
        place(&self.item, position)
    }

    /// Whether all items are the same.
    pub(crate) fn is_uniform(&self) -> bool {
        let mut uniform = true;
        let mut visit = |name: &std::sync::Arc<str>| uniform &= **name != *POSITION;
        match &self.item {
            Term::Symbolic(expr) | Term::Condition(expr) => expr.symbols(&mut visit),
            Term::SymbolicReal(expr) => expr.symbols(&mut visit),
            Term::Formatted(_) => return false,
            _ => {}
        }
        uniform
    }
}

/// An item with a number in place of the position.
fn place(item: &Term, position: &SymExpr) -> Option<Term> {
    let lookup = |name: &str| (name == POSITION).then(|| position.clone());
    Some(match item {
        Term::Symbolic(expr) => Term::extent(expr.substitute(&lookup)?),
        Term::Condition(expr) => Term::condition(expr.substitute(&lookup)?),
        Term::SymbolicReal(expr) => Term::real(expr.substitute(&lookup)?),
        Term::Formatted(parts) => {
            Term::Formatted(parts.iter().map(|part| place(part, position)).collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}
