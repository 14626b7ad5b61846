//! What the model says and Rust has no room for: nothing of it is dropped in silence.

use super::{clashes, interfaces};
use crate::{
    error::{Error, Result},
    ods::Model,
};

/// An error for everything in the model that generation would leave out.
pub fn check(model: &Model) -> Result<()> {
    Error::collect(clashes::of_dialect(model, &interfaces::used(model)))
}

/// An error for each enumeration that would have the name of another one.
pub fn check_enumerations(model: &Model) -> Result<()> {
    Error::collect(clashes::of_enumerations(model))
}
