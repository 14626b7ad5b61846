//! Statements of `@compose` and `@update`.

use super::pieces::{Indent, When};
use super::printer::Printer;
use super::statements::CONTINUED;
use crate::ast::{
    AttributeAssignment, Block, Body, Branch, Carried, Component, ComponentValue, Expr, ExprKind, Invocation, Loop,
    Name,
};
use skriptnd_source::Span;

impl Printer<'_> {
    pub(super) fn component(&mut self, component: &Component) {
        self.open(Indent::Here);
        self.separated(&component.results, When::Fill, Self::lvalue);
        self.close();
        self.space();
        self.word("=");
        match &component.value {
            ComponentValue::Body(Body::Expr(value)) => {
                self.break_at(When::Late, " ", CONTINUED);
                self.value(value);
            }
            ComponentValue::Body(body) => {
                self.space();
                self.body(body);
            }
            ComponentValue::Branch(branch) => {
                self.space();
                self.branch(branch);
            }
            ComponentValue::Loop(looping) => {
                self.space();
                self.looping(looping);
            }
        }
    }

    fn body(&mut self, body: &Body) {
        match body {
            Body::Invocation(invocation) => self.invocation(invocation),
            Body::Block(block) => self.block(block),
            Body::Expr(value) => self.expr(value),
        }
    }

    fn label(&mut self, label: Option<&Name>) {
        if let Some(label) = label {
            self.name(&label.text);
            self.word(":");
            self.space();
        }
    }

    fn block(&mut self, block: &Block) {
        self.label(block.label.as_ref());
        self.word("{");
        self.open_lines();
        for component in &block.components {
            self.end_line(0, false);
            self.component(component);
            self.word(";");
        }
        self.end_line(0, false);
        self.name("yield");
        self.space();
        self.open(Indent::Here);
        self.separated(&block.yields, When::Fill, Self::expr);
        self.close();
        self.word(";");
        self.close_lines();
        self.word("}");
    }

    pub(super) fn invocation(&mut self, invocation: &Invocation) {
        self.called(invocation);
        self.word("(");
        let arguments = &invocation.arguments;
        match arguments.as_slice() {
            [] => {}
            [(Some(Expr { kind: ExprKind::List(_), .. }), _)] => self.argument(&arguments[0]),
            _ => {
                let start = self.pieces.len();
                self.bracketed(|p| p.separated(arguments, When::Fill, Self::argument));
                if !invocation.attributes.is_empty() {
                    self.keep_together(start);
                }
            }
        }
        self.word(")");
    }

    fn argument(&mut self, argument: &(Option<Expr>, Span)) {
        match &argument.0 {
            Some(value) => self.expr(value),
            None => self.word("~"),
        }
    }

    /// `label: op<T>{a=1}`
    pub(super) fn called(&mut self, invocation: &Invocation) {
        self.label(invocation.label.as_ref());
        self.qualified(&invocation.operator);
        if !invocation.types.is_empty() {
            self.word("<");
            self.separated(&invocation.types, When::Fill, Self::type_expr);
            self.word(">");
        }
        if !invocation.attributes.is_empty() {
            self.word("{");
            self.bracketed(|p| p.separated(&invocation.attributes, When::Fill, Self::attribute));
            self.word("}");
        } else if self.skip("{") {
            // `op{}(x)`
            self.lost |= !self.skip("}");
        }
    }

    fn attribute(&mut self, attribute: &AttributeAssignment) {
        self.name(&attribute.name.text);
        self.word("=");
        self.expr(&attribute.value);
    }

    fn branch(&mut self, branch: &Branch) {
        let bodies = branch.arms.iter().flat_map(|(condition, consequent)| [condition, consequent]);
        let has_block = bodies.chain([&branch.otherwise]).any(|body| matches!(body, Body::Block(_)));
        if !has_block {
            self.open(Indent::Here);
        }
        for (number, (condition, consequent)) in branch.arms.iter().enumerate() {
            if number > 0 {
                self.clause(has_block);
            }
            self.name(if number == 0 { "if" } else { "elif" });
            self.space();
            self.body(condition);
            self.space();
            self.name("then");
            self.consequent(has_block, consequent);
        }
        self.clause(has_block);
        self.name("else");
        self.consequent(has_block, &branch.otherwise);
        if !has_block {
            self.close();
        }
    }

    /// Before a further clause: a line of its own where lines are short of room, and none after a block.
    fn clause(&mut self, follows_block: bool) {
        if follows_block { self.space() } else { self.break_at(When::Group, " ", 0) }
    }

    fn consequent(&mut self, has_block: bool, body: &Body) {
        if has_block {
            self.space();
            return self.body(body);
        }
        self.break_at(When::Fill, " ", CONTINUED);
        self.open(Indent::Here);
        self.body(body);
        self.close();
    }

    fn looping(&mut self, looping: &Loop) {
        self.scanned(looping);
        if let Some(condition) = &looping.while_before {
            self.condition(condition);
            self.space();
        }
        self.name(if looping.unroll { "unroll" } else { "do" });
        looping.count.iter().for_each(|count| self.iteration(count));
        match looping.body {
            Body::Block(_) => self.space(),
            _ => self.break_at(When::Late, " ", CONTINUED),
        }
        self.body(&looping.body);
        if let Some(condition) = &looping.while_after {
            self.space();
            self.condition(condition);
        }
    }

    /// `with` and `for`
    fn scanned(&mut self, looping: &Loop) {
        let (carries, scans) = (!looping.carried.is_empty(), !looping.scans.is_empty());
        self.open(Indent::Here);
        if carries {
            self.name("with");
            self.space();
            self.listed(&looping.carried, Self::carried);
        }
        if carries && scans {
            self.break_at(When::Group, " ", 0);
        }
        if scans {
            self.name("for");
            self.space();
            self.listed(&looping.scans, |p, (name, pack)| {
                p.name(&name.text);
                p.spaced(":");
                p.expr(pack);
            });
        }
        self.close();
        if carries || scans {
            self.space();
        }
    }

    fn condition(&mut self, condition: &Body) {
        self.name("while");
        self.space();
        self.body(condition);
    }

    fn listed<T>(&mut self, items: &[T], print: impl Fn(&mut Self, &T)) {
        self.open(Indent::Here);
        self.separated(items, When::Fill, print);
        self.close();
    }

    fn carried(&mut self, carried: &Carried) {
        self.typed_name(&carried.name, carried.spec.as_ref());
        self.spaced("=");
        self.expr(&carried.value);
    }
}
