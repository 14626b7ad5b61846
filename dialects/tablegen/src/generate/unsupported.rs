//! What the model says and Rust has no room for: nothing of it is dropped in silence.

use super::{clashes, interfaces};
use crate::{
    error::{Error, Result},
    ods::{Model, as_attributes},
};

/// The model as Rust is made of it: properties are attributes, and names of several dialects are told apart.
///
/// # Errors
/// For everything in the model that generation would leave out.
pub fn prepared(model: &Model) -> Result<Model> {
    let model = clashes::tell_apart(as_attributes(model));
    Error::collect(clashes::of_dialect(&model, &interfaces::used(&model))).map(|()| model)
}

/// An error for everything in the model that generation would leave out.
pub fn check(model: &Model) -> Result<()> {
    prepared(model).map(drop)
}

/// An error for each enumeration that would have the name of another one.
pub fn check_enumerations(model: &Model) -> Result<()> {
    Error::collect(clashes::of_enumerations(model))
}
