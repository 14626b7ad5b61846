//! What external functions are given to replace, and what they make of it.

use super::{Argument, Elements, OutputDef};

/// What `EXTERNAL_REPLACE` replaces: a node and what it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// The op's name with package, such as `q::Relu`.
    pub op: String,
    /// Its output.
    pub output: OutputDef,
    /// Its inputs.
    pub inputs: Vec<Argument>,
}

/// An input of a node that an external function makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewSource {
    /// An input of the replaced node.
    Input(usize),
    /// A node that the function made before.
    Node(usize),
}

/// A node that an external function makes.
#[derive(Debug, Clone, PartialEq)]
pub struct NewNode {
    /// The op's name; without package it is one of the current package.
    pub op: String,
    /// What it takes.
    pub inputs: Vec<NewSource>,
    /// What it gives.
    pub output: OutputDef,
    /// The elements of a constant, whose op is `$Const`.
    pub elements: Option<Elements>,
}

/// What `EXTERNAL_REPLACE` makes: nodes, operands before users, and which one takes the place of the replaced one.
#[derive(Debug, Clone, PartialEq)]
pub struct Replaced {
    /// The nodes.
    pub nodes: Vec<NewNode>,
    /// What takes the replaced node's place.
    pub result: NewSource,
}
