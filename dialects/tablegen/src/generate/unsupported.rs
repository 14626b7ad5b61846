//! What the model says and the generated Rust does not do yet: nothing of it is dropped in silence.

use super::{clashes, interfaces};
use crate::{
    error::{Error, Place, Result},
    ods::{Model, Operation},
};

/// An error for everything in the model that generation would leave out.
pub fn check(model: &Model) -> Result<()> {
    let missing = model.operations.iter().flat_map(|operation| {
        let mut missing = Missing { operation, errors: Vec::new() };
        missing.members();
        missing.errors
    });
    Error::collect(missing.chain(clashes::of_dialect(model, &interfaces::used(model))))
}

/// An error for each enumeration that would have the name of another one.
pub fn check_enumerations(model: &Model) -> Result<()> {
    Error::collect(clashes::of_enumerations(model))
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
        let groups = operation.operands.iter().chain(&operation.results);
        let effects = groups.flat_map(|value| &value.effects).chain(&operation.effects);
        for effect in effects.filter(|effect| effect.kind.is_none()) {
            self.add(&operation.place, &format!("the effect '{}', which is none on memory", effect.effect));
        }
    }
}
