//! `-gen-irdl`: the dialects in IRDL, as far as it can say what is declared.

use crate::ods::{Arity, Attribute, AttributeKind, Model, Operand, Operation};
use crate::writer::Writer;

/// The text of a module of `irdl.dialect` operations. Constraints beyond the kind of an attribute become
/// `irdl.any`, which admits more than the verifier does.
pub fn irdl(model: &Model) -> String {
    let mut writer = Writer::default();
    for dialect in &model.dialects {
        writer.block(format_args!("irdl.dialect @{} {{", dialect.name), "}", |writer| {
            let own = model.operations.iter().filter(|operation| operation.dialect == dialect.name);
            own.for_each(|operation| match is_name(&operation.mnemonic) {
                true => self::operation(operation, writer),
                false => writer.line(format_args!("// '{}' has a name that IRDL does not admit", operation.name())),
            });
        });
    }
    writer.finish()
}

fn operation(operation: &Operation, writer: &mut Writer) {
    writer.block(format_args!("irdl.operation @{} {{", operation.mnemonic), "}", |writer| {
        values(writer, "operands", &operation.operands);
        values(writer, "results", &operation.results);
        let required: Vec<&Attribute> = operation
            .attributes
            .iter()
            .filter(|attribute| !attribute.optional && attribute.default.is_none())
            .collect();
        let entries: Vec<String> = required
            .iter()
            .enumerate()
            .map(|(index, attribute)| {
                let value = format!("%attribute{index}");
                writer.line(format_args!("{value} = {}", attribute_constraint(attribute)));
                format!("{:?} = {value}", attribute.name)
            })
            .collect();
        if !entries.is_empty() {
            writer.line(format_args!("irdl.attributes {{{}}}", entries.join(", ")));
        }
        let regions: Vec<String> = operation
            .regions
            .iter()
            .enumerate()
            .map(|(index, region)| {
                writer.line(format_args!("%region{index} = irdl.region"));
                format!("{}: %region{index}", named(&region.name, "region", index))
            })
            .collect();
        if !regions.is_empty() {
            writer.line(format_args!("irdl.regions({})", regions.join(", ")));
        }
    });
}

fn values(writer: &mut Writer, side: &str, values: &[Operand]) {
    if values.is_empty() {
        return;
    }
    let entries: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            writer.line(format_args!("%{side}{index} = irdl.any"));
            let arity = match value.arity {
                Arity::One => "",
                Arity::Optional => "optional ",
                Arity::Variadic | Arity::VariadicOfVariadic => "variadic ",
            };
            format!("{}: {arity}%{side}{index}", named(&value.name, side, index))
        })
        .collect();
    writer.line(format_args!("irdl.{side}({})", entries.join(", ")));
}

fn attribute_constraint(attribute: &Attribute) -> String {
    let base = match attribute.kind {
        AttributeKind::String => "#builtin.string",
        AttributeKind::Array => "#builtin.array",
        AttributeKind::Type => "#builtin.type",
        AttributeKind::Symbol => "#builtin.symbol_ref",
        _ => return "irdl.any".into(),
    };
    format!("irdl.base {base:?}")
}

/// The names of IRDL are bare identifiers.
fn named(name: &str, side: &str, index: usize) -> String {
    match name {
        "" => format!("{side}_{index}"),
        name => name.to_string(),
    }
}

fn is_name(mnemonic: &str) -> bool {
    mnemonic.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
