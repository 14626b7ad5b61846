//! Which index symbols of a formula are unrolled: those that choose among the tensors of a pack, and those that the
//! lengths of packs depend on.

use super::names::uses;
use crate::syntax::ast::{Expr, ExprKind, Item, Lowering, Operator};
use crate::syntax::walk::walk;
use std::collections::HashSet;
use std::sync::Arc;

pub(super) fn indices(operator: &Operator, lowering: &Lowering) -> HashSet<Arc<str>> {
    let params = [&operator.inputs, &operator.outputs, &operator.constants, &operator.variables];
    let packs: HashSet<&Arc<str>> =
        params.into_iter().flatten().filter(|p| p.spec.pack.is_some()).map(|p| &p.name.text).collect();
    let mut found = HashSet::new();
    let expressions = [&lowering.target, &lowering.value].into_iter().chain(&lowering.condition);
    for expr in expressions.chain(lowering.locals.iter().map(|(_, value)| value)) {
        walk(expr, &mut |part| {
            static_parts(part, &packs, &mut |part| {
                uses(part, &mut |name| _ = found.insert(name.clone()));
            })
        });
    }
    for (target, value) in lowering.locals.iter().rev() {
        if found.contains(&target.name.text) && !reads_tensor(value) {
            uses(value, &mut |name| _ = found.insert(name.clone()));
        }
    }
    found.retain(|name| lowering.bounds.iter().any(|bound| bound.index.text == *name));
    found
}

/// Index symbols that the bounds of others depend on.
pub(super) fn bounding(lowering: &Lowering) -> HashSet<Arc<str>> {
    let mut found = HashSet::new();
    for bound in &lowering.bounds {
        uses(&bound.bound, &mut |name| _ = found.insert(name.clone()));
    }
    found.retain(|name| lowering.bounds.iter().any(|bound| bound.index.text == *name));
    found
}

/// Whether an expression has a part that can only be the element of a tensor: only the run knows it.
fn reads_tensor(expr: &Expr) -> bool {
    let mut found = false;
    walk(expr, &mut |part| {
        if let ExprKind::Subscript { items, trailing_comma, .. } = &part.kind {
            found |= *trailing_comma || items.len() != 1;
        }
    });
    found
}

/// Parts of an expression that must be known when the formula is made.
fn static_parts(expr: &Expr, packs: &HashSet<&Arc<str>>, visit: &mut dyn FnMut(&Expr)) {
    match &expr.kind {
        ExprKind::Subscript { base, items, trailing_comma: false } => {
            let ExprKind::Name(name) = &base.kind else { return };
            if let ([Item::Value(index)], true) = (items.as_slice(), packs.contains(name))
                && !reads_tensor(index)
            {
                visit(index);
            }
            items.iter().for_each(|item| length(item, visit));
        }
        ExprKind::Subscript { items, .. } | ExprKind::List(items) => items.iter().for_each(|item| length(item, visit)),
        _ => {}
    }
}

fn length(item: &Item, visit: &mut dyn FnMut(&Expr)) {
    match item {
        Item::Expand(_, spec) | Item::Zip(_, spec) => spec.length.iter().for_each(visit),
        Item::Range(begin, end, stride, _) => [begin, end, stride].into_iter().flatten().for_each(visit),
        Item::Value(_) => {}
    }
}
