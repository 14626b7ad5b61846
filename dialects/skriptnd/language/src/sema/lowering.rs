//! `@lower` (section 2.12).

use super::checker::Checker;
use super::diagnostics as say;
use super::symbols::{Symbol, SymbolKind};
use super::types::{Base, Type};
use skriptnd_source::Span;
use skriptnd_syntax::ast::{AssignOp, Expr, ExprKind, Item, LoopBound, Lowering, OperatorKind};
use skriptnd_syntax::walk;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The assignments to an output so far.
type Assignments<'a> = HashMap<String, Vec<(AssignOp, Span)>>;

impl Checker<'_> {
    pub(super) fn lowerings(&mut self) {
        let operator = self.operator;
        if operator.lowerings.is_empty() {
            return;
        }
        let mut assignments = Assignments::new();
        for lowering in &operator.lowerings {
            self.lowering(lowering);
            self.assignment_order(lowering, &mut assignments);
        }
        if operator.components.is_some() {
            self.mark_outputs(false);
        }
        if operator.components.is_none() && operator.kind == OperatorKind::Operator {
            for output in &operator.outputs {
                if !assignments.keys().any(|key| key.split('[').next() == Some(&*output.name.text)) {
                    self.report(say::output_not_assigned(output.name.span, &output.name.text, "@lower"));
                }
            }
        }
    }

    fn lowering(&mut self, lowering: &Lowering) {
        self.symbols.enter(lowering.span);
        if let Some(unroll) = &lowering.unroll {
            if let Some(count) = &unroll.count {
                self.expect(count, &Base::Int, "the count of `unroll`");
            }
            if let Some(index) = &unroll.index {
                self.declare(index, Symbol::new(SymbolKind::Index, Type::scalar(Base::Int), lowering.span));
            }
        }
        // Formulas that update an output, and recurrences, read it.
        if let Some(output) = target_name(&lowering.target).and_then(|name| self.symbols.get_mut(name)) {
            output.assigned = true;
        }
        lowering.bounds.iter().for_each(|bound| self.loop_bound(bound));
        for (target, value) in &lowering.locals {
            let ty = self.value(value);
            if let Some(length) = target.pack.as_ref().and_then(|pack| pack.length.as_ref()) {
                self.expect(length, &Base::Int, "the length of a pack");
            }
            self.declare(&target.name, Symbol::new(SymbolKind::Local, ty, target.name.span.to(value.span)));
        }
        let target = self.target(&lowering.target);
        let value = self.value(&lowering.value);
        self.assigned_value(lowering, &target, &value);
        if let Some(condition) = &lowering.condition {
            let ty = self.condition(condition, "the condition of an assignment");
            if ty.optional {
                self.report(say::optional_not_resolved(condition.span, &ty, self.optional_part(condition)));
            }
        }
        self.warn_of_overwriting(lowering);
        let symbols = self.symbols.leave();
        // To add the same value `n` times is a meaning; to assign it `n` times is none.
        let repeats = !matches!(lowering.op, AssignOp::Add | AssignOp::Mul);
        for bound in lowering.bounds.iter().filter(|_| repeats) {
            if symbols.get(&bound.index.text).is_some_and(|symbol| !symbol.used) {
                self.report(say::unused_index(bound.index.span, &bound.index.text));
            }
        }
    }

    /// `y[i,] = x[i, j], i < m, j < n;` keeps what the last `j` assigns.
    fn warn_of_overwriting(&mut self, lowering: &Lowering) {
        if lowering.op != AssignOp::Set || lowering.condition.is_some() || self.has_errors() {
            return;
        }
        let (places, values) = (names_behind(&lowering.target, lowering), names_behind(&lowering.value, lowering));
        for bound in &lowering.bounds {
            let index = &*bound.index.text;
            if !places.contains(index) && values.contains(index) {
                self.report(say::overwritten(lowering.target.span, index, bound.index.span));
            }
        }
    }

    fn loop_bound(&mut self, bound: &LoopBound) {
        let ty = self.expect(&bound.bound, &Base::Int, "the bound of an index symbol");
        if let Some(access) = self.first_access(&bound.bound) {
            self.report(say::data_dependent_bound(access, &bound.index.text));
        }
        let base = if ty.is_unknown() { Base::Unknown } else { Base::Int };
        let ty = Type { base, optional: false, ..ty };
        if let Some(outer) = self.symbols.get(&bound.index.text).filter(|symbol| symbol.kind != SymbolKind::Index) {
            let (kind, place) = (outer.kind, outer.span);
            self.report(say::hiding_index(bound.index.span, &bound.index.text, kind, place));
        }
        self.declare(&bound.index, Symbol::new(SymbolKind::Index, ty, self.symbols.span()));
    }

    /// The first access to a tensor's element within an expression.
    fn first_access(&self, expr: &Expr) -> Option<Span> {
        let mut found = None;
        walk::walk(expr, &mut |part| {
            let ExprKind::Subscript { base, items, trailing_comma } = &part.kind else { return };
            let tensor = |name: &str| self.symbols.get(name).is_some_and(|symbol| symbol.ty.tensor);
            let element = *trailing_comma || !matches!(items.as_slice(), [Item::Value(_) | Item::Range(..)]);
            if found.is_none() && element && target_name(base).is_some_and(tensor) {
                found = Some(part.span);
            }
        });
        found
    }

    /// The left side: an access to an output.
    fn target(&mut self, target: &Expr) -> Type {
        let name = target_name(target).unwrap_or_default();
        match self.symbols.get(name) {
            Some(symbol) if symbol.kind != SymbolKind::Output => {
                let (kind, declared) = (symbol.kind, symbol.span);
                self.report(say::lowered_other(target.span, name, kind, declared));
            }
            Some(_) => {}
            None => {
                let outputs: Vec<&str> = self.operator.outputs.iter().map(|output| &*output.name.text).collect();
                self.report(say::lowered_undeclared(target.span, name, &outputs));
                walk::names(target, &mut |other, span| {
                    if **other != *name {
                        self.lookup(other, span);
                    }
                });
                return Type::UNKNOWN;
            }
        }
        let ty = self.expr(target);
        if ty.tensor {
            self.report(say::tensor_as_value(target.span, &ty, self.context));
        }
        Type { optional: false, tensor: false, ..ty }
    }

    fn assigned_value(&mut self, lowering: &Lowering, target: &Type, value: &Type) {
        let span = lowering.value.span;
        if value.optional {
            self.report(say::optional_not_resolved(span, value, self.optional_part(&lowering.value)));
        }
        if !value.base.is(&target.base) {
            self.report(say::wrong_type(span, "the assigned value", &target.base.to_string(), value));
        }
        if value.packed && !target.packed && !target.is_unknown() {
            self.report(say::wrong_type(span, "the assigned value", "a single value", value));
        }
        let (valid, expected) = match lowering.op {
            AssignOp::Set | AssignOp::Update => (true, ""),
            AssignOp::And | AssignOp::Or => (target.base.is(&Base::Bool), "bool"),
            AssignOp::Add | AssignOp::Mul | AssignOp::Min | AssignOp::Max => (target.base.is_numeric(), "int or real"),
        };
        if !valid {
            let role = format!("the target of `{}`", lowering.op.symbol());
            self.report(say::wrong_type(lowering.target.span, &role, expected, target));
        }
    }

    /// The first name in an expression that may be null and makes it so, and whether it is a tensor.
    fn optional_part(&self, expr: &Expr) -> Option<(String, bool)> {
        let mut found = None;
        walk::names(expr, &mut |name, _| {
            if let (None, Some(symbol)) = (&found, self.symbols.get(name).filter(|symbol| symbol.ty.optional)) {
                found = Some((name.to_string(), symbol.ty.tensor));
            }
        });
        found
    }

    /// At most an initialisation with `=` and one assignment that accumulates.
    fn assignment_order(&mut self, lowering: &Lowering, assignments: &mut Assignments<'_>) {
        let key = target_key(&lowering.target);
        let name = target_name(&lowering.target).unwrap_or_default().to_owned();
        let span = lowering.target.span;
        let earlier = assignments.entry(key).or_default();
        let diagnostic = match (earlier.as_slice(), lowering.op) {
            ([], AssignOp::Update | AssignOp::Min | AssignOp::Max) => {
                Some(say::missing_initialisation(span, &name, lowering.op.symbol()))
            }
            ([], _) => None,
            ([(AssignOp::Set, _)], op) if op != AssignOp::Set => None,
            ([(_, first)], AssignOp::Set) => Some(say::initialised_twice(span, &name, *first)),
            ([.., (_, last)], _) => Some(say::too_many_assignments(span, &name, *last)),
        };
        earlier.push((lowering.op, span));
        if let Some(diagnostic) = diagnostic {
            self.report(diagnostic);
        }
    }
}

fn target_name(target: &Expr) -> Option<&str> {
    match &target.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Subscript { base, .. } => target_name(base),
        _ => None,
    }
}

/// The names that an expression of a formula depends on, also by the formula's intermediates.
fn names_behind(expr: &Expr, lowering: &Lowering) -> HashSet<Arc<str>> {
    let mut names = HashSet::new();
    let add = |expr: &Expr, names: &mut HashSet<Arc<str>>| {
        walk::names(expr, &mut |name, _| {
            names.insert(name.clone());
        });
    };
    add(expr, &mut names);
    // Each takes those before it only.
    for (target, value) in lowering.locals.iter().rev() {
        if names.contains(&target.name.text) {
            add(value, &mut names);
        }
    }
    names
}

/// What is assigned: an output, or an item of an output pack with a literal number.
fn target_key(target: &Expr) -> String {
    let name = target_name(target).unwrap_or_default();
    if let ExprKind::Subscript { base, .. } = &target.kind
        && let ExprKind::Subscript { items, .. } = &base.kind
        && let [Item::Value(Expr { kind: ExprKind::Int(number), .. })] = items.as_slice()
    {
        return format!("{name}[{number}]");
    }
    name.to_owned()
}
