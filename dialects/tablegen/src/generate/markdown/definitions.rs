//! Types, attributes, enumerations and interfaces in Markdown.

use std::fmt::Write as _;

use super::{MARK, described, name, paragraphs, table};
use crate::ods::{
    Definition, DefinitionElement, DefinitionKind, DefinitionParameter, Enumeration, Interface, InterfaceKind, Method,
    Model, Trait,
};
use crate::writer::dedent;

/// The types or the attributes, one section each.
pub fn definition_documentation(model: &Model, kind: DefinitionKind) -> String {
    let mut text = String::from(MARK);
    model.definitions.iter().filter(|item| item.kind == kind).for_each(|item| definition(item, "###", &mut text));
    text
}

/// The enumerations, one section each.
pub fn enumeration_documentation(model: &Model) -> String {
    let mut text = String::from(MARK);
    model.enumerations.iter().for_each(|item| enumeration(item, "###", &mut text));
    text
}

/// The interfaces of one kind, one section each.
pub fn interface_documentation(model: &Model, kind: InterfaceKind) -> String {
    let mut text = String::from(MARK);
    model.interfaces.iter().filter(|item| item.kind == kind).for_each(|item| interface(item, &mut text));
    text
}

pub(super) fn definition(definition: &Definition, heading: &str, text: &mut String) {
    let shown = match &definition.mnemonic {
        Some(mnemonic) => format!("{}{}.{mnemonic}", sigil(definition.kind), definition.dialect),
        None => definition.class.clone(),
    };
    let _ = writeln!(text, "\n{heading} `{shown}`");
    paragraphs(definition.summary.as_deref(), definition.description.as_deref(), text);
    if let Some(format) = definition.format.as_ref().filter(|format| !format.is_empty()) {
        let _ = writeln!(text, "\nSyntax: `{shown}{}`", elements(format, &definition.parameters));
    } else if definition.has_custom_assembly {
        text.push_str("\nSyntax: written by hand.\n");
    }
    let traits: Vec<String> = definition.traits.iter().map(trait_name).collect();
    if !traits.is_empty() {
        let _ = writeln!(text, "\nTraits and interfaces: {}", traits.join(", "));
    }
    let rows = definition.parameters.iter().map(|parameter| (name(&parameter.name), described_parameter(parameter)));
    table(text, heading, "Parameters", ["Parameter", "Description"], rows);
}

fn sigil(kind: DefinitionKind) -> char {
    match kind {
        DefinitionKind::Type => '!',
        DefinitionKind::Attribute => '#',
    }
}

fn described_parameter(parameter: &DefinitionParameter) -> String {
    let mut kind = format!("`{}`", parameter.cpp_type);
    match &parameter.default {
        _ if parameter.is_self_type => kind.push_str(", the type of the attribute"),
        Some(default) => kind.push_str(&format!(", default `{default}`")),
        None => {}
    }
    if let Some(syntax) = &parameter.syntax {
        kind.push_str(&format!(", written as {syntax}"));
    }
    described(kind, parameter.summary.as_deref())
}

/// A format as text: parameters in italics would not stand in code, so they keep their dollar.
fn elements(format: &[DefinitionElement], parameters: &[DefinitionParameter]) -> String {
    let mut text = String::new();
    for element in format {
        match element {
            DefinitionElement::Literal(literal) => text.push_str(literal),
            DefinitionElement::Parameter { index, .. } => text.push_str(&format!("${}", parameters[*index].name)),
            DefinitionElement::Parameters(indices) => {
                let names: Vec<String> = indices.iter().map(|index| format!("${}", parameters[*index].name)).collect();
                text.push_str(&names.join(", "));
            }
            DefinitionElement::Structure(items) => {
                let fields: Vec<String> = items.iter().map(|item| field(item, parameters)).collect();
                text.push_str(&fields.join(", "));
            }
            DefinitionElement::Custom { name, arguments } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|item| elements(std::slice::from_ref(item), parameters)).collect();
                text.push_str(&format!("custom<{name}>({})", arguments.join(", ")));
            }
            DefinitionElement::Referenced(inner) => {
                text.push_str(&format!("ref({})", elements(std::slice::from_ref(inner), parameters)));
            }
            DefinitionElement::Text(string) => text.push_str(&format!("{string:?}")),
            DefinitionElement::Optional { then, otherwise, .. } => {
                text.push_str(&format!("({})", elements(then, parameters)));
                if !otherwise.is_empty() {
                    text.push_str(&format!(":({})", elements(otherwise, parameters)));
                }
                text.push('?');
            }
        }
    }
    text
}

fn field(item: &DefinitionElement, parameters: &[DefinitionParameter]) -> String {
    let value = elements(std::slice::from_ref(item), parameters);
    let name = match item {
        DefinitionElement::Parameter { index, .. } => parameters[*index].name.clone(),
        DefinitionElement::Custom { arguments, .. } => match arguments.as_slice() {
            [DefinitionElement::Parameter { index, .. }] => parameters[*index].name.clone(),
            _ => return value,
        },
        _ => return value,
    };
    format!("{name} = {value}")
}

fn trait_name(item: &Trait) -> String {
    match item {
        Trait::Native(name) | Trait::Interface(name) => format!("`{name}`"),
        Trait::Parametric { name, parameters } => format!("`{name}<{parameters}>`"),
        Trait::Predicate { summary, .. } => summary.clone(),
        Trait::Effects(_) => "`MemoryEffects`".into(),
    }
}

pub(super) fn enumeration(enumeration: &Enumeration, heading: &str, text: &mut String) {
    let _ = writeln!(text, "\n{heading} `{}`", enumeration.name);
    // The description that upstream makes of the cases says no more than the table.
    let description = enumeration.description.as_deref().filter(|text| !text.starts_with("Enum cases:"));
    paragraphs(enumeration.summary.as_deref(), description, text);
    if enumeration.is_bits {
        let _ = writeln!(text, "\nA set: its cases are joined by `{}`.", enumeration.separator.trim());
    }
    let rows = enumeration.cases.iter().map(|case| {
        let group = if case.is_group { ", a group" } else { "" };
        (name(&case.text), format!("`{}` = {}{group}", case.symbol, case.value))
    });
    table(text, heading, "Cases", ["Text", "Symbol and value"], rows);
}

fn interface(interface: &Interface, text: &mut String) {
    let _ = writeln!(text, "\n## `{}`", interface.name);
    paragraphs(None, interface.description.as_deref(), text);
    if !interface.bases.is_empty() {
        let bases: Vec<String> = interface.bases.iter().map(|(base, _)| format!("`{base}`")).collect();
        let _ = writeln!(text, "\nExtends {}.", bases.join(", "));
    }
    if interface.verify.is_some() {
        text.push_str("\nWhat has it is verified further.\n");
    }
    if !interface.methods.is_empty() {
        text.push_str("\n### Methods\n");
        interface.methods.iter().for_each(|item| method(item, text));
    }
}

fn method(method: &Method, text: &mut String) {
    let parameters: Vec<String> =
        method.parameters.iter().map(|parameter| format!("{} {}", parameter.cpp_type, parameter.name)).collect();
    let of_kind = if method.is_static { "static " } else { "" };
    let signature = format!("{of_kind}{} {}({});", method.returned, method.name, parameters.join(", "));
    let _ = writeln!(text, "\n#### `{}`\n\n```c++\n{signature}\n```", method.name);
    if let Some(description) = method.description.as_deref().map(dedent).filter(|text| !text.is_empty()) {
        let _ = writeln!(text, "\n{description}");
    }
    let note = match (&method.body, &method.default_body) {
        (None, None) => "Whoever has the interface must implement it.",
        (Some(_), None) => "It has a body and is not implemented again.",
        _ => "It has a default.",
    };
    let _ = writeln!(text, "\n{note}");
}
