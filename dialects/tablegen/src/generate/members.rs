//! The names of what stands in the trait of an operation's hooks: one scope for all that asks Rust for something.

use std::collections::BTreeSet;

use super::{names, traits};
use crate::ods::{Builder, Operation};

/// What hooks of flags and interfaces of MLIR are called.
const FIXED: [&str; 16] = [
    "verify",
    "verify_regions",
    "fold",
    "canonicalize",
    "canonicalization_patterns",
    "parse",
    "print",
    "infer_return_types",
    "are_compatible_return_types",
    "effects",
    "call",
    "region_successors",
    "result_names",
    "argument_names",
    "block_names",
    "default_dialect",
];

/// The names of one operation's hooks.
pub struct Members {
    /// One for each trait that only Rust verifies.
    pub verifiers: Vec<String>,
    /// One for each builder of its own.
    pub builders: Vec<String>,
    /// One for each derived attribute.
    pub derived: Vec<String>,
    taken: BTreeSet<String>,
}

impl Members {
    pub fn of(operation: &Operation) -> Self {
        let mut taken: BTreeSet<String> = FIXED.map(str::to_string).into();
        let verifiers = traits::foreign(operation).map(|(name, _)| verifier(&mut taken, name)).collect();
        let builders = operation.builders.iter().map(|item| builder(&mut taken, "build", item)).collect();
        let derived = operation.derived.iter().map(|item| names::unique(&mut taken, &item.name)).collect();
        Self { verifiers, builders, derived, taken }
    }

    /// That of a method of an interface.
    pub fn method(&mut self, name: &str) -> String {
        names::unique(&mut self.taken, name)
    }
}

/// The name of the function that verifies a trait.
pub fn verifier(taken: &mut BTreeSet<String>, name: &str) -> String {
    names::unique(taken, &format!("verify_{}", names::snake_case(name)))
}

/// The name of the function of a builder, which begins with a word.
pub fn builder(taken: &mut BTreeSet<String>, begin: &str, builder: &Builder) -> String {
    let parameters = builder.parameters.iter().map(|parameter| names::snake_case(&parameter.name));
    let words: Vec<String> = parameters.filter(|name| !name.is_empty()).collect();
    match words.is_empty() {
        true => names::free(taken, begin.to_string()),
        false => names::unique(taken, &format!("{begin}_with_{}", words.join("_"))),
    }
}
