//! Which index symbols of a formula are unrolled: those that choose among the tensors of a pack, and those that the
//! lengths of packs depend on.

use super::names::uses;
use skriptnd_syntax::ast::{AssignOp, Expr, ExprKind, Item, Lowering, Operator};
use skriptnd_syntax::walk::walk;
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
    keep_order(operator, lowering, &mut found);
    // What bounds one that is unrolled must be known as well. A bound uses earlier symbols only.
    for bound in lowering.bounds.iter().rev() {
        if found.contains(&bound.index.text) {
            uses(&bound.bound, &mut |name| {
                if lowering.bounds.iter().any(|other| other.index.text == *name) {
                    found.insert(name.clone());
                }
            });
        }
    }
    found
}

/// Unrolled loops become the outermost ones. Where the order of iterations matters, an index that only chooses what is
/// read is left to the run unless it is an outermost one already.
fn keep_order(operator: &Operator, lowering: &Lowering, found: &mut HashSet<Arc<str>>) {
    let mut reads = HashSet::new();
    let expressions = [&lowering.value].into_iter().chain(&lowering.condition);
    for expr in expressions.chain(lowering.locals.iter().map(|(_, value)| value)) {
        uses(expr, &mut |name| _ = reads.insert(name.clone()));
    }
    let reads_output = operator.outputs.iter().any(|output| reads.contains(&output.name.text));
    if !reads_output && !matches!(lowering.op, AssignOp::Set | AssignOp::Update) {
        return;
    }
    // Iterations that write different elements may be exchanged, unless they read what others write. Those that write
    // different tensors are unrolled in any case: only known tensors can be written.
    let target = match &lowering.target.kind {
        ExprKind::Subscript { base, .. } if reads_output => base,
        _ => &lowering.target,
    };
    let mut written = HashSet::new();
    uses(target, &mut |name| _ = written.insert(name.clone()));
    let names = lowering.bounds.iter().map(|bound| &bound.index.text);
    let inner: Vec<_> = names.skip_while(|name| found.contains(*name)).collect();
    found.retain(|name| written.contains(name) || !inner.contains(&name));
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
