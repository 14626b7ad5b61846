//! Statements of the blocks.

use super::layout::{INDENT, Indent, When};
use super::printer::Printer;
use crate::syntax::ast::{
    Assertion, AssignOp, AttributeAssignment, Block, Body, Branch, Carried, Component, ComponentValue, DtypeParam,
    Expr, ExprKind, Invocation, IterCount, LValue, LValueItem, Loop, LoopBound, Lowering, Name, Param, QualifiedName,
    Quantization, Span, TypeSpec, Using,
};

/// Where a line begins that continues a statement.
const CONTINUED: isize = INDENT as isize;

impl<'a> Printer<'a> {
    pub(super) fn qualified(&mut self, name: &QualifiedName) {
        for (number, part) in name.parts.iter().enumerate() {
            if number > 0 {
                self.word(".");
            }
            self.name(&part.text);
        }
    }

    pub(super) fn dtype(&mut self, dtype: &DtypeParam) {
        self.name(&dtype.name.text);
        self.word(":");
        self.space();
        self.type_name(dtype.bound);
        if let Some(default) = dtype.default {
            self.spaced("=");
            self.type_name(default);
        }
    }

    pub(super) fn param(&mut self, param: &Param) {
        self.name(&param.name.text);
        self.word(":");
        self.space();
        self.type_spec(&param.spec);
        if let Some(value) = &param.value {
            self.assigned(["="; 2], value);
        }
        if !param.bounds.is_empty() {
            self.comma();
            self.break_at(When::Fill, " ", CONTINUED);
            self.bounds(&param.bounds);
        }
    }

    fn bounds(&mut self, bounds: &[LoopBound]) {
        self.open(Indent::Here);
        self.separated(bounds, When::Fill, |p, bound| {
            p.name(&bound.index.text);
            p.spaced("<");
            p.expr(&bound.bound);
        });
        self.close();
    }

    /// An assignment, in the specification's spelling or the newer one, and the value.
    fn assigned(&mut self, spellings: [&'static str; 2], value: &Expr) {
        self.space();
        self.one_of(spellings);
        self.break_at(When::Late, " ", CONTINUED);
        self.value(value);
    }

    pub(super) fn using(&mut self, using: &Using) {
        self.lvalue(&using.target);
        self.assigned(["="; 2], &using.value);
    }

    pub(super) fn assertion(&mut self, assertion: &Assertion) {
        self.open(Indent::Deeper(0));
        self.expr(&assertion.condition);
        if assertion.message.is_some() {
            self.word(":");
            self.break_at(When::Group, " ", CONTINUED);
            self.open(Indent::Here);
            self.string();
            if !assertion.values.is_empty() {
                self.comma();
                self.break_at(When::Group, " ", 0);
                self.open(Indent::Here);
                self.separated(&assertion.values, When::Fill, |p, (label, value)| {
                    if let Some(label) = label {
                        p.expr(label);
                        p.word(":");
                        p.space();
                    }
                    p.expr(value);
                });
                self.close();
            }
            self.close();
        }
        self.close();
    }

    pub(super) fn lowering(&mut self, lowering: &Lowering) {
        if let Some(unroll) = &lowering.unroll {
            self.name("unroll");
            self.iteration(unroll);
            self.space();
        }
        self.locals(lowering);
        self.expr(&lowering.target);
        self.assigned(assignment(lowering.op), &lowering.value);
        if !lowering.bounds.is_empty() {
            self.comma();
            self.end_line(CONTINUED, false);
            self.bounds(&lowering.bounds);
        }
        if let Some(condition) = &lowering.condition {
            self.break_at(When::Late, " ", CONTINUED);
            self.word("|");
            self.space();
            self.expr(condition);
        }
    }

    /// Intermediate values, a line for each; the newer spelling has `with` before them and a colon behind.
    fn locals(&mut self, lowering: &Lowering) {
        let mut with = false;
        for (target, value) in &lowering.locals {
            // A local may have the name `with` only if it is no keyword there.
            with |= self.at_word("with") && self.skip("with");
            self.name(&target.name.text);
            target.pack.iter().for_each(|pack| self.pack(pack));
            self.assigned(["="; 2], value);
            if with && self.skip(":") {
                with = false;
                self.print(",");
            } else {
                self.comma();
            }
            self.end_line(0, false);
        }
    }

    fn iteration(&mut self, count: &IterCount) {
        self.word("..");
        self.word("(");
        if let Some(index) = &count.index {
            self.name(&index.text);
            self.space();
            self.word("->");
            if count.count.is_some() {
                self.space();
            }
        }
        count.count.iter().for_each(|count| self.expr(count));
        self.word(")");
    }

    fn lvalue(&mut self, target: &LValue) {
        match target {
            LValue::Item(item) => self.lvalue_item(item),
            LValue::List(items, _) => {
                self.word("[");
                self.open(Indent::Here);
                self.separated(items, When::Fill, Self::lvalue_item);
                self.close();
                self.word("]");
            }
        }
    }

    fn lvalue_item(&mut self, item: &LValueItem) {
        match item {
            LValueItem::Name { name, spec, pack } => {
                self.typed_name(name, spec.as_deref());
                pack.iter().for_each(|pack| self.pack(pack));
            }
            LValueItem::Zip { names, pack, .. } => {
                self.word("(");
                self.separated(names, When::Fill, |p, (name, spec)| p.typed_name(name, spec.as_deref()));
                self.word(")");
                pack.iter().for_each(|pack| self.pack(pack));
            }
            LValueItem::Omitted(_) => self.word("~"),
        }
    }

    fn typed_name(&mut self, name: &Name, spec: Option<&TypeSpec>) {
        self.name(&name.text);
        if let Some(spec) = spec {
            self.word(":");
            self.space();
            self.type_spec(spec);
        }
    }

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
    fn called(&mut self, invocation: &Invocation) {
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
        self.open(Indent::Here);
        if !looping.carried.is_empty() {
            self.name("with");
            self.space();
            self.listed(&looping.carried, Self::carried);
        }
        if !looping.scans.is_empty() {
            if !looping.carried.is_empty() {
                self.break_at(When::Group, " ", 0);
            }
            self.name("for");
            self.space();
            self.listed(&looping.scans, |p, (name, pack)| {
                p.name(&name.text);
                p.spaced(":");
                p.expr(pack);
            });
        }
        self.close();
        if !looping.carried.is_empty() || !looping.scans.is_empty() {
            self.space();
        }
        if let Some(condition) = &looping.while_before {
            self.name("while");
            self.space();
            self.body(condition);
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
            self.name("while");
            self.space();
            self.body(condition);
        }
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

    pub(super) fn quantization(&mut self, quantization: &Quantization) {
        self.qualified(&quantization.tensor);
        self.word(":");
        self.space();
        self.called(&quantization.operator);
    }
}

fn assignment(op: AssignOp) -> [&'static str; 2] {
    match op {
        AssignOp::Min => [op.symbol(), "<?="],
        AssignOp::Max => [op.symbol(), ">?="],
        _ => [op.symbol(); 2],
    }
}
