//! `f(x)` on the right of an assignment reads as an invocation. It is a cast where `f` is a generic type, and a built-in
//! function where the module defines no operator `f`; both are known only when the whole module has been read.

use super::ast::{Body, Component, ComponentValue, Expr, ExprKind, Invocation, Operator, TypeExpr};
use super::operators::builtin;
use std::collections::HashSet;
use std::sync::Arc;

/// What a name before `(` can mean.
struct Meanings<'a> {
    operators: &'a HashSet<Arc<str>>,
    dtypes: HashSet<Arc<str>>,
}

/// Turns such invocations in some definitions of a module into expressions; `names` are all that the module defines.
pub(super) fn resolve(definitions: &mut [Operator], names: &HashSet<Arc<str>>) {
    let mut meanings = Meanings { operators: names, dtypes: HashSet::new() };
    for operator in definitions {
        meanings.dtypes = operator.dtypes.iter().map(|dtype| dtype.name.text.clone()).collect();
        for component in operator.components.iter_mut().flatten().chain(&mut operator.updates) {
            meanings.component(component);
        }
    }
}

impl Meanings<'_> {
    fn component(&self, component: &mut Component) {
        match &mut component.value {
            ComponentValue::Body(body) => self.body(body),
            ComponentValue::Branch(branch) => {
                for (condition, consequent) in &mut branch.arms {
                    self.body(condition);
                    self.body(consequent);
                }
                self.body(&mut branch.otherwise);
            }
            ComponentValue::Loop(looping) => {
                self.body(&mut looping.body);
                looping.while_before.iter_mut().chain(&mut looping.while_after).for_each(|body| self.body(body));
            }
        }
    }

    fn body(&self, body: &mut Body) {
        match body {
            Body::Block(block) => block.components.iter_mut().for_each(|component| self.component(component)),
            Body::Invocation(invocation) => {
                if let Some(expr) = self.as_expression(invocation) {
                    *body = Body::Expr(expr);
                }
            }
            Body::Expr(_) => {}
        }
    }

    fn as_expression(&self, invocation: &Invocation) -> Option<Expr> {
        let [name] = invocation.operator.parts.as_slice() else { return None };
        let plain = invocation.label.is_none() && invocation.types.is_empty() && invocation.attributes.is_empty();
        if !plain || invocation.arguments.len() > 1 {
            return None;
        }
        let argument = match invocation.arguments.first() {
            Some((value, _)) => Some(Box::new(value.clone()?)),
            None => None,
        };
        let kind = if self.dtypes.contains(&name.text) {
            ExprKind::Cast(TypeExpr::Generic(name.clone()), argument)
        } else if self.operators.contains(&name.text) {
            return None;
        } else {
            ExprKind::Builtin(builtin(&name.text)?, argument?)
        };
        Some(Expr { kind, span: invocation.span })
    }
}
