//! The left side of statements.

use super::{Builder, Context, nested};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::graph::Origin;
use crate::compose::infer::evaluate_shape;
use crate::compose::tensors::TermTensor;
use crate::compose::tensors::{Argument, TensorId, TensorType};
use crate::compose::term::Term;
use skriptnd_source::Span;
use skriptnd_syntax::ast::{Component, LValue, LValueItem, Name, OperatorKind, PackSpec, TypeSpec};

impl<'a> Builder<'_, 'a> {
    /// Binds the names on the left. Tensors from `mark` on are new and take these names.
    pub(super) fn assign(
        &mut self,
        cx: &mut Context<'a>,
        component: &Component,
        values: Vec<Argument>,
        mark: usize,
    ) -> bool {
        if component.results.len() != values.len() {
            self.report(cx, say::result_count(values.len(), component.results.len(), component.span));
            return false;
        }
        let mut done = true;
        for (target, value) in component.results.iter().zip(values) {
            done &= match target {
                LValue::Item(item) => self.assign_item(cx, item, value, mark),
                LValue::List(items, span) => self.unpack(cx, items, &value, mark, *span) == Some(true),
            };
        }
        done
    }

    fn assign_item(&mut self, cx: &mut Context<'a>, item: &LValueItem, value: Argument, mark: usize) -> bool {
        match item {
            LValueItem::Omitted(_) => true,
            LValueItem::Zip { span, .. } => {
                self.unpack(cx, std::slice::from_ref(item), &value, mark, *span) == Some(true)
            }
            LValueItem::Name { name, spec, pack } => {
                self.check_pack(cx, pack.as_ref(), &value, name)
                    && self.check_spec(cx, name, spec.as_deref(), &value)
                    && self.bind(cx, name, value, mark)
            }
        }
    }

    /// The declared number of tensors.
    fn check_pack(&mut self, cx: &Context<'a>, pack: Option<&PackSpec>, value: &Argument, name: &Name) -> bool {
        let Some(pack) = pack else { return true };
        if let Argument::Single(_) = value {
            self.report(cx, say::result_is_no_pack(name.span));
            return false;
        }
        let Some(length) = &pack.length else { return true };
        let evaluated = self.eval(cx, length);
        match self.check(cx, evaluated) {
            Some(Term::Int(expected)) if i64::try_from(value.items().len()) != Ok(expected) => {
                self.report(cx, say::result_pack_length(name, expected, value.items().len()));
                false
            }
            other => other.is_some(),
        }
    }

    /// The declared type and shape.
    fn check_spec(&mut self, cx: &Context<'a>, name: &Name, spec: Option<&TypeSpec>, value: &Argument) -> bool {
        let Some(spec) = spec else { return true };
        let evaluator = Evaluator::new(&cx.env, &self.tensors);
        let bounds = self.session.bounds.borrow();
        let expected = evaluator.resolve_type(&spec.base).and_then(|dtype| {
            let shape = spec.shape.as_deref();
            let shape = shape.map(|shape| evaluate_shape(&evaluator, shape, None, name, &bounds)).transpose()?;
            Ok((dtype, shape))
        });
        drop(bounds);
        let Some((dtype, shape)) = self.check(cx, expected) else { return false };
        for id in value.items() {
            let found = self.ty(*id).clone();
            let expected = TensorType { dtype, shape: shape.clone().unwrap_or_else(|| found.shape.clone()) };
            if !self.agrees(cx, &expected, &found, &name.text, name.span) {
                self.report(cx, say::declared_type(name, &expected, &self.possible_types(&found)));
                return false;
            }
        }
        true
    }

    fn bind(&mut self, cx: &mut Context<'a>, name: &Name, value: Argument, mark: usize) -> bool {
        if cx.updating && cx.definition.info.variables.contains(&name.text) {
            return self.bind_update(cx, name, &value);
        }
        let known = cx.env.has_here(&name.text).then(|| cx.env.get(&name.text)).flatten();
        let tensor = |term: &Term| matches!(term, Term::Tensor(_));
        if known.is_some_and(|term| tensor(term) || term.item(0).is_some_and(tensor)) {
            self.report(cx, say::assigned_twice(name));
            return false;
        }
        let scoped = nested(&cx.scope, &name.text);
        let operator = cx.definition.operator;
        if operator.kind == OperatorKind::Operator && !operator.public {
            self.private.insert(scoped.clone(), cx.definition.path.clone());
        }
        let fresh = |id: &TensorId| {
            let tensor = &self.tensors.list[id.0 as usize];
            id.0 as usize >= mark && matches!(tensor.origin, Origin::Result | Origin::Constant(_))
        };
        if !value.items().is_empty() && value.items().iter().all(fresh) {
            self.name_argument(&value, &scoped);
        } else {
            self.scoped.insert(scoped, value.clone());
        }
        cx.env.set(&name.text, Term::of_tensors(&value));
        true
    }

    /// In `@update`, assigning to a variable tells its value for the next run.
    fn bind_update(&mut self, cx: &Context<'a>, name: &Name, value: &Argument) -> bool {
        let id = |term: &Term| if let Term::Tensor(tensor) = term { tensor.in_graph() } else { None };
        let (variables, single) = match cx.env.get(&name.text) {
            Some(Term::Tensor(TermTensor::Graph(id))) => (vec![*id], true),
            Some(Term::Pack(items)) => (items.iter().filter_map(id).collect(), false),
            _ => return false,
        };
        if matches!(value, Argument::Single(_)) != single || value.items().len() != variables.len() {
            self.report(cx, say::update_of(name, (!single).then_some(variables.len())));
            return false;
        }
        variables.into_iter().zip(value.items()).all(|(variable, value)| self.update(cx, name, variable, *value))
    }

    fn update(&mut self, cx: &Context<'a>, name: &Name, variable: TensorId, value: TensorId) -> bool {
        let (expected, found) = (self.ty(variable).clone(), self.ty(value).clone());
        if !self.agrees(cx, &expected, &found, &name.text, name.span) {
            self.report(cx, say::update_type(name, &expected, &self.possible_types(&found)));
            return false;
        }
        if self.updates.iter().any(|(known, _)| *known == variable) {
            self.report(cx, say::assigned_twice(name));
            return false;
        }
        // A variable that keeps its value, as where a condition switches the update off, stays constant from run to run.
        if variable != value {
            self.updates.push((variable, value));
        }
        true
    }

    /// `[a, b..]`, `[(a, b)..]`
    fn unpack(
        &mut self,
        cx: &mut Context<'a>,
        items: &[LValueItem],
        value: &Argument,
        mark: usize,
        span: Span,
    ) -> Option<bool> {
        let Argument::Pack(tensors) = value else {
            self.report(cx, say::result_is_no_pack(span));
            return None;
        };
        let widths = self.widths(cx, items, tensors.len(), span)?;
        let mut rest = tensors.as_slice();
        let mut done = true;
        for (item, width) in items.iter().zip(widths) {
            let (own, others) = rest.split_at(width.min(rest.len()));
            rest = others;
            done &= match item {
                LValueItem::Zip { names, .. } => names.iter().enumerate().fold(true, |done, (at, (name, _))| {
                    let every = own.iter().skip(at).step_by(names.len()).copied().collect();
                    self.bind(cx, name, Argument::Pack(every), mark) && done
                }),
                LValueItem::Name { pack: Some(_), .. } => {
                    self.assign_item(cx, item, Argument::Pack(own.to_vec()), mark)
                }
                item => own.first().is_some_and(|id| self.assign_item(cx, item, Argument::Single(*id), mark)),
            };
        }
        Some(done)
    }

    /// How many of so many tensors each item of a list takes: one at most takes what the others leave.
    fn widths(&mut self, cx: &Context<'a>, items: &[LValueItem], total: usize, span: Span) -> Option<Vec<usize>> {
        let mut widths = Vec::with_capacity(items.len());
        for item in items {
            widths.push(self.width(cx, item)?);
        }
        let fixed = widths.iter().flatten().fold(0usize, |sum, width| sum.saturating_add(*width));
        let open = widths.iter().filter(|width| width.is_none()).count();
        if open > 1 || fixed > total || (open == 0 && fixed != total) {
            self.report(cx, say::result_unpacking((fixed, open), total, span));
            return None;
        }
        let rest = total - fixed;
        for (item, width) in items.iter().zip(&widths) {
            if let (LValueItem::Zip { names, .. }, None) = (item, width)
                && rest % names.len().max(1) != 0
            {
                self.report(cx, say::cannot_unzip(rest, names.len(), span));
                return None;
            }
        }
        Some(widths.into_iter().map(|width| width.unwrap_or(rest)).collect())
    }

    /// How many tensors an item of a list takes; none for the one that takes the rest.
    fn width(&mut self, cx: &Context<'a>, item: &LValueItem) -> Option<Option<usize>> {
        let (pack, each) = match item {
            LValueItem::Omitted(_) | LValueItem::Name { pack: None, .. } => return Some(Some(1)),
            LValueItem::Name { pack, .. } => (pack, 1),
            LValueItem::Zip { names, pack, .. } => (pack, names.len()),
        };
        let Some(length) = pack.as_ref().and_then(|pack| pack.length.as_ref()) else { return Some(None) };
        let term = self.eval(cx, length);
        match self.check(cx, term)? {
            Term::Int(count) => Some(usize::try_from(count).ok().and_then(|count| count.checked_mul(each))),
            other => {
                self.report(cx, say::known_int_expected(&other, length.span));
                None
            }
        }
    }
}
