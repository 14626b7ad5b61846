//! Parsing the parameters of types and attributes.

use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Delimiter, ParameterParser, Token};
use skriptnd_mlir::ir::{Attribute, Context, attributes};

use super::verify::fits;
use super::{ParameterDefinition, ParameterElement, ParameterKind, ParameterValue, ParameterizedDefinition, covered};
use crate::format::{literal, optional_literal};

/// The parameters that have been parsed so far.
pub struct ParsedParameters<'c, 'd> {
    declared: &'d [ParameterDefinition],
    values: Vec<Option<Attribute<'c>>>,
}

impl<'c> ParsedParameters<'c, '_> {
    /// The value of a parameter, if it was parsed.
    pub fn get(&self, index: usize) -> Option<Attribute<'c>> {
        self.values.get(index).copied().flatten()
    }

    /// Sets the value of a parameter.
    pub fn set(&mut self, index: usize, value: Attribute<'c>) {
        if let Some(slot) = self.values.get_mut(index) {
            *slot = Some(value);
        }
    }
}

/// Parses what follows the name.
pub(super) fn parse_definition<'c>(
    parser: &mut ParameterParser<'c, '_>,
    definition: &'static ParameterizedDefinition,
) -> Result<Vec<Attribute<'c>>, Failure> {
    let Some(format) = definition.format else { return parse_all(parser, definition) };
    let mut parsed =
        ParsedParameters { declared: definition.parameters, values: vec![None; definition.parameters.len()] };
    parsed.elements(parser, format)?;
    parsed.self_type(parser)?;
    parsed.finish(parser)
}

/// `<attribute, ...>`, where no other text is declared.
fn parse_all<'c>(
    parser: &mut ParameterParser<'c, '_>,
    definition: &ParameterizedDefinition,
) -> Result<Vec<Attribute<'c>>, Failure> {
    match definition.parameters {
        [] => Ok(Vec::new()),
        _ => parser.parse_list(Delimiter::Angles, |parser| parser.parse_attribute(None)),
    }
}

impl<'c> ParsedParameters<'c, '_> {
    fn elements(&mut self, parser: &mut ParameterParser<'c, '_>, elements: &[ParameterElement]) -> Result<(), Failure> {
        elements.iter().try_for_each(|element| self.element(parser, element))
    }

    fn element(&mut self, parser: &mut ParameterParser<'c, '_>, element: &ParameterElement) -> Result<(), Failure> {
        match element {
            ParameterElement::Literal(text) => literal(parser, text),
            ParameterElement::Parameter { index, qualified } => self.parameter(parser, *index, *qualified),
            ParameterElement::Parameters(indices) => self.list(parser, indices),
            ParameterElement::Structure(elements) => self.structure(parser, elements),
            ParameterElement::Custom { arguments, parse, .. } => parse(parser, self, arguments),
            ParameterElement::Optional { then, otherwise, .. } => self.optional(parser, then, otherwise),
            ParameterElement::Referenced(_) | ParameterElement::Text(_) => Ok(()),
        }
    }

    fn optional(
        &mut self,
        parser: &mut ParameterParser<'c, '_>,
        then: &[ParameterElement],
        otherwise: &[ParameterElement],
    ) -> Result<(), Failure> {
        let Some((first, rest)) = then.split_first() else { return Ok(()) };
        match first {
            // Spaces say nothing of what is there.
            ParameterElement::Literal(text) if text.trim().is_empty() => self.optional(parser, rest, otherwise),
            _ if self.is_present(parser, first)? => self.elements(parser, rest),
            _ => self.elements(parser, otherwise),
        }
    }

    /// Parses the first element of an optional group, if it stands there.
    fn is_present(
        &mut self,
        parser: &mut ParameterParser<'c, '_>,
        element: &ParameterElement,
    ) -> Result<bool, Failure> {
        match element {
            ParameterElement::Literal(text) => Ok(optional_literal(parser, text)),
            ParameterElement::Parameter { index, qualified } => self.optional_parameter(parser, *index, *qualified),
            ParameterElement::Parameters([first, rest @ ..]) => {
                let is_there = self.optional_parameter(parser, *first, false)?;
                if is_there {
                    self.rest_of_list(parser, rest)?;
                }
                Ok(is_there)
            }
            // A directive that finds nothing leaves its parameters alone.
            _ => {
                self.element(parser, element)?;
                Ok(covered(element).into_iter().any(|index| self.get(index).is_some()))
            }
        }
    }

    fn parameter(
        &mut self,
        parser: &mut ParameterParser<'c, '_>,
        index: usize,
        qualified: bool,
    ) -> Result<(), Failure> {
        let value = self.declared[index].kind.parse(parser, qualified)?;
        self.set(index, value);
        Ok(())
    }

    fn optional_parameter(
        &mut self,
        parser: &mut ParameterParser<'c, '_>,
        index: usize,
        qualified: bool,
    ) -> Result<bool, Failure> {
        let value = self.declared[index].kind.parse_optional(parser, qualified)?;
        if let Some(value) = value {
            self.set(index, value);
        }
        Ok(value.is_some())
    }

    fn list(&mut self, parser: &mut ParameterParser<'c, '_>, indices: &[usize]) -> Result<(), Failure> {
        let Some((first, rest)) = indices.split_first() else { return Ok(()) };
        let may_be_absent = indices.iter().all(|index| !self.declared[*index].is_required());
        match may_be_absent {
            true if !self.optional_parameter(parser, *first, false)? => Ok(()),
            true => self.rest_of_list(parser, rest),
            false => {
                self.parameter(parser, *first, false)?;
                self.rest_of_list(parser, rest)
            }
        }
    }

    /// Behind the first parameter: those that may be absent can be left out at the end.
    fn rest_of_list(&mut self, parser: &mut ParameterParser<'c, '_>, indices: &[usize]) -> Result<(), Failure> {
        for (position, index) in indices.iter().enumerate() {
            let may_end = indices[position..].iter().all(|index| !self.declared[*index].is_required());
            if may_end && !parser.parse_optional_token(Token::Comma) {
                return Ok(());
            }
            if !may_end {
                parser.parse_token(Token::Comma)?;
            }
            self.parameter(parser, *index, false)?;
        }
        Ok(())
    }

    /// `name = value, ...` in any order.
    fn structure(
        &mut self,
        parser: &mut ParameterParser<'c, '_>,
        elements: &[ParameterElement],
    ) -> Result<(), Failure> {
        let may_be_empty = elements.iter().flat_map(covered).all(|index| !self.declared[index].is_required());
        let mut name = match may_be_empty {
            true => parser.parse_optional_identifier(),
            false => Some(parser.parse_identifier()?),
        };
        while let Some(word) = name.take() {
            self.field(parser, elements, &word)?;
            if parser.parse_optional_token(Token::Comma) {
                name = Some(parser.parse_identifier()?);
            }
        }
        let missing = elements
            .iter()
            .flat_map(covered)
            .find(|index| self.declared[*index].is_required() && self.get(*index).is_none());
        match missing {
            Some(index) => {
                Err(parser.error(&format!("struct is missing required parameter: {}", self.declared[index].name)))
            }
            None => Ok(()),
        }
    }

    fn field(
        &mut self,
        parser: &mut ParameterParser<'c, '_>,
        elements: &[ParameterElement],
        name: &str,
    ) -> Result<(), Failure> {
        let fits = |element: &&ParameterElement| {
            covered(element).iter().any(|index| self.declared[*index].name == name && self.get(*index).is_none())
        };
        match elements.iter().find(fits) {
            Some(element) => {
                parser.parse_token(Token::Equal)?;
                self.element(parser, element)
            }
            None => Err(parser.error(&format!("duplicate or unknown struct parameter name: {name}"))),
        }
    }

    /// The type behind the attribute, if it has one.
    fn self_type(&mut self, parser: &mut ParameterParser<'c, '_>) -> Result<(), Failure> {
        let Some(index) = self.declared.iter().position(|parameter| parameter.is_self_type) else { return Ok(()) };
        let found = match parser.parse_optional_token(Token::Colon) {
            true => Some(parser.parse_type()?),
            false => parser.self_type(),
        };
        if let Some(found) = found {
            self.set(index, found.into_attribute(parser.context()));
        }
        Ok(())
    }

    fn finish(self, parser: &mut ParameterParser<'c, '_>) -> Result<Vec<Attribute<'c>>, Failure> {
        let context = parser.context();
        let each = self.declared.iter().zip(self.values).map(|(declared, value)| {
            let missing = || parser.error(&format!("parameter '{}' is missing", declared.name));
            value.or_else(|| declared.default(context)).ok_or_else(missing)
        });
        each.collect()
    }
}

impl ParameterDefinition {
    fn is_required(&self) -> bool {
        matches!(self.default, super::ParameterDefault::Required)
    }
}

impl ParameterKind {
    fn parse<'c>(&self, parser: &mut ParameterParser<'c, '_>, qualified: bool) -> Result<Attribute<'c>, Failure> {
        let context = parser.context();
        Ok(match self {
            Self::Boolean => boolean(parser)?.into_attribute(context),
            Self::Integer { width, signed } => {
                let value = parser.parse_integer()?;
                integer(parser, context, value, (*width, *signed))?
            }
            Self::Float => parser.parse_float()?.into_attribute(context),
            Self::Text => attributes::string(context, &parser.parse_string()?),
            Self::Type(Some(name)) if !qualified => parser.parse_stripped_type(name)?.into_attribute(context),
            Self::Type(_) => parser.parse_type()?.into_attribute(context),
            Self::Attribute(Some(name)) if !qualified => parser.parse_stripped_attribute(name)?,
            Self::Attribute(_) => parser.parse_attribute(None)?,
            Self::List(kind) => {
                parser.parse_list(Delimiter::None, |parser| kind.parse(parser, qualified))?.into_attribute(context)
            }
            Self::Enumeration(cases) => cases.parse_parameter(parser)?.into_attribute(context),
            Self::Opaque { parse, .. } => parse(parser)?,
        })
    }

    /// The same, if it stands there.
    fn parse_optional<'c>(
        &self,
        parser: &mut ParameterParser<'c, '_>,
        qualified: bool,
    ) -> Result<Option<Attribute<'c>>, Failure> {
        let context = parser.context();
        Ok(match self {
            Self::Integer { width, signed } => match parser.parse_optional_integer()? {
                Some(value) => Some(integer(parser, context, value, (*width, *signed))?),
                None => None,
            },
            Self::Text => parser.parse_optional_string().map(|text| attributes::string(context, &text)),
            Self::Type(_) => parser.parse_optional_type()?.map(|found| found.into_attribute(context)),
            Self::Attribute(_) => parser.parse_optional_attribute(None)?,
            Self::Enumeration(cases) => {
                cases.parse_optional_parameter(parser)?.map(|value| value.into_attribute(context))
            }
            Self::List(kind) => {
                let Some(first) = kind.parse_optional(parser, qualified)? else { return Ok(None) };
                let mut values = vec![first];
                while parser.parse_optional_token(Token::Comma) {
                    values.push(kind.parse(parser, qualified)?);
                }
                Some(values.into_attribute(context))
            }
            Self::Boolean | Self::Float | Self::Opaque { .. } => Some(self.parse(parser, qualified)?),
        })
    }
}

fn boolean(parser: &mut ParameterParser<'_, '_>) -> Result<bool, Failure> {
    if parser.parse_optional_keyword("true") {
        return Ok(true);
    }
    if parser.parse_optional_keyword("false") {
        return Ok(false);
    }
    match parser.parse_optional_integer()? {
        Some(value @ (0 | 1)) => Ok(value == 1),
        _ => Err(parser.error("expected true or false")),
    }
}

fn integer<'c>(
    parser: &mut ParameterParser<'c, '_>,
    context: &'c Context,
    value: i64,
    (width, signed): (u32, bool),
) -> Result<Attribute<'c>, Failure> {
    match fits(value, width, signed) {
        true => Ok(value.into_attribute(context)),
        false => Err(parser.error("integer value too large")),
    }
}
