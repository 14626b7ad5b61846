//! The names that expressions use.

use skriptnd_syntax::ast::{Assertion, Expr};
use skriptnd_syntax::walk;
use std::sync::Arc;

/// Calls `visit` with every name that an expression uses.
pub(crate) fn uses(expr: &Expr, visit: &mut dyn FnMut(&Arc<str>)) {
    walk::names(expr, &mut |name, _| visit(name));
}

/// Calls `visit` with every name that an assertion's condition uses.
pub(crate) fn names_of_assertion(assertion: &Assertion, visit: &mut dyn FnMut(&Arc<str>)) {
    uses(&assertion.condition, visit);
}
