//! The native functions that translated patterns call.

use crate::{
    ods::Constraint,
    predicate::{Kind, Scope},
};

/// What a native constraint is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// One value.
    Value,
    /// Any number of values.
    Values,
    /// An attribute.
    Attribute,
}

/// What a native function does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NativeKind {
    /// A constraint: a Rust expression over `p0`, `p1`, ...
    Predicate {
        /// What the parameters are.
        parameters: Vec<ParameterKind>,
        /// The expression.
        rust: String,
    },
    /// A constraint: the operation does not have the attribute.
    AttributeAbsent(String),
    /// A constraint: there are no values in the range.
    GroupEmpty,
    /// A rewrite: the Rust function of a path.
    Function(String),
    /// A rewrite: the attribute of the first operation, if it is there, becomes the attribute of the second.
    CopyAttribute {
        /// The name at the first operation.
        from: String,
        /// The name at the second operation.
        to: String,
    },
    /// A rewrite: the sizes of groups; those of unknown size take an argument.
    SegmentSizes(Vec<Option<usize>>),
}

/// A native function by the name under which patterns call it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Native {
    /// The name.
    pub name: String,
    /// What it does.
    pub kind: NativeKind,
}

impl NativeKind {
    /// Whether it is a constraint, not a rewrite.
    pub fn is_constraint(&self) -> bool {
        matches!(self, Self::Predicate { .. } | Self::AttributeAbsent(_) | Self::GroupEmpty)
    }

    /// The function for a constraint over parameters of these kinds.
    pub fn predicate(constraint: &Constraint, parameters: Vec<ParameterKind>, is_type: bool) -> Result<Self, String> {
        if is_type {
            let scope = Scope::of_self("predicate::type_of(*value)", Kind::Type);
            let rust = constraint.predicate.to_rust(&scope)?;
            let rust = format!("p0.iter().all(|value| {rust})");
            return Ok(Self::Predicate { parameters: vec![ParameterKind::Values], rust });
        }
        let mut scope = Scope::default();
        for (index, parameter) in parameters.iter().enumerate() {
            let kind = || match parameter {
                ParameterKind::Value => Kind::Value,
                ParameterKind::Values => Kind::Values,
                ParameterKind::Attribute => Kind::Attribute("Attribute"),
            };
            let code = format!("p{index}");
            scope.bind(&format!("${index}"), &code, kind());
            if index == 0 {
                scope.bind("$_self", &code, kind());
            }
        }
        Ok(Self::Predicate { parameters, rust: constraint.predicate.to_rust(&scope)? })
    }
}

/// The functions of all patterns, each once.
#[derive(Default)]
pub struct Natives {
    list: Vec<Native>,
}

impl Natives {
    /// The name of the function; `wish` if it is free.
    pub fn add(&mut self, wish: &str, kind: NativeKind) -> String {
        if let Some(found) = self.list.iter().find(|native| native.kind == kind) {
            return found.name.clone();
        }
        let taken = |name: &str| self.list.iter().any(|native| native.name == name);
        let mut name = wish.to_string();
        let mut number = 1;
        while name.is_empty() || taken(&name) {
            name = format!("{}_{number}", if wish.is_empty() { "constraint" } else { wish });
            number += 1;
        }
        self.list.push(Native { name: name.clone(), kind });
        name
    }

    /// All of them.
    pub fn finish(self) -> Vec<Native> {
        self.list
    }
}
