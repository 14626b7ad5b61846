//! `-gen-irdl`: the dialects in IRDL, as far as it can say what is declared.
//!
//! What IRDL cannot say admits more: element types of containers, ranks, attributes that may be absent, what hand-written
//! verifiers check. Where it refuses what is declared (`refused.rs`), and what it has no form for at all (`names.rs`),
//! there is a warning.

mod admitted;
mod names;
mod operation;
mod refused;
mod values;

use self::{admitted::Admitted, names::symbol, operation::Writing, values::Values};
use crate::{
    error::Diagnostic,
    ods::{Definition, DefinitionKind, Dialect, Model},
    writer::Writer,
};

/// The text of a module of `irdl.dialect` operations, which `mlir-opt --irdl-file` loads, and what it lacks.
pub fn irdl(model: &Model) -> (String, Vec<Diagnostic>) {
    let model = &crate::ods::as_attributes(model);
    let mut writing = Irdl { writer: Writer::default(), warnings: Vec::new() };
    model.dialects.iter().for_each(|dialect| writing.dialect(dialect, model));
    (writing.writer.finish(), writing.warnings)
}

struct Irdl {
    writer: Writer,
    warnings: Vec<Diagnostic>,
}

impl Irdl {
    fn dialect(&mut self, dialect: &Dialect, model: &Model) {
        if let Some(reason) = names::refusal(&dialect.name) {
            self.warn(Diagnostic::warning(
                dialect.place.clone(),
                format!("IRDL has no dialect '{}': {reason}", dialect.name),
            ));
            return;
        }
        self.writer.open(format_args!("irdl.dialect @{} {{", symbol(&dialect.name)));
        for definition in model.definitions.iter().filter(|definition| definition.dialect == dialect.name) {
            match names::hidden(definition, model) {
                Some(reason) => {
                    let name = definition.mnemonic.as_deref().unwrap_or(&definition.class);
                    let message = format!("IRDL has no '{}.{name}': {reason}", definition.dialect);
                    self.warn(Diagnostic::warning(definition.place.clone(), message));
                }
                None => self::definition(definition, &mut self.writer),
            }
        }
        for operation in model.operations.iter().filter(|operation| operation.dialect == dialect.name) {
            if let Some(reason) = names::reason_to_leave_out(operation) {
                let message = format!("IRDL has no operation '{}': {reason}", operation.name());
                self.warn(Diagnostic::warning(operation.place.clone(), message));
                continue;
            }
            let writing = Writing::new(operation, model);
            refused::warnings(operation, &writing).into_iter().for_each(|warning| self.warn(warning));
            writing.write(&mut self.writer);
        }
        self.writer.close("}");
    }

    /// What the text lacks is said in it, too.
    fn warn(&mut self, warning: Diagnostic) {
        self.writer.line(format_args!("// {}", warning.message()));
        self.warnings.push(warning);
    }
}

fn definition(definition: &Definition, writer: &mut Writer) {
    let name = symbol(definition.mnemonic.as_deref().unwrap_or_default());
    let kind = match definition.kind {
        DefinitionKind::Type => "type",
        DefinitionKind::Attribute => "attribute",
    };
    if definition.parameters.is_empty() {
        writer.line(format_args!("irdl.{kind} @{name}"));
        return;
    }
    writer.block(format_args!("irdl.{kind} @{name} {{"), "}", |writer| {
        // Parameters are C++ values: IRDL knows attributes and types alone.
        let mut values = Values::default();
        let mut names = names::Names::default();
        let parameters = definition.parameters.iter().map(|parameter| {
            let value = values.fresh(&Admitted::Anything);
            format!("{}: {value}", names.of(&parameter.name, "parameter"))
        });
        let parameters: Vec<String> = parameters.collect();
        values.finish().iter().for_each(|line| writer.line(line));
        writer.line(format_args!("irdl.parameters({})", parameters.join(", ")));
    });
}
