//! Names of native functions and of the values of a pattern.

use std::collections::HashSet;

/// The native functions that all patterns share.
pub mod native {
    /// An op's output, or a value, is a tensor of static shape whose elements have a DType.
    pub const TENSOR: &str = "htp.tensor";
    /// The output definitions of two nodes are alike.
    pub const OUTPUT: &str = "htp.output";
    /// No option of the graph forbids rules with a flag.
    pub const ALLOWED: &str = "htp.allowed";
    /// A condition, as text, holds.
    pub const HOLDS: &str = "htp.holds";
    /// All of a replacement, as text, is defined, and its output is what the root's is.
    pub const DEFINED: &str = "htp.defined";
    /// A dimension, compared with a number.
    pub const DIM: &str = "htp.dim";
    /// An element of a constant, compared with a number.
    pub const ELEMENT: &str = "htp.element";
    /// A constant has an element of this index.
    pub const IS_CONST: &str = "htp.is_const";
    /// A constant has an element of this index, which is a whole number.
    pub const IS_INT: &str = "htp.is_int";
    /// Rewrite: the type that an op in a replacement, as text, has.
    pub const TYPE: &str = "htp.type";
    /// Rewrite: builds a replacement from text.
    pub const BUILD: &str = "htp.build";
    /// Rewrite: tells what replaces the root; new ops get its op id and split history.
    pub const REPLACED: &str = "htp.replaced";
}

/// Names of values in one pattern.
#[derive(Debug, Default)]
pub struct ValueNames(HashSet<String>);

impl ValueNames {
    /// A name that no value has yet, as near as possible to what is wanted.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
        let mut base: String = wanted.chars().map(allowed).collect();
        if !base.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            base.insert(0, '_');
        }
        let mut name = base.clone();
        let mut number = 1;
        while !self.0.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        format!("%{name}")
    }
}
