//! Parsing by an assembly format.

use super::access::{OPERAND_SEGMENTS, RESULT_SEGMENTS};
use super::format::{Element, Reference, token};
use super::{AttributeSyntax, GroupArity, OperationDefinition};
use crate::diagnostics::Failure;
use crate::dialect::{Delimiter, ParsedRegion, Parser, Token, Trait, UnresolvedOperand};
use crate::ir::{Attribute, Type, attributes, types};

/// Parses what follows the operation's name.
pub(super) fn parse_operation(
    parser: &mut Parser<'_, '_>,
    definition: &OperationDefinition,
    format: &[Element],
) -> Result<(), Failure> {
    let mut state = FormatParser::new(definition);
    state.elements(parser, format)?;
    state.finish(parser)
}

/// What was parsed so far of an operation with an assembly format; custom directives add their part.
pub struct FormatParser<'c, 'p, 'f> {
    definition: &'f OperationDefinition,
    operands: Vec<Vec<UnresolvedOperand<'p>>>,
    operand_types: Vec<Option<Vec<Type<'c>>>>,
    result_types: Vec<Option<Vec<Type<'c>>>>,
    /// Operands and types that stand for all groups together.
    all_operands: Option<Vec<UnresolvedOperand<'p>>>,
    all_operand_types: Option<Vec<Type<'c>>>,
    all_result_types: Option<Vec<Type<'c>>>,
    regions: Vec<Vec<ParsedRegion<'c>>>,
}

impl<'c, 'p, 'f> FormatParser<'c, 'p, 'f> {
    fn new(definition: &'f OperationDefinition) -> Self {
        Self {
            definition,
            operands: vec![Vec::new(); definition.operands.len()],
            operand_types: vec![None; definition.operands.len()],
            result_types: vec![None; definition.results.len()],
            all_operands: None,
            all_operand_types: None,
            all_result_types: None,
            regions: definition.regions.iter().map(|_| Vec::new()).collect(),
        }
    }

    /// The definition of the operation.
    pub fn definition(&self) -> &'f OperationDefinition {
        self.definition
    }

    /// Sets the values of a declared operand.
    pub fn set_operands(&mut self, index: usize, operands: Vec<UnresolvedOperand<'p>>) {
        self.operands[index] = operands;
    }

    /// Sets the types of a declared operand.
    pub fn set_operand_types(&mut self, index: usize, types: Vec<Type<'c>>) {
        self.operand_types[index] = Some(types);
    }

    /// Sets the types of a declared result.
    pub fn set_result_types(&mut self, index: usize, types: Vec<Type<'c>>) {
        self.result_types[index] = Some(types);
    }

    /// Adds to a declared region.
    pub fn add_region(&mut self, index: usize, region: ParsedRegion<'c>) {
        self.regions[index].push(region);
    }

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
            Element::Successors => self.successors(parser),
            Element::AttributeDictionary { keyword: true } => parser.parse_optional_attribute_dictionary_with_keyword(),
            Element::AttributeDictionary { keyword: false } => parser.parse_optional_attribute_dictionary(),
            Element::Type(reference) => self.types(parser, *reference),
            Element::FunctionalType(inputs, outputs) => {
                let (input_types, output_types) = parser.parse_functional_type()?;
                self.set_types(*inputs, input_types);
                self.set_types(*outputs, output_types);
                Ok(())
            }
            Element::Custom { parse, .. } => parse(parser, self),
            Element::Optional { then, otherwise, .. } => self.optional(parser, then, otherwise),
        }
    }

    fn optional(
        &mut self,
        parser: &mut Parser<'c, 'p>,
        then: &[Element],
        otherwise: &[Element],
    ) -> Result<(), Failure> {
        let Some((first, rest)) = then.split_first() else { return Ok(()) };
        if !self.is_present(parser, first)? {
            return self.elements(parser, otherwise);
        }
        self.elements(parser, rest)
    }

    /// Parses the first element of an optional group, if it stands there.
    fn is_present(&mut self, parser: &mut Parser<'c, 'p>, element: &Element) -> Result<bool, Failure> {
        match element {
            Element::Literal(text) => Ok(optional_literal(parser, text)),
            Element::Variable(Reference::Operand(index)) => {
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
                    Ok(true)
                }
                None => Ok(false),
            },
            Element::Operands => {
                let operands = parser.parse_operand_list(Delimiter::None)?;
                let present = !operands.is_empty();
                self.all_operands = Some(operands);
                Ok(present)
            }
            _ => self.element(parser, element).map(|()| true),
        }
    }

    fn optional_attribute(&mut self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<bool, Failure> {
        let declared = &self.definition.attributes[index];
        let attribute = match declared.syntax {
            AttributeSyntax::SymbolName => {
                parser.parse_optional_symbol_name().map(|name| attributes::string(parser.context(), &name))
            }
            AttributeSyntax::Enumeration(width, cases) => match parser.parse_optional_identifier() {
                Some(keyword) => Some(enumeration(parser, width, cases, &keyword)?),
                None => None,
            },
            AttributeSyntax::Typed(r#type) => {
                let r#type = types::parse(parser.context(), r#type);
                parser.parse_optional_attribute(r#type)?
            }
            AttributeSyntax::Any | AttributeSyntax::Unit => parser.parse_optional_attribute(None)?,
        };
        if let Some(attribute) = attribute {
            parser.add_attribute(declared.name, attribute);
        }
        Ok(attribute.is_some())
    }

    fn variable(&mut self, parser: &mut Parser<'c, 'p>, reference: Reference) -> Result<(), Failure> {
        match reference {
            Reference::Operand(index) => {
                self.operands[index] = match self.definition.operands[index].arity {
                    GroupArity::One => vec![parser.parse_operand()?],
                    GroupArity::Optional => parser.parse_optional_operand()?.into_iter().collect(),
                    GroupArity::Variadic => parser.parse_operand_list(Delimiter::None)?,
                };
                Ok(())
            }
            Reference::Attribute(index) => self.attribute(parser, index),
            Reference::Region(index) => {
                let region = parser.parse_region(&[])?;
                self.regions[index].push(region);
                Ok(())
            }
            Reference::Successor(_) => parser.parse_successor(),
            Reference::Result(_) | Reference::Operands | Reference::Results => Ok(()),
        }
    }

    fn attribute(&mut self, parser: &mut Parser<'c, 'p>, index: usize) -> Result<(), Failure> {
        let declared = &self.definition.attributes[index];
        let attribute = match declared.syntax {
            AttributeSyntax::SymbolName => {
                let name = parser.parse_symbol_name()?;
                attributes::string(parser.context(), &name)
            }
            AttributeSyntax::Enumeration(width, cases) => {
                let keyword = parser.parse_identifier()?;
                enumeration(parser, width, cases, &keyword)?
            }
            AttributeSyntax::Typed(r#type) => {
                let r#type = types::parse(parser.context(), r#type);
                parser.parse_attribute(r#type)?
            }
            // Its keyword has been read.
            AttributeSyntax::Unit => attributes::unit(parser.context()),
            AttributeSyntax::Any => parser.parse_attribute(None)?,
        };
        parser.add_attribute(declared.name, attribute);
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

    fn successors(&mut self, parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        loop {
            parser.parse_successor()?;
            if !parser.parse_optional_token(Token::Comma) {
                return Ok(());
            }
        }
    }

    fn types(&mut self, parser: &mut Parser<'c, 'p>, reference: Reference) -> Result<(), Failure> {
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

    /// Resolves operands and adds everything to the operation.
    fn finish(self, parser: &mut Parser<'c, 'p>) -> Result<(), Failure> {
        // With one type for all operands and results, any known one serves.
        let shared = self
            .operand_types
            .iter()
            .chain(&self.result_types)
            .flatten()
            .flatten()
            .chain(self.all_operand_types.iter().flatten())
            .next()
            .copied();
        let sizes: Vec<i32> = self.operands.iter().map(|group| group.len() as i32).collect();
        let (operands, types) = self.resolvable(shared);
        parser.add_resolved_operands(&operands, &types)?;
        if self.definition.has_trait(Trait::AttrSizedOperandSegments) && self.all_operands.is_none() {
            let sizes = attributes::segment_sizes(parser.context(), &sizes);
            parser.add_attribute(OPERAND_SEGMENTS, sizes);
        }
        self.add_results(parser, shared)?;
        for region in self.regions.into_iter().flatten() {
            parser.add_region(region);
        }
        Ok(())
    }

    fn resolvable(&self, shared: Option<Type<'c>>) -> (Vec<UnresolvedOperand<'p>>, Vec<Type<'c>>) {
        let operands = match &self.all_operands {
            Some(operands) => operands.clone(),
            None => self.operands.concat(),
        };
        if let Some(types) = &self.all_operand_types {
            return (operands, types.clone());
        }
        let mut types = Vec::new();
        for (group, known) in self.operands.iter().zip(&self.operand_types) {
            match known {
                Some(known) => types.extend(known),
                None => types.extend(shared.into_iter().cycle().take(group.len())),
            }
        }
        if self.all_operands.is_some() && types.len() < operands.len() {
            types.extend(shared.into_iter().cycle().take(operands.len() - types.len()));
        }
        (operands, types)
    }

    fn add_results(&self, parser: &mut Parser<'c, 'p>, shared: Option<Type<'c>>) -> Result<(), Failure> {
        if let Some(types) = &self.all_result_types {
            parser.add_results(types);
            return Ok(());
        }
        if self.result_types.iter().all(Option::is_some) {
            let sizes: Vec<i32> = self.result_types.iter().flatten().map(|types| types.len() as i32).collect();
            self.result_types.iter().flatten().for_each(|types| parser.add_results(types));
            if self.definition.has_trait(Trait::AttrSizedResultSegments) {
                let sizes = attributes::segment_sizes(parser.context(), &sizes);
                parser.add_attribute(RESULT_SEGMENTS, sizes);
            }
            return Ok(());
        }
        match shared {
            Some(shared) if self.definition.has_trait(Trait::SameOperandsAndResultType) => {
                parser.add_results(&vec![shared; self.result_types.len()]);
                Ok(())
            }
            _ => parser.infer_results(),
        }
    }
}

fn literal(parser: &mut Parser<'_, '_>, text: &str) -> Result<(), Failure> {
    match token(text) {
        _ if text.trim().is_empty() || text == "\\n" => Ok(()),
        Some(token) => parser.parse_token(token),
        None => parser.parse_keyword(text),
    }
}

fn optional_literal(parser: &mut Parser<'_, '_>, text: &str) -> bool {
    match token(text) {
        Some(token) => parser.parse_optional_token(token),
        None => parser.parse_optional_keyword(text),
    }
}

fn enumeration<'c>(
    parser: &mut Parser<'c, '_>,
    width: u32,
    cases: &[(i64, &str)],
    keyword: &str,
) -> Result<Attribute<'c>, Failure> {
    match cases.iter().find(|(_, name)| *name == keyword) {
        Some((value, _)) => {
            let r#type = types::integer(parser.context(), width);
            attributes::typed_integer(r#type, *value).ok_or_else(|| parser.error("expected an integer"))
        }
        None => {
            let names: Vec<&str> = cases.iter().map(|(_, name)| *name).collect();
            Err(parser.error(&format!("expected one of {}, but found '{keyword}'", names.join(", "))))
        }
    }
}
