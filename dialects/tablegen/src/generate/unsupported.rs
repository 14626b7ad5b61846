//! What the model says and the generated Rust does not do yet: nothing of it is dropped in silence.

use std::collections::{BTreeMap, btree_map::Entry};

use super::{names, properties::as_attribute};
use crate::{
    error::{Error, Place, Result},
    ods::{Model, Operation, Property},
};

/// An error for everything in the model that generation would leave out.
pub fn check(model: &Model) -> Result<()> {
    let missing = model.operations.iter().flat_map(|operation| {
        let mut missing = Missing { operation, errors: Vec::new() };
        missing.members();
        missing.errors
    });
    Error::collect(missing.chain(clashes(model)))
}

/// An error for each operation of which Rust would have a name twice.
fn clashes(model: &Model) -> Vec<Error> {
    let mut taken: BTreeMap<(String, String), &Operation> = BTreeMap::new();
    let mut errors = Vec::new();
    for operation in &model.operations {
        let names = rust_names(operation).into_iter();
        let clash = names.filter_map(|(module, name)| match taken.entry((module, name)) {
            Entry::Vacant(free) => {
                free.insert(operation);
                None
            }
            Entry::Occupied(other) => Some((other.key().1.clone(), *other.get())),
        });
        let clashes: Vec<_> = clash.collect();
        let Some((name, other)) = clashes.first() else { continue };
        let message = match operation.name() {
            own if own == other.name() => format!("'{}' is operation '{own}' as well", other.definition),
            own => format!("operations '{}' and '{own}' are both '{name}' in Rust", other.name()),
        };
        errors.push(operation.place.error(message).help("name one of them otherwise"));
    }
    errors
}

/// What is made of an operation, with the modules where it stands.
fn rust_names(operation: &Operation) -> Vec<(String, String)> {
    let (module, structure) = (names::module_or_default(operation), names::structure(operation));
    let types = ["", "Adaptor", "Hooks", "Builder"].map(|ending| (module.clone(), format!("{structure}{ending}")));
    let constant = names::constant(operation);
    let data = [constant.clone(), format!("{constant}_SIGNATURE")].map(|name| ("definitions".to_string(), name));
    let whole = (String::new(), operation.name());
    [whole].into_iter().chain(types).chain(data).collect()
}

struct Missing<'a> {
    operation: &'a Operation,
    errors: Vec<Error>,
}

impl Missing<'_> {
    fn add(&mut self, place: &Place, what: &str) {
        let message = format!("operation '{}': {what}: not supported in the generated Rust", self.operation.name());
        self.errors.push(place.error(message));
    }

    fn members(&mut self) {
        let operation = self.operation;
        let stored = |item: &&Property| as_attribute(item).is_none();
        for item in operation.properties.iter().filter(stored) {
            self.add(&item.place, &format!("property '{}'", item.name));
        }
        if operation.reference.is_some() {
            self.add(&operation.place, "'reference'");
        }
        let groups = operation.operands.iter().chain(&operation.results);
        let effects = groups.flat_map(|value| &value.effects).chain(&operation.effects);
        for effect in effects.filter(|effect| effect.kind.is_none()) {
            self.add(&operation.place, &format!("the effect '{}', which is none on memory", effect.effect));
        }
    }
}
