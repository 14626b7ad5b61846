//! Assembly formats as data.

use crate::parsed::FormatParser;
use crate::reference::{Reference, TypeSource};
use crate::{AttributeDefinition, AttributeSyntax, OperationDefinition};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Parser, Printer, Token};
use skriptnd_mlir::ir::OperationRef;

/// Parses a custom directive.
pub type CustomParse =
    for<'c, 'p, 'f> fn(&mut Parser<'c, 'p>, &mut FormatParser<'c, 'p, 'f>, &[Element]) -> Result<(), Failure>;
/// Prints a custom directive.
pub type CustomPrint = for<'c, 'a, 'p> fn(OperationRef<'c, 'a>, &OperationDefinition, &[Element], &mut Printer<'p>);

/// An assembly format.
#[derive(Debug)]
pub struct Format {
    /// What is printed and parsed, one after the other.
    pub elements: &'static [Element],
    /// How the types of the declared operands are found.
    pub operand_types: &'static [TypeSource],
    /// How the types of the declared results are found.
    pub result_types: &'static [TypeSource],
}

/// An element of an assembly format.
#[derive(Debug)]
pub enum Element {
    /// Punctuation or a keyword; empty: no space here; white space: as it is.
    Literal(&'static str),
    /// Operands, an attribute, a region or a successor.
    Variable(Reference),
    /// All operands.
    Operands,
    /// All regions.
    Regions,
    /// All successors.
    Successors,
    /// The attributes that stand nowhere else.
    AttributeDictionary {
        /// Whether the word `attributes` stands before it.
        keyword: bool,
    },
    /// The declared attributes that stand nowhere else: `<{...}>`.
    PropertyDictionary,
    /// The types of operands or results.
    Type(Reference),
    /// `(types) -> types`.
    FunctionalType(Reference, Reference),
    /// Something parsed and printed by Rust code.
    Custom {
        /// Its arguments.
        arguments: &'static [Element],
        /// Parses it.
        parse: CustomParse,
        /// Prints it.
        print: CustomPrint,
    },
    /// Among the arguments of a custom directive: something that stands elsewhere.
    Referenced(&'static Element),
    /// Among the arguments of a custom directive: a text.
    Text(&'static str),
    /// A group that may be missing.
    Optional {
        /// What stands there if one of the anchors is present (or none of them, if inverted).
        then: &'static [Element],
        /// What stands there if not.
        otherwise: &'static [Element],
        /// What decides.
        anchors: &'static [Reference],
        /// Whether the anchors stand in `otherwise`.
        inverted: bool,
    },
    /// Clauses in any order, each of which may be missing.
    Clauses(&'static [Clause]),
}

/// A clause: it is there if one of its variables is.
#[derive(Debug)]
pub struct Clause {
    /// The word that it begins with.
    pub literal: &'static str,
    /// What stands behind it.
    pub elements: &'static [Element],
}

/// The attribute that an element of a group is and that is not written, as the group tells whether it is there.
pub(crate) fn implied(definition: &OperationDefinition, element: &Element, anchors: &[Reference]) -> Option<usize> {
    let Element::Variable(reference @ Reference::Attribute(index)) = element else { return None };
    let is_unit =
        |declared: &AttributeDefinition| matches!(declared.syntax, AttributeSyntax::Unit | AttributeSyntax::Flag);
    let is_told = anchors.contains(reference) && definition.attributes.get(*index).is_some_and(is_unit);
    is_told.then_some(*index)
}

/// The attribute that the word of a clause stands for, which has nothing else.
pub(crate) fn implied_by_clause(definition: &OperationDefinition, clause: &Clause) -> Option<usize> {
    match clause.elements {
        [only @ Element::Variable(reference)] => implied(definition, only, &[*reference]),
        _ => None,
    }
}

/// The token of a punctuation.
fn token(text: &str) -> Option<Token> {
    Some(match text {
        "->" => Token::Arrow,
        ":" => Token::Colon,
        "," => Token::Comma,
        "..." => Token::Ellipsis,
        "=" => Token::Equal,
        ">" => Token::Greater,
        "{" => Token::LeftBrace,
        "(" => Token::LeftParenthesis,
        "[" => Token::LeftSquare,
        "<" => Token::Less,
        "-" => Token::Minus,
        "+" => Token::Plus,
        "?" => Token::Question,
        "}" => Token::RightBrace,
        ")" => Token::RightParenthesis,
        "]" => Token::RightSquare,
        "/" => Token::Slash,
        "*" => Token::Star,
        "|" => Token::VerticalBar,
        _ => return None,
    })
}

/// Parses a literal.
pub(crate) fn literal<S>(parser: &mut Parser<'_, '_, S>, text: &str) -> Result<(), Failure> {
    match token(text) {
        _ if text.trim().is_empty() || text == "\\n" => Ok(()),
        Some(token) => parser.parse_token(token),
        None => parser.parse_keyword(text),
    }
}

/// Whether the literal stood there.
pub(crate) fn optional_literal<S>(parser: &mut Parser<'_, '_, S>, text: &str) -> bool {
    match token(text) {
        Some(token) => parser.parse_optional_token(token),
        None => parser.parse_optional_keyword(text),
    }
}

/// Where spaces stand between what is printed, as upstream's generated printers set them.
#[derive(Debug)]
pub(crate) struct Spacing {
    /// Whether a space stands before the next element.
    space: bool,
    /// Whether the last element was punctuation.
    punctuation: bool,
}

impl Default for Spacing {
    fn default() -> Self {
        Self { space: true, punctuation: false }
    }
}

impl Spacing {
    /// What is no literal follows.
    pub(crate) fn before<S>(&mut self, printer: &mut Printer<'_, S>) {
        if self.space || !self.punctuation {
            printer.text(" ");
        }
        self.after_word();
    }

    /// Something stands there that brought its own space.
    pub(crate) fn after_word(&mut self) {
        *self = Self::default();
    }

    /// Prints a literal.
    pub(crate) fn literal<S>(&mut self, printer: &mut Printer<'_, S>, text: &str) {
        if text.trim().is_empty() {
            printer.text(text);
            (self.space, self.punctuation) = (false, true);
            return;
        }
        let first = text.chars().next().unwrap_or(' ');
        let single = text.chars().count() == 1;
        let before = match single {
            false => self.space || !self.punctuation,
            true if self.punctuation => self.space && !">)}],".contains(first),
            true => !"<>(){}[],".contains(first),
        };
        printer.text(if before { " " } else { "" }).text(text);
        self.space = !single || !"<({[".contains(first);
        self.punctuation = first != '_' && !first.is_alphabetic();
    }
}

/// What elements show, be it the value or its type.
pub(crate) fn variables(elements: &[Element]) -> Vec<Reference> {
    let mut found = Vec::new();
    for element in elements {
        match element {
            Element::Variable(reference) | Element::Type(reference) => found.push(*reference),
            Element::Custom { arguments, .. } => found.extend(variables(arguments)),
            Element::Optional { then, otherwise, .. } => {
                found.extend(variables(then));
                found.extend(variables(otherwise));
            }
            _ => {}
        }
    }
    found
}

/// The names of the attributes that say how many values belong to each group that elements write.
pub(super) fn written_groups(elements: &[Element], definition: &OperationDefinition) -> Vec<&'static str> {
    let groups = |reference: Reference| match reference {
        Reference::Operand(index) => definition.operands.get(index).and_then(|operand| operand.groups),
        _ => None,
    };
    variables(elements).into_iter().filter_map(groups).collect()
}

/// The names of the attributes that elements other than the dictionary write.
pub(super) fn written_attributes(elements: &[Element], definition: &OperationDefinition) -> Vec<&'static str> {
    let name = |reference: &Reference| match reference {
        Reference::Attribute(index) => definition.attributes.get(*index).map(|attribute| attribute.name),
        _ => None,
    };
    let mut names = Vec::new();
    for element in elements {
        match element {
            Element::Variable(reference) => names.extend(name(reference)),
            Element::Custom { arguments, .. } => names.extend(written_attributes(arguments, definition)),
            Element::Clauses(clauses) => {
                names.extend(clauses.iter().flat_map(|clause| written_attributes(clause.elements, definition)));
            }
            Element::Optional { then, otherwise, anchors, .. } => {
                names.extend(anchors.iter().filter_map(name));
                names.extend(written_attributes(then, definition));
                names.extend(written_attributes(otherwise, definition));
            }
            _ => {}
        }
    }
    names
}
