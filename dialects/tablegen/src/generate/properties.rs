//! Properties: they are stored as inherent attributes.

use crate::{
    ods::{Argument, Attribute, AttributeKind, Clause, Element, Model, Operation, Property, PropertyKind, Reference},
    predicate::Predicate,
};

/// The model with attributes in place of those properties that are numbers, texts or lists of numbers; they keep their names.
pub fn as_attributes(model: &Model) -> Model {
    let mut model = model.clone();
    model.operations.iter_mut().for_each(lower);
    model
}

/// The attribute that stands for a property, if there is one.
pub fn as_attribute(property: &Property) -> Option<Attribute> {
    let (kind, value_type) = match property.kind {
        PropertyKind::Bool => (AttributeKind::Bool, None),
        PropertyKind::Unit => (AttributeKind::Unit, None),
        PropertyKind::Integer(width) => (AttributeKind::Integer, Some(format!("$_builder.getIntegerType({width})"))),
        PropertyKind::String => (AttributeKind::String, None),
        PropertyKind::Integers(width) => (AttributeKind::Integers(width), None),
        PropertyKind::Other if property.enumeration.is_some() => (AttributeKind::Integer, None),
        PropertyKind::Other => return None,
    };
    // What C++ asks of the stored value has no counterpart; a property without a constraint has none to lose.
    if !property.constraint.predicate.is_trivial() {
        return None;
    }
    let mut constraint = property.constraint.clone();
    constraint.predicate = Predicate::always();
    Some(Attribute {
        name: property.name.clone(),
        constraint,
        kind,
        optional: kind == AttributeKind::Unit,
        default: property.default.clone(),
        default_text: None,
        enumeration: property.enumeration.clone(),
        base: property.base.clone(),
        written_name: None,
        storage: property.storage.clone(),
        returned: property.interface.clone(),
        const_builder: None,
        value_type: None,
        value_type_builder: value_type,
        effects: Vec::new(),
        summary: property.summary.clone(),
        place: property.place.clone(),
    })
}

fn lower(operation: &mut Operation) {
    let attributes: Option<Vec<Attribute>> = operation.properties.iter().map(as_attribute).collect();
    let Some(attributes) = attributes else { return };
    let first = operation.attributes.len();
    operation.attributes.extend(attributes);
    operation.properties.clear();
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
