//! What tells instances of operators apart.

use super::binding::{Binding, Bounds, Operand};
use super::graph::Instance;
use super::limits;
use super::tensors::OperatorCall;
use super::value::{ScalarType, Value};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Everything that an instance depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct InstanceKey {
    operator: Arc<str>,
    dtypes: Vec<(Arc<str>, ScalarType)>,
    attributes: Vec<(Arc<str>, Value)>,
    operands: Vec<Operand>,
    /// Upper bounds of the symbols.
    bounds: Vec<(Arc<str>, i64)>,
    /// As what it was composed, if that is the second time.
    composed: Option<SameInstance>,
}

/// An instance that is the same only as itself.
#[derive(Debug, Clone)]
struct SameInstance(Arc<Instance>);

impl PartialEq for SameInstance {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for SameInstance {}

impl Hash for SameInstance {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl InstanceKey {
    /// Of what an invocation gives, in any order.
    pub(crate) fn new(
        operator: &Arc<str>,
        dtypes: impl Iterator<Item = (Arc<str>, ScalarType)>,
        attributes: impl Iterator<Item = (Arc<str>, Value)>,
        operands: &[Operand],
    ) -> Self {
        let mut key = InstanceKey {
            operator: operator.clone(),
            dtypes: dtypes.collect(),
            attributes: attributes.map(|(name, value)| (name, one_form(value))).collect(),
            operands: operands.to_vec(),
            bounds: Vec::new(),
            composed: None,
        };
        key.dtypes.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        key.attributes.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        key
    }

    /// Of a call.
    pub(crate) fn of_call(call: &OperatorCall, operands: &[Operand]) -> Self {
        let dtypes = call.dtypes.iter().map(|(name, dtype)| (Arc::from(name.as_str()), *dtype));
        let attributes = call.attributes.iter().map(|(name, value)| (Arc::from(name.as_str()), value.clone()));
        InstanceKey::new(&call.operator, dtypes, attributes, operands)
    }

    /// Of a call in which everything is filled in.
    pub(crate) fn of_binding(binding: &Binding, operands: &[Operand]) -> Self {
        InstanceKey::of_call(&binding.call, operands).bounded(&binding.bounds)
    }

    /// With upper bounds of symbols.
    pub(crate) fn bounded(mut self, bounds: &Bounds) -> Self {
        self.bounds = bounds.iter().map(|(symbol, bound)| (symbol.clone(), *bound)).collect();
        self.bounds.sort_unstable();
        self
    }

    /// Of the same where a run knows extents of an invocation that was composed before.
    pub(crate) fn composed_as(mut self, composed: Option<&Arc<Instance>>) -> Self {
        self.composed = composed.cloned().map(SameInstance);
        self
    }
}

/// Equal packs in one form: uniform ones are written out if they are short.
fn one_form(value: Value) -> Value {
    match value {
        Value::Repeat(item, count) if (1..=limits::SHORT_PACK).contains(&count) => {
            Value::Pack(vec![*item; usize::try_from(count).unwrap_or(0)])
        }
        Value::Pack(items) if items.len() as u64 > limits::SHORT_PACK && items.iter().all(|item| *item == items[0]) => {
            Value::Repeat(Box::new(items[0].clone()), items.len() as u64)
        }
        other => other,
    }
}
