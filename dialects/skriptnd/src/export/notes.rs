//! What stands beside the computation: defaults, quantization, and what is required of extents.

use super::Notes;
use super::checked::Requirement;
use super::writer::Writer;
use skriptnd_mlir::Failure;
use skriptnd_syntax::build::{Expression, Invocation};

impl Writer {
    /// Defaults of inputs and quantizations of tensors.
    pub(super) fn notes(&mut self, notes: &Notes) -> Result<(), Failure> {
        for (name, value) in &notes.defaults {
            let value = self.constant(value)?;
            self.graph.defaults.push((name.clone(), value));
        }
        for (tensor, call) in &notes.quantizations {
            let name = self.called.get(tensor);
            let name = name.ok_or_else(|| format!("quantizes `{tensor}`, which the text has no name for"))?.clone();
            let mut attributes = Vec::new();
            for (attribute, value) in &call.attributes {
                attributes.push((attribute.clone(), self.constant(value)?));
            }
            attributes.retain(|(_, value)| *value != Expression::Absent);
            let operator = call.operator.strip_prefix("main.").unwrap_or(&call.operator).to_owned();
            let operator = Invocation { label: None, operator, dtypes: Vec::new(), attributes, operands: Vec::new() };
            self.graph.quantizations.push((name, operator));
        }
        Ok(())
    }

    /// What no operator requires.
    pub(super) fn requirement(&mut self, requirement: &Requirement) -> Result<(), Failure> {
        let read =
            |text: &str| text.parse().map_err(|()| Failure::new(format!("requires `{text}`, which is no condition")));
        let condition = self.extent(&read(&requirement.condition)?)?;
        if condition.text().contains(".shape[") || condition.text().contains(".size") {
            let text = &requirement.condition;
            return Err(format!("requires `{text}` of what data determine, for which the text has no place").into());
        }
        let mut message = requirement.message.replace('"', "'");
        for (number, value) in requirement.values.iter().enumerate() {
            let value = self.extent(&read(value)?)?;
            message = message.replace(&format!("{{{number}}}"), &format!("{{{}}}", value.text()));
        }
        self.graph.asserts.push((condition, message));
        Ok(())
    }
}
