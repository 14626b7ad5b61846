//! The order in which inputs are bound (section 2.6.1). It depends on the definition only.

use super::names::uses;
use skriptnd_syntax::ast::{Expr, ExprKind, ExtentSpec, Operator, Param};
use std::collections::HashSet;
use std::sync::Arc;

type Known = HashSet<Arc<str>>;

/// Positions of the inputs in binding order, or the first one that stays ambiguous.
pub(super) fn binding_order(operator: &Operator, deferred: &[bool]) -> Result<Vec<usize>, usize> {
    let plain = operator
        .attributes
        .iter()
        .zip(deferred)
        .filter(|(attribute, deferred)| !**deferred && !attribute.spec.optional && attribute.spec.pack.is_none());
    let mut known: Known = plain.map(|(attribute, _)| attribute.name.text.clone()).collect();
    let attributes: Known = operator.attributes.iter().map(|attribute| attribute.name.text.clone()).collect();
    let mut order = Vec::with_capacity(operator.inputs.len());
    for optional in [false, true] {
        let mut pending: Vec<usize> =
            (0..operator.inputs.len()).filter(|at| operator.inputs[*at].spec.optional == optional).collect();
        while !pending.is_empty() {
            let before = pending.len();
            pending.retain(|at| {
                let bound = bind(&operator.inputs[*at], &attributes, &mut known);
                if bound {
                    order.push(*at);
                }
                !bound
            });
            if pending.len() == before {
                return Err(pending[0]);
            }
        }
    }
    Ok(order)
}

/// Whether the input's shape can be bound without ambiguity; if so, its names become known. Attributes of any kind may
/// prescribe extents, but only those that are known may tell how many dimensions there are.
fn bind(input: &Param, attributes: &Known, known: &mut Known) -> bool {
    let Some(shape) = &input.spec.shape else {
        introduce(input.spec.rank.as_ref(), known);
        return true;
    };
    let mut local = known.clone();
    introduce(input.spec.rank.as_ref(), &mut local);
    if shape.iter().filter(|item| is_flexible(item, &local)).count() > 1 {
        return false;
    }
    for item in shape {
        if let Some(length) = item.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
            if unknown(length, &local).len() > 1 {
                return false;
            }
            introduce(Some(length), &mut local);
        }
    }
    for item in shape {
        let Some(extent) = &item.extent else { continue };
        let open = unknown(extent, &local).difference(attributes).count();
        if open > 1 || (open == 1 && !is_affine(extent)) {
            return false;
        }
        introduce(Some(extent), &mut local);
    }
    introduce(input.spec.pack.as_ref().and_then(|pack| pack.length.as_ref()), &mut local);
    *known = local;
    true
}

/// Whether the number of dimensions that the item takes is open.
fn is_flexible(item: &ExtentSpec, known: &Known) -> bool {
    let Some(pack) = &item.pack else { return false };
    match (&pack.length, &item.extent) {
        (Some(length), _) => !unknown(length, known).is_empty(),
        (None, Some(extent)) => !unknown(extent, known).is_empty() || matches!(extent.kind, ExprKind::Int(_)),
        (None, None) => true,
    }
}

fn introduce(expr: Option<&Expr>, known: &mut Known) {
    if let Some(expr) = expr {
        uses(expr, &mut |name| _ = known.insert(name.clone()));
    }
}

fn unknown(expr: &Expr, known: &Known) -> HashSet<Arc<str>> {
    let mut unknown = HashSet::new();
    uses(expr, &mut |name| {
        if !known.contains(name) {
            unknown.insert(name.clone());
        }
    });
    unknown
}

/// Built from names and literals by `+`, `-` and `*` alone.
fn is_affine(expr: &Expr) -> bool {
    use skriptnd_syntax::ast::BinaryOp;
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Int(_) => true,
        ExprKind::Paren(inner) | ExprKind::Unary(_, inner) => is_affine(inner),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => is_affine(a) && is_affine(b),
        _ => false,
    }
}
