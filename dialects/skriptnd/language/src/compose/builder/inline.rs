//! Compositions that are put in place of invocations.

use super::check::chain;
use super::{Builder, Context, nested};
use crate::compose::binding::Binding;
use crate::compose::diagnostics as say;
use crate::compose::tensors::Argument;

use crate::compose::graph::Instance;
use crate::compose::session::{Definition, Valid};
use crate::compose::tensors::TermTensor;
use crate::compose::term::Term;
use skriptnd_syntax::ast::{Invocation, OperatorKind};
use std::rc::Rc;
use std::sync::Arc;

impl<'a> Builder<'_, 'a> {
    /// Puts the composition of a stateful operator or a sub-graph in place of its invocation.
    pub(super) fn inline(
        &mut self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        valid: &Valid,
        inputs: Vec<Argument>,
        label: &str,
        invocation: &'a Invocation,
    ) -> Option<Vec<Argument>> {
        let binding = valid.binding();
        let session = self.session;
        let _guard = session.enter();
        if session.too_deep() {
            self.report(cx, say::invocation_depth(&definition.path, invocation.span));
            return None;
        }
        let mut inner = self.inner_context(cx, definition, binding, &inputs, label, invocation);
        if definition.operator.public {
            for (param, argument) in definition.operator.inputs.iter().zip(&inputs) {
                self.scoped.insert(nested(&inner.scope, &param.name.text), argument.clone());
            }
        }
        if let Valid::Whole(instance) = valid {
            return self.stateful_formula(cx, &mut inner, instance, inputs, label, invocation);
        }
        self.runtime_asserts.extend(binding.runtime_asserts.iter().cloned());
        self.compose_definition(&mut inner, binding.outputs.as_deref())
    }

    /// What the definition sees. A graph is the root of its own scope, unless an explicit label says otherwise (section
    /// 2.10), and sees the names around it.
    fn inner_context(
        &self,
        cx: &Context<'a>,
        definition: &Rc<Definition<'a>>,
        binding: &Binding,
        inputs: &[Argument],
        label: &str,
        invocation: &Invocation,
    ) -> Context<'a> {
        let graph = definition.operator.kind == OperatorKind::Graph;
        let own_root = graph && invocation.label.is_none();
        let mut env = if graph { cx.env.merged(&binding.env) } else { binding.env.clone() };
        for (param, argument) in definition.operator.inputs.iter().zip(inputs) {
            env.set(&param.name.text, Term::of_tensors(argument));
        }
        Context {
            definition: definition.clone(),
            env,
            scope: nested(&cx.scope, if own_root { &definition.operator.name.text } else { label }),
            files: if own_root { definition.path.to_string() } else { nested(&cx.files, label) },
            chain: chain(cx, definition, invocation.span),
            updating: false,
        }
    }

    /// A formula with variables of its own: they are operands behind its inputs.
    fn stateful_formula(
        &mut self,
        cx: &Context<'a>,
        inner: &mut Context<'a>,
        instance: &Arc<Instance>,
        mut inputs: Vec<Argument>,
        label: &str,
        invocation: &Invocation,
    ) -> Option<Vec<Argument>> {
        let definition = inner.definition.clone();
        let operator = definition.operator;
        self.declare_locals(inner);
        for param in &operator.variables {
            let argument = inner.env.get(&param.name.text)?.tensors(TermTensor::in_graph)?;
            inputs.push(argument);
        }
        let outputs = self.operation(cx, instance, inputs, label, invocation.span)?;
        for (param, argument) in operator.outputs.iter().zip(&outputs) {
            inner.env.set(&param.name.text, Term::of_tensors(argument));
        }
        self.conclude(inner);
        Some(outputs)
    }
}
