//! Parsing by an assembly format.

use crate::format::{Clause, Element, Format, implied, implied_by_clause, literal, optional_literal};
use crate::parsed::FormatParser;
use crate::reference::Reference;
use crate::{GroupArity, OperationDefinition};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Delimiter, Parser, Token};
use skriptnd_mlir::ir::{Type, attributes};

/// Parses what follows the operation's name.
pub(super) fn parse_operation(
    parser: &mut Parser<'_, '_>,
    definition: &OperationDefinition,
    format: &Format,
) -> Result<(), Failure> {
    let mut state = FormatParser::new(definition);
    state.elements(parser, format.elements)?;
    state.find_types(parser, (format.operand_types, format.result_types));
    state.finish(parser)
}

impl<'c, 'p> FormatParser<'c, 'p, '_> {
    fn elements(&mut self, parser: &mut Parser<'c, 'p>, elements: &[Element]) -> Result<(), Failure> {
        elements.iter().try_for_each(|element| self.element(parser, element))
    }

    fn element(&mut self, parser: &mut Parser<'c, 'p>, element: &Element) -> Result<(), Failure> {
        match element {
            Element::Literal(text) => literal(parser, text),
            Element::Variable(reference) => self.variable(parser, *reference),
            Element::Operands => {
                self.all_operands = Some(parser.parse_operand_list(Delimiter::None)?);
                Ok(())
            }
            Element::Regions => self.all_regions(parser),
            Element::Successors => self.successors(parser).map(drop),
            Element::AttributeDictionary { keyword: true } => parser.parse_optional_attribute_dictionary_with_keyword(),
            Element::AttributeDictionary { keyword: false } => parser.parse_optional_attribute_dictionary(),
            Element::PropertyDictionary => property_dictionary(parser),
            Element::Type(reference) => self.types(parser, *reference),
            Element::FunctionalType(inputs, outputs) => {
                let (input_types, output_types) = parser.parse_functional_type()?;
                self.set_types(*inputs, input_types);
                self.set_types(*outputs, output_types);
                Ok(())
            }
            Element::Custom { arguments, parse, .. } => parse(parser, self, arguments),
            Element::Optional { then, otherwise, anchors, .. } => self.optional(parser, [then, otherwise], anchors),
            Element::Clauses(clauses) => self.clauses(parser, clauses),
            Element::Referenced(_) | Element::Text(_) => Ok(()),
        }
    }

    fn optional(
        &mut self,
        parser: &mut Parser<'c, 'p>,
        [then, otherwise]: [&[Element]; 2],
        anchors: &[Reference],
    ) -> Result<(), Failure> {
        let Some((first, rest)) = then.split_first() else { return Ok(()) };
        if self.is_present(parser, first)? {
            return rest.iter().try_for_each(|element| self.of_group(parser, element, anchors));
        }
        let Some((first, rest)) = otherwise.split_first() else { return Ok(()) };
        self.element(parser, first)?;
        rest.iter().try_for_each(|element| self.of_group(parser, element, anchors))
    }

    /// An element of a group behind its first one.
    fn of_group(
        &mut self,
        parser: &mut Parser<'c, 'p>,
        element: &Element,
        anchors: &[Reference],
    ) -> Result<(), Failure> {
        match (implied(self.definition, element, anchors), element) {
            (Some(index), _) => self.add_unit(parser, index),
            // What the group is there for must be there.
            (None, Element::Variable(anchor @ Reference::Attribute(index))) if anchors.contains(anchor) => {
                self.needed_attribute(parser, *index)
            }
            (None, _) => self.element(parser, element),
        }
    }

    fn add_unit(&self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<(), Failure> {
        let unit = attributes::unit(parser.context());
        parser.add_attribute(self.definition.attributes[index].name, unit);
        Ok(())
    }

    /// Clauses as long as one begins, each once.
    fn clauses(&mut self, parser: &mut Parser<'c, 'p>, clauses: &[Clause]) -> Result<(), Failure> {
        let mut seen = vec![false; clauses.len()];
        loop {
            let next = clauses.iter().position(|clause| optional_literal(parser, clause.literal));
            let Some(next) = next else { return Ok(()) };
            let clause = &clauses[next];
            if std::mem::replace(&mut seen[next], true) {
                let message = format!(
                    "`{}` clause can appear at most once in the expansion of the oilist directive",
                    clause.literal
                );
                return Err(parser.error(&message));
            }
            match implied_by_clause(self.definition, clause) {
                Some(index) => self.add_unit(parser, index)?,
                None => clause.elements.iter().try_for_each(|element| match element {
                    Element::Variable(Reference::Attribute(index)) => self.needed_attribute(parser, *index),
                    element => self.element(parser, element),
                })?,
            }
        }
    }

    /// Parses the first element of an optional group, if it stands there.
    fn is_present(&mut self, parser: &mut Parser<'c, 'p>, element: &Element) -> Result<bool, Failure> {
        match element {
            Element::Literal(text) => Ok(optional_literal(parser, text)),
            Element::Variable(Reference::Operand(index)) => {
                if self.definition.operands[*index].groups.is_some() {
                    self.operand_groups(parser, *index)?;
                    return Ok(!self.operands[*index].is_empty());
                }
                let Some(first) = parser.parse_optional_operand()? else { return Ok(false) };
                let mut operands = vec![first];
                if self.definition.operands[*index].arity == GroupArity::Variadic {
                    while parser.parse_optional_token(Token::Comma) {
                        operands.push(parser.parse_operand()?);
                    }
                }
                self.operands[*index] = operands;
                Ok(true)
            }
            Element::Variable(Reference::Attribute(index)) => self.optional_attribute(parser, *index),
            Element::Variable(Reference::Region(index)) => match parser.parse_optional_region(&[])? {
                Some(region) => {
                    self.regions[*index].push(region);
                    self.further_regions(parser, *index).map(|()| true)
                }
                None => Ok(false),
            },
            Element::Operands => {
                let operands = parser.parse_operand_list(Delimiter::None)?;
                let present = !operands.is_empty();
                self.all_operands = Some(operands);
                Ok(present)
            }
            Element::Successors => self.successors(parser),
            Element::Variable(Reference::Successor(index)) if self.definition.successors[*index].variadic => {
                self.successors(parser)
            }
            _ => self.element(parser, element).map(|()| true),
        }
    }

    fn optional_attribute(&mut self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<bool, Failure> {
        let declared = &self.definition.attributes[index];
        let attribute = declared.syntax.parse_optional(parser)?;
        if let Some(attribute) = attribute {
            parser.add_attribute(declared.name, attribute);
        }
        Ok(attribute.is_some())
    }

    fn variable(&mut self, parser: &mut Parser<'c, 'p>, reference: Reference) -> Result<(), Failure> {
        match reference {
            Reference::Operand(index) if self.definition.operands[index].groups.is_some() => {
                self.operand_groups(parser, index)
            }
            Reference::Operand(index) => {
                self.operands[index] = match self.definition.operands[index].arity {
                    GroupArity::One => vec![parser.parse_operand()?],
                    GroupArity::Optional => parser.parse_optional_operand()?.into_iter().collect(),
                    GroupArity::Variadic => parser.parse_operand_list(Delimiter::None)?,
                };
                Ok(())
            }
            Reference::Attribute(index) => self.attribute(parser, index),
            Reference::Region(index) if self.definition.regions[index].variadic => {
                let Some(region) = parser.parse_optional_region(&[])? else { return Ok(()) };
                self.regions[index].push(region);
                self.further_regions(parser, index)
            }
            Reference::Region(index) => {
                let region = parser.parse_region(&[])?;
                self.regions[index].push(region);
                Ok(())
            }
            Reference::Successor(index) if self.definition.successors[index].variadic => {
                self.successors(parser).map(drop)
            }
            Reference::Successor(_) => parser.parse_successor(),
            Reference::Result(_) | Reference::Operands | Reference::Results => Ok(()),
        }
    }

    /// Groups in parentheses, whose sizes become an attribute.
    fn operand_groups(&mut self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<(), Failure> {
        let mut sizes = Vec::new();
        while parser.parse_optional_token(Token::LeftParenthesis) {
            let group = parser.parse_operand_list(Delimiter::None)?;
            parser.parse_token(Token::RightParenthesis)?;
            sizes.push(i32::try_from(group.len()).map_err(|_| parser.error("too many operands"))?);
            self.operands[index].extend(group);
            if !parser.parse_optional_token(Token::Comma) {
                break;
            }
        }
        if let Some(name) = self.definition.operands[index].groups {
            let sizes = attributes::segment_sizes(parser.context(), &sizes);
            parser.add_attribute(name, sizes);
        }
        Ok(())
    }

    fn attribute(&mut self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<(), Failure> {
        let declared = &self.definition.attributes[index];
        match !declared.required && declared.default.is_none() && declared.syntax.tells_absence() {
            true => self.optional_attribute(parser, index).map(drop),
            false => self.needed_attribute(parser, index),
        }
    }

    fn needed_attribute(&mut self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<(), Failure> {
        let declared = &self.definition.attributes[index];
        let attribute = declared.syntax.parse(parser)?;
        parser.add_attribute(declared.name, attribute);
        Ok(())
    }

    /// What follows the first region of a variadic one.
    fn further_regions(&mut self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<(), Failure> {
        while self.definition.regions[index].variadic && parser.parse_optional_token(Token::Comma) {
            let region = parser.parse_region(&[])?;
            self.regions[index].push(region);
        }
        Ok(())
    }

    fn all_regions(&mut self, parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        let mut index = 0;
        while let Some(region) = parser.parse_optional_region(&[])? {
            // A variadic region is the last one.
            let slot = index.min(self.regions.len().saturating_sub(1));
            match self.regions.get_mut(slot) {
                Some(regions) => regions.push(region),
                None => return Err(parser.error("unexpected region")),
            }
            index += 1;
            if !parser.parse_optional_token(Token::Comma) {
                break;
            }
        }
        Ok(())
    }

    /// Any number of successors; whether there are some.
    fn successors(&mut self, parser: &mut Parser<'c, 'p>) -> Result<bool, Failure> {
        let found = parser.parse_optional_successor()?;
        while found && parser.parse_optional_token(Token::Comma) {
            parser.parse_successor()?;
        }
        Ok(found)
    }

    /// The types of operands that come in groups.
    fn grouped_types(&mut self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<(), Failure> {
        let mut types = Vec::new();
        while parser.parse_optional_token(Token::LeftParenthesis) {
            if !parser.parse_optional_token(Token::RightParenthesis) {
                types.push(parser.parse_type()?);
                while parser.parse_optional_token(Token::Comma) {
                    types.push(parser.parse_type()?);
                }
                parser.parse_token(Token::RightParenthesis)?;
            }
            if !parser.parse_optional_token(Token::Comma) {
                break;
            }
        }
        self.set_types(Reference::Operand(index), types);
        Ok(())
    }

    fn types(&mut self, parser: &mut Parser<'c, 'p>, reference: Reference) -> Result<(), Failure> {
        if let Reference::Operand(index) = reference {
            if self.definition.operands[index].groups.is_some() {
                return self.grouped_types(parser, index);
            }
        }
        let arity = match reference {
            Reference::Operand(index) => self.definition.operands[index].arity,
            Reference::Result(index) => self.definition.results[index].arity,
            _ => GroupArity::Variadic,
        };
        let types = match arity {
            GroupArity::One => vec![parser.parse_type()?],
            _ => match parser.parse_optional_type()? {
                None => Vec::new(),
                Some(first) => {
                    let mut types = vec![first];
                    while arity == GroupArity::Variadic && parser.parse_optional_token(Token::Comma) {
                        types.push(parser.parse_type()?);
                    }
                    types
                }
            },
        };
        self.set_types(reference, types);
        Ok(())
    }

    fn set_types(&mut self, reference: Reference, types: Vec<Type<'c>>) {
        match reference {
            Reference::Operand(index) => self.operand_types[index] = Some(types),
            Reference::Result(index) => self.result_types[index] = Some(types),
            Reference::Operands => self.all_operand_types = Some(types),
            Reference::Results => self.all_result_types = Some(types),
            Reference::Attribute(_) | Reference::Region(_) | Reference::Successor(_) => {}
        }
    }
}

/// `<{...}>`, if it stands there.
fn property_dictionary(parser: &mut Parser<'_, '_>) -> Result<(), Failure> {
    if !parser.parse_optional_token(Token::Less) {
        return Ok(());
    }
    parser.parse_optional_attribute_dictionary()?;
    parser.parse_token(Token::Greater)
}
