//! `@compose` and `@update` (sections 2.10 and 2.11).

use super::checker::Checker;
use super::diagnostics as say;
use super::names::Meaning;
use super::symbols::{Symbol, SymbolKind};
use super::types::{Base, Context, Type};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{
    Block, Body, Branch, Component, ComponentValue, Expr, ExprKind, LValue, LValueItem, Loop, Name, OperatorKind,
    TypeSpec,
};
use std::collections::HashMap;

/// Which block is checked: they differ in what they may assign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Assigning {
    /// `@compose`: outputs and intermediates.
    Outputs,
    /// `@update`: variables and intermediates.
    Variables,
    /// An inner block: intermediates only; they may shadow anything.
    Locals,
}

impl Checker<'_> {
    pub(super) fn compositions(&mut self) {
        let operator = self.operator;
        match &operator.components {
            Some(components) => {
                self.statements(components, Assigning::Outputs);
                self.unassigned_outputs();
            }
            None if operator.kind == OperatorKind::Graph => self.unassigned_outputs(),
            None if operator.lowerings.is_empty() && !operator.outputs.is_empty() => {
                self.report(say::no_computation(operator.name.span, &operator.name.text));
            }
            // `@update` may use what the formulas have computed.
            None => self.mark_outputs(true),
        }
        self.statements(&operator.updates, Assigning::Variables);
        self.updated_twice();
        self.graph_without_effect();
        if self.has_errors() {
            // What would use a result may be what is wrong.
            return;
        }
        for component in operator.components.iter().flatten().chain(&operator.updates) {
            self.warn_if_unused(component);
        }
    }

    /// Notes of all outputs whether they have values.
    pub(super) fn mark_outputs(&mut self, assigned: bool) {
        for output in &self.operator.outputs {
            if let Some(symbol) = self.symbols.innermost(&output.name.text) {
                symbol.assigned = assigned;
            }
        }
    }

    fn updated_twice(&mut self) {
        let mut updated = HashMap::new();
        for name in self.operator.updates.iter().flat_map(Component::names) {
            let variable = self.symbols.get(&name.text).is_some_and(|symbol| symbol.kind == SymbolKind::Variable);
            match updated.get(&name.text) {
                Some(first) => self.report(say::updated_twice(name.span, &name.text, *first)),
                None if variable => drop(updated.insert(name.text.clone(), name.span)),
                None => {}
            }
        }
    }

    fn unassigned_outputs(&mut self) {
        let operator = self.operator;
        for output in operator.outputs.iter().filter(|output| !output.spec.optional) {
            if self.symbols.get(&output.name.text).is_some_and(|symbol| !symbol.assigned) {
                self.report(say::output_not_assigned(output.name.span, &output.name.text, "@compose"));
            }
        }
    }

    /// Blocks may be missing (section 2.16), but what a graph gives is all that a run of it is for.
    fn graph_without_effect(&mut self) {
        let operator = self.operator;
        if operator.kind != OperatorKind::Graph || !operator.outputs.is_empty() || !operator.updates.is_empty() {
            return;
        }
        let results = operator.components.iter().flatten().flat_map(Component::names);
        let last = results.filter_map(|name| Some((&*name.text, self.symbols.get(&name.text)?))).next_back();
        let result = last
            .filter(|(_, symbol)| !symbol.ty.is_unknown() && !symbol.ty.packed)
            .map(|(name, symbol)| (name, &symbol.ty));
        let message = say::no_output(operator.name.span, &operator.name.text, result);
        self.report(message);
    }

    /// An invocation whose results nobody reads is probably a slip; names that begin with `_` say that it is none.
    fn warn_if_unused(&mut self, component: &Component) {
        let unused = |name: &Name| {
            let symbol = self.symbols.get(&name.text);
            !name.text.starts_with('_') && symbol.is_some_and(|s| s.kind == SymbolKind::Intermediate && !s.used)
        };
        if let Some(first) = component.names().next()
            && component.names().all(unused)
        {
            self.report(say::unused_result(first.span, &first.text));
        }
    }

    /// Statements see what is assigned before them.
    fn statements(&mut self, components: &[Component], assigning: Assigning) {
        let following = components.iter().flat_map(Component::names);
        self.following.push(following.map(|name| (name.text.clone(), name.span)).collect());
        for component in components {
            self.component(component, assigning);
        }
        self.following.pop();
    }

    fn component(&mut self, component: &Component, assigning: Assigning) {
        let types = match &component.value {
            ComponentValue::Body(body) => self.body(body),
            ComponentValue::Branch(branch) => self.branch(branch),
            ComponentValue::Loop(looping) => self.looping(looping),
        };
        let counts = types.as_ref().map(Vec::len);
        let fits = counts.is_none_or(|count| count == component.results.len());
        if let Some(types) = types.as_ref().filter(|_| !fits) {
            let span = component.results.iter().map(LValue::span).reduce(Span::to).unwrap_or(component.span);
            let pack = matches!(types.as_slice(), [ty] if ty.packed);
            self.report(say::result_count(span, component, types.len(), pack));
        }
        self.statement = component.span;
        for (at, result) in component.results.iter().enumerate() {
            // Which name was meant for which result is not known.
            let ty = types.as_ref().filter(|_| fits).and_then(|types| types.get(at)).cloned();
            self.assign(result, ty.unwrap_or(Type::UNKNOWN), assigning);
        }
    }

    /// The types of what a body yields; none if that is not known.
    fn body(&mut self, body: &Body) -> Option<Vec<Type>> {
        match body {
            Body::Invocation(invocation) => self.invocation(invocation),
            Body::Block(block) => self.block(block),
            Body::Expr(expr) => Some(vec![self.expr(expr)]),
        }
    }

    fn block(&mut self, block: &Block) -> Option<Vec<Type>> {
        self.label(block.label.as_ref(), block.span);
        self.symbols.enter(block.span);
        self.statements(&block.components, Assigning::Locals);
        let types = block.yields.iter().map(|value| self.yielded(value)).collect();
        if !self.has_errors() {
            block.components.iter().for_each(|component| self.warn_if_unused(component));
        }
        self.symbols.leave();
        Some(types)
    }

    fn yielded(&mut self, value: &Expr) -> Type {
        let ty = self.expr(value);
        if ty.optional {
            self.report(say::optional_yield(value.span, &ty));
        }
        Type { optional: false, ..ty }
    }

    fn branch(&mut self, branch: &Branch) -> Option<Vec<Type>> {
        let mut result: Option<(Vec<Type>, Span)> = None;
        let mut alike = true;
        for (condition, consequent) in &branch.arms {
            self.truth(condition, "the condition of `if`");
            let known = self.promoted.len();
            if let Body::Expr(condition) = condition {
                self.promote(condition);
                if let ExprKind::Bool(value) = condition.kind {
                    let never = if value { branch.otherwise.span() } else { consequent.span() };
                    self.report(say::constant_condition(condition.span, value, never));
                }
            }
            let types = self.body(consequent);
            self.promoted.truncate(known);
            alike &= self.merge(&mut result, types, consequent.span());
        }
        let types = self.body(&branch.otherwise);
        alike &= self.merge(&mut result, types, branch.otherwise.span());
        result.filter(|_| alike).map(|(types, _)| types)
    }

    /// All branches yield the same number of tensors of the same types. Whether they are as many.
    fn merge(&mut self, result: &mut Option<(Vec<Type>, Span)>, types: Option<Vec<Type>>, span: Span) -> bool {
        let Some(types) = types else { return true };
        let Some((first, first_span)) = result else {
            *result = Some((types, span));
            return true;
        };
        if first.len() != types.len() {
            self.report(say::branch_count(span, types.len(), *first_span, first.len()));
            return false;
        }
        for (own, other) in first.iter_mut().zip(types) {
            if !own.base.is(&other.base) {
                self.report(say::branch_type(span, &other, *first_span, own));
            } else if own.is_unknown() {
                *own = other;
            } else {
                own.optional |= other.optional;
                own.tensor |= other.tensor;
            }
        }
        true
    }

    /// A condition: one truth value, of a tensor or known when composing.
    fn truth(&mut self, body: &Body, role: &str) {
        let Some(types) = self.body(body) else { return };
        match types.as_slice() {
            [ty] if ty.base.is(&Base::Bool) && !ty.packed => {}
            [ty] => self.report(say::wrong_type(body.span(), role, "a single bool", ty)),
            types => self.report(say::condition_count(body.span(), role, types.len())),
        }
    }

    fn looping(&mut self, looping: &Loop) -> Option<Vec<Type>> {
        self.symbols.enter(looping.span);
        let (mut carried, mut declarations) = (Vec::new(), Vec::new());
        for item in &looping.carried {
            let ty = self.carried(&item.name, &item.value, item.spec.as_ref());
            carried.push((item.name.clone(), ty));
            declarations.push(item.name.span.to(item.value.span));
        }
        let mut scanned = Vec::new();
        for (name, pack) in &looping.scans {
            let ty = self.expr(pack);
            if !ty.packed && !ty.is_unknown() {
                self.report(say::scanned_single(pack.span, &ty));
            }
            // Unrolled, the items of a compile-time pack are compile-time values.
            let tensor = ty.tensor || !looping.unroll;
            scanned.push((name.clone(), Type { packed: false, tensor, ..ty }));
            declarations.push(name.span.to(pack.span));
        }
        if let Some(count) = looping.count.as_ref().and_then(|count| count.count.as_ref()) {
            self.count(count, looping.unroll);
        }
        for ((name, ty), declaration) in carried.iter().cloned().chain(scanned).zip(declarations) {
            self.declare(&name, Symbol::new(SymbolKind::Intermediate, ty, declaration));
        }
        if let Some(index) = looping.count.as_ref().and_then(|count| count.index.as_ref()) {
            let ty = Type { tensor: !looping.unroll, ..Type::scalar(Base::Int) };
            self.declare(index, Symbol::new(SymbolKind::Index, ty, index.span));
        }
        let ends = self.loop_form(looping);
        for condition in looping.while_before.iter().chain(&looping.while_after) {
            self.truth(condition, "the condition of `while`");
        }
        let types = self.body(&looping.body);
        self.symbols.leave();
        self.loop_results(looping, &carried, types?).filter(|_| ends)
    }

    fn carried(&mut self, name: &Name, value: &Expr, spec: Option<&TypeSpec>) -> Type {
        let ty = self.expr(value);
        if ty.packed {
            self.report(say::carried_pack(value.span, &name.text, &ty));
            return Type { packed: false, tensor: true, ..ty };
        }
        let Some(spec) = spec else { return Type { tensor: true, ..ty } };
        let declared = self.declared(spec);
        if !ty.base.is(&declared.base) {
            self.report(say::wrong_type(value.span, "the initial value", &declared.base.to_string(), &ty));
        }
        declared
    }

    /// The type of a tensor that is declared in a statement.
    fn declared(&mut self, spec: &TypeSpec) -> Type {
        self.within(Context::CompileTime, |checker| {
            let parts = spec.shape.iter().flatten().flat_map(|extent| extent.extent.iter().chain(&extent.bound));
            parts.for_each(|part| drop(checker.expect(part, &Base::Int, "an extent")));
            checker.tensor_type(spec)
        })
    }

    fn count(&mut self, count: &Expr, unroll: bool) {
        let ty = self.expr(count);
        if !ty.base.is(&Base::Int) || ty.packed {
            self.report(say::wrong_type(count.span, "the count of a loop", "a single int", &ty));
        } else if unroll && ty.tensor {
            self.report(say::dynamic_unroll(count.span, &ty));
        }
    }

    /// Whether the loop ends.
    fn loop_form(&mut self, looping: &Loop) -> bool {
        let condition = looping.while_before.as_ref().or(looping.while_after.as_ref());
        let counted = looping.count.as_ref().is_some_and(|count| count.count.is_some());
        if let (true, Some(condition)) = (looping.unroll, condition) {
            self.report(say::unroll_with_condition(condition.span()));
        }
        let ends = counted || condition.is_some() || !looping.scans.is_empty();
        if !ends {
            self.report(say::endless_loop(looping.span));
        }
        ends
    }

    /// The carried tensors, then packs of what else the body yields.
    fn loop_results(&mut self, looping: &Loop, carried: &[(Name, Type)], mut types: Vec<Type>) -> Option<Vec<Type>> {
        let span = looping.body.span();
        if types.len() < carried.len() {
            self.report(say::too_few_carried(span, types.len(), carried.len()));
            return None;
        }
        let scan_outputs = types.split_off(carried.len());
        for ((name, declared), ty) in carried.iter().zip(&types) {
            if !ty.base.is(&declared.base) {
                self.report(say::carried_type(span, &name.text, declared, ty, name.span));
            }
        }
        let mut results: Vec<Type> = carried.iter().map(|(_, ty)| ty.clone()).collect();
        results.extend(scan_outputs.into_iter().map(|ty| Type { packed: true, tensor: true, ..ty }));
        Some(results)
    }

    /// Assigns one result, which a list takes apart.
    fn assign(&mut self, result: &LValue, ty: Type, assigning: Assigning) {
        match result {
            LValue::Item(item) => self.assign_item(item, ty, assigning),
            LValue::List(items, span) => {
                if !ty.packed && !ty.is_unknown() {
                    self.report(say::not_a_pack(*span, "be taken apart", &ty));
                }
                let single = Type { packed: false, ..ty };
                for item in items {
                    let packed = !matches!(item, LValueItem::Name { pack: None, .. });
                    self.assign_item(item, single.clone().packed_if(packed), assigning);
                }
            }
        }
    }

    fn assign_item(&mut self, item: &LValueItem, ty: Type, assigning: Assigning) {
        match item {
            LValueItem::Omitted(_) => {}
            LValueItem::Name { name, spec, pack } => {
                if let Some(length) = pack.as_ref().and_then(|pack| pack.length.as_ref()) {
                    self.within(Context::CompileTime, |c| drop(c.expect(length, &Base::Int, "the length of a pack")));
                }
                if pack.is_some() && !ty.packed && !ty.is_unknown() {
                    self.report(say::not_a_pack(name.span, "have a length", &ty));
                }
                let ty = ty.packed_if(pack.is_some());
                self.assign_name(name, spec.as_deref(), ty, assigning);
            }
            LValueItem::Zip { names, .. } => {
                for (name, spec) in names {
                    self.assign_name(name, spec.as_deref(), ty.clone().packed_if(true), assigning);
                }
            }
        }
    }

    fn assign_name(&mut self, name: &Name, spec: Option<&TypeSpec>, ty: Type, assigning: Assigning) {
        if let Some(spec) = spec {
            let declared = self.declared(spec);
            if !ty.base.is(&declared.base) {
                self.report(say::wrong_type(name.span, "the result", &declared.base.to_string(), &ty));
            }
        }
        let known = self.symbols.innermost(&name.text).cloned();
        if let Some(symbol) = &known {
            self.names.occurs(name.span, Meaning::Own(symbol.number));
        }
        match known {
            Some(symbol) if assigning != Assigning::Locals => self.assign_known(name, &symbol, &ty, assigning),
            Some(symbol) => self.report(say::assigned_twice(name.span, &name.text, symbol.span)),
            None => {
                let ty = Type { tensor: true, ..ty };
                self.declare(name, Symbol::new(SymbolKind::Intermediate, ty, self.statement));
            }
        }
    }

    fn assign_known(&mut self, name: &Name, symbol: &Symbol, ty: &Type, assigning: Assigning) {
        let text = &*name.text;
        match (symbol.kind, assigning) {
            (SymbolKind::Output, Assigning::Outputs) | (SymbolKind::Variable, Assigning::Variables) => {}
            (SymbolKind::Output, _) => return self.report(say::output_in_update(name.span, text)),
            (SymbolKind::Variable, _) => return self.report(say::variable_in_compose(name.span, text)),
            (SymbolKind::Intermediate, _) => return self.report(say::assigned_twice(name.span, text, symbol.span)),
            (kind, _) => return self.report(say::not_assignable(name.span, text, kind, symbol.span)),
        }
        if let Some(first) = symbol.assignment.filter(|_| symbol.kind == SymbolKind::Output) {
            self.report(say::assigned_twice(name.span, text, first));
        }
        if !ty.base.is(&symbol.ty.base) || (ty.packed != symbol.ty.packed && !ty.is_unknown()) {
            self.report(say::result_type(name.span, text, symbol.kind, &symbol.ty, ty, symbol.span));
        } else if ty.optional && !symbol.ty.optional {
            self.report(say::optional_result(name.span, text, symbol.kind));
        }
        if let Some(symbol) = self.symbols.innermost(text) {
            symbol.assigned = true;
            symbol.assignment.get_or_insert(name.span);
        }
    }
}
