//! Properties: they are stored as inherent attributes.

use super::{
    Argument, Attribute, AttributeKind, Clause, Constraint, Element, Enumeration, Model, Operation, Property,
    PropertyKind, Reference,
};
use crate::predicate::{Kind, Predicate, Scope};

/// The model with attributes in place of properties; they keep their names.
pub(crate) fn as_attributes(model: &Model) -> Model {
    let mut model = model.clone();
    let enumerations = &model.enumerations;
    model.operations.iter_mut().for_each(|operation| store_in_attributes(operation, enumerations));
    model
}

/// The attribute that stands for a property.
fn as_attribute(property: &Property, enumerations: &[Enumeration]) -> Attribute {
    let (kind, width, enumeration) = match &property.kind {
        PropertyKind::Bool => (AttributeKind::Bool, None, None),
        PropertyKind::Unit => (AttributeKind::Unit, None, None),
        PropertyKind::Integer(width) => (AttributeKind::Integer, Some(width), None),
        PropertyKind::String => (AttributeKind::String, None, None),
        PropertyKind::Integers(width) => (AttributeKind::Integers(*width as u8), None, None),
        PropertyKind::Enumeration { definition, .. } => (AttributeKind::Integer, None, Some(definition.clone())),
        PropertyKind::Optional { .. } | PropertyKind::List(_) => (AttributeKind::Array, None, None),
        PropertyKind::Other => (AttributeKind::Other, None, None),
    };
    Attribute {
        name: property.name.clone(),
        constraint: Constraint { predicate: predicate(property, enumerations), ..property.constraint.clone() },
        kind,
        optional: kind == AttributeKind::Unit,
        default: property.default.clone(),
        default_text: property.default_text.clone(),
        enumeration,
        property: Some(Box::new(property.clone())),
        base: property.base.clone(),
        written_name: None,
        storage: property.storage.clone(),
        returned: property.interface.clone(),
        const_builder: None,
        value_type: None,
        value_type_builder: width.map(|width| format!("$_builder.getIntegerType({width})")),
        effects: Vec::new(),
        summary: property.summary.clone(),
        place: property.place.clone(),
    }
}

/// What the attribute must fulfil: that it stores such a property, whose value fulfils what C++ asks of it.
fn predicate(property: &Property, enumerations: &[Enumeration]) -> Predicate {
    let constraint = &property.constraint.predicate;
    let stored = stores(&property.kind, "$_self");
    let asked = if constraint.is_trivial() { Some("true".into()) } else { of_value(property, enumerations) };
    let text = stored.zip(asked).map(|(stored, asked)| format!("({stored}) && ({asked})"));
    let known = text.map(|text| constraint.saying(&text));
    let scope = Scope::of_self("this", Kind::Attribute("Attribute"));
    known.filter(|predicate| predicate.to_rust(&scope).is_ok()).unwrap_or_else(|| {
        let value = if constraint.is_trivial() { String::new() } else { format!("\n{}", constraint.text()) };
        constraint.saying(&format!("{}{value}", crate::writer::dedent(&property.conversion).trim()))
    })
}

/// The C++ that asks whether an attribute stores a value of this kind; none where only the author knows.
fn stores(kind: &PropertyKind, code: &str) -> Option<String> {
    let array = format!("llvm::cast<mlir::ArrayAttr>({code})");
    let all = |value: &PropertyKind| {
        let each = stores(value, "item")?;
        Some(format!(
            "llvm::isa<mlir::ArrayAttr>({code}) && llvm::all_of({array}, [](Attribute item) {{ return {each}; }})"
        ))
    };
    let class = match kind {
        PropertyKind::Bool => "BoolAttr".to_string(),
        // Upstream stores an absent one so where all properties are written.
        PropertyKind::Unit => return Some(format!("llvm::isa<mlir::UnitAttr, mlir::BoolAttr>({code})")),
        PropertyKind::Integer(_) | PropertyKind::Enumeration { .. } => "IntegerAttr".into(),
        PropertyKind::String => "StringAttr".into(),
        PropertyKind::Integers(width) => format!("DenseI{width}ArrayAttr"),
        PropertyKind::List(value) => return all(value),
        PropertyKind::Optional { value, .. } => return all(value).map(|all| format!("{all} && {array}.size() <= 1")),
        PropertyKind::Other => return None,
    };
    Some(format!("llvm::isa<mlir::{class}>({code})"))
}

/// The C++ of the value that an attribute stores; none of lists of anything but numbers.
pub(crate) fn value(kind: &PropertyKind, code: &str) -> Option<String> {
    Some(match kind {
        PropertyKind::Bool => format!("llvm::cast<mlir::BoolAttr>({code}).getValue()"),
        PropertyKind::Integer(_) | PropertyKind::Enumeration { .. } => {
            format!("llvm::cast<mlir::IntegerAttr>({code}).getInt()")
        }
        PropertyKind::String => format!("llvm::cast<mlir::StringAttr>({code}).getValue()"),
        PropertyKind::Integers(width) => format!("llvm::cast<mlir::DenseI{width}ArrayAttr>({code}).asArrayRef()"),
        PropertyKind::List(item) if matches!(**item, PropertyKind::Integer(_)) => {
            format!("llvm::cast<mlir::DenseArrayAttr>({code}).asArrayRef()")
        }
        PropertyKind::List(_) | PropertyKind::Optional { .. } | PropertyKind::Unit | PropertyKind::Other => {
            return None;
        }
    })
}

/// What C++ asks of the value, asked of the attribute; none where that cannot be said.
fn of_value(property: &Property, enumerations: &[Enumeration]) -> Option<String> {
    let text = with_cases(property.constraint.predicate.text(), &property.kind, enumerations);
    let PropertyKind::Optional { value: inner, .. } = &property.kind else {
        return Some(text.replace("$_self", &value(&property.kind, "$_self")?));
    };
    let array = format!("llvm::cast<mlir::ArrayAttr>({ATTRIBUTE})");
    let value = value(inner, &format!("{array}[0]"))?;
    let text = text.replace("$_self.has_value()", &format!("({array}.size() == 1)"));
    let text =
        ["(*($_self))", "(*$_self)", "$_self.value()"].iter().fold(text, |text, code| text.replace(code, &value));
    (!text.contains("$_self")).then(|| text.replace(ATTRIBUTE, "$_self"))
}

/// Stands for the attribute until nothing asks for the value any more.
const ATTRIBUTE: &str = "\u{1}";

/// C++ with the values of cases in place of their names.
fn with_cases(text: &str, kind: &PropertyKind, enumerations: &[Enumeration]) -> String {
    let is_held = |item: &&Enumeration| kind.enumeration() == Some(&item.definition);
    let Some(found) = enumerations.iter().find(is_held) else { return text.to_string() };
    found.cases.iter().fold(text.to_string(), |text, case| {
        let name = format!(r"(::)?(\w+::)*{}::{}\b", regex_lite::escape(&found.name), regex_lite::escape(&case.symbol));
        let value = case.value.to_string();
        regex_lite::Regex::new(&name).map_or(text.clone(), |name| name.replace_all(&text, value.as_str()).into_owned())
    })
}

/// Puts attributes in place of the properties of an operation, behind its own.
pub(crate) fn store_in_attributes(operation: &mut Operation, enumerations: &[Enumeration]) {
    let first = operation.attributes.len();
    let properties = std::mem::take(&mut operation.properties);
    operation.attributes.extend(properties.iter().map(|property| as_attribute(property, enumerations)));
    for argument in &mut operation.arguments {
        if let Argument::Property(index) = argument {
            *argument = Argument::Attribute(first + *index);
        }
    }
    if let Some(format) = &mut operation.format {
        format.elements.iter_mut().for_each(|element| in_element(element, first));
    }
}

fn in_reference(reference: &mut Reference, first: usize) {
    if let Reference::Property(index) = reference {
        *reference = Reference::Attribute(first + *index);
    }
}

fn in_element(element: &mut Element, first: usize) {
    match element {
        Element::Variable(reference) => in_reference(reference, first),
        Element::Qualified(inner) | Element::Referenced(inner) => in_element(inner, first),
        Element::Custom { arguments, .. } => arguments.iter_mut().for_each(|argument| in_element(argument, first)),
        Element::Optional { then, otherwise, anchors, .. } => {
            then.iter_mut().chain(otherwise).for_each(|element| in_element(element, first));
            anchors.iter_mut().for_each(|anchor| in_reference(anchor, first));
        }
        Element::Clauses(clauses) => {
            let elements = clauses.iter_mut().flat_map(|clause: &mut Clause| &mut clause.elements);
            elements.for_each(|element| in_element(element, first));
        }
        _ => {}
    }
}
