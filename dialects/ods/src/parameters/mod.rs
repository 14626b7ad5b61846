//! Types and attributes as their `TypeDef` and `AttrDef` records declare them: parameters and assembly as data.

mod parse;
mod print;
mod specification;
mod value;
mod verify;

pub use parse::ParsedParameters;
pub use specification::definition_specification;
pub use value::{ParameterValue, ParameterValues};

use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::{ParameterParser, ParameterPrinter};
use skriptnd_mlir::ir::{Attribute, Context, Type, attributes};

use crate::EnumerationDefinition;

/// A type or an attribute.
#[derive(Debug)]
pub struct ParameterizedDefinition {
    /// The whole name: `dialect.mnemonic`.
    pub name: &'static str,
    /// The parameters in order.
    pub parameters: &'static [ParameterDefinition],
    /// What stands behind the name; none: all parameters as attributes in angle brackets.
    pub format: Option<&'static [ParameterElement]>,
}

/// A parameter.
#[derive(Debug)]
pub struct ParameterDefinition {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: ParameterKind,
    /// What stands for an absent one.
    pub default: ParameterDefault,
    /// What a message says it must be.
    pub summary: &'static str,
    /// What must hold of it, or of each in a list.
    pub constraint: ParameterConstraint,
    /// Whether it is the type of the attribute, which stands behind it.
    pub is_self_type: bool,
}

/// What must hold of a parameter.
#[derive(Debug)]
pub enum ParameterConstraint {
    /// Nothing.
    Anything,
    /// This, of the type in it.
    Type(for<'c> fn(Type<'c>) -> bool),
    /// This, of the attribute that it is.
    Attribute(for<'c> fn(Attribute<'c>) -> bool),
}

/// What a parameter holds; all are stored as attributes.
#[derive(Debug)]
pub enum ParameterKind {
    /// A truth value.
    Boolean,
    /// A number of so many bits.
    Integer {
        /// The bits.
        width: u32,
        /// Whether it can be negative.
        signed: bool,
    },
    /// A floating-point number.
    Float,
    /// A text.
    Text,
    /// A type; the name of its definition if that is known.
    Type(Option<&'static str>),
    /// An attribute; the name of its definition if that is known.
    Attribute(Option<&'static str>),
    /// Several of one kind.
    List(&'static ParameterKind),
    /// A value of an enumeration.
    Enumeration(&'static EnumerationDefinition),
    /// An attribute that Rust code parses and prints.
    Opaque {
        /// Parses it.
        parse: for<'c, 'p> fn(&mut ParameterParser<'c, 'p>) -> Result<Attribute<'c>, Failure>,
        /// Prints it.
        print: for<'c, 'p> fn(Attribute<'c>, &mut ParameterPrinter<'p>),
    },
}

/// What stands for an absent parameter.
#[derive(Debug)]
pub enum ParameterDefault {
    /// Nothing: it must be there.
    Required,
    /// Nothing.
    Nothing,
    /// Zero, an empty text or an empty list.
    Zero,
    /// A truth value.
    Boolean(bool),
    /// A number, or the value of an enumeration.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(&'static str),
    /// An attribute or a type that Rust code makes.
    Made(for<'c> fn(&'c Context) -> Attribute<'c>),
}

/// An element of the assembly of a type or an attribute.
#[derive(Debug)]
pub enum ParameterElement {
    /// Punctuation or a keyword; empty: no space here; white space: as it is.
    Literal(&'static str),
    /// A parameter.
    Parameter {
        /// Which one.
        index: usize,
        /// Whether types and attributes in it show their names.
        qualified: bool,
    },
    /// Parameters with commas between them.
    Parameters(&'static [usize]),
    /// Parameters by name, in any order.
    Structure(&'static [ParameterElement]),
    /// Something parsed and printed by Rust code.
    Custom {
        /// Its arguments.
        arguments: &'static [ParameterElement],
        /// Parses it.
        parse: ParseParameters,
        /// Prints it.
        print: PrintParameters,
    },
    /// Among the arguments of a custom directive: a parameter that stands elsewhere.
    Referenced(&'static ParameterElement),
    /// Among the arguments of a custom directive: a text.
    Text(&'static str),
    /// A group that may be missing.
    Optional {
        /// What stands there if one of the anchors is present (or none of them, if inverted).
        then: &'static [ParameterElement],
        /// What stands there if not.
        otherwise: &'static [ParameterElement],
        /// The parameters that decide.
        anchors: &'static [usize],
        /// Whether the anchors stand in `otherwise`.
        inverted: bool,
    },
}

/// Parses a custom directive.
pub type ParseParameters = for<'c, 'p, 'd> fn(
    &mut ParameterParser<'c, 'p>,
    &mut ParsedParameters<'c, 'd>,
    &[ParameterElement],
) -> Result<(), Failure>;
/// Prints a custom directive, given all parameters.
pub type PrintParameters = for<'c, 'p> fn(&[Attribute<'c>], &[ParameterElement], &mut ParameterPrinter<'p>);

impl ParameterDefinition {
    /// The attribute that stands for an absent one; none if it must be there.
    pub fn default<'c>(&self, context: &'c Context) -> Option<Attribute<'c>> {
        Some(match self.default {
            ParameterDefault::Required => return None,
            ParameterDefault::Nothing => value::absent(context),
            ParameterDefault::Zero => self.kind.zero(context),
            ParameterDefault::Boolean(value) => value.into_attribute(context),
            ParameterDefault::Integer(value) => value.into_attribute(context),
            ParameterDefault::Float(value) => value.into_attribute(context),
            ParameterDefault::Text(value) => attributes::string(context, value),
            ParameterDefault::Made(make) => make(context),
        })
    }

    /// Whether a value is that of an absent one, which is not written.
    pub fn is_absent(&self, value: Attribute<'_>) -> bool {
        self.default(value.context()).is_some_and(|default| default == value)
    }
}

impl ParameterKind {
    fn zero<'c>(&self, context: &'c Context) -> Attribute<'c> {
        match self {
            Self::Boolean => false.into_attribute(context),
            Self::Integer { .. } | Self::Enumeration(_) => 0.into_attribute(context),
            Self::Float => 0.0.into_attribute(context),
            Self::Text => attributes::string(context, ""),
            Self::List(_) => Vec::<Attribute<'c>>::new().into_attribute(context),
            Self::Type(_) | Self::Attribute(_) | Self::Opaque { .. } => value::absent(context),
        }
    }
}

/// The parameters that an element covers.
fn covered(element: &ParameterElement) -> Vec<usize> {
    match element {
        ParameterElement::Parameter { index, .. } => vec![*index],
        ParameterElement::Parameters(indices) => indices.to_vec(),
        ParameterElement::Structure(elements) | ParameterElement::Custom { arguments: elements, .. } => {
            elements.iter().flat_map(covered).collect()
        }
        _ => Vec::new(),
    }
}
