//! The native functions that translated patterns call.

use std::collections::HashMap;

use super::{
    model::{NativeFunction, Target},
    parts::Part,
};
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
    /// One value at most.
    OptionalValue,
    /// One value of an operation, which has to be taken out of a list.
    PartValue(Part),
    /// Any number of values of an operation, which have to be taken out of a list.
    PartValues(Part),
    /// One value of an operation at most, which has to be taken out of a list.
    PartOptionalValue(Part),
    /// An attribute: itself, or an operation, the name of one that it may have, and what stands for an absent one.
    Attribute,
    /// An attribute that may be absent: itself, or an operation and the name of one that it may have.
    OptionalAttribute,
    /// An attribute that may be absent, and is: nothing is given for it.
    AbsentAttribute,
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
            Self::OptionalValue | Self::PartOptionalValue(_) => "optional_value",
            Self::Values(_) | Self::PartValues(_) => "values",
            Self::Attribute => "attribute",
            Self::OptionalAttribute | Self::AbsentAttribute => "optional_attribute",
            Self::Type => "type",
            Self::Operation | Self::DefiningOperation => "operation",
            Self::Location { .. } => "location",
        }
    }
}

impl ParameterKind {
    /// Whether it need not be there.
    fn is_optional(&self) -> bool {
        matches!(
            self,
            Self::OptionalValue | Self::PartOptionalValue(_) | Self::OptionalAttribute | Self::AbsentAttribute
        )
    }

    /// What C++ takes it for where it is there.
    fn kind(&self) -> Kind {
        match self {
            Self::Value | Self::PartValue(_) | Self::OptionalValue | Self::PartOptionalValue(_) => Kind::Value,
            Self::Values(_) | Self::PartValues(_) => Kind::Values,
            Self::Operation | Self::DefiningOperation => Kind::Operation,
            Self::Type => Kind::Type,
            _ => Kind::Attribute("Attribute"),
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

    /// The name of a constraint: that of its definition, or what stands for it, where it is given one thing as a whole, which is what those who
    /// offer constraints by their names are given.
    pub fn predicate_name(&self, definition: &str) -> String {
        match self.parameters() {
            [ParameterKind::PartValue(_) | ParameterKind::PartValues(_) | ParameterKind::PartOptionalValue(_)] => {
                format!("{definition}_of_part")
            }
            [ParameterKind::Values(Some(count))] => format!("{definition}_of_{count}"),
            _ => definition.to_string(),
        }
    }

    /// The function for a constraint over parameters of these kinds.
    pub fn predicate(constraint: &Constraint, parameters: Vec<ParameterKind>, is_type: bool) -> Result<Self, String> {
        if is_type {
            let scope = Scope::of_self("predicate::type_of(*value)", Kind::Type);
            let rust = predicate_of(constraint, &scope)?;
            let value = if rust.contains("*value") { "value" } else { "_" };
            let rust = format!("p0.iter().all(|{value}| {rust})");
            let about = match parameters.into_iter().next() {
                Some(about @ (ParameterKind::Values(Some(0 | 2..)) | ParameterKind::PartValues(_))) => about,
                Some(ParameterKind::PartValue(part) | ParameterKind::PartOptionalValue(part)) => {
                    ParameterKind::PartValues(part)
                }
                // A range or one value, so that it is the same function for both.
                _ => ParameterKind::Values(None),
            };
            return Ok(Self::Predicate { parameters: vec![about], rust });
        }
        let rust = match predicate_of(constraint, &scope(&parameters, true)) {
            Ok(rust) => rust,
            Err(message) if !parameters.iter().any(ParameterKind::is_optional) => return Err(message),
            // What says nothing of null pointers is about what is there.
            Err(message) => match asks_for_presence(constraint.predicate.text()) {
                true => return Err(message),
                false => where_present(&parameters, predicate_of(constraint, &scope(&parameters, false))?),
            },
        };
        Ok(Self::Predicate { parameters, rust })
    }
}

/// What the placeholders of a constraint stand for; whether each must be there may be asked, or taken for granted.
fn scope(parameters: &[ParameterKind], may_be_absent: bool) -> Scope {
    let mut scope = Scope::default();
    for (index, parameter) in parameters.iter().enumerate() {
        let kind = || match (parameter.kind(), parameter.is_optional() && may_be_absent) {
            (kind, true) => Kind::Maybe(kind.into()),
            (kind, false) => kind,
        };
        let code = format!("p{index}");
        scope.bind(&format!("${index}"), &code, kind());
        if index == 0 {
            scope.bind("$_self", &code, kind());
        }
    }
    scope
}

/// Whether C++ tells null pointers from others.
fn asks_for_presence(text: &str) -> bool {
    text.contains("nullptr") || text.contains("!$") || ["Value()", "Attribute()"].iter().any(|null| text.contains(null))
}

/// A predicate that holds of nothing that is absent.
fn where_present(parameters: &[ParameterKind], rust: String) -> String {
    let optional = parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_optional());
    optional.fold(rust, |rust, (index, _)| format!("p{index}.is_some_and(|p{index}| {rust})"))
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
    /// The texts of those that only their texts tell apart, by their names.
    meanings: HashMap<String, String>,
}

impl Natives {
    /// The name of the function that does what a native call says.
    pub fn add_call(&mut self, wish: &str, kind: NativeKind, call: &NativeFunction) -> String {
        let meaning = matches!(call.target, Target::Expression(_)).then_some(call.text.as_str());
        self.add_meaning(wish, kind, &call.text, meaning)
    }

    /// The name of the function; `wish` if it is free.
    pub fn add(&mut self, wish: &str, kind: NativeKind, text: &str) -> String {
        let meaning = matches!(kind, NativeKind::Asked { .. }).then_some(text);
        self.add_meaning(wish, kind, text, meaning)
    }

    fn add_meaning(&mut self, wish: &str, kind: NativeKind, text: &str, meaning: Option<&str>) -> String {
        let kind = self.apart(kind, meaning);
        let found = |native: &&Native| native.kind == kind && self.meaning(native) == meaning;
        if let Some(found) = self.list.iter().find(found) {
            return found.name.clone();
        }
        let taken = |name: &str| self.list.iter().any(|native| native.name == name);
        let mut name = wish.to_string();
        let mut number = 1;
        while taken(&name) {
            name = format!("{wish}_{number}");
            number += 1;
        }
        self.list.push(Native { name: name.clone(), kind, text: text.to_string() });
        self.meanings.extend(meaning.map(|meaning| (name.clone(), meaning.to_string())));
        name
    }

    fn meaning(&self, native: &Native) -> Option<&str> {
        self.meanings.get(&native.name).map(String::as_str)
    }

    /// C++ may have several functions of one name; methods are told apart by what they take, and numbered where only the
    /// C++ in them differs.
    fn apart(&self, mut kind: NativeKind, meaning: Option<&str>) -> NativeKind {
        let wanted = kind.clone();
        let same = |method: &str| {
            let method = method.to_string();
            self.list.iter().filter(move |native| native.kind.method() == Some(&method))
        };
        let takes_else = |method: &str| same(method).any(|native| native.kind.signature() != wanted.signature());
        let clashes = |method: &str| takes_else(method) || same(method).any(|native| self.meaning(native) != meaning);
        let words = kind.parameter_words();
        let Some(method) = kind.method_mut() else { return kind };
        if takes_else(method) {
            *method = format!("{method}_of_{}", words.join("_"));
        }
        let plain = method.clone();
        for number in 2.. {
            if !clashes(method) {
                break;
            }
            *method = format!("{plain}_{number}");
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
