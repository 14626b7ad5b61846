//! Checks of invocations: each different one once.

use super::invoke::Given;
use super::{Builder, Context};
use crate::compose::binding::{Binding, Operand};
use crate::compose::diagnostics as say;
use crate::compose::graph::Graph;
use crate::compose::graph::{Instance, InstanceBody};
use crate::compose::infer::{Request, Site, infer};
use crate::compose::instance::InstanceKey;
use crate::compose::lower::{self, FormulaRequest};
use crate::compose::session::{Definition, Resolved, Valid};
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::term::Term;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Diagnostics, Frame};
use skriptnd_syntax::ast::Invocation;
use std::rc::Rc;
use std::sync::Arc;

impl<'a> Builder<'_, 'a> {
    /// Checks the invocation, or finds that an equal one has been checked before.
    pub(super) fn resolve(
        &mut self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        given: Given,
        operands: Vec<Operand>,
        invocation: &Invocation,
    ) -> Option<Rc<Resolved>> {
        let key = key_of(definition, &given, &operands);
        // Attributes that are given twice are an error of this very invocation.
        let known = key.as_ref().filter(|_| distinct(&given.attributes)).and_then(|key| self.session.lookup(key));
        match known.as_deref() {
            Some(Resolved::InProgress) => {
                self.report(cx, say::recursion(&definition.path, invocation.span));
                return None;
            }
            // It is reported at each place.
            Some(Resolved::Failed) | None => {}
            Some(_) => return known,
        }
        let resolved = match self.infer(definition, given, operands.clone(), invocation) {
            Ok(binding) => self.resolve_body(cx, definition, (binding, &operands), key.as_ref(), invocation.span),
            Err(diagnostics) => {
                self.adopt(cx, definition, diagnostics, invocation.span);
                Resolved::Failed
            }
        };
        Some(match key {
            Some(key) => self.session.remember(key, resolved),
            None => Rc::new(resolved),
        })
    }

    fn infer(
        &self,
        definition: &Definition<'a>,
        given: Given,
        operands: Vec<Operand>,
        invocation: &Invocation,
    ) -> Result<Binding, Diagnostics> {
        let bounds = self.session.bounds.borrow().clone();
        infer(&Request {
            path: &definition.path,
            operator: definition.operator,
            info: &definition.info,
            dtypes: given.dtypes,
            attributes: given.attributes,
            operands,
            site: Site { span: invocation.span, invocation: Some(invocation) },
            sources: &self.session.library.sources,
            bounds: &bounds,
            composed: None,
        })
    }

    /// Takes over diagnostics of an invocation: those inside the definition have come through it.
    pub(super) fn adopt(&mut self, cx: &Context<'a>, definition: &Definition<'a>, found: Diagnostics, span: Span) {
        let own = definition.operator.span;
        for diagnostic in found.iter() {
            let mut diagnostic = diagnostic.clone();
            let at = diagnostic.span;
            let inside = at.file == own.file && at.start >= own.start && at.end <= own.end && at != span;
            if diagnostic.chain.is_empty() && inside {
                diagnostic.chain = chain(cx, definition, span);
            }
            self.report(cx, diagnostic);
        }
    }

    /// What an invocation determines, with its instance if the operator stays whole.
    fn resolve_body(
        &mut self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        (binding, operands): (Binding, &[Operand]),
        key: Option<&InstanceKey>,
        span: Span,
    ) -> Resolved {
        if definition.operator.lowerings.is_empty() && self.session.is_inlined(definition) {
            return Resolved::Valid(Valid::Inlined(Arc::new(binding)));
        }
        // What a run has to check for open extents names the place of the invocation: others don't share it.
        let whole = binding.symbols().is_empty().then(|| InstanceKey::of_binding(&binding, operands));
        let made = self.session.store().get_or_make(whole, || self.make(cx, definition, binding, key, span).ok_or(()));
        made.map_or(Resolved::FailedInside, |instance| Resolved::Valid(Valid::Whole(instance)))
    }

    /// Makes an instance of an operator that stays whole.
    fn make(
        &mut self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        binding: Binding,
        key: Option<&InstanceKey>,
        span: Span,
    ) -> Option<Arc<Instance>> {
        let mut outputs = binding.outputs.clone().unwrap_or_default();
        let operator = definition.operator;
        let (body, inner_operations) = if operator.lowerings.is_empty() && operator.components.is_none() {
            (InstanceBody::Intrinsic, 0)
        } else if !self.session.may_check() {
            self.report(cx, say::too_many_bodies(span));
            return None;
        } else if operator.lowerings.is_empty() {
            let (graph, count) = self.composition(cx, definition, &binding, key, span)?;
            refine_all(&mut outputs, &graph);
            (InstanceBody::Composition(Box::new(graph)), count)
        } else {
            let request = FormulaRequest { operator, info: &definition.info, binding: &binding, outputs: &outputs };
            let formula = lower::instantiate(&request);
            (InstanceBody::Formula(self.adopted(cx, definition, formula, span)?), 0)
        };
        Some(Instance::new(Arc::new(binding), outputs, body, inner_operations))
    }

    fn adopted<T>(
        &mut self,
        cx: &Context<'a>,
        definition: &Definition<'a>,
        result: Result<T, Diagnostics>,
        span: Span,
    ) -> Option<T> {
        result.map_err(|diagnostics| self.adopt(cx, definition, diagnostics, span)).ok()
    }

    fn composition(
        &mut self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        binding: &Binding,
        key: Option<&InstanceKey>,
        span: Span,
    ) -> Option<(Graph, u64)> {
        let _guard = self.session.enter();
        if self.session.too_deep() {
            self.report(cx, say::invocation_depth(&definition.path, span));
            return None;
        }
        if let Some(key) = key {
            self.session.remember(key.clone(), Resolved::InProgress);
        }
        let (composed, diagnostics) = super::definition::compose_operator(self.session, definition, binding);
        let around = chain(cx, definition, span);
        for mut diagnostic in diagnostics.iter().cloned() {
            diagnostic.chain.extend(around.iter().cloned());
            self.diagnostics.push(diagnostic);
        }
        composed
    }
}

/// The key of what is given; none if an attribute is not a value.
fn key_of(definition: &Definition<'_>, given: &Given, operands: &[Operand]) -> Option<InstanceKey> {
    let values = given.attributes.iter().map(|(name, term)| Some((name.clone(), term.to_value()?)));
    let values: Vec<_> = values.collect::<Option<_>>()?;
    Some(InstanceKey::new(&definition.path, given.dtypes.iter().cloned(), values.into_iter(), operands))
}

/// The invocations from inside the definition outwards.
pub(super) fn chain(cx: &Context<'_>, definition: &Definition<'_>, span: Span) -> Vec<Frame> {
    let mut chain = Vec::with_capacity(cx.chain.len() + 1);
    chain.push(Frame { operator: definition.path.to_string(), span });
    chain.extend(cx.chain.iter().cloned());
    chain
}

fn distinct(attributes: &[(Arc<str>, Term)]) -> bool {
    attributes.iter().enumerate().all(|(at, (name, _))| attributes[..at].iter().all(|(other, _)| other != name))
}

/// Extents that the declaration leaves open are what the composition gives, where that is known. A graph declares
/// nothing that binds: its results have the types that they are composed with.
pub(crate) fn refine_all(declared: &mut Vec<Argument<TensorType>>, graph: &Graph) {
    let composed: Vec<Argument<TensorType>> =
        graph.outputs.iter().map(|port| port.tensors.map(|id| graph.tensor(*id).ty.clone())).collect();
    if declared.is_empty() {
        declared.extend_from_slice(&composed);
    }
    declared.iter_mut().zip(&composed).for_each(|(declared, composed)| refine(declared, composed));
}

fn refine(declared: &mut Argument<TensorType>, composed: &Argument<TensorType>) {
    if *composed == Argument::Null {
        *declared = Argument::Null;
    }
    let items: &mut [TensorType] = match declared {
        Argument::Null => &mut [],
        Argument::Single(ty) => std::slice::from_mut(ty),
        Argument::Pack(items) => items,
    };
    for (ty, known) in items.iter_mut().zip(composed.items()) {
        for (extent, known) in ty.shape.iter_mut().zip(&known.shape) {
            if extent.value.is_undetermined() && known.as_known().is_some() {
                *extent = known.clone();
            }
        }
    }
}
