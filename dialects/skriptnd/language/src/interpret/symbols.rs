//! Extents that become known while a graph runs (specification, section 3.1).

use crate::compose::extent::{Extent, SymExpr};
use crate::compose::graph::TensorType;
use crate::compose::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The symbols of a graph whose values are known.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    values: HashMap<Arc<str>, i64>,
}

impl Symbols {
    pub(super) fn evaluate(&self, expression: &SymExpr) -> Option<i64> {
        expression.evaluate(&|name| self.values.get(name).copied())
    }

    /// Takes the symbols of a tensor's type from its shape.
    pub(super) fn bind(&mut self, ty: &TensorType, shape: &[usize]) {
        for (extent, &actual) in ty.shape.iter().zip(shape) {
            if let SymExpr::Symbol(name) = &extent.value {
                self.values.entry(name.clone()).or_insert(actual as i64);
            }
        }
    }

    /// Takes the symbols of a result's type from its shape; in a loop they have new values in every iteration.
    pub(super) fn rebind(&mut self, ty: &TensorType, shape: &[usize]) {
        for (extent, &actual) in ty.shape.iter().zip(shape) {
            self.set(&extent.value, actual);
        }
    }

    /// Gives an extent its value, if it is a symbol.
    pub(super) fn set(&mut self, extent: &SymExpr, actual: usize) {
        if let SymExpr::Symbol(name) = extent {
            self.values.insert(name.clone(), actual as i64);
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
        Some(match value {
            Value::Symbolic(expression) => Value::Int(self.evaluate(expression)?),
            Value::Pack(items) => Value::Pack(items.iter().map(|item| self.resolve(item)).collect::<Option<_>>()?),
            Value::Repeat(item, length) => Value::Repeat(Box::new(self.resolve(item)?), *length),
            other => other.clone(),
        })
    }
}
