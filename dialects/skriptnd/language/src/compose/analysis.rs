//! What follows from an operator's definition alone, worked out once per operator.

mod identity;
pub(crate) mod names;
mod order;
mod unrolled;

pub(crate) use identity::compares_tensors;
use names::{names_of_assertion, uses};
use skriptnd_syntax::ast::{Body, ComponentValue, Operator};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Facts about a definition.
#[derive(Debug)]
pub(crate) struct OperatorInfo {
    /// The order in which inputs are bound (section 2.6.1), or the input that can't be.
    pub(crate) order: Result<Vec<usize>, usize>,
    /// Attributes whose default depends on other names (section 2.5).
    pub(crate) deferred: Vec<bool>,
    /// Assertions that can be checked before each helper symbol, and after the last (section 2.9).
    pub(crate) stages: Vec<Vec<usize>>,
    /// Index symbols of each statement of `@lower` that are unrolled, and those that the bounds of others depend on.
    unrolled: Vec<[HashSet<Arc<str>>; 2]>,
    /// The names of its variables.
    pub(crate) variables: HashSet<Arc<str>>,
    /// Whether the one invocation that the operator consists of takes over its scope (section 2.10).
    pub(crate) passes_scope: bool,
}

impl OperatorInfo {
    pub(crate) fn of(operator: &Operator) -> Self {
        let default_uses_names = |value| {
            let mut found = false;
            uses(value, &mut |_| found = true);
            found
        };
        let deferred: Vec<bool> =
            operator.attributes.iter().map(|a| a.value.as_ref().is_some_and(default_uses_names)).collect();
        OperatorInfo {
            order: order::binding_order(operator, &deferred),
            deferred,
            stages: assertion_stages(operator),
            unrolled: operator
                .lowerings
                .iter()
                .map(|lowering| [unrolled::indices(operator, lowering), unrolled::bounding(lowering)])
                .collect(),
            variables: operator.variables.iter().map(|param| param.name.text.clone()).collect(),
            passes_scope: passes_scope(operator),
        }
    }

    /// Whether an index symbol of the statement is unrolled.
    pub(crate) fn is_unrolled(&self, lowering: usize, index: &str) -> bool {
        self.unrolled.get(lowering).is_some_and(|[unrolled, _]| unrolled.contains(index))
    }

    /// Whether bounds of other index symbols of the statement depend on the symbol.
    pub(crate) fn is_bounding(&self, lowering: usize, index: &str) -> bool {
        self.unrolled.get(lowering).is_some_and(|[_, bounding]| bounding.contains(index))
    }
}

/// An assertion belongs behind the last helper symbol that it names.
fn assertion_stages(operator: &Operator) -> Vec<Vec<usize>> {
    let mut stages = vec![Vec::new(); operator.usings.len() + 1];
    let mut introduced = HashMap::new();
    for (at, using) in operator.usings.iter().enumerate() {
        introduced.extend(using.target.names().map(|(name, _)| (&name.text, at)));
    }
    for (at, assertion) in operator.asserts.iter().enumerate() {
        let mut stage = 0;
        names_of_assertion(assertion, &mut |name| {
            if let Some(using) = introduced.get(name) {
                stage = stage.max(using + 1);
            }
        });
        stages[stage].push(at);
    }
    stages
}

fn passes_scope(operator: &Operator) -> bool {
    let local_tensors = !operator.variables.is_empty() || !operator.constants.is_empty();
    match operator.components.as_deref() {
        Some([component]) if !local_tensors => match &component.value {
            ComponentValue::Body(Body::Invocation(_)) => true,
            ComponentValue::Branch(branch) => {
                let invocation = |body: &Body| !matches!(body, Body::Block(_));
                branch.arms.iter().all(|(_, then)| invocation(then)) && invocation(&branch.otherwise)
            }
            _ => false,
        },
        _ => false,
    }
}
