//! Options that name things: each at most once.

use crate::failure::Failure;
use std::collections::HashSet;

/// Names that are given twice are an error.
pub fn only_once<'a>(option: &str, names: impl Iterator<Item = &'a String>) -> Result<(), Failure> {
    let mut known = HashSet::new();
    match names.into_iter().find(|name| !known.insert(name.as_str())) {
        Some(name) => Err(Failure::usage(format!("{option} {name} is given twice"))),
        None => Ok(()),
    }
}
