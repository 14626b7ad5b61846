//! Operations: arguments, results, regions, successors and what else is declared of them.

use super::{
    constraint::{AttributeKind, Constraint},
    format::Format,
    traits::Trait,
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
    /// What `Arg<..., "...">` or `Res<..., "...">` says about it.
    pub summary: Option<String>,
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
    /// The name of the enumeration that it holds.
    pub enumeration: Option<String>,
    /// What `Arg<..., "...">` says about it.
    pub summary: Option<String>,
}

/// An entry of `arguments`: which operand or which attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// The index of an operand.
    Operand(usize),
    /// The index of an attribute.
    Attribute(usize),
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
}

/// A declared successor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Successor {
    /// The name in the declaration.
    pub name: String,
    /// Whether it stands for any number of blocks.
    pub variadic: bool,
}

/// An `Op` record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The name of the definition.
    pub definition: String,
    /// The name of the dialect.
    pub dialect: String,
    /// The name without the dialect.
    pub mnemonic: String,
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
    /// Operands and attributes in the order of `arguments`, by which patterns refer to them.
    pub arguments: Vec<Argument>,
    /// Results in order.
    pub results: Vec<Operand>,
    /// Regions in order.
    pub regions: Vec<Region>,
    /// Successors in order.
    pub successors: Vec<Successor>,
    /// Traits and interfaces.
    pub traits: Vec<Trait>,
    /// The custom assembly.
    pub format: Option<Format>,
    /// Whether parser and printer are written by hand.
    pub has_custom_assembly: bool,
    /// Whether there is a further verifier.
    pub has_verifier: bool,
    /// Whether there are canonicalization patterns.
    pub has_canonicalizer: bool,
    /// Whether there is a folder.
    pub has_folder: bool,
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
        }
    }
}
