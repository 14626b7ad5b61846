//! Formulas as operations: `skriptnd.formula` with a region of `skriptnd.access` and `skriptnd.apply`, ended by
//! `skriptnd.assign`. Writing and reading are inverse to each other.

mod names;
mod read;
mod write;

pub use read::{read, verify};
pub use write::write;
