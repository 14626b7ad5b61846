//! Statements of the blocks.

use super::layout::INDENT;
use super::pieces::{Indent, When};
use super::printer::Printer;
use crate::ast::{
    Assertion, AssignOp, DtypeParam, Expr, IterCount, LValue, LValueItem, LoopBound, Lowering, Name, Param,
    QualifiedName, Quantization, TypeSpec, Using,
};

/// Where a line begins that continues a statement.
pub(super) const CONTINUED: isize = INDENT as isize;

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
            target.pack.iter().for_each(|pack| self.pack(pack, None));
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

    pub(super) fn iteration(&mut self, count: &IterCount) {
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

    pub(super) fn lvalue(&mut self, target: &LValue) {
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
                pack.iter().for_each(|pack| self.pack(pack, None));
            }
            LValueItem::Zip { names, pack, .. } => {
                self.word("(");
                self.separated(names, When::Fill, |p, (name, spec)| p.typed_name(name, spec.as_deref()));
                self.word(")");
                pack.iter().for_each(|pack| self.pack(pack, None));
            }
            LValueItem::Omitted(_) => self.word("~"),
        }
    }

    pub(super) fn typed_name(&mut self, name: &Name, spec: Option<&TypeSpec>) {
        self.name(&name.text);
        if let Some(spec) = spec {
            self.word(":");
            self.space();
            self.type_spec(spec);
        }
    }

    pub(super) fn quantization(&mut self, quantization: &Quantization) {
        self.qualified(&quantization.tensor);
        self.word(":");
        self.space();
        self.called(&quantization.operator);
    }
}

/// An assignment as the text may have it: in the specification's spelling, and in the newer one.
fn assignment(op: AssignOp) -> [&'static str; 2] {
    match op {
        AssignOp::Min => [op.symbol(), "<?="],
        AssignOp::Max => [op.symbol(), ">?="],
        _ => [op.symbol(); 2],
    }
}
