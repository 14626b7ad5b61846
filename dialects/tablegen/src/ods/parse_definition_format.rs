//! `assemblyFormat` of types and attributes of one's own, as upstream's `AttrOrTypeFormatGen` reads it.

use std::collections::BTreeSet;

use super::definition::{Definition, DefinitionParameter};
use super::format::DefinitionElement;
use super::lexer::{Lexer, Parsed, Token, Wrong, check_literal, string};
use super::optional_group::{self, Group, GroupParser, plain};
use crate::{error::Result, fields::Fields};

/// Depth of optional groups beyond which a format is refused.
const MAXIMUM_DEPTH: usize = 16;

/// Reads the format of a definition; all parameters must stand in it.
pub fn parse_definition_format(
    fields: &Fields<'_>,
    text: &str,
    definition: &Definition,
) -> Result<Vec<DefinitionElement>> {
    let parse = || {
        let mut parser =
            Parser { lexer: Lexer::new(text)?, parameters: &definition.parameters, seen: BTreeSet::new(), depth: 0 };
        let elements = parser.all()?;
        parser.complete()?;
        Ok(elements)
    };
    parse().map_err(|wrong: Wrong| wrong.error(fields, text))
}

/// Where an element stands: what may stand there differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Top,
    Structure,
    Custom,
    Reference,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    parameters: &'a [DefinitionParameter],
    seen: BTreeSet<usize>,
    depth: usize,
}

/// An element and where it begins.
type Placed = optional_group::Placed<DefinitionElement>;

impl<'a> GroupParser<'a> for Parser<'a> {
    type Element = DefinitionElement;

    fn lexer(&mut self) -> &mut Lexer<'a> {
        &mut self.lexer
    }

    fn next_element(&mut self) -> Parsed<Placed> {
        self.element(Context::Top)
    }
}

impl Parser<'_> {
    fn all(&mut self) -> Parsed<Vec<DefinitionElement>> {
        let mut elements = Vec::new();
        while self.lexer.peek() != Token::End {
            let (element, at) = self.element(Context::Top)?;
            self.check_comma(elements.last(), &element, at)?;
            elements.push(element);
        }
        Ok(elements)
    }

    /// Behind fields that may be missing a comma would be read as theirs.
    fn check_comma(&self, before: Option<&DefinitionElement>, element: &DefinitionElement, at: usize) -> Parsed<()> {
        let Some(structure @ DefinitionElement::Structure(_)) = before else { return Ok(()) };
        let is_comma = matches!(element, DefinitionElement::Literal(text) if text == ",");
        match is_comma && covered(structure).iter().any(|index| self.parameters[*index].optional) {
            true => {
                Err(Wrong::new(at, "`struct` directive with optional parameters cannot be followed by a comma literal"))
            }
            false => Ok(()),
        }
    }

    /// A parameter that may be absent need not be in the format, nor the type of an attribute itself.
    fn complete(&self) -> Parsed<()> {
        for (index, parameter) in self.parameters.iter().enumerate() {
            if !self.seen.contains(&index) && !parameter.optional && !parameter.is_self_type {
                let message = format!("format is missing reference to parameter: {}", parameter.name);
                return Err(Wrong::new(0, message).help(format!("add '${}'", parameter.name)));
            }
        }
        Ok(())
    }

    fn element(&mut self, context: Context) -> Parsed<Placed> {
        let at = self.lexer.at();
        let element = match self.lexer.take()? {
            Token::Literal(text) if context == Context::Top => {
                check_literal(text, at)?;
                DefinitionElement::Literal(if text == "\\n" { "\n".into() } else { text.to_string() })
            }
            Token::Literal(_) => {
                return Err(Wrong::new(at, "literals may only be used in the top-level section of the format"));
            }
            Token::Variable(name) => self.parameter(name, at, context, false)?,
            Token::Word(word) => self.directive(word, at, context)?,
            Token::Punctuation('(') if context == Context::Top => self.optional(at)?,
            Token::Punctuation('(') => {
                return Err(Wrong::new(at, "optional groups can only be used as top-level elements"));
            }
            Token::Text(text) if context == Context::Custom => DefinitionElement::Text(string(text, at)?),
            _ => return Err(Wrong::new(at, "expected literal, variable, directive, or optional group")),
        };
        Ok((element, at))
    }

    fn parameter(&mut self, name: &str, at: usize, context: Context, qualified: bool) -> Parsed<DefinitionElement> {
        let Some(index) = self.parameters.iter().position(|parameter| parameter.name == name) else {
            return Err(Wrong::new(at, format!("'{name}' is no parameter")));
        };
        match (context, self.seen.contains(&index)) {
            (Context::Reference, false) => {
                return Err(Wrong::new(at, format!("parameter '{name}' must be bound before it is referenced")));
            }
            (Context::Reference, true) | (_, false) => {}
            (_, true) => return Err(Wrong::new(at, format!("duplicate parameter '{name}'"))),
        }
        self.seen.insert(index);
        Ok(DefinitionElement::Parameter { index, qualified })
    }

    fn directive(&mut self, word: &str, at: usize, context: Context) -> Parsed<DefinitionElement> {
        match word {
            "params" => self.all_parameters(at, context),
            "struct" => self.structure(at, context),
            "custom" => self.custom(at, context),
            "qualified" => {
                self.lexer.expect('(', "before argument list")?;
                let at = self.lexer.at();
                let Token::Variable(name) = self.lexer.take()? else {
                    return Err(Wrong::new(at, "`qualified` argument list expected a variable"));
                };
                let element = self.parameter(name, at, context, true)?;
                self.lexer.expect(')', "after argument list")?;
                Ok(element)
            }
            "ref" if context == Context::Custom => {
                self.lexer.expect('(', "before argument list")?;
                let (element, _) = self.element(Context::Reference)?;
                self.lexer.expect(')', "after argument list")?;
                Ok(DefinitionElement::Referenced(element.into()))
            }
            "ref" => Err(Wrong::new(at, "`ref` is only allowed inside custom directives")),
            other => Err(Wrong::new(at, format!("unknown directive '{other}' in the format"))
                .help("directives are custom, params, qualified, ref, struct")),
        }
    }

    fn all_parameters(&mut self, at: usize, context: Context) -> Parsed<DefinitionElement> {
        if !matches!(context, Context::Top | Context::Structure) {
            let message = "`params` can only be used at the top-level context or within a `struct` directive";
            return Err(Wrong::new(at, message));
        }
        if let Some(index) = self.seen.first() {
            let message = format!("`params` captures duplicate parameter: {}", self.parameters[*index].name);
            return Err(Wrong::new(at, message));
        }
        let own = |index: &usize| !self.parameters[*index].is_self_type;
        let indices: Vec<usize> = (0..self.parameters.len()).filter(own).collect();
        self.seen.extend(&indices);
        Ok(DefinitionElement::Parameters(indices))
    }

    fn structure(&mut self, at: usize, context: Context) -> Parsed<DefinitionElement> {
        if context != Context::Top {
            return Err(Wrong::new(at, "`struct` can only be used at the top-level context"));
        }
        self.lexer.expect('(', "before `struct` argument list")?;
        let mut elements = Vec::new();
        loop {
            let (element, at) = self.element(Context::Structure)?;
            match &element {
                DefinitionElement::Parameters(indices) => elements.extend(
                    indices.iter().map(|index| DefinitionElement::Parameter { index: *index, qualified: false }),
                ),
                DefinitionElement::Custom { arguments, .. } if arguments.len() != 1 => {
                    return Err(Wrong::new(at, "`struct` can only contain `custom` directives with a single argument"));
                }
                DefinitionElement::Parameter { .. } | DefinitionElement::Custom { .. } => elements.push(element),
                _ => return Err(Wrong::new(at, "`struct` argument list expected a parameter or directive")),
            }
            if !self.lexer.accept(',')? {
                break;
            }
        }
        self.lexer.expect(')', "at the end of an argument list")?;
        Ok(DefinitionElement::Structure(elements))
    }

    fn custom(&mut self, at: usize, context: Context) -> Parsed<DefinitionElement> {
        if !matches!(context, Context::Top | Context::Structure) {
            let message = "`custom` can only be used at the top-level context or within a `struct` directive";
            return Err(Wrong::new(at, message));
        }
        self.lexer.expect('<', "before custom directive name")?;
        let name_at = self.lexer.at();
        let Token::Word(name) = self.lexer.take()? else {
            return Err(Wrong::new(name_at, "expected custom directive name identifier"));
        };
        self.lexer.expect('>', "after custom directive name")?;
        self.lexer.expect('(', "before custom directive parameters")?;
        let mut arguments = Vec::new();
        while self.lexer.peek() != Token::Punctuation(')') {
            arguments.push(self.element(Context::Custom)?.0);
            if !self.lexer.accept(',')? {
                break;
            }
        }
        self.lexer.expect(')', "after custom directive parameters")?;
        Ok(DefinitionElement::Custom { name: name.to_string(), arguments })
    }

    fn optional(&mut self, at: usize) -> Parsed<DefinitionElement> {
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return Err(Wrong::new(at, format!("optional groups are nested more than {MAXIMUM_DEPTH} deep")));
        }
        let group = self.group(at)?;
        for (element, at) in group.then.iter().chain(&group.otherwise) {
            self.check_optional(element, *at)?;
        }
        let is_space =
            |element: &DefinitionElement| matches!(element, DefinitionElement::Literal(text) if text.trim().is_empty());
        let begins = |element: &DefinitionElement| {
            use DefinitionElement::{Custom, Literal, Parameter};
            matches!(element, Literal(_) | Parameter { .. } | Custom { .. })
        };
        group.check_first(at, is_space, begins)?;
        let Group { then, otherwise, anchor: (anchor, anchor_at), inverted } = group;
        let anchors = covered(&anchor);
        if anchors.is_empty() {
            let message = match anchor {
                DefinitionElement::Custom { .. } => {
                    "`custom` directive with no bound parameters cannot be used as optional group anchor"
                }
                _ => "only parameters and directives can be used to anchor an optional group",
            };
            return Err(Wrong::new(anchor_at, message));
        }
        self.depth -= 1;
        Ok(DefinitionElement::Optional { then: plain(then), otherwise: plain(otherwise), anchors, inverted })
    }

    /// Whatever stands in an optional group must be something that may be absent.
    fn check_optional(&self, element: &DefinitionElement, at: usize) -> Parsed<()> {
        let absent = covered(element).iter().all(|index| self.parameters[*index].optional);
        match (absent, element) {
            (true, _) | (_, DefinitionElement::Optional { .. }) => Ok(()),
            (_, DefinitionElement::Parameters(_)) => {
                Err(Wrong::new(at, "`params` directive allowed in optional group only if all parameters are optional"))
            }
            (_, DefinitionElement::Structure(_)) => Err(Wrong::new(
                at,
                "`struct` is only allowed in an optional group if all captured parameters are optional",
            )),
            (_, DefinitionElement::Custom { .. }) => Err(Wrong::new(
                at,
                "`custom` is only allowed in an optional group if all captured parameters are optional",
            )),
            _ => Err(Wrong::new(at, "parameters in an optional group must be optional")),
        }
    }
}

/// The parameters that an element covers.
fn covered(element: &DefinitionElement) -> Vec<usize> {
    match element {
        DefinitionElement::Parameter { index, .. } => vec![*index],
        DefinitionElement::Parameters(indices) => indices.clone(),
        DefinitionElement::Structure(elements) | DefinitionElement::Custom { arguments: elements, .. } => {
            elements.iter().flat_map(covered).collect()
        }
        _ => Vec::new(),
    }
}
