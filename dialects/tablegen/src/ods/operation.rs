//! Operations: arguments, results, regions, successors and what else is declared of them.

use std::collections::BTreeMap;

use super::{
    builder::Builder,
    constraint::{AttributeKind, Constraint},
    format::{Format, Reference},
    formula::Formula,
    property::Property,
    traits::{Effect, InterfaceUse, Trait, TypeRelation},
};
use crate::error::Place;

/// How many values stand for one declared operand or result (regions and successors likewise).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
    /// Any number of groups of any number; an attribute says how many belong to each group.
    VariadicOfVariadic,
}

/// A declared operand or result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The name in the declaration; results may have none.
    pub name: String,
    /// How many values it stands for.
    pub arity: Arity,
    /// What the type of each must fulfil.
    pub constraint: Constraint,
    /// The definition without `Variadic`, `Optional` and `Arg`; empty if it has none.
    pub base: String,
    /// The C++ class of its type.
    pub cpp_type: String,
    /// The C++ expression that builds the type, if it can be built of nothing.
    pub builder_call: Option<String>,
    /// How many values there must be at least.
    pub minimum: usize,
    /// The attribute with the sizes of the groups of [`Arity::VariadicOfVariadic`].
    pub segments: Option<String>,
    /// What `Arg<..., [MemRead]>` says is done to it.
    pub effects: Vec<Effect>,
    /// What `Arg<..., "...">` or `Res<..., "...">` says about it.
    pub summary: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

/// A declared attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The name in the declaration, which is that of the attribute.
    pub name: String,
    /// What it must fulfil.
    pub constraint: Constraint,
    /// What Rust sees.
    pub kind: AttributeKind,
    /// Whether it may be absent.
    pub optional: bool,
    /// The value that stands for an absent one, as the .td file writes it.
    pub default: Option<String>,
    /// The attribute that stands for an absent one, as MLIR writes it, where the C++ is understood.
    pub default_text: Option<String>,
    /// The name of the enumeration that it holds.
    pub enumeration: Option<String>,
    /// The definition without what makes it optional, gives it a value or confines it; empty if it has none.
    pub base: String,
    /// The registered name that formats leave out, if they do.
    pub written_name: Option<String>,
    /// The C++ class that stores it.
    pub storage: String,
    /// The C++ type that its getter returns.
    pub returned: String,
    /// The C++ expression that makes the attribute of a value, `$0`.
    pub const_builder: Option<String>,
    /// The definition of the type of its value, if it has a fixed one.
    pub value_type: Option<String>,
    /// The C++ expression that builds the type of its value.
    pub value_type_builder: Option<String>,
    /// The property that it stores, if it stands for one.
    pub property: Option<Box<Property>>,
    /// What `Arg<..., [MemRead]>` says is done to the symbol.
    pub effects: Vec<Effect>,
    /// What `Arg<..., "...">` says about it.
    pub summary: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

impl Attribute {
    /// Whether text need not have it: it is optional or has a default value.
    pub fn may_be_absent(&self) -> bool {
        self.optional || self.default.is_some()
    }
}

/// An attribute that is computed of the operation and not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DerivedAttribute {
    /// The name of its getter.
    pub name: String,
    /// The C++ type that it has.
    pub returned: String,
    /// The C++ statements that compute it.
    pub body: String,
    /// The C++ expression that makes an attribute of the value, `$_self`.
    pub to_attribute: Option<String>,
    /// Where it is declared.
    pub place: Place,
}

/// An entry of `arguments`: which operand, which attribute or which property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// The index of an operand.
    Operand(usize),
    /// The index of an attribute.
    Attribute(usize),
    /// The index of a property.
    Property(usize),
}

/// A declared region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The name in the declaration.
    pub name: String,
    /// Whether it stands for any number of regions.
    pub variadic: bool,
    /// What each must fulfil.
    pub constraint: Constraint,
    /// Where it is declared.
    pub place: Place,
}

/// A declared successor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Successor {
    /// The name in the declaration.
    pub name: String,
    /// Whether it stands for any number of blocks.
    pub variadic: bool,
    /// What each must fulfil.
    pub constraint: Constraint,
    /// Where it is declared.
    pub place: Place,
}

/// An `Op` record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Operation {
    /// The name of the definition.
    pub definition: String,
    /// The name of the dialect.
    pub dialect: String,
    /// The name without the dialect.
    pub mnemonic: String,
    /// Whether another dialect has one of this name beside it, so that its dialect tells them apart.
    pub is_qualified: bool,
    /// The C++ namespace, which becomes the Rust module.
    pub namespace: String,
    /// One line about it.
    pub summary: Option<String>,
    /// Markdown about it.
    pub description: Option<String>,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// Attributes in order.
    pub attributes: Vec<Attribute>,
    /// Properties in order.
    pub properties: Vec<Property>,
    /// Attributes that are computed and not stored.
    pub derived: Vec<DerivedAttribute>,
    /// Operands, attributes and properties in the order of `arguments`, by which patterns refer to them.
    pub arguments: Vec<Argument>,
    /// Results in order.
    pub results: Vec<Operand>,
    /// Regions in order.
    pub regions: Vec<Region>,
    /// Successors in order.
    pub successors: Vec<Successor>,
    /// Traits and interfaces.
    pub traits: Vec<Trait>,
    /// The operations that traits name, by their C++ classes.
    pub named_operations: BTreeMap<String, String>,
    /// The interfaces among the traits, with what is said of them.
    pub interfaces: Vec<InterfaceUse>,
    /// The effects that the traits name, with what they act on.
    pub effects: Vec<Effect>,
    /// What traits say of the types of operands and results.
    pub type_relations: Vec<TypeRelation>,
    /// Builders beside those that follow from the arguments.
    pub builders: Vec<Builder>,
    /// Whether only `builders` are wanted.
    pub skips_default_builders: bool,
    /// The custom assembly.
    pub format: Option<Format>,
    /// The custom assembly as it is declared.
    pub format_text: Option<String>,
    /// Whether parser and printer are written by hand.
    pub has_custom_assembly: bool,
    /// Whether there is a further verifier.
    pub has_verifier: bool,
    /// The C++ members that it and its traits add: they may be methods of interfaces.
    pub members: String,
    /// The C++ of the further verifier, as records had it formerly.
    pub former_verifier: Option<String>,
    /// Whether there is a further verifier that runs after the operations in the regions are verified.
    pub has_region_verifier: bool,
    /// Whether there are canonicalization patterns.
    pub has_canonicalizer: bool,
    /// Whether the canonicalization is a single function `canonicalize`.
    pub has_canonicalize_method: bool,
    /// Whether there is a folder.
    pub has_folder: bool,
    /// The formula of what it computes, in SkriptND: the early text's `reference`.
    pub reference: Option<Formula>,
    /// The group in the documentation: its summary.
    pub group: Option<String>,
    /// Where it is defined.
    pub place: Place,
}

impl Operation {
    /// The name with the dialect.
    pub fn name(&self) -> String {
        format!("{}.{}", self.dialect, self.mnemonic)
    }

    /// Whether one of its traits is `name`.
    pub fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|item| matches!(item, Trait::Native(native) if native == name))
    }

    /// The name of an entry of `arguments`.
    pub fn argument_name(&self, argument: Argument) -> &str {
        match argument {
            Argument::Operand(index) => &self.operands[index].name,
            Argument::Attribute(index) => &self.attributes[index].name,
            Argument::Property(index) => &self.properties[index].name,
        }
    }

    /// What a name stands for, in the order in which formats look it up.
    pub fn find(&self, name: &str) -> Option<Reference> {
        let position = |mut names: Box<dyn Iterator<Item = &String> + '_>| names.position(|found| found == name);
        let operand = position(Box::new(self.operands.iter().map(|item| &item.name))).map(Reference::Operand);
        let attribute = || position(Box::new(self.attributes.iter().map(|item| &item.name))).map(Reference::Attribute);
        let property = || position(Box::new(self.properties.iter().map(|item| &item.name))).map(Reference::Property);
        let region = || position(Box::new(self.regions.iter().map(|item| &item.name))).map(Reference::Region);
        let result = || position(Box::new(self.results.iter().map(|item| &item.name))).map(Reference::Result);
        let successor = || position(Box::new(self.successors.iter().map(|item| &item.name))).map(Reference::Successor);
        attribute().or_else(property).or(operand).or_else(region).or_else(result).or_else(successor)
    }

    /// How many things a reference stands for; attributes and properties are one.
    pub fn arity_of(&self, reference: Reference) -> Option<Arity> {
        let block = |variadic| if variadic { Arity::Variadic } else { Arity::One };
        match reference {
            Reference::Operand(index) => Some(self.operands[index].arity),
            Reference::Result(index) => Some(self.results[index].arity),
            Reference::Attribute(_) | Reference::Property(_) => Some(Arity::One),
            Reference::Region(index) => Some(block(self.regions[index].variadic)),
            Reference::Successor(index) => Some(block(self.successors[index].variadic)),
            Reference::Operands | Reference::Results => None,
        }
    }

    /// Whether Rust says what types its results have: it has the interface for that, and no trait says it already.
    pub fn infers_types(&self) -> bool {
        let single = |values: &[Operand]| values.iter().filter(|value| value.arity == Arity::One).count();
        let by_trait = self.has_trait("SameOperandsAndResultType")
            && single(&self.results) == self.results.len()
            && single(&self.operands) > 0;
        self.interfaces.iter().any(|item| item.name == "InferTypeOpInterface") && !by_trait
    }
}
