//! `@quantize` (section 2.14).

use super::{Builder, Context, Label, nested};
use crate::compose::binding::Operand;
use crate::compose::diagnostics as say;
use crate::compose::graph;
use crate::compose::tensors::{Argument, TensorId};

use crate::compose::quantized::Quantized;
use crate::compose::session::{Definition, Resolved, Valid};
use skriptnd_syntax::ast::{Component, Invocation, Quantization};
use std::rc::Rc;
use std::sync::Arc;

impl<'a> Builder<'_, 'a> {
    pub(super) fn quantize(&mut self, cx: &Context<'a>, quantization: &'a Quantization) {
        if self.session.is_faulty(quantization.tensor.span.to(quantization.operator.span)) {
            return;
        }
        let parts: Vec<&str> = quantization.tensor.parts.iter().map(|part| &*part.text).collect();
        let span = quantization.tensor.span;
        let Some((name, argument)) = self.quantized(cx, &parts) else {
            let below = format!("{}.", nested(&cx.scope, ""));
            let open = self.scoped.iter().map(|(name, _)| name).filter(|name| !self.private.contains(*name));
            let known = open.map(|name| name.strip_prefix(&below).unwrap_or(name));
            let diagnostic = say::unknown_tensor(&parts.join("."), known, span);
            self.report(cx, diagnostic);
            return;
        };
        if let Some(operator) = self.private.get(&name).filter(|operator| **operator != cx.definition.path).cloned() {
            self.report(cx, say::private_tensor(&parts.join("."), &operator, span));
            return;
        }
        if self.session.store().executes_quantization() && self.has_open_length(&argument) {
            self.report(cx, say::quantized_open_pack(&parts.join("."), span));
            return;
        }
        for id in argument.items() {
            self.quantize_tensor(cx, quantization, *id);
        }
    }

    /// The tensors with a scoped name, which may begin with the module's and the graph's name.
    fn quantized(&self, cx: &Context<'a>, parts: &[&str]) -> Option<(String, Argument)> {
        let find = |parts: &[&str]| {
            let name = nested(&cx.scope, &parts.join("."));
            let argument = self.scoped.get(&name)?.clone();
            Some((name, argument))
        };
        let full: Vec<&str> = cx.definition.path.split('.').collect();
        find(parts).or_else(|| find(parts.strip_prefix(full.as_slice())?))
    }

    /// Gives the tensors of an operator that stays whole their scoped names: inputs and results are tensors of this
    /// graph; what lies inside is known not to be public.
    pub(super) fn name_inside(
        &mut self,
        definition: &Definition<'a>,
        scope: &str,
        inputs: &[Argument],
        outputs: &[Argument],
    ) {
        let operator = definition.operator;
        let params = operator.inputs.iter().zip(inputs).chain(operator.outputs.iter().zip(outputs));
        let mut tensors: Vec<(Arc<str>, Argument)> =
            params.map(|(param, argument)| (param.name.text.clone(), argument.clone())).collect();
        if !operator.public {
            let results = operator.components.iter().flatten().flat_map(Component::names);
            tensors.extend(results.map(|name| (name.text.clone(), Argument::Null)));
        }
        for (name, argument) in tensors {
            let name = nested(scope, &name);
            if self.scoped.contains(&name) {
                continue;
            }
            if !operator.public {
                self.private.insert(name.clone(), definition.path.clone());
            }
            self.scoped.insert(name, argument);
        }
    }

    fn quantize_tensor(&mut self, cx: &Context<'a>, quantization: &'a Quantization, tensor: TensorId) -> Option<()> {
        let invocation = &quantization.operator;
        let Some(definition) = self.session.resolve(&cx.definition.module, &invocation.operator) else {
            let name = invocation.operator.path_in("");
            self.report(cx, say::unknown_operator(name.trim_start_matches('.'), std::iter::empty(), invocation.span));
            return None;
        };
        let given = self.given(cx, invocation, &definition)?;
        let operand = Operand::of(Argument::Single(self.ty(tensor).clone()));
        let resolved = self.resolve(cx, &definition, given, vec![operand], invocation)?;
        let Resolved::Valid(valid) = &*resolved else { return None };
        self.quantizations.push(graph::Quantization { tensor, call: valid.binding().call.clone() });
        if self.session.store().executes_quantization() {
            let quantized = self.quantized_values(cx, (&definition, valid), tensor, invocation)?;
            self.quantized.push(quantized);
        }
        Some(())
    }

    /// The operations that compute what quantization makes of a tensor's values.
    fn quantized_values(
        &mut self,
        cx: &Context<'a>,
        (definition, valid): (&Rc<Definition<'a>>, &Valid),
        tensor: TensorId,
        invocation: &'a Invocation,
    ) -> Option<Quantized> {
        let mut inputs = vec![Argument::Single(tensor)];
        self.complete(definition, valid.binding(), &mut inputs, invocation.span);
        let perform =
            |builder: &mut Self| builder.perform(cx, (definition, valid), inputs, Label::Operator, invocation);
        let (operations, results) = self.region(perform);
        let [Argument::Single(values)] = results?[..] else { return None };
        self.set_name(values, format!("{}.quantized", self.tensors.list[tensor.0 as usize].name));
        Some(Quantized { tensor, operations, values })
    }

    /// Whether it is a pack whose length only a run knows.
    fn has_open_length(&self, argument: &Argument) -> bool {
        self.tensors.lengths.of_tensors(argument.items()).is_some()
    }
}
