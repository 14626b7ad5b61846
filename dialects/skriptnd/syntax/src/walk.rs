//! Ways through expressions.

use super::ast::{Expr, ExprKind, Item, StrPart};
use skriptnd_source::Span;
use std::sync::Arc;

/// Calls `visit` with every direct part of an expression.
pub fn parts(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Inf | ExprKind::Pi => {}
        ExprKind::Name(_) | ExprKind::Member(..) => {}
        ExprKind::Str(parts) => parts.iter().for_each(|part| {
            if let StrPart::Format(expr) = part {
                visit(expr);
            }
        }),
        ExprKind::List(items) => items.iter().for_each(|item| item_parts(item, visit)),
        ExprKind::Subscript { base, items, .. } => {
            visit(base);
            items.iter().for_each(|item| item_parts(item, visit));
        }
        ExprKind::Bounded { index, remap } => {
            visit(index);
            if let Some((below, above)) = remap {
                visit(below);
                visit(above);
            }
        }
        ExprKind::Substitute { base, index, value } => {
            visit(base);
            item_parts(index, visit);
            visit(value);
        }
        ExprKind::Unary(_, a) | ExprKind::NullTest(a) | ExprKind::Builtin(_, a) | ExprKind::Paren(a) => visit(a),
        ExprKind::Fold { pack, .. } => visit(pack),
        ExprKind::Binary(_, a, b) | ExprKind::Coalesce(a, b) | ExprKind::Is(a, b) | ExprKind::In(a, b) => {
            visit(a);
            visit(b);
        }
        ExprKind::Select(condition, then, otherwise) => {
            visit(condition);
            visit(then);
            otherwise.iter().for_each(|otherwise| visit(otherwise));
        }
        ExprKind::Cast(_, value) => value.iter().for_each(|value| visit(value)),
    }
}

fn item_parts(item: &Item, visit: &mut dyn FnMut(&Expr)) {
    match item {
        Item::Value(expr) => visit(expr),
        Item::Expand(expr, spec) => {
            visit(expr);
            spec.length.iter().for_each(visit);
        }
        Item::Range(begin, end, stride, _) => [begin, end, stride].into_iter().flatten().for_each(visit),
        Item::Zip(packs, spec) => {
            packs.iter().for_each(&mut *visit);
            spec.length.iter().for_each(visit);
        }
    }
}

/// Calls `visit` with every expression within an expression, itself included.
pub fn walk(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    parts(expr, &mut |part| walk(part, visit));
}

/// Calls `visit` with every name that an expression uses, and its place.
pub fn names(expr: &Expr, visit: &mut dyn FnMut(&Arc<str>, Span)) {
    walk(expr, &mut |part| match &part.kind {
        ExprKind::Name(name) => visit(name, part.span),
        ExprKind::Member(name, _) => visit(&name.text, name.span),
        _ => {}
    });
}
