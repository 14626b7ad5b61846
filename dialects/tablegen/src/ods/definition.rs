//! Types and attributes of one's own: `TypeDef` and `AttrDef`.

use super::{
    builder::Builder,
    constraint::Constraint,
    format::DefinitionElement,
    traits::{InterfaceUse, Trait},
};
use crate::{error::Place, predicate::snake_case};

/// Whether a definition is a type or an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefinitionKind {
    /// `TypeDef`.
    Type,
    /// `AttrDef`.
    Attribute,
}

/// A parameter of a type or an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionParameter {
    /// Its name.
    pub name: String,
    /// The C++ type.
    pub cpp_type: String,
    /// The C++ type that it is stored in.
    pub storage: String,
    /// The C++ type that its getter returns.
    pub accessor: String,
    /// The C++ expression of the value that stands for an absent one.
    pub default: Option<String>,
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether it is the type of the attribute itself, which is printed behind it.
    pub is_self_type: bool,
    /// What must hold of it.
    pub constraint: Option<Constraint>,
    /// The C++ that allocates, compares, parses, prints and converts it, by field.
    pub code: Vec<(String, String)>,
    /// One line about it.
    pub summary: Option<String>,
    /// How its text looks, for people.
    pub syntax: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

/// A `TypeDef` or `AttrDef` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The name of the definition.
    pub definition: String,
    /// Type or attribute.
    pub kind: DefinitionKind,
    /// The name of the dialect.
    pub dialect: String,
    /// Whether another dialect has one of this name beside it, so that its dialect tells them apart.
    pub is_qualified: bool,
    /// The C++ class.
    pub class: String,
    /// The C++ class with its namespaces.
    pub cpp_type: String,
    /// The name in text; `None` for one that text does not show.
    pub mnemonic: Option<String>,
    /// What a message says of it.
    pub summary: Option<String>,
    /// Markdown about it.
    pub description: Option<String>,
    /// The parameters in order.
    pub parameters: Vec<DefinitionParameter>,
    /// Traits and interfaces.
    pub traits: Vec<Trait>,
    /// The interfaces among the traits, with what is said of them.
    pub interfaces: Vec<InterfaceUse>,
    /// The text behind the mnemonic.
    pub format: Option<Vec<DefinitionElement>>,
    /// Whether parser and printer are written by hand.
    pub has_custom_assembly: bool,
    /// Builders beside the one of all parameters.
    pub builders: Vec<Builder>,
    /// Whether only `builders` are wanted.
    pub skips_default_builders: bool,
    /// Whether there is a verifier of the parameters.
    pub has_verifier: bool,
    /// Whether getters of the parameters are wanted.
    pub has_accessors: bool,
    /// Whether the printer may use the mnemonic as an alias.
    pub has_mnemonic_alias: bool,
    /// The name of the enumeration that an attribute of `EnumAttr` holds.
    pub enumeration: Option<String>,
    /// The predicate that a value of it fulfils.
    pub constraint: Constraint,
    /// Where it is defined.
    pub place: Place,
}

impl Definition {
    /// The name that it is registered under: `dialect.mnemonic`; one without a mnemonic is called as its class.
    pub fn name(&self) -> String {
        let mnemonic = self.mnemonic.clone().unwrap_or_else(|| snake_case(&self.class));
        format!("{}.{mnemonic}", self.dialect)
    }
}
