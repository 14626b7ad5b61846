//! External functions by name: those of the framework that rule files use, and those that a user binds.
//!
//! A shape function gets the context of the split, if there is one, and its arguments, and gives the extents of a
//! shape. What is not defined for some arguments is `None`, and the rule then does not apply.

use super::replaced::{Replaced, Subject};
use super::{Argument, Scalar, Scope, libraries};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The functions of the framework that slice operands, all in splits, and how many operands they need.
pub const OF_FRAMEWORK: [(&str, usize); 6] = [
    ("simple_split_start", 1),
    ("simple_split_size", 1),
    ("simpledim_split_start", 2),
    ("simpledim_split_size", 2),
    ("conv_split_start_valid", 2),
    ("conv_split_size_valid", 3),
];

type Shape = dyn Fn(Option<&Scope>, &[Argument]) -> Option<Vec<u64>> + Send + Sync;
type Constraint = dyn Fn(&Argument, &[Scalar]) -> Option<bool> + Send + Sync;
type Replace = dyn Fn(&Subject) -> Option<Replaced> + Send + Sync;

/// External functions by name.
#[derive(Clone)]
pub struct Functions {
    shapes: BTreeMap<String, Arc<Shape>>,
    constraints: BTreeMap<String, Arc<Constraint>>,
    replacements: BTreeMap<String, Arc<Replace>>,
    /// Asked where nothing is bound in Rust.
    libraries: Vec<Arc<skriptnd_rules::Functions>>,
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.shapes.keys().chain(self.constraints.keys()).chain(self.replacements.keys());
        f.debug_list().entries(names).finish()
    }
}

impl Default for Functions {
    /// The functions of the framework that slice operands.
    fn default() -> Self {
        let (shapes, constraints, replacements) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let none = Functions { shapes, constraints, replacements, libraries: Vec::new() };
        none.shape("simple_split_start", |split, arguments| start_along(split?, arguments, split?.dimension))
            .shape("simple_split_size", |split, arguments| size_along(split?, arguments, split?.dimension))
            .shape("simpledim_split_start", |split, arguments| {
                start_along(split?, arguments, arguments.get(1)?.extent()?)
            })
            .shape("simpledim_split_size", |split, arguments| {
                size_along(split?, arguments, arguments.get(1)?.extent()?)
            })
            .shape("conv_split_start_valid", window_start)
            .shape("conv_split_size_valid", window_size)
    }
}

impl Functions {
    /// Binds a function for `SHAPEFN_APPLY` and `AUTOSPLIT_SHAPEFN_APPLY`.
    pub fn shape(
        mut self,
        name: &str,
        function: impl Fn(Option<&Scope>, &[Argument]) -> Option<Vec<u64>> + Send + Sync + 'static,
    ) -> Self {
        self.shapes.insert(name.to_owned(), Arc::new(function));
        self
    }

    /// Binds a function for `EXTERNAL_CONSTRAINT`.
    pub fn constrain(
        mut self,
        name: &str,
        function: impl Fn(&Argument, &[Scalar]) -> Option<bool> + Send + Sync + 'static,
    ) -> Self {
        self.constraints.insert(name.to_owned(), Arc::new(function));
        self
    }

    /// Binds a function for `EXTERNAL_REPLACE`.
    pub fn replace(
        mut self,
        name: &str,
        function: impl Fn(&Subject) -> Option<Replaced> + Send + Sync + 'static,
    ) -> Self {
        self.replacements.insert(name.to_owned(), Arc::new(function));
        self
    }

    /// Binds the functions of a shared library, behind those that are bound already.
    pub fn library(mut self, library: Arc<skriptnd_rules::Functions>) -> Self {
        self.libraries.push(library);
        self
    }

    /// Whether a shape function of this name is bound.
    pub fn has_shape(&self, name: &str) -> bool {
        self.shapes.contains_key(name) || self.libraries.iter().any(|library| library.has_shape(name))
    }

    /// Whether a constraint of this name is bound.
    pub fn has_constraint(&self, name: &str) -> bool {
        self.constraints.contains_key(name) || self.libraries.iter().any(|library| library.has_constraint(name))
    }

    /// Whether a replacement of this name is bound.
    pub fn has_replacement(&self, name: &str) -> bool {
        self.replacements.contains_key(name) || self.libraries.iter().any(|library| library.has_replacement(name))
    }

    /// The extents that a shape function gives.
    pub fn shape_of(&self, name: &str, split: Option<&Scope>, arguments: &[Argument]) -> Option<Vec<u64>> {
        match self.shapes.get(name) {
            Some(function) => function(split, arguments),
            None => libraries::shape(&self.libraries, name, split, arguments),
        }
    }

    /// Whether an external constraint holds.
    pub fn constraint(&self, name: &str, operand: &Argument, values: &[Scalar]) -> Option<bool> {
        match self.constraints.get(name) {
            Some(function) => function(operand, values),
            None => libraries::constraint(&self.libraries, name, operand, values),
        }
    }

    /// What an external function makes of a node.
    pub fn replacement(&self, name: &str, subject: &Subject) -> Option<Replaced> {
        match self.replacements.get(name) {
            Some(function) => function(subject),
            None => libraries::replacement(&self.libraries, name, subject),
        }
    }
}

/// The begin of a slice: 0 but along one dimension.
pub(super) fn start_along(split: &Scope, arguments: &[Argument], dimension: u64) -> Option<Vec<u64>> {
    let mut start = vec![0; arguments.first()?.dims()?.len()];
    *start.get_mut(usize::try_from(dimension).ok()?)? = split.start;
    Some(start)
}

/// The extents of a slice: those of the operand but along one dimension.
pub(super) fn size_along(split: &Scope, arguments: &[Argument], dimension: u64) -> Option<Vec<u64>> {
    let mut size = arguments.first()?.dims()?.to_vec();
    *size.get_mut(usize::try_from(dimension).ok()?)? = split.size;
    Some(size)
}

/// The begin of what a window without padding covers: arguments are the operand and the strides, a shape.
fn window_start(split: Option<&Scope>, arguments: &[Argument]) -> Option<Vec<u64>> {
    let split = split?;
    let stride = stride_of(split, arguments)?;
    let moved = Scope { start: split.start.checked_mul(stride)?, ..split.clone() };
    start_along(&moved, arguments, split.dimension)
}

/// The extents of what a window without padding covers: arguments are the operand, the strides, a shape, and the window's extent.
fn window_size(split: Option<&Scope>, arguments: &[Argument]) -> Option<Vec<u64>> {
    let split = split?;
    let steps = split.size.checked_sub(1)?.checked_mul(stride_of(split, arguments)?)?;
    let covered = Scope { size: steps.checked_add(arguments.get(2)?.extent()?)?, ..split.clone() };
    size_along(&covered, arguments, split.dimension)
}

fn stride_of(split: &Scope, arguments: &[Argument]) -> Option<u64> {
    arguments.get(1)?.dims()?.get(usize::try_from(split.dimension).ok()?).copied()
}
