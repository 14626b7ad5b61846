//! Whether it matters to a definition which of its tensors are the same (specification, section 2.4).

use skriptnd_syntax::ast::{Expr, ExprKind, FoldOp, LValue, Operator, Param};
use skriptnd_syntax::walk;
use std::collections::HashSet;
use std::sync::Arc;

/// Whether the definition itself, without the operators that it invokes, may ask whether two tensors are the same: by
/// `is`, or by the uniform value of a pack.
pub(crate) fn compares_tensors(operator: &Operator) -> bool {
    let values = values(operator);
    let tensors = |expr: &Expr| mentions_others(expr, &values);
    let mut found = false;
    walk::expressions(operator, &mut |expr| {
        walk::walk(expr, &mut |part| {
            found |= match &part.kind {
                ExprKind::Is(a, b) => tensors(a) || tensors(b),
                ExprKind::Fold { pack, op: FoldOp::Uniform, .. } => tensors(pack),
                _ => false,
            }
        })
    });
    found
}

/// Names that stand for no tensors: attributes, extents, index symbols, and helper symbols made of such.
fn values(operator: &Operator) -> HashSet<Arc<str>> {
    let mut values: HashSet<_> = operator.attributes.iter().map(|attribute| attribute.name.text.clone()).collect();
    operator.inputs.iter().for_each(|input| extents(input, &mut values));
    let bounds = operator.lowerings.iter().flat_map(|lowering| &lowering.bounds);
    values.extend(bounds.map(|bound| bound.index.text.clone()));
    for using in &operator.usings {
        if !mentions_others(&using.value, &values) {
            values.extend(LValue::names(&using.target).map(|(name, _)| name.text.clone()));
        }
    }
    values
}

/// The names in the shape of an input, its rank and its length.
fn extents(input: &Param, values: &mut HashSet<Arc<str>>) {
    let spec = &input.spec;
    let items = spec.shape.iter().flatten();
    let packs = items.clone().map(|item| &item.pack).chain([&spec.pack]).flatten();
    let lengths = packs.filter_map(|pack| pack.length.as_ref());
    let parts = items.filter_map(|item| item.extent.as_ref()).chain(&spec.rank).chain(lengths);
    parts.for_each(|part| {
        walk::walk(part, &mut |part| {
            if let ExprKind::Name(name) = &part.kind {
                values.insert(name.clone());
            }
        })
    });
}

/// Whether an expression uses another name, itself and not the shape or rank of what it stands for.
fn mentions_others(expr: &Expr, names: &HashSet<Arc<str>>) -> bool {
    let mut found = false;
    walk::walk(expr, &mut |part| found |= matches!(&part.kind, ExprKind::Name(name) if !names.contains(name)));
    found
}
