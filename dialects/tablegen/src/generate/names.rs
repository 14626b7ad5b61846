//! Names of declarations as Rust writes them.

use crate::{ods::Operation, predicate::snake_case};

const KEYWORDS: [&str; 38] = [
    "as", "async", "await", "box", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn", "for",
    "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static",
    "struct", "trait", "true", "type", "unsafe", "use", "where", "while", "yield", "final",
];

/// The name of a function for a declared thing.
pub fn function(name: &str) -> String {
    let name = snake_case(name);
    match name.as_str() {
        // Names that the generated types have of their own, and words that Rust does not let pass.
        "new" | "build" | "operation" => format!("{name}_"),
        _ => escaped(name),
    }
}

/// What Rust does not let pass as an identifier even where it is written as a raw one.
pub fn is_path_keyword(name: &str) -> bool {
    matches!(name, "self" | "Self" | "super" | "crate" | "_")
}

fn escaped(name: String) -> String {
    match name.as_str() {
        keyword if is_path_keyword(keyword) => format!("{name}_"),
        keyword if KEYWORDS.contains(&keyword) => format!("r#{name}"),
        _ => name,
    }
}

/// The name of a field.
pub fn field(name: &str) -> String {
    escaped(snake_case(name))
}

/// `lower_case`, `camelCase` and `with-dashes` as `CamelCase`.
pub fn upper_camel(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts
        .map(|part| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect::<String>())
        .collect()
}

/// The name of a case of a C++ enumeration: `kAll` is `All`.
pub fn case(name: &str) -> String {
    match name.strip_prefix('k') {
        Some(rest) if rest.starts_with(char::is_uppercase) => upper_camel(rest),
        _ => upper_camel(name),
    }
}

/// The name of the static with an operation's definition: `nn.conv` is `NN_CONV`.
pub fn constant(operation: &Operation) -> String {
    let upper: String = operation.mnemonic.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    match upper.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{}", upper.to_uppercase()),
        false => upper.to_uppercase(),
    }
}

/// The name of the type that wraps an operation: the definition's without what stands before its first `_`.
pub fn structure(operation: &Operation) -> String {
    let name = operation.definition.split_once('_').map_or(operation.definition.as_str(), |(_, name)| name);
    match name.is_empty() {
        true => operation.definition.clone(),
        false => name.replace('_', ""),
    }
}

/// The name of the trait with what the declaration of an operation leaves to Rust.
pub fn hooks(operation: &Operation) -> String {
    format!("{}Hooks", structure(operation))
}

/// The module of the operations of the dialect's own namespace.
pub const DEFAULT_MODULE: &str = "operations";

/// The module of an operation, that of the dialect's own namespace included.
pub fn module_or_default(operation: &Operation) -> String {
    module(operation).unwrap_or_else(|| DEFAULT_MODULE.into())
}

/// The module of an operation: the last part of its C++ namespace, if it is not the dialect's own.
fn module(operation: &Operation) -> Option<String> {
    let last = operation.namespace.rsplit("::").next().unwrap_or_default();
    (!last.is_empty() && last != operation.dialect).then(|| function(last))
}
