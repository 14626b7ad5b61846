//! Values of PDL, and what the names of a pattern stand for.

use super::parts::Part;

/// A value of PDL with its type.
pub(super) type Passed = (String, &'static str);

pub(super) const VALUE: &str = "!pdl.value";
pub(super) const VALUES: &str = "!pdl.range<value>";
pub(super) const ATTRIBUTE: &str = "!pdl.attribute";
pub(super) const OPERATION: &str = "!pdl.operation";
pub(super) const TYPE: &str = "!pdl.type";
pub(super) const TYPES: &str = "!pdl.range<type>";

/// Numbers as MLIR writes them in an attribute.
pub(super) fn array(numbers: &[impl AsRef<str>]) -> String {
    match numbers {
        [] => "array<i32>".to_string(),
        numbers => {
            let numbers: Vec<&str> = numbers.iter().map(AsRef::as_ref).collect();
            format!("array<i32: {}>", numbers.join(", "))
        }
    }
}

/// What a name of the pattern stands for.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    /// A value.
    Value(String),
    /// Any number of values.
    Values(String),
    /// So many values: `(variadic:$name ...)`.
    Group(Vec<String>),
    /// Values of a matched operation that its list of operands hides.
    Part { operation: String, part: Part },
    /// An operation, matched or made.
    Operation { name: String, operation: usize },
    /// An attribute.
    Attribute(String),
    /// An attribute of a matched operation that may be absent, with what stands for it then.
    OptionalAttribute { operation: String, attribute: String, default: Option<String> },
    /// What a native function returned.
    Native(Vec<Passed>),
}
