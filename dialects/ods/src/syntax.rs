//! How custom assembly writes attributes, and properties, which attributes store.

use crate::EnumerationDefinition;
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{Delimiter, Parser, Printer, Token};
use skriptnd_mlir::ir::{Attribute, attributes, types};
use skriptnd_mlir::predicate;

/// Parses a value, if one stands there.
pub type ValueParse = for<'c, 'p> fn(&mut Parser<'c, 'p>) -> Result<Option<Attribute<'c>>, Failure>;
/// Prints a value.
pub type ValuePrint = for<'c, 'p> fn(Attribute<'c>, &mut Printer<'p>);

/// How custom assembly writes an attribute.
#[derive(Debug, Clone, Copy)]
pub enum AttributeSyntax {
    /// As any attribute, with its type.
    Any,
    /// A literal without its type, which is the one named.
    Typed(&'static str),
    /// A symbol name `@name` for a string attribute.
    SymbolName,
    /// Only its presence matters: the word `unit`, or nothing where a group tells it.
    Unit,
    /// The same of a property, which may be `false` instead of absent: `unit` or `unit_absent`.
    Flag,
    /// A word for each value of an integer attribute, or a string for a set of several.
    Enumeration(&'static EnumerationDefinition),
    /// The same where the cases of a set stand one behind the other.
    Cases(&'static EnumerationDefinition),
    /// An attribute that was declared as `dialect.name`, in any dialect, without that name; `builtin.array<i64>` for lists.
    Defined(&'static str),
    /// `name<value>`.
    Named(&'static str, &'static AttributeSyntax),
    /// An array of one value, which stands there alone, or of none, which is the word `none`.
    Possible(&'static AttributeSyntax),
    /// The same where a value is written `some<value>`.
    Some(&'static AttributeSyntax),
    /// An array of values: `[value, value]`.
    List(&'static AttributeSyntax),
    /// As functions have it.
    Custom {
        /// Parses it.
        parse: ValueParse,
        /// Prints it.
        print: ValuePrint,
    },
}

impl AttributeSyntax {
    /// Parses the attribute, which must be there.
    pub(crate) fn parse<'c>(&self, parser: &mut Parser<'c, '_>) -> Result<Attribute<'c>, Failure> {
        match self {
            Self::SymbolName => parser.parse_symbol_name().map(|name| attributes::string(parser.context(), &name)),
            Self::Enumeration(cases) => cases.parse(parser).and_then(|value| enumerated(parser, cases.width, value)),
            Self::Cases(cases) => {
                cases.parse_parameter(parser).and_then(|value| enumerated(parser, cases.width, value))
            }
            Self::Defined(name) => parser.parse_stripped_attribute(name),
            Self::Typed(r#type) => {
                let r#type = types::parse(parser.context(), r#type);
                parser.parse_attribute(r#type)
            }
            Self::Any | Self::Unit => parser.parse_attribute(None),
            Self::Named(name, value) => {
                parser.parse_keyword(name)?;
                in_brackets(parser, value)
            }
            Self::List(value) => {
                let values = parser.parse_list(Delimiter::Square, |parser| value.parse(parser))?;
                Ok(attributes::array(parser.context(), &values))
            }
            Self::Flag | Self::Possible(_) | Self::Some(_) | Self::Custom { .. } => {
                let value = self.parse_optional(parser)?;
                value.ok_or_else(|| parser.error(self.expected()))
            }
        }
    }

    /// Parses the attribute, if it stands there.
    pub(crate) fn parse_optional<'c>(&self, parser: &mut Parser<'c, '_>) -> Result<Option<Attribute<'c>>, Failure> {
        match self {
            Self::SymbolName => {
                Ok(parser.parse_optional_symbol_name().map(|name| attributes::string(parser.context(), &name)))
            }
            Self::Enumeration(cases) => {
                let value = cases.parse_optional(parser)?;
                value.map(|value| enumerated(parser, cases.width, value)).transpose()
            }
            Self::Cases(cases) => {
                let value = cases.parse_optional_parameter(parser)?;
                value.map(|value| enumerated(parser, cases.width, value)).transpose()
            }
            Self::Typed(r#type) => {
                let r#type = types::parse(parser.context(), r#type);
                parser.parse_optional_attribute(r#type)
            }
            Self::Defined(name) => match dense_element(name) {
                Some(element) => optional_dense(parser, name, element),
                None => parser.parse_optional_attribute(None),
            },
            Self::Any | Self::Unit => parser.parse_optional_attribute(None),
            Self::Flag if parser.parse_optional_keyword("unit") => Ok(Some(attributes::unit(parser.context()))),
            Self::Flag if parser.parse_optional_keyword("unit_absent") => {
                Ok(Some(attributes::boolean(parser.context(), false)))
            }
            Self::Flag => Ok(None),
            Self::Named(name, value) if parser.parse_optional_keyword(name) => in_brackets(parser, value).map(Some),
            Self::Named(..) => Ok(None),
            Self::Possible(_) | Self::Some(_) if parser.parse_optional_keyword("none") => {
                Ok(Some(attributes::array(parser.context(), &[])))
            }
            Self::Possible(value) => Ok(value.parse_optional(parser)?.map(|value| one(parser, value))),
            Self::Some(value) if parser.parse_optional_keyword("some") => {
                in_brackets(parser, value).map(|value| Some(one(parser, value)))
            }
            Self::Some(_) => Ok(None),
            Self::List(value) => {
                let values = optional_list(parser, |parser| value.parse(parser))?;
                Ok(values.map(|values| attributes::array(parser.context(), &values)))
            }
            Self::Custom { parse, .. } => parse(parser),
        }
    }

    /// Whether its text can be told from what follows an absent one.
    pub(crate) fn tells_absence(&self) -> bool {
        !matches!(self, Self::Defined(name) if dense_element(name).is_none())
    }

    /// Prints the attribute; one of another form, which no verifier has seen yet, as it is.
    pub(crate) fn print(&self, value: Attribute<'_>, printer: &mut Printer<'_>) {
        match (self, attributes::as_array(value)) {
            (Self::Any | Self::Unit, _) => drop(printer.attribute(value)),
            (Self::Flag, _) if attributes::as_bool(value) == Some(false) => drop(printer.text("unit_absent")),
            (Self::Flag, _) => drop(printer.text("unit")),
            (Self::Typed(_), _) => drop(printer.attribute_without_type(value)),
            (Self::SymbolName, _) => drop(printer.symbol_name(&predicate::string(value))),
            (Self::Enumeration(cases), _) => cases.print(predicate::integer(value), printer),
            (Self::Cases(cases), _) => cases.print_parameter(predicate::integer(value), printer),
            (Self::Defined(_), _) => drop(printer.stripped_attribute(value)),
            (Self::Named(name, inner), _) => {
                printer.text(name).text("<");
                inner.print(value, printer);
                printer.text(">");
            }
            (Self::Possible(inner), Some(values)) => match values.first() {
                Some(value) => inner.print(*value, printer),
                None => drop(printer.text("none")),
            },
            (Self::Some(inner), Some(values)) => match values.first() {
                Some(value) => Self::Named("some", inner).print(*value, printer),
                None => drop(printer.text("none")),
            },
            (Self::List(inner), Some(values)) => {
                printer.text("[").list(values, |printer, value| inner.print(value, printer)).text("]");
            }
            (Self::Possible(_) | Self::Some(_) | Self::List(_), None) => drop(printer.attribute(value)),
            (Self::Custom { print, .. }, _) => print(value, printer),
        }
    }

    fn expected(&self) -> &'static str {
        match self {
            Self::Flag => "expected 'unit' or 'unit_absent'",
            Self::Some(_) => "expected 'none' or 'some<prop>'",
            Self::Possible(_) => "expected a value or 'none'",
            _ => "expected a value",
        }
    }
}

fn in_brackets<'c>(parser: &mut Parser<'c, '_>, value: &AttributeSyntax) -> Result<Attribute<'c>, Failure> {
    parser.parse_token(Token::Less)?;
    let value = value.parse(parser)?;
    parser.parse_token(Token::Greater)?;
    Ok(value)
}

/// `[item, item]`, if it stands there.
fn optional_list<'c, 'p, T>(
    parser: &mut Parser<'c, 'p>,
    mut item: impl FnMut(&mut Parser<'c, 'p>) -> Result<T, Failure>,
) -> Result<Option<Vec<T>>, Failure> {
    if !parser.parse_optional_token(Token::LeftSquare) {
        return Ok(None);
    }
    let mut items = Vec::new();
    while !parser.parse_optional_token(Token::RightSquare) {
        if !items.is_empty() {
            parser.parse_token(Token::Comma)?;
        }
        items.push(item(parser)?);
    }
    Ok(Some(items))
}

/// The type of the elements of `builtin.array<TYPE>`.
fn dense_element(name: &str) -> Option<&str> {
    name.strip_prefix("builtin.array<")?.strip_suffix('>')
}

/// `[1, 2]` as a dense array, which MLIR's parser of optional attributes would take for an array of attributes.
fn optional_dense<'c>(
    parser: &mut Parser<'c, '_>,
    name: &str,
    element: &str,
) -> Result<Option<Attribute<'c>>, Failure> {
    let r#type = types::parse(parser.context(), element);
    let digits = |value: Attribute<'_>| value.to_string().split(" : ").next().unwrap_or_default().to_string();
    let Some(values) = optional_list(parser, |parser| parser.parse_attribute(r#type).map(digits))? else {
        return parser.parse_optional_attribute(None);
    };
    let colon = if values.is_empty() { "" } else { ": " };
    let text = format!("array<{element}{colon}{}>", values.join(", "));
    let made = attributes::parse(parser.context(), &text);
    made.map(Some).ok_or_else(|| parser.error(&format!("expected a value of `{name}`")))
}

fn one<'c>(parser: &Parser<'c, '_>, value: Attribute<'c>) -> Attribute<'c> {
    attributes::array(parser.context(), &[value])
}

/// The attribute of a value of an enumeration.
fn enumerated<'c>(parser: &mut Parser<'c, '_>, width: u32, value: i64) -> Result<Attribute<'c>, Failure> {
    let r#type = types::integer(parser.context(), width);
    attributes::typed_integer(r#type, value).ok_or_else(|| parser.error("expected an integer"))
}
