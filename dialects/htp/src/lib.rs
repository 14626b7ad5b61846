//! The rule language of HTP op packages, and the `htp` dialect.
//!
//! The way of a rule: [`grammar`] reads it from C++ text, [`check`] makes a typed rule of it.

pub mod check;
pub mod engine;
pub mod grammar;
mod layout;

/// The package of the ops that every graph may use.
pub const DEFAULT_PACKAGE: &str = "q";
