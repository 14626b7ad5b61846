//! Visiting scalar expressions.

use skriptnd_language::compose::formula::{AccessIndex, Assignment, Guard, ScalarExpr, ScalarKind, TensorRef};
use skriptnd_language::compose::value::Value;
use skriptnd_syntax::ast::AssignOp;
use std::collections::BTreeSet;

/// Calls a function on each operand of an expression, the indices of accesses among them.
pub fn children<'a>(expression: &'a ScalarExpr, visit: &mut dyn FnMut(&'a ScalarExpr)) {
    match &expression.kind {
        ScalarKind::Const(_) | ScalarKind::Index(_) | ScalarKind::Local(_) => {}
        ScalarKind::Access { indices, .. } => index_parts(indices, visit),
        ScalarKind::Unary(_, a) | ScalarKind::Cast(a) | ScalarKind::Builtin(_, a) => visit(a),
        ScalarKind::Binary(_, a, b) => {
            visit(a);
            visit(b);
        }
        ScalarKind::Select(condition, a, b) => {
            visit(condition);
            visit(a);
            visit(b);
        }
    }
}

/// Calls a function on the indices and on what replaces them outside.
pub fn index_parts<'a>(indices: &'a [AccessIndex], visit: &mut dyn FnMut(&'a ScalarExpr)) {
    for AccessIndex { index, guard } in indices {
        visit(index);
        if let Guard::Remap { below, above } = guard {
            visit(below);
            visit(above);
        }
    }
}

/// All accesses of an assignment that are read, in the order in which they are first met; equal ones once.
pub fn accesses(assignment: &Assignment) -> Vec<&ScalarExpr> {
    let mut pending: Vec<&ScalarExpr> = Vec::new();
    pending.extend(&assignment.condition);
    pending.extend(assignment.values.iter().rev());
    pending.extend(assignment.locals.iter().rev());
    for target in &assignment.targets {
        index_parts(&target.indices, &mut |part| pending.push(part));
    }
    let mut found: Vec<&ScalarExpr> = Vec::new();
    while let Some(expression) = pending.pop() {
        if matches!(expression.kind, ScalarKind::Access { .. }) && !found.contains(&expression) {
            found.push(expression);
        }
        let start = pending.len();
        children(expression, &mut |child| pending.push(child));
        pending[start..].reverse();
    }
    found
}

/// Whether a tensor is zero before an assignment: all that was assigned to it is.
pub fn is_zero(tensor: TensorRef, before: &[Assignment]) -> bool {
    let zero = |value: &ScalarExpr| match value.kind {
        ScalarKind::Const(Value::Int(value)) => value == 0,
        ScalarKind::Const(Value::Real(value)) => value == 0.0,
        _ => false,
    };
    let writes = |assignment: &&Assignment| assignment.targets.iter().any(|target| target.tensor == tensor);
    let mut writers = before.iter().filter(writes);
    writers.all(|assignment| assignment.op == AssignOp::Set && assignment.values.iter().all(zero))
}

/// The loops that an expression depends on, through intermediate values as well.
pub fn loops(assignment: &Assignment, expression: &ScalarExpr, found: &mut BTreeSet<usize>) {
    let (mut pending, mut locals) = (vec![expression], BTreeSet::new());
    while let Some(expression) = pending.pop() {
        match &expression.kind {
            ScalarKind::Index(number) => drop(found.insert(*number)),
            ScalarKind::Local(number) if locals.insert(*number) => pending.extend(assignment.locals.get(*number)),
            _ => children(expression, &mut |child| pending.push(child)),
        }
    }
}

/// How deep the expressions of an assignment are nested, intermediate values included.
pub fn depth(assignment: &Assignment) -> usize {
    let mut pending: Vec<(&ScalarExpr, usize)> = Vec::new();
    pending.extend(assignment.condition.iter().chain(&assignment.values).chain(&assignment.locals).map(|e| (e, 1)));
    for target in &assignment.targets {
        index_parts(&target.indices, &mut |part| pending.push((part, 1)));
    }
    let mut deepest = 0;
    while let Some((expression, depth)) = pending.pop() {
        deepest = deepest.max(depth);
        children(expression, &mut |child| pending.push((child, depth + 1)));
    }
    deepest
}
