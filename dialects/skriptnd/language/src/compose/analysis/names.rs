//! The names that expressions use and targets introduce.

use crate::syntax::ast::{Assertion, Expr, LValue, LValueItem};
use crate::syntax::walk;
use std::sync::Arc;

/// Calls `visit` with every name that an expression uses.
pub(crate) fn uses(expr: &Expr, visit: &mut dyn FnMut(&Arc<str>)) {
    walk::names(expr, &mut |name, _| visit(name));
}

/// Calls `visit` with every name that an assertion's condition uses.
pub(crate) fn names_of_assertion(assertion: &Assertion, visit: &mut dyn FnMut(&Arc<str>)) {
    uses(&assertion.condition, visit);
}

/// The names that a target introduces.
pub(crate) fn names_of_target(target: &LValue) -> Vec<Arc<str>> {
    let items = match target {
        LValue::Item(item) => std::slice::from_ref(item),
        LValue::List(items, _) => items.as_slice(),
    };
    let mut names = Vec::new();
    for item in items {
        match item {
            LValueItem::Name { name, .. } => names.push(name.text.clone()),
            LValueItem::Zip { names: zipped, .. } => names.extend(zipped.iter().map(|(name, _)| name.text.clone())),
            LValueItem::Omitted(_) => {}
        }
    }
    names
}
