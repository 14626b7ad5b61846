//! The names of IRDL, and what it has no name or no form for.

use std::collections::BTreeSet;

use crate::{
    ods::{Definition, Model, Operation},
    predicate::snake_case,
};

/// Why IRDL does not take a name of a dialect, an operation, a type or an attribute.
pub fn refusal(name: &str) -> Option<&'static str> {
    let is_taken = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    match name {
        _ if name.is_empty() || !name.chars().all(is_taken) => {
            Some("names have lowercase letters, digits and underscores only")
        }
        _ if name.starts_with('_') || name.contains("__") => Some("names have no leading or double underscores"),
        _ => None,
    }
}

/// A name as part of a symbol, behind `@`.
pub fn symbol(name: &str) -> String {
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("\"{name}\""),
        false => name.into(),
    }
}

/// Why an operation is left out.
pub fn reason_to_leave_out(operation: &Operation) -> Option<&'static str> {
    let variadic = || operation.regions.iter().any(|region| region.variadic);
    refusal(&operation.mnemonic).or_else(|| variadic().then_some("regions cannot be variadic"))
}

/// Why a type or an attribute is left out.
pub fn hidden(definition: &Definition, model: &Model) -> Option<&'static str> {
    let Some(mnemonic) = &definition.mnemonic else { return Some("it has no mnemonic") };
    let same = |dialect: &str, name: &str| dialect == definition.dialect && name == mnemonic;
    let mut earlier = model.definitions.iter().take_while(|other| other.definition != definition.definition);
    refusal(mnemonic).or_else(|| match definition {
        _ if model.operations.iter().any(|operation| same(&operation.dialect, &operation.mnemonic)) => {
            Some("an operation has this name")
        }
        _ if earlier.any(|other| same(&other.dialect, other.mnemonic.as_deref().unwrap_or_default())) => {
            Some("another type or attribute has this name")
        }
        _ => None,
    })
}

/// The names of what an operation, a type or an attribute has, no two of which are the same.
#[derive(Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// The name of something that is declared as `name`; `what` it is where it has none.
    pub fn of(&mut self, name: &str, what: &str) -> String {
        let name = snake_case(name);
        let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
        let name = match words.first() {
            None => format!("{what}_{}", self.0.len()),
            Some(first) if first.starts_with(|c: char| c.is_ascii_digit()) => format!("{what}_{}", words.join("_")),
            Some(_) => words.join("_"),
        };
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let unique = std::iter::once(name.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let unique = unique.unwrap_or(name);
        self.0.insert(unique.clone());
        unique
    }
}
