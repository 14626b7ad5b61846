//! Invocations of operators and sub-graphs.

use super::{Builder, Context, Label, nested};
use crate::compose::binding::Binding;
use crate::compose::diagnostics as say;
use crate::compose::evaluate::Evaluator;
use crate::compose::extent::marker::is_undetermined;
use crate::compose::extent::{Extent, SymExpr};
use crate::compose::graph::Instance;
use crate::compose::graph::{Operation, OperationKind, Origin};
use crate::compose::limits;
use crate::compose::session::{Definition, Resolved, Valid};
use crate::compose::tensors::{Argument, TensorType};
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_syntax::ast::Invocation;
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
        let mut operands = self.operands(&inputs);
        self.session.store().drop_irrelevant(&definition.path, &mut operands);
        let resolved = self.resolve(cx, &definition, given, operands, invocation)?;
        let Resolved::Valid(valid) = &*resolved else { return None };
        self.complete(&definition, valid.binding(), &mut inputs, invocation.span);
        self.perform(cx, (&definition, valid), inputs, label, invocation)
    }

    /// Adds the operations of a valid invocation: one, where the operator stays whole.
    pub(super) fn perform(
        &mut self,
        cx: &Context<'a>,
        (definition, valid): (&Rc<Definition<'a>>, &Valid),
        inputs: Vec<Argument>,
        label: Label,
        invocation: &'a Invocation,
    ) -> Option<Vec<Argument>> {
        let name = &definition.operator.name.text;
        let scope = self.scope_label(cx, invocation.label.as_ref(), label, name);
        let instance = match valid {
            Valid::Whole(instance) if !self.session.is_inlined(definition) => instance,
            valid => return self.inline(cx, definition, valid, inputs, &scope, invocation),
        };
        self.count_inner(cx, instance.inner_operations, invocation.span)?;
        // What takes over the scope around it has no names of its own.
        let named = self.session.names_inside() && !scope.is_empty();
        let arguments = named.then(|| inputs.clone());
        let outputs = self.operation(cx, instance, inputs, &scope, invocation.span)?;
        if let Some(inputs) = arguments {
            self.name_inside(definition, &nested(&cx.scope, &scope), &inputs, &outputs);
        }
        Some(outputs)
    }

    fn definition(&mut self, cx: &Context<'a>, invocation: &Invocation) -> Option<Rc<Definition<'a>>> {
        let found = self.session.resolve(&cx.definition.module, &invocation.operator);
        // What doesn't resolve is known where definitions were checked, though not at each place.
        if found.is_none() && !self.session.has_faults() {
            let path = invocation.operator.path_in(&cx.definition.module);
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

    /// Absent inputs: defaults become constants, optional ones are null.
    pub(super) fn complete(
        &mut self,
        definition: &Definition<'a>,
        binding: &Binding,
        inputs: &mut Vec<Argument>,
        span: Span,
    ) {
        inputs.resize(definition.operator.inputs.len(), Argument::Null);
        for default in &binding.defaults {
            let argument =
                default.tensors.map(|(ty, value)| self.add(ty.clone(), Origin::Constant(value.clone()), span));
            if let Some(input) = inputs.get_mut(default.input) {
                *input = argument;
            }
        }
    }

    /// Counts what an invocation is composed of: operators that invoke another one twice multiply without end.
    fn count_inner(&mut self, cx: &Context<'a>, count: u64, span: Span) -> Option<()> {
        let before = self.inner_operations;
        self.inner_operations = before.saturating_add(count);
        if self.inner_operations <= limits::INNER_OPERATIONS {
            return Some(());
        }
        if before <= limits::INNER_OPERATIONS {
            self.report(cx, say::too_many_inner_operations(&cx.definition.path, span));
        }
        None
    }

    pub(super) fn operation(
        &mut self,
        cx: &Context<'a>,
        instance: &Arc<Instance>,
        inputs: Vec<Argument>,
        label: &str,
        span: Span,
    ) -> Option<Vec<Argument>> {
        self.operation_count += 1;
        self.inner_operations = self.inner_operations.saturating_add(1);
        if self.operation_count > limits::OPERATIONS {
            if self.operation_count == limits::OPERATIONS + 1 {
                self.report(cx, say::too_many_operations(span));
            }
            return None;
        }
        let scope = nested(&cx.scope, label);
        let mut named = HashMap::new();
        let outputs: Vec<Argument> = instance
            .outputs
            .iter()
            .map(|output| {
                output.map(|ty| {
                    let ty = self.determined(ty, &scope, &mut named);
                    self.add(ty, Origin::Result, span)
                })
            })
            .collect();
        for (output, length) in outputs.iter().zip(&instance.binding.output_lengths) {
            self.note_length(output, length.as_ref());
        }
        self.runtime_asserts.extend(instance.binding.runtime_asserts.iter().cloned());
        self.operations.push(Operation {
            kind: OperationKind::Operator(instance.call.clone()),
            inputs,
            outputs: outputs.clone(),
            scope,
            span,
            chain: cx.chain.clone(),
            instance: Some(instance.clone()),
        });
        Some(outputs)
    }

    /// Extents that only the data determine get names of this graph: one for all outputs that mention it.
    fn determined(&mut self, ty: &TensorType, scope: &str, named: &mut HashMap<Arc<str>, Extent>) -> TensorType {
        if !ty.shape.iter().any(|extent| extent.value.is_undetermined()) {
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
}
