//! Printing the parameters of types and attributes.

use skriptnd_mlir::dialect::ParameterPrinter;
use skriptnd_mlir::ir::{Attribute, attributes};

use super::{ParameterDefinition, ParameterElement, ParameterKind, ParameterizedDefinition, covered};
use crate::format::Spacing;

/// Prints what follows the name.
pub(super) fn print_definition(
    definition: &ParameterizedDefinition,
    parameters: &[Attribute<'_>],
    printer: &mut ParameterPrinter<'_>,
) {
    match definition.format {
        Some(format) => {
            let mut state = State { declared: definition.parameters, parameters, spacing: Spacing::default() };
            state.elements(printer, format);
            state.self_type(printer);
        }
        None if parameters.is_empty() => {}
        None => {
            let values = parameters.iter().copied();
            printer.text("<").list(values, |printer, value| _ = printer.attribute(value)).text(">");
        }
    }
}

struct State<'c, 'd> {
    declared: &'d [ParameterDefinition],
    parameters: &'d [Attribute<'c>],
    spacing: Spacing,
}

impl<'c> State<'c, '_> {
    fn elements(&mut self, printer: &mut ParameterPrinter<'_>, elements: &[ParameterElement]) {
        elements.iter().for_each(|element| self.element(printer, element));
    }

    fn element(&mut self, printer: &mut ParameterPrinter<'_>, element: &ParameterElement) {
        match element {
            ParameterElement::Literal(text) => self.spacing.literal(printer, text),
            ParameterElement::Optional { then, otherwise, anchors, inverted } => {
                match anchors.iter().any(|index| self.is_present(*index)) != *inverted {
                    true => self.elements(printer, then),
                    false => self.elements(printer, otherwise),
                }
            }
            ParameterElement::Parameter { index, .. } if !self.is_present(*index) => {}
            ParameterElement::Parameter { index, qualified } => {
                self.spacing.before(printer);
                self.value(printer, *index, *qualified);
            }
            ParameterElement::Parameters(indices) => {
                self.spacing.before(printer);
                let present: Vec<usize> = indices.iter().copied().filter(|index| self.is_present(*index)).collect();
                printer.list(present, |printer, index| self.value(printer, index, false));
            }
            ParameterElement::Structure(elements) => {
                self.spacing.before(printer);
                self.structure(printer, elements);
            }
            ParameterElement::Custom { arguments, print, .. } => {
                self.spacing.before(printer);
                print(self.parameters, arguments, printer);
            }
            ParameterElement::Referenced(_) | ParameterElement::Text(_) => {}
        }
    }

    fn structure(&self, printer: &mut ParameterPrinter<'_>, elements: &[ParameterElement]) {
        let present = elements.iter().filter(|element| covered(element).iter().any(|index| self.is_present(*index)));
        printer.list(present, |printer, element| {
            let index = covered(element).first().copied().unwrap_or_default();
            printer.text(self.declared[index].name).text(" = ");
            match element {
                ParameterElement::Custom { arguments, print, .. } => print(self.parameters, arguments, printer),
                ParameterElement::Parameter { qualified, .. } => self.value(printer, index, *qualified),
                _ => {}
            }
        });
    }

    fn is_present(&self, index: usize) -> bool {
        self.parameters.get(index).is_some_and(|value| !self.declared[index].is_absent(*value))
    }

    fn value(&self, printer: &mut ParameterPrinter<'_>, index: usize, qualified: bool) {
        if let Some(value) = self.parameters.get(index) {
            self.declared[index].kind.print(printer, *value, qualified);
        }
    }

    fn self_type(&self, printer: &mut ParameterPrinter<'_>) {
        let found = self.declared.iter().position(|parameter| parameter.is_self_type);
        if let Some(index) = found.filter(|index| self.is_present(*index)) {
            printer.text(" : ");
            self.value(printer, index, true);
        }
    }
}

impl ParameterKind {
    fn print(&self, printer: &mut ParameterPrinter<'_>, value: Attribute<'_>, qualified: bool) {
        match (self, attributes::as_integer(value)) {
            (Self::Boolean, _) => {
                let value = attributes::as_bool(value).unwrap_or_default();
                printer.text(if value { "true" } else { "false" });
            }
            (Self::Integer { .. }, Some(value)) => drop(printer.text(&value.to_string())),
            (Self::Enumeration(cases), Some(value)) => cases.print_parameter(value, printer),
            (Self::Float, _) => drop(printer.float(attributes::as_real(value).unwrap_or_default())),
            (Self::Text, _) => drop(printer.string(attributes::as_string(value).unwrap_or_default())),
            (Self::Type(_), _) => match attributes::as_type(value) {
                Some(found) if qualified => drop(printer.r#type(found)),
                Some(found) => drop(printer.stripped_type(found)),
                None => {}
            },
            (Self::List(kind), _) => {
                let values = attributes::as_array(value).unwrap_or_default();
                printer.list(values, |printer, value| kind.print(printer, value, qualified));
            }
            (Self::Opaque { print, .. }, _) => print(value, printer),
            (Self::Attribute(_), _) if !qualified => drop(printer.stripped_attribute(value)),
            (Self::Attribute(_) | Self::Integer { .. } | Self::Enumeration(_), _) => drop(printer.attribute(value)),
        }
    }
}
