//! Names of generated items that two declarations would share: each is an error at the second.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use super::names;
use crate::{
    error::{Error, Place},
    ods::{Definition, DefinitionKind, Enumeration, Interface, Model, Operation},
    predicate::interface_test,
};

/// A declaration with the items that are made of it.
struct Declared<'m> {
    /// What it is, in a word.
    kind: &'static str,
    name: String,
    definition: &'m str,
    /// The names of the items with the modules where they stand.
    items: Vec<(String, String)>,
    place: &'m Place,
}

/// Those of operations, types, attributes and of the interfaces that operations have.
pub fn of_dialect(model: &Model, used: &[&Interface]) -> Vec<Error> {
    let operations = model.operations.iter().map(operation);
    let definitions = model.definitions.iter().map(definition);
    clashes(operations.chain(definitions).chain(used.iter().map(|item| interface(item))))
}

/// Lets operations, types and attributes that share a name with one of another dialect carry theirs.
pub fn tell_apart(mut model: Model) -> Model {
    let operations = model.operations.iter().map(|item| (operation(item), &item.dialect));
    let definitions = model.definitions.iter().map(|item| (definition(item), &item.dialect));
    let mut dialects: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
    let declared: Vec<_> = operations.chain(definitions).collect();
    for (name, dialect) in
        declared.iter().flat_map(|(item, dialect)| item.items.iter().map(move |name| (name, dialect)))
    {
        dialects.entry(name.clone()).or_default().insert(dialect);
    }
    let is_shared =
        |item: &Declared<'_>| item.items.iter().any(|name| dialects.get(name).is_some_and(|of| of.len() > 1));
    let shared: Vec<bool> = declared.iter().map(|(item, _)| is_shared(item)).collect();
    let flags = model.operations.iter_mut().map(|item| &mut item.is_qualified);
    let flags = flags.chain(model.definitions.iter_mut().map(|item| &mut item.is_qualified));
    flags.zip(shared).for_each(|(flag, is_shared)| *flag = is_shared);
    model
}

/// Those of some interfaces.
pub fn of_interfaces(interfaces: &[&Interface]) -> Vec<Error> {
    clashes(interfaces.iter().map(|item| interface(item)))
}

/// Those of enumerations.
pub fn of_enumerations(model: &Model) -> Vec<Error> {
    clashes(model.enumerations.iter().map(enumeration))
}

fn clashes<'m>(declared: impl Iterator<Item = Declared<'m>>) -> Vec<Error> {
    let mut taken: BTreeMap<(String, String), usize> = BTreeMap::new();
    let (mut errors, mut known) = (Vec::new(), Vec::<Declared<'_>>::new());
    for item in declared {
        let clash = item.items.iter().filter_map(|name| match taken.entry(name.clone()) {
            Entry::Vacant(free) => {
                free.insert(known.len());
                None
            }
            Entry::Occupied(other) => Some((name.1.as_str(), *other.get())),
        });
        let clashes: Vec<_> = clash.collect();
        errors.extend(clashes.first().and_then(|(name, other)| Some(clash_of(known.get(*other)?, &item, name))));
        known.push(item);
    }
    errors
}

fn clash_of(first: &Declared<'_>, second: &Declared<'_>, name: &str) -> Error {
    let (kind, own) = (second.kind, &second.name);
    let message = match first.kind == kind {
        true if first.name == *own => format!("'{}' is {kind} '{own}' as well", first.definition),
        true => format!("{kind}s '{}' and '{own}' are both '{name}' in Rust", first.name),
        false => format!("{} '{}' and {kind} '{own}' are both '{name}' in Rust", first.kind, first.name),
    };
    let dialect_of = |name: &str| name.split_once('.').map(|(dialect, _)| dialect.to_string());
    let help = match dialect_of(&first.name).zip(dialect_of(own)) {
        Some((one, other)) if one != other => "name one of them otherwise, or choose a dialect with -dialect",
        _ => "name one of them otherwise",
    };
    second.place.error(message).help(help)
}

/// Names with endings, all in one module.
fn with_endings<const N: usize>(module: &str, name: &str, endings: [&str; N]) -> [(String, String); N] {
    endings.map(|ending| (module.to_string(), format!("{name}{ending}")))
}

fn operation(operation: &Operation) -> Declared<'_> {
    let (module, structure) = (names::module_or_default(operation), names::structure(operation));
    let mut items = vec![("operations of MLIR".to_string(), operation.name())];
    items.extend(with_endings(&module, &structure, ["", "Adaptor", "Hooks", "Builder"]));
    items.extend(with_endings("definitions", &names::constant(operation), ["", "_SIGNATURE"]));
    items.push(("objects".into(), names::object(operation)));
    let (definition, place) = (&operation.definition, &operation.place);
    Declared { kind: "operation", name: operation.name(), definition, items, place }
}

fn definition(item: &Definition) -> Declared<'_> {
    let (module, name) = (names::module_of_definitions(item.kind), names::parameterized(item));
    let mut items = with_endings(module, &name, ["", "Parameters", "Hooks"]).to_vec();
    items.push(("definitions".into(), names::parameterized_constant(item)));
    items.push(("objects".into(), names::object_of_definition(item)));
    let kind = if item.kind == DefinitionKind::Type { "type" } else { "attribute" };
    Declared { kind, name: item.name(), definition: &item.definition, items, place: &item.place }
}

fn interface(interface: &Interface) -> Declared<'_> {
    let mut items = with_endings("interfaces", &names::interface(interface), ["", "Hooks", "Of"]).to_vec();
    items.push(("interfaces".into(), interface_test(&interface.name)));
    let (definition, place) = (&interface.definition, &interface.place);
    Declared { kind: "interface", name: interface.name.clone(), definition, items, place }
}

fn enumeration(enumeration: &Enumeration) -> Declared<'_> {
    let items = with_endings("", &names::enumeration(enumeration), [""]).to_vec();
    let (definition, place) = (&enumeration.definition, &enumeration.place);
    Declared { kind: "enumeration", name: enumeration.name.clone(), definition, items, place }
}
