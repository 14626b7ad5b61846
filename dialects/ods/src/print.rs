//! Printing by an assembly format.

use crate::access::{OPERAND_SEGMENTS, RESULT_SEGMENTS, grouped};
use crate::format::{
    Clause, Element, Spacing, implied, implied_by_clause, variables, written_attributes, written_groups,
};
use crate::reference::Reference;
use crate::{AttributeDefinition, OperationDefinition, predicate};
use skriptnd_mlir::dialect::{Printer, RegionPrinting, Trait};
use skriptnd_mlir::ir::{Attribute, BlockRef, OperationRef, RegionRef, Type, Value, attributes};

/// Prints what follows the operation's name.
pub(super) fn print_operation(
    operation: OperationRef<'_, '_>,
    printer: &mut Printer<'_>,
    definition: &OperationDefinition,
    format: &[Element],
) {
    let mut without = written_attributes(format, definition);
    if definition.has_trait(Trait::AttrSizedOperandSegments) {
        without.push(OPERAND_SEGMENTS);
    }
    if definition.has_trait(Trait::AttrSizedResultSegments) {
        without.push(RESULT_SEGMENTS);
    }
    // What stands for an absent attribute is not written.
    let defaults = definition.attributes.iter().filter(|declared| declared.default.is_some());
    let is_default =
        |declared: &&AttributeDefinition| operation.get(declared.name).is_some_and(|value| declared.is_default(value));
    without.extend(defaults.filter(is_default).map(|declared| declared.name));
    without.extend(written_groups(format, definition));
    let has_properties = format.iter().any(|element| matches!(element, Element::PropertyDictionary));
    let declared = definition.attributes.iter().filter(|_| has_properties).map(|declared| declared.name);
    let inherent = declared.collect();
    let mut state = FormatPrinter { inherent, operation, definition, without, spacing: Spacing::default() };
    state.elements(printer, format);
}

struct FormatPrinter<'c, 'a, 'f> {
    operation: OperationRef<'c, 'a>,
    definition: &'f OperationDefinition,
    /// What the attribute dictionary leaves out.
    without: Vec<&'static str>,
    /// What the attribute dictionary leaves to that of the properties.
    inherent: Vec<&'static str>,
    spacing: Spacing,
}

impl<'c, 'a> FormatPrinter<'c, 'a, '_> {
    fn elements(&mut self, printer: &mut Printer<'_>, elements: &[Element]) {
        elements.iter().for_each(|element| self.element(printer, element));
    }

    fn element(&mut self, printer: &mut Printer<'_>, element: &Element) {
        match element {
            Element::Literal(text) => self.literal(printer, text),
            Element::AttributeDictionary { keyword } => {
                let without = [self.without.as_slice(), self.inherent.as_slice()].concat();
                // The dictionary brings its own space, and nothing else when it is empty.
                match keyword {
                    true => printer.attribute_dictionary_with_keyword(self.operation, &without),
                    false => printer.attribute_dictionary(self.operation, &without),
                };
                self.spacing.after_word();
            }
            Element::PropertyDictionary => self.properties(printer),
            Element::Optional { then, otherwise, anchors, inverted } => {
                let is_there = anchors.iter().any(|anchor| self.is_present(*anchor)) != *inverted;
                let elements = if is_there { then } else { otherwise };
                let is_told = |(index, element)| index > 0 && implied(self.definition, element, anchors).is_some();
                let written: Vec<_> = elements.iter().enumerate().filter(|item| !is_told(*item)).collect();
                written.into_iter().for_each(|(_, element)| self.element(printer, element));
            }
            Element::Clauses(clauses) => self.clauses(printer, clauses),
            // An optional one that is absent leaves no space.
            Element::Variable(Reference::Attribute(index)) if self.written(*index).is_none() => {}
            _ => {
                self.spacing.before(printer);
                self.contents(printer, element);
            }
        }
    }

    /// The declared attributes that stand nowhere else.
    fn properties(&mut self, printer: &mut Printer<'_>) {
        let names = self.definition.attributes.iter().map(|declared| declared.name);
        let entries: Vec<_> = names
            .filter(|name| !self.without.contains(name))
            .filter_map(|name| Some((name, self.operation.get(name)?)))
            .collect();
        if !entries.is_empty() {
            let dictionary = attributes::dictionary(self.operation.context(), &entries);
            printer.text(" <").attribute(dictionary).text(">");
            self.without.extend(entries.into_iter().map(|(name, _)| name));
        }
        self.spacing.after_word();
    }

    /// The clauses of which a variable is there.
    fn clauses(&mut self, printer: &mut Printer<'_>, clauses: &[Clause]) {
        for clause in clauses {
            let is_there = variables(clause.elements).into_iter().any(|variable| self.is_present(variable));
            if is_there {
                self.literal(printer, clause.literal);
                if implied_by_clause(self.definition, clause).is_none() {
                    self.elements(printer, clause.elements);
                }
            }
        }
    }

    fn contents(&mut self, printer: &mut Printer<'_>, element: &Element) {
        match element {
            Element::Variable(reference) => self.variable(printer, *reference),
            Element::Operands => {
                printer.operands(self.operation.operands());
            }
            Element::Regions => regions(printer, self.operation.regions()),
            Element::Successors => successors(printer, self.operation.successors()),
            Element::Type(reference) => self.print_types(printer, *reference),
            Element::FunctionalType(inputs, outputs) => {
                let (inputs, outputs) = (self.types(*inputs), self.types(*outputs));
                printer.text("(").types(inputs).text(") -> ");
                match outputs.as_slice() {
                    [single] if !predicate::is_function_type(*single) => printer.r#type(*single),
                    _ => printer.text("(").types(outputs).text(")"),
                };
            }
            Element::Custom { arguments, print, .. } => print(self.operation, self.definition, arguments, printer),
            Element::Literal(_)
            | Element::AttributeDictionary { .. }
            | Element::Optional { .. }
            | Element::Clauses(_)
            | Element::PropertyDictionary
            | Element::Referenced(_)
            | Element::Text(_) => {}
        }
    }

    fn literal(&mut self, printer: &mut Printer<'_>, text: &str) {
        match text {
            "\\n" => {
                printer.newline();
                self.spacing.literal(printer, "");
            }
            text => self.spacing.literal(printer, text),
        }
    }

    fn variable(&mut self, printer: &mut Printer<'_>, reference: Reference) {
        match reference {
            Reference::Operand(index) => self.operands(printer, index),
            Reference::Attribute(index) => self.attribute(printer, index),
            Reference::Region(index) => {
                // A variadic one is the last.
                let count = if self.definition.regions[index].variadic { usize::MAX } else { 1 };
                regions(printer, self.operation.regions().skip(index).take(count));
            }
            Reference::Successor(index) => {
                let count = if self.definition.successors[index].variadic { usize::MAX } else { 1 };
                successors(printer, self.operation.successors().skip(index).take(count));
            }
            Reference::Result(_) | Reference::Operands | Reference::Results => {}
        }
    }

    /// Operands: in parentheses where they come in groups.
    fn operands(&self, printer: &mut Printer<'_>, index: usize) {
        let operands = self.definition.operand_group(self.operation, index);
        let Some(groups) = self.definition.operands[index].groups else {
            printer.operands(operands);
            return;
        };
        for (number, group) in grouped(operands, self.operation.get(groups)).into_iter().enumerate() {
            printer.text(if number == 0 { "(" } else { ", (" }).operands(group).text(")");
        }
    }

    /// The types of an element, in parentheses where they come in groups.
    fn print_types(&self, printer: &mut Printer<'_>, reference: Reference) {
        let types = self.types(reference);
        let groups = match reference {
            Reference::Operand(index) => self.definition.operands[index].groups,
            _ => None,
        };
        let Some(groups) = groups else {
            printer.types(types);
            return;
        };
        for (number, group) in grouped(types, self.operation.get(groups)).into_iter().enumerate() {
            printer.text(if number == 0 { "(" } else { ", (" }).types(group).text(")");
        }
    }

    fn attribute(&mut self, printer: &mut Printer<'_>, index: usize) {
        if let Some((declared, value)) = self.written(index) {
            declared.syntax.print(value, printer);
        }
    }

    /// A declared attribute as text has it: the value that stands for an absent one, if there is one.
    fn written(&self, index: usize) -> Option<(&AttributeDefinition, Attribute<'c>)> {
        let declared = self.definition.attributes.get(index)?;
        let default = || attributes::parse(self.operation.context(), declared.default?);
        self.operation.get(declared.name).or_else(default).map(|value| (declared, value))
    }

    fn is_present(&self, anchor: Reference) -> bool {
        match anchor {
            Reference::Operand(index) => !self.definition.operand_group(self.operation, index).is_empty(),
            Reference::Result(index) => !self.definition.result_group(self.operation, index).is_empty(),
            Reference::Attribute(index) => self.definition.attributes.get(index).is_some_and(|declared| {
                self.operation.get(declared.name).is_some_and(|value| !declared.is_default(value))
            }),
            Reference::Region(index) if self.definition.regions[index].variadic => self.operation.region(index).is_ok(),
            Reference::Region(index) => {
                self.operation.region(index).is_ok_and(|region| predicate::block_count(region) > 0)
            }
            Reference::Successor(index) => self.operation.successor(index).is_ok(),
            Reference::Operands => self.operation.operand_count() > 0,
            Reference::Results => self.operation.result_count() > 0,
        }
    }

    fn types(&self, reference: Reference) -> Vec<Type<'c>> {
        let of = |values: Vec<Value<'c, 'a>>| values.iter().map(|value| value.r#type()).collect();
        match reference {
            Reference::Operand(index) => of(self.definition.operand_group(self.operation, index)),
            Reference::Result(index) => of(self.definition.result_group(self.operation, index)),
            Reference::Operands => of(self.operation.operands().collect()),
            Reference::Results => of(self.operation.results().collect()),
            _ => Vec::new(),
        }
    }
}

fn regions<'c: 'a, 'a>(printer: &mut Printer<'_>, regions: impl Iterator<Item = RegionRef<'c, 'a>>) {
    for (index, region) in regions.enumerate() {
        printer.text(if index == 0 { "" } else { ", " });
        printer.region(region, RegionPrinting::default());
    }
}

fn successors<'c: 'a, 'a>(printer: &mut Printer<'_>, successors: impl Iterator<Item = BlockRef<'c, 'a>>) {
    for (index, successor) in successors.enumerate() {
        printer.text(if index == 0 { "" } else { ", " }).successor(successor);
    }
}
