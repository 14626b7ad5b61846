//! Statements of `@compose` and `@update`, and what stands on their right.

use super::{Builder, Context, Label, nested};
use crate::compose::diagnostics as say;
use crate::compose::tensors::Argument;
use crate::compose::term::Term;
use skriptnd_syntax::ast::{Block, Body, Component, ComponentValue, LValue, LValueItem, Name};

impl<'a> Builder<'_, 'a> {
    /// Composes a statement. After an error its results are unknown, and what uses them stays silent.
    pub(super) fn statement(&mut self, cx: &mut Context<'a>, component: &'a Component, passes_scope: bool) {
        if self.session.is_faulty(component.span) {
            return forget(cx, &component.results);
        }
        let mark = self.tensors.list.len();
        let label = if passes_scope { Label::Pass } else { label_of(&component.results) };
        let values = match &component.value {
            ComponentValue::Body(body) => self.body(cx, body, label),
            ComponentValue::Branch(branch) => self.branch(cx, branch, label),
            ComponentValue::Loop(looping) => self.looping(cx, looping, &component.results, label),
        };
        let done = values.is_some_and(|values| self.assign(cx, component, values, mark));
        if !done {
            forget(cx, &component.results);
        }
    }

    pub(super) fn body(&mut self, cx: &mut Context<'a>, body: &'a Body, label: Label) -> Option<Vec<Argument>> {
        match body {
            Body::Invocation(invocation) => self.invoke(cx, invocation, label),
            Body::Block(block) => self.block(cx, block, label),
            Body::Expr(expr) => Some(vec![self.argument(cx, expr)?]),
        }
    }

    fn block(&mut self, cx: &mut Context<'a>, block: &'a Block, label: Label) -> Option<Vec<Argument>> {
        let label = self.scope_label(cx, block.label.as_ref(), label, "block");
        let scope = nested(&cx.scope, &label);
        let files = nested(&cx.files, &label);
        let outer = (std::mem::replace(&mut cx.scope, scope), std::mem::replace(&mut cx.files, files));
        cx.env.push();
        for component in &block.components {
            self.statement(cx, component, false);
        }
        let mut results = Vec::with_capacity(block.yields.len());
        for value in &block.yields {
            let argument = self.argument(cx, value);
            if argument == Some(Argument::Null) {
                self.report(cx, say::yielded_null(value.span));
                results.push(None);
            } else {
                results.push(argument);
            }
        }
        cx.env.pop();
        (cx.scope, cx.files) = outer;
        results.into_iter().collect()
    }

    /// The label of an invocation or a block: the one that is written, or an automatic one (section 2.10).
    pub(super) fn scope_label(&mut self, cx: &Context<'a>, written: Option<&Name>, label: Label, what: &str) -> String {
        match (written, label) {
            (Some(written), Label::Iteration { at, .. }) => format!("{}.{at}", written.text),
            (Some(written), _) => written.text.to_string(),
            (None, Label::Iteration { name, at }) => format!("{name}.{at}"),
            (None, Label::Named(name)) => name,
            (None, Label::Pass) => String::new(),
            (None, Label::Operator) => self.numbered(&cx.scope, what),
        }
    }

    /// A scope that has no name of its own is called by what it holds.
    pub(super) fn numbered(&mut self, scope: &str, name: &str) -> String {
        let unique = self.unique(format!("{}:", nested(scope, name)));
        let number = unique.rsplit_once(':').map_or("", |(_, number)| number);
        format!("{name}{number}")
    }
}

/// The name of the single result.
fn label_of(results: &[LValue]) -> Label {
    match results {
        [LValue::Item(LValueItem::Name { name, .. })] => Label::Named(name.text.to_string()),
        _ => Label::Operator,
    }
}

/// Makes the names on the left unknown, unless they had a value before.
fn forget(cx: &mut Context<'_>, results: &[LValue]) {
    for target in results {
        for (name, _) in target.names() {
            if !cx.env.has_here(&name.text) {
                cx.env.set(&name.text, Term::Unknown);
            }
        }
    }
}
