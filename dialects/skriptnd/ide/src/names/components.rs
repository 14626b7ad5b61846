//! Statements of `@compose` and `@update`.

use super::walk::Unknown;
use super::{Meaning, Walker};
use skriptnd_language::sema::SymbolKind;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{
    Block, Body, Branch, Component, ComponentValue, Invocation, LValue, LValueItem, Loop, Name, TypeSpec,
};

impl Walker<'_> {
    /// A statement; in a block its results are new names.
    pub(super) fn component(&mut self, component: &Component, in_block: bool) {
        match &component.value {
            ComponentValue::Body(body) => self.body(body),
            ComponentValue::Branch(branch) => self.branch(branch),
            ComponentValue::Loop(looping) => self.looping(looping),
        }
        for result in &component.results {
            self.left_side(result);
            for name in result.names().map(|(name, _)| name) {
                if in_block {
                    self.introduce(name, SymbolKind::Intermediate, component.span);
                } else {
                    self.introduce_or_read(name, SymbolKind::Intermediate, component.span);
                }
            }
        }
    }

    /// Types and lengths on the left of `=`.
    pub(super) fn left_side(&mut self, target: &LValue) {
        for item in target.items() {
            let specs: Vec<&TypeSpec> = match item {
                LValueItem::Name { spec, .. } => spec.as_deref().into_iter().collect(),
                LValueItem::Zip { names, .. } => names.iter().filter_map(|(_, spec)| spec.as_deref()).collect(),
                LValueItem::Omitted(_) => Vec::new(),
            };
            specs.into_iter().for_each(|spec| self.type_spec(spec, Unknown::Ignored));
            item.pack().into_iter().for_each(|pack| self.pack(pack, Unknown::Ignored));
        }
    }

    fn body(&mut self, body: &Body) {
        match body {
            Body::Invocation(invocation) => self.invocation(invocation),
            Body::Block(block) => self.block(block),
            Body::Expr(value) => self.expr(value),
        }
    }

    fn label(&mut self, label: Option<&Name>, of: Span) {
        if let Some(label) = label {
            // Labels have a space of names of their own: a label must not hide a tensor.
            let number = self.names.introduced.len();
            let scope = self.scopes.last().map_or(of, |scope| scope.span);
            self.names.introduced.push(super::Introduced {
                name: label.text.clone(),
                kind: SymbolKind::Label,
                span: label.span,
                declaration: of,
                scope,
                operator: self.operator,
            });
            self.occurs(label.span, Meaning::Own(number));
        }
    }

    fn block(&mut self, block: &Block) {
        self.label(block.label.as_ref(), block.span);
        self.within(block.span, |walker| {
            block.components.iter().for_each(|component| walker.component(component, true));
            block.yields.iter().for_each(|value| walker.expr(value));
        });
    }

    pub(super) fn invocation(&mut self, invocation: &Invocation) {
        self.label(invocation.label.as_ref(), invocation.span);
        let path = self.resolve(&invocation.operator.parts);
        if let (Some(name), Some(path)) = (invocation.operator.parts.last(), &path) {
            self.occurs(name.span, Meaning::Operator(path.clone()));
        }
        if let [first, .., last, _] | [first @ last, _] = invocation.operator.parts.as_slice() {
            let parts = &invocation.operator.parts[..invocation.operator.parts.len() - 1];
            let module = parts.iter().map(|part| &*part.text).collect::<Vec<_>>().join(".");
            if self.library.modules.contains_key(&module) {
                self.occurs(first.span.to(last.span), Meaning::Module(module.into()));
            }
        }
        invocation.types.iter().for_each(|ty| self.type_expr(ty));
        for attribute in &invocation.attributes {
            if let Some(path) = &path {
                let meaning = Meaning::Attribute(path.clone(), attribute.name.text.clone());
                self.occurs(attribute.name.span, meaning);
            }
            self.expr(&attribute.value);
        }
        invocation.arguments.iter().filter_map(|(value, _)| value.as_ref()).for_each(|value| self.expr(value));
    }

    fn branch(&mut self, branch: &Branch) {
        for (condition, consequent) in &branch.arms {
            self.body(condition);
            self.body(consequent);
        }
        self.body(&branch.otherwise);
    }

    fn looping(&mut self, looping: &Loop) {
        for carried in &looping.carried {
            carried.spec.iter().for_each(|spec| self.type_spec(spec, Unknown::Ignored));
            self.expr(&carried.value);
        }
        looping.scans.iter().for_each(|(_, pack)| self.expr(pack));
        let count = looping.count.as_ref();
        count.and_then(|count| count.count.as_ref()).into_iter().for_each(|count| self.expr(count));
        self.within(looping.span, |walker| {
            for carried in &looping.carried {
                walker.introduce(&carried.name, SymbolKind::Intermediate, carried.name.span.to(carried.value.span));
            }
            for (name, pack) in &looping.scans {
                walker.introduce(name, SymbolKind::Intermediate, name.span.to(pack.span));
            }
            if let Some(index) = count.and_then(|count| count.index.as_ref()) {
                walker.introduce(index, SymbolKind::Index, index.span);
            }
            looping.while_before.iter().for_each(|condition| walker.body(condition));
            walker.body(&looping.body);
            looping.while_after.iter().for_each(|condition| walker.body(condition));
        });
    }
}
