//! What stands beside the computation: defaults, quantization, and what is required of extents.

use super::Notes;
use super::checked::Requirement;
use super::writer::Writer;
use crate::definitions;
use skriptnd_language::compose::graph::OperatorCall;
use skriptnd_language::written;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::OperationRef;
use skriptnd_syntax::build::{self, Invocation};

/// Whether a tensor is quantized in one way, how often that may be said.
fn is_same(notes: &Notes, tensor: &str) -> bool {
    let mut calls = notes.quantizations.iter().filter(|(own, _)| own == tensor).map(|(_, call)| call);
    let first = calls.next();
    calls.all(|call| Some(call) == first)
}

impl Writer {
    /// Defaults of inputs and quantizations of tensors.
    pub(super) fn notes(&mut self, notes: &Notes, graph: OperationRef<'_, '_>) -> Result<(), Failure> {
        for (name, value) in &notes.defaults {
            let value = self.constant(value)?;
            self.graph.defaults.push((name.clone(), value));
        }
        let mut known: Vec<&str> = Vec::new();
        for (tensor, call) in &notes.quantizations {
            // The second one works on what the first one gives: of those of the standard library, that is the same.
            let is_first = !known.contains(&tensor.as_str());
            if !is_first && (!is_same(notes, tensor) || !call.operator.starts_with("quant.")) {
                let whose = "by an operator and by who invokes it, for which a graph has no place";
                return Err(format!("quantizes `{tensor}` twice, {whose}").into());
            }
            known.push(tensor);
            self.quantization(tensor, call, graph)?;
        }
        Ok(())
    }

    /// How a tensor is quantized; a pack is as its items are.
    fn quantization(&mut self, tensor: &str, call: &OperatorCall, graph: OperationRef<'_, '_>) -> Result<(), Failure> {
        let name = self.called.get(tensor).cloned();
        let name = name.ok_or_else(|| format!("quantizes `{tensor}`, which the text has no name for"))?;
        let within =
            self.scoped.iter().find(|scoped| scoped.strip_suffix(&name).is_some_and(|scope| scope.ends_with('.')));
        let name = within.cloned().unwrap_or(name);
        let definitions = definitions::of(graph, &call.operator);
        let unknown = || Failure::new(format!("operator '{}' is not defined", call.operator));
        let attributes = self.attributes(call, definitions.operator(&call.operator).ok_or_else(unknown)?)?;
        let operator = written::operator_name(&call.operator).to_owned();
        let operator = Invocation { label: None, operator, dtypes: Vec::new(), attributes, operands: Vec::new() };
        let known = self.graph.quantizations.iter().find(|(known, _)| *known == name);
        match known {
            None => self.graph.quantizations.push((name, operator)),
            Some((_, known)) if *known == operator => {}
            Some(_) => return Err(format!("quantizes the items of the pack `{name}` in several ways").into()),
        }
        Ok(())
    }

    /// What no operator requires.
    pub(super) fn requirement(&mut self, requirement: &Requirement) -> Result<(), Failure> {
        let read =
            |text: &str| text.parse().map_err(|()| Failure::new(format!("requires `{text}`, which is no condition")));
        let condition = self.known(&read(&requirement.condition)?)?;
        let condition = written::condition(&condition).map_err(|what| format!("requires {what}"))?;
        if condition.text().contains(".shape[") || condition.text().contains(".size") {
            let text = &requirement.condition;
            return Err(format!("requires `{text}` of what data determine, for which the text has no place").into());
        }
        let mut message = build::escaped(&requirement.message, '"');
        for (number, value) in requirement.values.iter().enumerate() {
            let value = self.extent(&read(value)?)?;
            message = message.replace(&format!(r"\{{{number}\}}"), &format!("{{{}}}", value.text()));
        }
        self.graph.asserts.push((condition, message));
        Ok(())
    }
}
