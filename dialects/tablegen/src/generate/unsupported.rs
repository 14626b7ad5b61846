//! What the model says and the generated Rust does not do yet: nothing of it is dropped in silence.

use crate::{
    error::{Error, Place, Result},
    ods::{Arity, Element, Model, Operand, Operation, TypeSource},
};

/// An error for everything in the model that generation would leave out.
pub fn check(model: &Model) -> Result<()> {
    Error::collect(model.operations.iter().flat_map(|operation| {
        let mut missing = Missing { operation, errors: Vec::new() };
        missing.members();
        missing.format();
        missing.errors
    }))
}

struct Missing<'a> {
    operation: &'a Operation,
    errors: Vec<Error>,
}

impl Missing<'_> {
    fn add(&mut self, place: &Place, what: &str) {
        let message = format!("operation '{}': {what}: not supported in the generated Rust", self.operation.name());
        self.errors.push(place.error(message));
    }

    fn members(&mut self) {
        let operation = self.operation;
        operation.derived.iter().for_each(|item| self.add(&item.place, &format!("derived attribute '{}'", item.name)));
        operation.properties.iter().for_each(|item| self.add(&item.place, &format!("property '{}'", item.name)));
        operation.builders.iter().for_each(|item| self.add(&item.place, "a builder"));
        if operation.reference.is_some() {
            self.add(&operation.place, "'reference'");
        }
        operation.operands.iter().chain(&operation.results).for_each(|value| self.value(value));
        for operand in operation.operands.iter().filter(|operand| operand.name.is_empty()) {
            self.add(&operand.place, "an operand without a name");
        }
        for attribute in operation.attributes.iter().filter(|attribute| !attribute.effects.is_empty()) {
            self.add(&attribute.place, &format!("effects on attribute '{}'", attribute.name));
        }
    }

    fn value(&mut self, value: &Operand) {
        if value.arity == Arity::VariadicOfVariadic {
            self.add(&value.place, &format!("'{}', groups of groups of values", value.name));
        }
        if value.minimum > 0 {
            self.add(&value.place, &format!("'{}' with at least {} values", value.name, value.minimum));
        }
        if !value.effects.is_empty() {
            self.add(&value.place, &format!("effects on '{}'", value.name));
        }
    }

    fn format(&mut self) {
        let Some(format) = &self.operation.format else { return };
        self.elements(&format.elements);
        let same = ["SameTypeOperands", "SameOperandsAndResultType"].iter().any(|name| self.operation.has_trait(name));
        for source in format.operand_types.iter().chain(&format.result_types) {
            match source {
                TypeSource::Text | TypeSource::Inferred => {}
                TypeSource::Same(_) if same => {}
                _ => {
                    self.add(&self.operation.place.clone(), "an assembly format without all types");
                    return;
                }
            }
        }
    }

    fn elements(&mut self, elements: &[Element]) {
        for element in elements {
            let what = match element {
                Element::PropertyDictionary => "'prop-dict'",
                Element::Clauses(clauses) => {
                    clauses.iter().for_each(|clause| self.elements(&clause.elements));
                    continue;
                }
                Element::Custom { arguments, .. } => {
                    self.elements(arguments);
                    continue;
                }
                Element::Optional { then, otherwise, .. } => {
                    self.elements(then);
                    self.elements(otherwise);
                    continue;
                }
                _ => continue,
            };
            self.add(&self.operation.place.clone(), what);
        }
    }
}
