//! Assembly formats as data.

use crate::OperationDefinition;
use crate::parsed::FormatParser;
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Parser, Printer, Token};
use skriptnd_mlir::ir::OperationRef;

/// What an element of a format refers to: the index of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// An operand.
    Operand(usize),
    /// A result.
    Result(usize),
    /// An attribute.
    Attribute(usize),
    /// A region.
    Region(usize),
    /// A successor.
    Successor(usize),
    /// All operands.
    Operands,
    /// All results.
    Results,
}

/// Parses a custom directive.
pub type CustomParse = for<'c, 'p, 'f> fn(&mut Parser<'c, 'p>, &mut FormatParser<'c, 'p, 'f>) -> Result<(), Failure>;
/// Prints a custom directive.
pub type CustomPrint = for<'c, 'a, 'p> fn(OperationRef<'c, 'a>, &OperationDefinition, &mut Printer<'p>);

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
    /// The types of operands or results.
    Type(Reference),
    /// `(types) -> types`.
    FunctionalType(Reference, Reference),
    /// Something parsed and printed by Rust code.
    Custom {
        /// What it covers.
        covers: &'static [Reference],
        /// Parses it.
        parse: CustomParse,
        /// Prints it.
        print: CustomPrint,
    },
    /// A group that may be missing.
    Optional {
        /// What stands there if the anchor is present.
        then: &'static [Element],
        /// What stands there if not.
        otherwise: &'static [Element],
        /// What decides.
        anchor: Reference,
    },
}

/// The token of a punctuation.
pub(super) fn token(text: &str) -> Option<Token> {
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
            Element::Custom { covers, .. } => names.extend(covers.iter().filter_map(name)),
            Element::Optional { then, otherwise, anchor } => {
                names.extend(name(anchor));
                names.extend(written_attributes(then, definition));
                names.extend(written_attributes(otherwise, definition));
            }
            _ => {}
        }
    }
    names
}
