//! Invocations of operators and sub-graphs.

use super::arguments::{argument_of, term_of};
use super::{Builder, Context, Label, nested};
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::graph::{Argument, Graph, Operation, OperationKind, Origin, TensorType};
use crate::compose::infer::{Binding, Operand, Request, Site, infer, is_undetermined};
use crate::compose::limits;
use crate::compose::lower::{self, FormulaRequest};
use crate::compose::session::{Definition, Key, Resolved, full_path};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use crate::diagnostics::{Diagnostics, Frame};
use crate::syntax::ast::{Invocation, OperatorKind, Span};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What an invocation gives explicitly.
pub(super) struct Given {
    pub(super) dtypes: Vec<(Arc<str>, ScalarType)>,
    pub(super) attributes: Vec<(Arc<str>, Term)>,
}

impl<'a> Builder<'_, 'a> {
    pub(super) fn invoke(
        &mut self,
        cx: &mut Context<'a>,
        invocation: &'a Invocation,
        label: Label,
    ) -> Option<Vec<Argument>> {
        let definition = self.definition(cx, invocation)?;
        if definition.operator.incomplete || self.session.is_faulty(definition.operator.span) {
            return None;
        }
        let given = self.given(cx, invocation, &definition);
        let mut inputs = Vec::with_capacity(invocation.arguments.len());
        for (value, _) in &invocation.arguments {
            inputs.push(match value {
                Some(expr) => self.argument(cx, expr),
                None => Some(Argument::Null),
            });
        }
        let mut inputs: Vec<Argument> = inputs.into_iter().collect::<Option<_>>()?;
        let given = given?;
        let operands = inputs.iter().map(|argument| self.operand(argument)).collect();
        let resolved = self.resolve(cx, &definition, given, operands, invocation)?;
        let Resolved::Valid(binding, types) = &*resolved else { return None };
        self.complete(&definition, binding, &mut inputs, invocation.span);
        let name = &definition.operator.name.text;
        let scope = self.scope_label(cx, invocation.label.as_ref(), label, name);
        if self.session.is_inlined(&definition) {
            return self.inline(cx, &definition, binding, inputs, &scope, invocation);
        }
        self.operation(cx, binding, types, inputs, &scope, invocation.span)
    }

    fn definition(&mut self, cx: &Context<'a>, invocation: &Invocation) -> Option<Rc<Definition<'a>>> {
        let found = self.session.resolve(&cx.definition.module, &invocation.operator);
        // What doesn't resolve is known where definitions were checked, though not at each place.
        if found.is_none() && !self.session.has_faults() {
            let path = full_path(&cx.definition.module, &invocation.operator);
            let (module, name) = path.rsplit_once('.').unwrap_or(("", &path));
            let known = self.session.library.modules.get(module);
            let names = known.iter().flat_map(|module| module.operators.names());
            let written: Vec<&str> = invocation.operator.parts.iter().map(|part| &*part.text).collect();
            let span = invocation.operator.span;
            let diagnostic = match known {
                Some(_) => say::unknown_operator(name, names, span),
                None => say::unknown_operator(&written.join("."), names, span),
            };
            self.report(cx, diagnostic);
        }
        found
    }

    /// Explicit types and attributes; all errors among them are reported.
    pub(super) fn given(
        &mut self,
        cx: &Context<'a>,
        invocation: &Invocation,
        definition: &Definition<'a>,
    ) -> Option<Given> {
        let generics = &definition.operator.dtypes;
        if invocation.types.len() > generics.len() {
            let count = (invocation.types.len(), generics.len());
            self.report(cx, say::too_many_types(&definition.path, count, invocation.span));
            return None;
        }
        let mut given = Given { dtypes: Vec::new(), attributes: Vec::new() };
        let mut complete = true;
        for (ty, generic) in invocation.types.iter().zip(generics) {
            let dtype = Evaluator::new(&cx.env, &self.tensors).resolve_type(ty);
            match self.check(cx, dtype) {
                Some(dtype) => given.dtypes.push((generic.name.text.clone(), dtype)),
                None => complete = false,
            }
        }
        for assignment in &invocation.attributes {
            let value = self.eval(cx, &assignment.value);
            match self.check(cx, value) {
                Some(value) => given.attributes.push((assignment.name.text.clone(), value)),
                None => complete = false,
            }
        }
        complete.then_some(given)
    }

    /// Checks the invocation, or finds that an equal one has been checked before.
    pub(super) fn resolve(
        &mut self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        given: Given,
        operands: Vec<Operand>,
        invocation: &Invocation,
    ) -> Option<Rc<Resolved>> {
        let key = Key::new(&definition.path, &given.dtypes, &given.attributes, &operands);
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
        let bounds = self.session.bounds.borrow().clone();
        let request = Request {
            path: &definition.path,
            operator: definition.operator,
            info: &definition.info,
            dtypes: given.dtypes,
            attributes: given.attributes,
            operands,
            site: Site { span: invocation.span, invocation: Some(invocation) },
            sources: &self.session.library.sources,
            bounds: &bounds,
        };
        let resolved = match infer(&request) {
            Ok(binding) => self.check_body(cx, definition, binding, key.as_ref(), invocation.span),
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

    /// Takes over diagnostics of an invocation: those inside the definition have come through it.
    fn adopt(&mut self, cx: &Context<'a>, definition: &Definition<'a>, found: Diagnostics, span: Span) {
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

    /// Checks the computation of an operator that stays whole.
    fn check_body(
        &mut self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        binding: Binding,
        key: Option<&Key>,
        span: Span,
    ) -> Resolved {
        let outputs = binding.outputs.clone().unwrap_or_default();
        let binding = Rc::new(binding);
        let operator = definition.operator;
        if self.session.is_inlined(definition) || (operator.lowerings.is_empty() && operator.components.is_none()) {
            return Resolved::Valid(binding, Rc::new(outputs));
        }
        if !self.session.may_check() {
            self.report(cx, say::too_many_bodies(span));
            return Resolved::FailedInside;
        }
        if !operator.lowerings.is_empty() {
            let request = FormulaRequest { operator, info: &definition.info, binding: &binding, outputs: &outputs };
            return match lower::instantiate(&request) {
                Ok(_) => Resolved::Valid(binding, Rc::new(outputs)),
                Err(diagnostics) => {
                    self.adopt(cx, definition, diagnostics, span);
                    Resolved::FailedInside
                }
            };
        }
        self.check_composition(cx, definition, binding, outputs, key, span)
    }

    fn check_composition(
        &mut self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        binding: Rc<Binding>,
        mut outputs: Vec<Argument<TensorType>>,
        key: Option<&Key>,
        span: Span,
    ) -> Resolved {
        let _guard = self.session.enter();
        if self.session.too_deep() {
            self.report(cx, say::invocation_depth(&definition.path, span));
            return Resolved::FailedInside;
        }
        if let Some(key) = key {
            self.session.remember(key.clone(), Resolved::InProgress);
        }
        let (graph, diagnostics) =
            super::compose_operator(self.session, definition, &binding, chain(cx, definition, span));
        self.adopt(cx, definition, diagnostics, span);
        let Some(graph) = graph else { return Resolved::FailedInside };
        refine_all(&mut outputs, &graph);
        Resolved::Valid(binding, Rc::new(outputs))
    }

    /// Absent inputs: defaults become constants, optional ones are null.
    fn complete(&mut self, definition: &Definition<'a>, binding: &Binding, inputs: &mut Vec<Argument>, span: Span) {
        inputs.resize(definition.operator.inputs.len(), Argument::Null);
        for default in &binding.defaults {
            let argument =
                default.tensors.map(|(ty, value)| self.add(ty.clone(), Origin::Constant(value.clone()), span));
            if let Some(input) = inputs.get_mut(default.input) {
                *input = argument;
            }
        }
    }

    fn operation(
        &mut self,
        cx: &Context<'a>,
        binding: &Binding,
        types: &[Argument<TensorType>],
        inputs: Vec<Argument>,
        label: &str,
        span: Span,
    ) -> Option<Vec<Argument>> {
        self.operation_count += 1;
        if self.operation_count > limits::OPERATIONS {
            if self.operation_count == limits::OPERATIONS + 1 {
                self.report(cx, say::too_many_operations(span));
            }
            return None;
        }
        let scope = nested(&cx.scope, label);
        let mut named = HashMap::new();
        let outputs: Vec<Argument> = types
            .iter()
            .map(|output| {
                output.map(|ty| {
                    let ty = self.determined(ty, &scope, &mut named);
                    self.add(ty, Origin::Result, span)
                })
            })
            .collect();
        for (output, length) in outputs.iter().zip(&binding.output_lengths) {
            self.note_length(output, length.as_ref());
        }
        self.runtime_asserts.extend(binding.runtime_asserts.iter().cloned());
        self.operations.push(Operation {
            kind: OperationKind::Operator(binding.call.clone()),
            inputs,
            outputs: outputs.clone(),
            scope,
            span,
            chain: cx.chain.clone(),
        });
        Some(outputs)
    }

    /// Extents that only the data determine get names of this graph: one for all outputs that mention it.
    fn determined(&mut self, ty: &TensorType, scope: &str, named: &mut HashMap<Arc<str>, Extent>) -> TensorType {
        let undetermined = |expr: &SymExpr| matches!(expr, SymExpr::Symbol(symbol) if is_undetermined(symbol));
        if !ty.shape.iter().any(|extent| undetermined(&extent.value)) {
            return ty.clone();
        }
        let shape = ty.shape.iter().map(|extent| match &extent.value {
            SymExpr::Symbol(marker) if is_undetermined(marker) => {
                let known = named.get(marker).cloned();
                let extent = known.unwrap_or_else(|| {
                    let symbol = self.new_symbol(&nested(scope, marker.trim_start_matches('~')), extent.bound);
                    Extent { value: SymExpr::Symbol(symbol), bound: extent.bound }
                });
                named.insert(marker.clone(), extent.clone());
                extent
            }
            _ => extent.clone(),
        });
        TensorType { dtype: ty.dtype, shape: shape.collect() }
    }

    /// Puts the composition of a stateful operator or a sub-graph in place of its invocation.
    fn inline(
        &mut self,
        cx: &mut Context<'a>,
        definition: &Rc<Definition<'a>>,
        binding: &Binding,
        inputs: Vec<Argument>,
        label: &str,
        invocation: &'a Invocation,
    ) -> Option<Vec<Argument>> {
        let session = self.session;
        let _guard = session.enter();
        if session.too_deep() {
            self.report(cx, say::invocation_depth(&definition.path, invocation.span));
            return None;
        }
        let graph = definition.operator.kind == OperatorKind::Graph;
        // A graph is the root of its own scope, unless an explicit label says otherwise (section 2.10).
        let own_root = graph && invocation.label.is_none();
        let mut env = if graph { cx.env.merged(&binding.env) } else { binding.env.clone() };
        for (param, argument) in definition.operator.inputs.iter().zip(&inputs) {
            env.set(&param.name.text, term_of(argument));
        }
        let mut inner = Context {
            definition: definition.clone(),
            env,
            scope: nested(&cx.scope, if own_root { &definition.operator.name.text } else { label }),
            files: if own_root { definition.path.to_string() } else { nested(&cx.files, label) },
            chain: chain(cx, definition, invocation.span),
            updating: false,
        };
        if definition.operator.public {
            for (param, argument) in definition.operator.inputs.iter().zip(&inputs) {
                self.scoped.insert(nested(&inner.scope, &param.name.text), argument.clone());
            }
        }
        if !definition.operator.lowerings.is_empty() {
            return self.stateful_formula(cx, &mut inner, binding, inputs, label, invocation);
        }
        self.runtime_asserts.extend(binding.runtime_asserts.iter().cloned());
        self.compose_definition(&mut inner, binding.outputs.as_deref())
    }

    /// A formula with variables of its own: they are operands behind its inputs.
    fn stateful_formula(
        &mut self,
        cx: &Context<'a>,
        inner: &mut Context<'a>,
        binding: &Binding,
        mut inputs: Vec<Argument>,
        label: &str,
        invocation: &Invocation,
    ) -> Option<Vec<Argument>> {
        let definition = inner.definition.clone();
        let operator = definition.operator;
        let types = binding.outputs.as_deref()?;
        let request = FormulaRequest { operator, info: &definition.info, binding, outputs: types };
        if let Err(diagnostics) = lower::instantiate(&request) {
            self.adopt(cx, &definition, diagnostics, invocation.span);
            return None;
        }
        self.declare_locals(inner);
        for param in &operator.variables {
            let argument = argument_of(inner.env.get(&param.name.text)?)?;
            inputs.push(argument);
        }
        let outputs = self.operation(cx, binding, types, inputs, label, invocation.span)?;
        for (param, argument) in operator.outputs.iter().zip(&outputs) {
            inner.env.set(&param.name.text, term_of(argument));
        }
        self.conclude(inner);
        Some(outputs)
    }
}

/// The invocations from inside the definition outwards.
fn chain(cx: &Context<'_>, definition: &Definition<'_>, span: Span) -> Vec<Frame> {
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
            let open = matches!(&extent.value, SymExpr::Symbol(symbol) if is_undetermined(symbol));
            if open && known.as_known().is_some() {
                *extent = known.clone();
            }
        }
    }
}
