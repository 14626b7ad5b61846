//! The native functions that translated patterns call.

use super::parts::Part;
use crate::{
    ods::Constraint,
    predicate::{Kind, Scope},
};

/// What a native function is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterKind {
    /// One value.
    Value,
    /// Any number of values: a range, or so many values one after the other.
    Values(Option<usize>),
    /// One value of an operation, which has to be taken out of a list.
    PartValue(Part),
    /// Any number of values of an operation, which have to be taken out of a list.
    PartValues(Part),
    /// An attribute.
    Attribute,
    /// The attribute of an operation, which may be absent.
    OptionalAttribute(String),
    /// The attribute of an operation, or what stands for an absent one, in MLIR's syntax.
    DefaultedAttribute {
        /// The name of the attribute.
        name: String,
        /// What stands for an absent one.
        default: String,
    },
    /// A type.
    Type,
    /// An operation.
    Operation,
    /// The operation that defines a value.
    DefiningOperation,
    /// A place: what is known of it, and so many values or operations that have it.
    Location {
        /// Whether there is a string first.
        text: bool,
        /// The number of values and operations.
        sources: usize,
    },
}

/// What a native function returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReturnKind {
    /// One value.
    Value,
    /// An attribute.
    Attribute,
    /// A type.
    Type,
    /// Several types.
    Types,
    /// An operation.
    Operation,
}

/// Where the Rust of a native function is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A function, by its path.
    Path(String),
    /// A method of the generated trait.
    Method(String),
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
    /// A constraint whose C++ is not understood: a method that the author writes.
    Asked {
        /// The name of the method.
        method: String,
        /// What the parameters are.
        parameters: Vec<ParameterKind>,
    },
    /// A constraint of a source pattern that tells attributes and values.
    Matcher {
        /// Where it is.
        place: Place,
        /// What it is given.
        parameters: Vec<ParameterKind>,
        /// What it tells.
        returns: Vec<ReturnKind>,
    },
    /// A rewrite.
    Function {
        /// Where it is.
        place: Place,
        /// What it is given.
        parameters: Vec<ParameterKind>,
        /// What it returns.
        returns: Vec<ReturnKind>,
    },
    /// A function of the library that all patterns share.
    Library {
        /// Whether it is a constraint.
        constraint: bool,
    },
}

/// A native function by the name under which patterns call it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Native {
    /// The name.
    pub name: String,
    /// What it does.
    pub kind: NativeKind,
    /// What the .td file says of it.
    pub text: String,
}

impl ParameterKind {
    /// What it is, in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Value | Self::PartValue(_) => "value",
            Self::Values(_) | Self::PartValues(_) => "values",
            Self::Attribute | Self::DefaultedAttribute { .. } => "attribute",
            Self::OptionalAttribute(_) => "optional_attribute",
            Self::Type => "type",
            Self::Operation | Self::DefiningOperation => "operation",
            Self::Location { .. } => "location",
        }
    }
}

impl NativeKind {
    fn parameters(&self) -> &[ParameterKind] {
        match self {
            Self::Predicate { parameters, .. }
            | Self::Asked { parameters, .. }
            | Self::Matcher { parameters, .. }
            | Self::Function { parameters, .. } => parameters,
            Self::Library { .. } => &[],
        }
    }

    fn parameter_words(&self) -> Vec<&'static str> {
        self.parameters().iter().map(ParameterKind::word).collect()
    }

    /// What tells methods of one name apart.
    fn signature(&self) -> (bool, Vec<&'static str>, &[ReturnKind]) {
        let returns = match self {
            Self::Matcher { returns, .. } | Self::Function { returns, .. } => returns.as_slice(),
            _ => &[],
        };
        (self.is_constraint(), self.parameter_words(), returns)
    }

    /// The method that the author writes, if there is one.
    fn method(&self) -> Option<&str> {
        match self {
            Self::Asked { method, .. }
            | Self::Matcher { place: Place::Method(method), .. }
            | Self::Function { place: Place::Method(method), .. } => Some(method),
            _ => None,
        }
    }

    fn method_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Asked { method, .. }
            | Self::Matcher { place: Place::Method(method), .. }
            | Self::Function { place: Place::Method(method), .. } => Some(method),
            _ => None,
        }
    }

    /// Whether it is a constraint, not a rewrite.
    pub fn is_constraint(&self) -> bool {
        match self {
            Self::Predicate { .. } | Self::Asked { .. } | Self::Matcher { .. } => true,
            Self::Function { .. } => false,
            Self::Library { constraint } => *constraint,
        }
    }

    /// The function for a constraint over parameters of these kinds.
    pub fn predicate(constraint: &Constraint, parameters: Vec<ParameterKind>, is_type: bool) -> Result<Self, String> {
        if is_type {
            let scope = Scope::of_self("predicate::type_of(*value)", Kind::Type);
            let rust = predicate_of(constraint, &scope)?;
            let rust = format!("p0.iter().all(|value| {rust})");
            let about = match parameters.into_iter().next() {
                Some(about @ (ParameterKind::Values(_) | ParameterKind::PartValues(_))) => about,
                Some(ParameterKind::PartValue(part)) => ParameterKind::PartValues(part),
                _ => ParameterKind::Values(Some(1)),
            };
            return Ok(Self::Predicate { parameters: vec![about], rust });
        }
        let mut scope = Scope::default();
        for (index, parameter) in parameters.iter().enumerate() {
            let kind = || match parameter {
                ParameterKind::Value | ParameterKind::PartValue(_) => Kind::Value,
                ParameterKind::Values(_) | ParameterKind::PartValues(_) => Kind::Values,
                ParameterKind::Operation | ParameterKind::DefiningOperation => Kind::Operation,
                ParameterKind::Type => Kind::Type,
                _ => Kind::Attribute("Attribute"),
            };
            let code = format!("p{index}");
            scope.bind(&format!("${index}"), &code, kind());
            if index == 0 {
                scope.bind("$_self", &code, kind());
            }
        }
        Ok(Self::Predicate { parameters, rust: predicate_of(constraint, &scope)? })
    }
}

/// A constraint in Rust. What patterns are made of does not tell which interfaces the dialect declares in Rust, so those who
/// write the functions answer for them.
fn predicate_of(constraint: &Constraint, scope: &Scope) -> Result<String, String> {
    let rust = constraint.predicate.to_rust(scope)?;
    match rust.contains("super::interfaces::") {
        true => Err("it asks for an interface".into()),
        false => Ok(rust),
    }
}

/// The functions of all patterns, each once.
#[derive(Default)]
pub struct Natives {
    list: Vec<Native>,
}

impl Natives {
    /// The name of the function; `wish` if it is free.
    pub fn add(&mut self, wish: &str, kind: NativeKind, text: &str) -> String {
        let kind = self.apart(kind);
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
        self.list.push(Native { name: name.clone(), kind, text: text.to_string() });
        name
    }

    /// C++ may have several functions of one name; methods are told apart by what they take.
    fn apart(&self, mut kind: NativeKind) -> NativeKind {
        let wanted = kind.clone();
        let clashes = |method: &str| {
            let same = |native: &&Native| native.kind.method() == Some(method);
            self.list.iter().filter(same).any(|native| native.kind.signature() != wanted.signature())
        };
        let words = kind.parameter_words();
        let Some(method) = kind.method_mut() else { return kind };
        if clashes(method) {
            let plain = format!("{method}_of_{}", words.join("_"));
            *method = plain.clone();
            for number in 2.. {
                if !clashes(method) {
                    break;
                }
                *method = format!("{plain}_{number}");
            }
        }
        kind
    }

    /// A function of the library.
    pub fn library(&mut self, name: &str, constraint: bool) {
        if !self.list.iter().any(|native| native.name == name) {
            let kind = NativeKind::Library { constraint };
            self.list.push(Native { name: name.to_string(), kind, text: String::new() });
        }
    }

    /// All of them.
    pub fn finish(self) -> Vec<Native> {
        self.list
    }
}
