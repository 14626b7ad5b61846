//! Names of declarations as Rust writes them.
//!
//! Each depends on one declaration alone, so that parts which are generated apart fit together. No declaration hides what
//! generated code means: `clashes` refuses what two of them would share.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::is_imported;
use crate::{
    ods::{Definition, DefinitionKind, Enumeration, Interface, Operation},
    predicate,
};

const KEYWORDS: [&str; 38] = [
    "as", "async", "await", "box", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn", "for",
    "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static",
    "struct", "trait", "true", "type", "unsafe", "use", "where", "while", "yield", "final",
];

/// Types, traits and variants that generated code names without a path, beside what it imports.
const PRELUDE: [&str; 27] = [
    "AssemblyHooks",
    "Box",
    "Clone",
    "ConstraintHooks",
    "Copy",
    "Default",
    "DialectHooks",
    "Err",
    "Fn",
    "From",
    "H",
    "Hooks",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Result",
    "Self",
    "Send",
    "Some",
    "String",
    "Sync",
    "TryFrom",
    "V",
    "Vec",
];

/// Methods of Rust's own traits, which those of the same form are taken for.
const METHODS: [&str; 17] = [
    "add",
    "as_ref",
    "bitand",
    "bitor",
    "bitxor",
    "borrow",
    "clone",
    "deref",
    "div",
    "into_iter",
    "mul",
    "neg",
    "not",
    "rem",
    "shl",
    "shr",
    "sub",
];

/// Modules that generated code makes or leads through, beside those that it imports.
const MODULES: [&str; 11] = [
    "alloc",
    "core",
    "definitions",
    "dialect_attributes",
    "dialect_types",
    "interfaces",
    "objects",
    "passes",
    "rewrites",
    "skriptnd_ods",
    "std",
];

/// The name in words of small letters, digits and underscores.
pub fn snake_case(name: &str) -> String {
    let mut words = String::new();
    for c in predicate::snake_case(name).chars() {
        let c = if c.is_alphanumeric() { c } else { '_' };
        // Rust's style has one underscore between words.
        if c.is_alphanumeric() && words.ends_with('_') && !words.trim_matches('_').is_empty() {
            words.truncate(words.trim_end_matches('_').len() + 1);
        }
        words.push(c);
    }
    words
}

/// The name of a type: one that generated code means something else by, alone or with one of the endings of what belongs to
/// it, gets another ending.
fn type_name(name: &str, kind: &str, endings: &[&str]) -> String {
    let is_reserved = |name: &str| PRELUDE.contains(&name) || is_imported(name);
    let mut name = upper_camel(name);
    while is_reserved(&name) || endings.iter().any(|ending| is_reserved(&format!("{name}{ending}"))) {
        name.push_str(kind);
    }
    name
}

/// A name that nothing of the same scope has: underscores tell it from earlier ones.
pub fn free(taken: &mut BTreeSet<String>, mut name: String) -> String {
    while !taken.insert(name.clone()) {
        // A word with an underscore behind it is no keyword.
        name = format!("{}_", name.trim_start_matches("r#"));
    }
    name
}

/// The name of an associated type that stands for a C++ type.
pub fn stand_in(taken: &mut BTreeSet<String>, name: &str) -> String {
    free(taken, type_name(name, "Type", &[]))
}

/// Names by what has them: what is asked for again has the name that it was given.
#[derive(Default)]
pub struct Given {
    names: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

impl Given {
    /// Where others have names already.
    pub fn beside(taken: impl IntoIterator<Item = String>) -> Self {
        Self { names: BTreeMap::new(), taken: taken.into_iter().collect() }
    }

    /// The name of what has this key: one of `wanted` or, where all are taken, the last with underscores.
    pub fn name(&mut self, key: &str, wanted: &[String]) -> String {
        if let Some(known) = self.names.get(key) {
            return known.clone();
        }
        let first = wanted.iter().find(|name| !self.taken.contains(*name)).or(wanted.last());
        let name = free(&mut self.taken, first.cloned().unwrap_or_default());
        self.names.insert(key.to_string(), name.clone());
        name
    }
}

/// The name of a function for a declared thing, where others of the same scope have names already.
pub fn unique(taken: &mut BTreeSet<String>, name: &str) -> String {
    free(taken, function(name))
}

/// The name of a function for a declared thing.
pub fn function(name: &str) -> String {
    let name = snake_case(name);
    match name.as_str() {
        // Names that the generated types have of their own, and words that Rust does not let pass.
        "new" | "build" | "operation" => format!("{name}_"),
        method if METHODS.contains(&method) => format!("{name}_"),
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
    let parts = name.trim_start_matches("r#").split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts
        .map(|part| part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect::<String>())
        .collect()
}

/// The name of a case of a C++ enumeration: `kAll` is `All`.
pub fn case(name: &str) -> String {
    let name = match name.strip_prefix('k') {
        Some(rest) if rest.starts_with(char::is_uppercase) => upper_camel(rest),
        _ => upper_camel(name),
    };
    identifier(name)
}

/// With an underscore before a digit and behind a word that Rust does not let pass.
fn identifier(name: String) -> String {
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{name}"),
        false if name.is_empty() => "Unnamed".into(),
        false if is_path_keyword(&name) => format!("{name}_"),
        false => name,
    }
}

/// The names of the cases of an enumeration, each another one.
pub fn cases(enumeration: &Enumeration) -> Vec<String> {
    let name = |text: &str| match enumeration.is_bits {
        true => identifier(snake_case(text).to_uppercase()),
        false => case(text),
    };
    let mut taken = BTreeSet::new();
    let each = enumeration.cases.iter().map(|item| {
        let texts = [&item.symbol, &item.text].map(|text| name(text)).into_iter();
        let named = texts.into_iter().find(|name| name.contains(char::is_alphanumeric));
        free(&mut taken, named.unwrap_or_else(|| name(&format!("case {}", item.value))))
    });
    each.collect()
}

/// The name of a type that belongs to a pass.
pub fn of_pass(definition: &str, suffix: &str) -> String {
    type_name(&format!("{}{}", upper_camel(definition), upper_camel(suffix)), "Option", &[])
}

/// The name of the Rust type of an enumeration.
pub fn enumeration(enumeration: &Enumeration) -> String {
    type_name(&enumeration.name, "Enum", &[])
}

/// The name of the trait of an interface.
pub fn interface(interface: &Interface) -> String {
    type_name(&interface.name, "Interface", &["Hooks", "Of"])
}

/// The name of the view of a type or an attribute.
pub fn parameterized(definition: &Definition) -> String {
    let kind = if definition.kind == DefinitionKind::Type { "Type" } else { "Attr" };
    type_name(&class(definition), kind, &["Hooks", "Interfaces", "Parameters"])
}

/// The class of a type or an attribute; those of MLIR, which every file includes, leave theirs to others.
fn class(definition: &Definition) -> String {
    match definition.dialect.as_str() {
        dialect if definition.is_qualified => format!("{}{}", upper_camel(dialect), definition.class),
        "builtin" => format!("Builtin{}", definition.class),
        _ => definition.class.clone(),
    }
}

/// The name of the static with the data of a type or an attribute.
pub fn parameterized_constant(definition: &Definition) -> String {
    constant_name(&snake_case(&class(definition)))
}

/// The name of the static with an operation's definition: `nn.conv` is `NN_CONV`.
pub fn constant(operation: &Operation) -> String {
    match operation.is_qualified {
        true => constant_name(&operation.name()),
        false => constant_name(&operation.mnemonic),
    }
}

fn constant_name(name: &str) -> String {
    let upper: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    match upper.to_uppercase() {
        // The list of all operations.
        name if name == "ALL" => "ALL_".into(),
        name => identifier(name),
    }
}

/// The name of the type that wraps an operation: the definition's without what stands before its first `_`, which the dialect
/// takes the place of where it is needed.
pub fn structure(operation: &Operation) -> String {
    let name = operation.definition.split_once('_').map_or(operation.definition.as_str(), |(_, name)| name);
    let name = if name.contains(char::is_alphanumeric) { name } else { &operation.definition };
    let dialect = if operation.is_qualified { upper_camel(&operation.dialect) } else { String::new() };
    let name = &format!("{dialect}{}", if dialect.is_empty() { name.to_string() } else { upper_camel(name) });
    identifier(type_name(name, "Op", &["Adaptor", "Builder", "Hooks", "Interfaces"]))
}

/// The name of the trait with what the declaration of an operation leaves to Rust.
pub fn hooks(operation: &Operation) -> String {
    format!("{}Hooks", structure(operation))
}

/// The name of the object that shows the interfaces of an operation.
pub fn object(operation: &Operation) -> String {
    let module = module_or_default(operation);
    let module = if module == DEFAULT_MODULE { String::new() } else { upper_camel(&module) };
    format!("{module}{}Interfaces", structure(operation))
}

/// The name of the trait with what the declaration of a type or an attribute leaves to Rust.
pub fn hooks_of_definition(definition: &Definition) -> String {
    format!("{}Hooks", parameterized(definition))
}

/// The module of the views of types, or of attributes.
pub fn module_of_definitions(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Type => "dialect_types",
        DefinitionKind::Attribute => "dialect_attributes",
    }
}

/// The name of the object that shows the interfaces of a type or an attribute.
pub fn object_of_definition(definition: &Definition) -> String {
    format!("{}Interfaces", parameterized(definition))
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
    let name = snake_case(last);
    let is_reserved = MODULES.contains(&name.as_str()) || is_imported(&name);
    (!last.is_empty() && last != operation.dialect)
        .then(|| if is_reserved { format!("{name}_") } else { function(last) })
}
