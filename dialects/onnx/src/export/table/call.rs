//! An invocation with what it is given.

use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::graph::{Argument, OperatorCall, TensorType};
use skriptnd_language::compose::value::{Symbolic, Value};

/// An operator with its attributes and operands.
pub struct Call<'a> {
    pub call: &'a OperatorCall,
    /// Names and types of the operands.
    pub inputs: &'a [Argument<(String, TensorType)>],
    /// Numbers of the operands that are the defaults.
    pub defaults: &'a [usize],
    /// Types of the results.
    pub outputs: &'a [TensorType],
}

impl Call<'_> {
    /// A value that is given.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.call.attributes.get(name).filter(|value| **value != Value::Null)
    }

    /// An attribute that is a whole number.
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.value(name)? {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// An attribute that is a real number.
    pub fn real(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether an attribute holds.
    pub fn holds(&self, name: &str) -> bool {
        self.value(name) == Some(&Value::Bool(true))
    }

    /// An attribute that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// An attribute that is a list of whole numbers, of which all are known.
    pub fn ints(&self, name: &str) -> Option<Vec<i64>> {
        self.expressions(name)?.iter().map(SymExpr::as_known).collect()
    }

    /// An attribute that is a whole number, or an expression of extents.
    pub fn expression(&self, name: &str) -> Option<SymExpr> {
        match self.value(name)? {
            Value::Int(value) => Some(SymExpr::Const(*value)),
            Value::Symbolic(Symbolic::Int(value)) => Some(value.clone()),
            _ => None,
        }
    }

    /// An attribute that is a list of real numbers.
    pub fn reals(&self, name: &str) -> Option<Vec<f64>> {
        let item = |value: &Value| match value {
            Value::Real(value) => Some(*value),
            _ => None,
        };
        match self.value(name)? {
            Value::Pack(items) => items.iter().map(item).collect(),
            Value::Repeat(value, _) => Some(vec![item(value)?]),
            value => Some(vec![item(value)?]),
        }
    }

    /// An attribute that is a list of whole numbers.
    pub fn expressions(&self, name: &str) -> Option<Vec<SymExpr>> {
        let item = |value: &Value| match value {
            Value::Int(value) => Some(SymExpr::Const(*value)),
            Value::Symbolic(Symbolic::Int(value)) => Some(value.clone()),
            _ => None,
        };
        match self.value(name)? {
            Value::Pack(items) => items.iter().map(item).collect(),
            Value::Repeat(value, count) if *count <= 64 => Some(vec![item(value)?; usize::try_from(*count).ok()?]),
            _ => None,
        }
    }

    /// Dimensions of an operand, counted from the front.
    pub fn axes(&self, name: &str, rank: usize) -> Option<Vec<i64>> {
        let rank = i64::try_from(rank).ok()?;
        Some(self.ints(name)?.into_iter().map(|axis| if axis < 0 { axis + rank } else { axis }).collect())
    }

    /// A dimension of an operand, counted from the front.
    pub fn axis(&self, name: &str, rank: usize) -> Option<i64> {
        let axis = self.int(name)?;
        Some(if axis < 0 { axis + i64::try_from(rank).ok()? } else { axis })
    }

    /// An operand that is there.
    pub fn input(&self, at: usize) -> Option<(&str, &TensorType)> {
        match self.inputs.get(at)? {
            Argument::Single((name, ty)) => Some((name, ty)),
            _ => None,
        }
    }

    /// The items of an operand that is a pack.
    pub fn pack(&self, at: usize) -> Option<&[(String, TensorType)]> {
        match self.inputs.get(at)? {
            Argument::Pack(items) => Some(items),
            _ => None,
        }
    }
}

/// Whether a tensor has no elements, as far as that is known.
pub fn is_empty(ty: &TensorType) -> bool {
    ty.shape.iter().any(|extent| extent.as_known() == Some(0))
}
