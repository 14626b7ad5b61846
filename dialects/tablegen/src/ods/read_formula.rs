//! `reference` of an `Op` record.

use super::{
    constraint::AttributeKind,
    formula::Formula,
    operation::{Arity, Attribute, Operand, Operation},
};
use crate::{error::Result, fields::Fields};

impl Formula {
    /// Reads `reference`, if it is set; operands, attributes and results of the operation are read already.
    pub fn read(fields: &Fields<'_>, operation: &Operation) -> Result<Option<Self>> {
        let Some(text) = fields.set_text("reference").filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        let name = operation.mnemonic.replace(['.', '$'], "_");
        let place = fields.field_place("reference");
        let operators = operators(&text);
        let (operator, around) = match operators.as_slice() {
            [] if first_line(&text).starts_with('@') => {
                (name.clone(), (format!("operator {name} {{"), "}".to_string()))
            }
            [] => (name.clone(), declared(operation, &name).map_err(|message| fields.error("reference", message))?),
            [only] => (only.clone(), Default::default()),
            several if several.contains(&name) => (name, Default::default()),
            several => {
                let message =
                    format!("'reference' has the operators {}, none of which is '{name}'", several.join(", "));
                return Err(fields.error("reference", message).help("call one of them as the operation"));
            }
        };
        Ok(Some(Self { operator, around, text, place, whereabouts: fields.whereabouts("reference") }))
    }
}

/// What declares a formula that stands alone: it computes tensors of one shape, `s`, element by element. A result without
/// a name is `result`.
fn declared(operation: &Operation, name: &str) -> std::result::Result<(String, String), String> {
    let [inputs, outputs] = [&operation.operands, &operation.results].map(|values| tensors(values));
    let attributes = operation.attributes.iter().map(attribute).collect::<std::result::Result<String, _>>()?;
    let attributes = if attributes.is_empty() { attributes } else { format!("@attrib {{ {attributes}}} ") };
    let head = format!(
        "operator {name} {{ @dtype {{ T: num; }} {attributes}@input {{ {}}} @output {{ {}}} @lower {{",
        inputs?, outputs?
    );
    Ok((head, "} }".into()))
}

fn tensors(values: &[Operand]) -> std::result::Result<String, String> {
    let declare = |value: &Operand| match (value.name.as_str(), value.arity) {
        ("", Arity::One) if values.len() == 1 => Ok("result: T[s..]; ".to_string()),
        ("", _) => Err("'reference' is only a formula, which needs the names of all operands and results".to_string()),
        (name, Arity::One) => Ok(format!("{name}: T[s..]; ")),
        (name, _) => Err(format!("'reference' is only a formula, and '{name}' is not one tensor")),
    };
    values.iter().map(declare).collect()
}

fn attribute(attribute: &Attribute) -> std::result::Result<String, String> {
    let kind = match attribute.kind {
        AttributeKind::Bool => "bool",
        AttributeKind::Integer => "int",
        AttributeKind::Float => "real",
        AttributeKind::String => "str",
        _ => return Err(format!("'reference' is only a formula, and SkriptND has no type for '{}'", attribute.name)),
    };
    Ok(format!("{}: {kind}; ", attribute.name))
}

/// The first line that is no comment.
fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default()
}

/// The names of the operators that a text defines.
fn operators(text: &str) -> Vec<String> {
    let uncommented: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect();
    let uncommented = uncommented.join(" ");
    let mut words = uncommented.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        if word == "operator" {
            found.extend(words.next().map(str::to_string));
        }
    }
    found
}
