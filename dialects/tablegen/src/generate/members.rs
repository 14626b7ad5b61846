//! The names of what stands in a trait of hooks: one scope for all that asks Rust for something.

use std::collections::BTreeSet;

use super::{names, traits};
use crate::ods::{Builder, Definition, Operation};

/// What hooks of flags and interfaces of MLIR are called.
const FIXED: [&str; 20] = [
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
    "successor_operands",
    "successor_for_operands",
    "are_cast_compatible",
    "verify_symbol_uses",
    "result_names",
    "argument_names",
    "block_names",
    "default_dialect",
];

/// What hooks of flags of types and attributes are called.
const FIXED_OF_DEFINITIONS: [&str; 3] = ["verify", "parse", "print"];

/// The names of the hooks of one operation, type or attribute.
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

    pub fn of_definition(definition: &Definition) -> Self {
        let mut taken: BTreeSet<String> = FIXED_OF_DEFINITIONS.map(str::to_string).into();
        let foreign = traits::foreign_of_definition(definition);
        let verifiers = foreign.map(|(name, _)| verifier(&mut taken, name)).collect();
        let builders = definition.builders.iter().map(|item| builder(&mut taken, "get", item)).collect();
        Self { verifiers, builders, derived: Vec::new(), taken }
    }

    /// That of a method of an interface.
    pub fn method(&mut self, name: &str) -> String {
        names::unique(&mut self.taken, name)
    }
}

/// The name of the function that verifies a trait.
fn verifier(taken: &mut BTreeSet<String>, name: &str) -> String {
    names::unique(taken, &format!("verify_{}", names::snake_case(name)))
}

/// The name of the function of a builder, which begins with a word.
fn builder(taken: &mut BTreeSet<String>, begin: &str, builder: &Builder) -> String {
    let parameters = builder.parameters.iter().map(|parameter| names::snake_case(&parameter.name));
    let words: Vec<String> = parameters.filter(|name| !name.is_empty()).collect();
    match words.is_empty() {
        true => names::free(taken, begin.to_string()),
        false => names::unique(taken, &format!("{begin}_with_{}", words.join("_"))),
    }
}
