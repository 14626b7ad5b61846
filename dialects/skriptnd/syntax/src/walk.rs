//! Ways through expressions.

use super::ast::{
    Body, Branch, Component, ComponentValue, Expr, ExprKind, Invocation, Item, LValue, LValueItem, Loop, Lowering,
    Operator, PackSpec, Param, StrPart, TypeSpec,
};
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

/// Calls `visit` with every expression of a definition, but not with its parts.
pub fn expressions(operator: &Operator, visit: &mut dyn FnMut(&Expr)) {
    let params = [&operator.attributes, &operator.inputs, &operator.outputs, &operator.constants, &operator.variables];
    params.into_iter().flatten().for_each(|param| in_param(param, visit));
    for using in &operator.usings {
        in_left_side(&using.target, visit);
        visit(&using.value);
    }
    for assertion in &operator.asserts {
        visit(&assertion.condition);
        assertion.message.iter().for_each(&mut *visit);
        for (label, value) in &assertion.values {
            label.iter().for_each(&mut *visit);
            visit(value);
        }
    }
    operator.lowerings.iter().for_each(|lowering| in_lowering(lowering, visit));
    let components = operator.components.iter().flatten().chain(&operator.updates);
    components.for_each(|component| in_component(component, visit));
    operator.quantizations.iter().for_each(|quantization| in_invocation(&quantization.operator, visit));
}

fn in_param(param: &Param, visit: &mut dyn FnMut(&Expr)) {
    in_type(&param.spec, visit);
    param.value.iter().for_each(&mut *visit);
    param.bounds.iter().for_each(|bound| visit(&bound.bound));
}

fn in_type(spec: &TypeSpec, visit: &mut dyn FnMut(&Expr)) {
    spec.rank.iter().chain(&spec.length_bound).for_each(&mut *visit);
    in_pack(spec.pack.as_ref(), visit);
    for extent in spec.shape.iter().flatten() {
        extent.extent.iter().chain(&extent.bound).for_each(&mut *visit);
        in_pack(extent.pack.as_ref(), visit);
    }
}

fn in_pack(pack: Option<&PackSpec>, visit: &mut dyn FnMut(&Expr)) {
    pack.iter().flat_map(|pack| &pack.length).for_each(visit);
}

fn in_left_side(left: &LValue, visit: &mut dyn FnMut(&Expr)) {
    for item in left.items() {
        let (single, zipped) = match item {
            LValueItem::Name { spec, .. } => (spec.as_deref(), [].as_slice()),
            LValueItem::Zip { names, .. } => (None, names.as_slice()),
            LValueItem::Omitted(_) => (None, [].as_slice()),
        };
        let zipped = zipped.iter().filter_map(|(_, spec)| spec.as_deref());
        single.into_iter().chain(zipped).for_each(|spec| in_type(spec, visit));
        in_pack(item.pack(), visit);
    }
}

fn in_lowering(lowering: &Lowering, visit: &mut dyn FnMut(&Expr)) {
    lowering.unroll.iter().flat_map(|unroll| &unroll.count).for_each(&mut *visit);
    for (target, value) in &lowering.locals {
        in_pack(target.pack.as_ref(), visit);
        visit(value);
    }
    visit(&lowering.target);
    visit(&lowering.value);
    lowering.bounds.iter().for_each(|bound| visit(&bound.bound));
    lowering.condition.iter().for_each(visit);
}

fn in_component(component: &Component, visit: &mut dyn FnMut(&Expr)) {
    component.results.iter().for_each(|result| in_left_side(result, visit));
    match &component.value {
        ComponentValue::Body(body) => in_body(body, visit),
        ComponentValue::Branch(Branch { arms, otherwise, .. }) => {
            for (condition, consequent) in arms {
                in_body(condition, visit);
                in_body(consequent, visit);
            }
            in_body(otherwise, visit);
        }
        ComponentValue::Loop(looping) => in_loop(looping, visit),
    }
}

fn in_loop(looping: &Loop, visit: &mut dyn FnMut(&Expr)) {
    for carried in &looping.carried {
        carried.spec.iter().for_each(|spec| in_type(spec, visit));
        visit(&carried.value);
    }
    looping.scans.iter().for_each(|(_, scanned)| visit(scanned));
    looping.count.iter().flat_map(|count| &count.count).for_each(&mut *visit);
    let bodies = looping.while_before.iter().chain([&looping.body]).chain(&looping.while_after);
    bodies.for_each(|body| in_body(body, visit));
}

fn in_body(body: &Body, visit: &mut dyn FnMut(&Expr)) {
    match body {
        Body::Invocation(invocation) => in_invocation(invocation, visit),
        Body::Block(block) => {
            block.components.iter().for_each(|component| in_component(component, visit));
            block.yields.iter().for_each(visit);
        }
        Body::Expr(expr) => visit(expr),
    }
}

fn in_invocation(invocation: &Invocation, visit: &mut dyn FnMut(&Expr)) {
    invocation.attributes.iter().for_each(|attribute| visit(&attribute.value));
    invocation.arguments.iter().filter_map(|(value, _)| value.as_ref()).for_each(visit);
}
