//! Extents that become known while a graph runs (specification, section 3.1).

use skriptnd_language::compose::extent::{Extent, NoValue, SymExpr};
use skriptnd_language::compose::formula::Known;
use skriptnd_language::compose::graph::TensorType;
use skriptnd_language::compose::value::{POSITION, Symbolic, Value};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// How many items an attribute may have that are not all the same.
const MAX_ITEMS: i64 = 1 << 20;

/// The symbols of a graph whose values are known.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    values: HashMap<Arc<str>, i64>,
    /// In the order in which they became known.
    order: Vec<Arc<str>>,
}

impl Symbols {
    pub(super) fn value(&self, expression: &SymExpr) -> Result<i64, NoValue> {
        expression.value(&|name| self.values.get(name).copied())
    }

    pub(super) fn evaluate(&self, expression: &SymExpr) -> Option<i64> {
        self.value(expression).ok()
    }

    /// The value of a symbol.
    pub(super) fn get(&self, symbol: &str) -> Option<i64> {
        self.values.get(symbol).copied()
    }

    /// A type with the extents that are known.
    pub(super) fn known(&self, ty: &TensorType) -> TensorType {
        let known = |extent: &Extent| self.evaluate(&extent.value).map_or_else(|| extent.clone(), Extent::known);
        TensorType { dtype: ty.dtype, shape: ty.shape.iter().map(known).collect() }
    }

    /// Whether all symbols of a value are known.
    pub(super) fn knows(&self, value: &Value) -> bool {
        let mut known = true;
        value.symbols(&mut |name| known &= self.values.contains_key(name));
        known
    }

    /// Those of a list that are known.
    pub(super) fn only(&self, names: &[Arc<str>]) -> Symbols {
        let known = names.iter().filter_map(|name| Some((name.clone(), *self.values.get(name)?)));
        let (order, values): (Vec<_>, Vec<_>) = known.unzip();
        Symbols { values: order.iter().cloned().zip(values).collect(), order }
    }

    /// How many are known.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Forgets those that became known last: another iteration gives them other values.
    pub(super) fn truncate(&mut self, len: usize) {
        for name in self.order.drain(len.min(self.order.len())..) {
            self.values.remove(&name);
        }
    }

    /// Takes the symbols of a tensor's type from its shape.
    pub(super) fn bind(&mut self, ty: &TensorType, shape: &[usize]) {
        if ty.shape.len() == shape.len() {
            let possible =
                |(extent, actual): &(&Extent, &usize)| extent.bound.is_none_or(|bound| **actual as i64 <= bound);
            let extents = ty.shape.iter().zip(shape).filter(possible);
            extents.for_each(|(extent, &actual)| self.set(&extent.value, actual));
        }
    }

    /// Gives the symbol of an extent the value that follows, unless it has one.
    pub(super) fn set(&mut self, extent: &SymExpr, actual: usize) {
        let Some((name, value)) = extent.solve(actual as i64) else { return };
        if let Entry::Vacant(entry) = self.values.entry(name.clone()) {
            entry.insert(value);
            self.order.push(name);
        }
    }

    /// Whether a shape is one that the type allows, as far as its extents are known.
    pub(super) fn allow(&self, ty: &TensorType, shape: &[usize]) -> bool {
        let fits = |(extent, &actual): (&Extent, &usize)| {
            let actual = actual as i64;
            self.evaluate(&extent.value).is_none_or(|value| value == actual)
                && extent.bound.is_none_or(|bound| actual <= bound)
        };
        ty.shape.len() == shape.len() && ty.shape.iter().zip(shape).all(fits)
    }

    /// The extents of a type; none if one is not known or not possible.
    pub(super) fn shape(&self, ty: &TensorType) -> Option<Vec<usize>> {
        let extent = |extent: &Extent| usize::try_from(self.evaluate(&extent.value)?).ok();
        ty.shape.iter().map(extent).collect()
    }

    /// The type with the extents that are known; the others are at most what they can be, or nothing.
    pub(super) fn concrete(&self, ty: &TensorType) -> TensorType {
        let known = |extent: &Extent| Extent::known(self.evaluate(&extent.value).or(extent.bound).unwrap_or(0));
        TensorType { dtype: ty.dtype, shape: ty.shape.iter().map(known).collect() }
    }

    /// A value without symbols; none if one is not known.
    pub(super) fn resolve(&self, value: &Value) -> Option<Value> {
        self.resolve_at(value, None)
    }

    /// The same for an item of a pack of dynamic length, at this position.
    fn resolve_at(&self, value: &Value, position: Option<i64>) -> Option<Value> {
        let lookup = |name: &str| if name == POSITION { position } else { self.values.get(name).copied() };
        let all =
            |items: &[Value]| items.iter().map(|item| self.resolve_at(item, position)).collect::<Option<Vec<_>>>();
        Some(match value {
            Value::Symbolic(Symbolic::Int(expression)) => Value::Int(expression.evaluate(&lookup)?),
            Value::Symbolic(Symbolic::Bool(expression)) => Value::Bool(expression.evaluate(&lookup)? != 0),
            Value::Symbolic(Symbolic::Real(expression)) => Value::Real(expression.value(&lookup).ok()?),
            Value::Symbolic(Symbolic::Str(parts)) => {
                Value::Str(all(parts)?.iter().map(Value::to_string).collect::<String>().into())
            }
            Value::Symbolic(Symbolic::Pack { item, length }) => {
                let length = self.evaluate(length)?;
                if !has_position(item) {
                    return Some(Value::Repeat(Box::new(self.resolve(item)?), u64::try_from(length).ok()?));
                }
                let length = Some(length).filter(|length| (0..=MAX_ITEMS).contains(length))?;
                Value::Pack((0..length).map(|at| self.resolve_at(item, Some(at))).collect::<Option<_>>()?)
            }
            Value::Pack(items) => Value::Pack(all(items)?),
            Value::Repeat(item, length) => Value::Repeat(Box::new(self.resolve_at(item, position)?), *length),
            other => other.clone(),
        })
    }

    /// A shape as declared, with the extents that are known in place of their expressions.
    pub(super) fn expected_shape(&self, ty: &TensorType) -> String {
        let extents = ty.shape.iter().map(|extent| match (self.evaluate(&extent.value), extent.bound) {
            (Some(value), Some(bound)) if value > bound => format!("at most {bound}"),
            (Some(value), _) => value.to_string(),
            (None, Some(bound)) => format!("at most {bound}"),
            (None, None) => "any".to_owned(),
        });
        format!("[{}]", extents.collect::<Vec<_>>().join(", "))
    }
}

/// Whether the items of a pack differ.
fn has_position(item: &Value) -> bool {
    let mut found = false;
    item.symbols(&mut |name| found |= **name == *POSITION);
    found
}

impl Known for Symbols {
    fn extent(&self, expression: &SymExpr) -> Option<i64> {
        self.evaluate(expression)
    }

    fn value(&self, value: &Value) -> Option<Value> {
        self.resolve(value)
    }
}
