//! The rule language of HTP op packages, and the `htp` dialect.
//!
//! The way of a rule: [`grammar`] reads it from C++ text, [`check`] makes a typed rule of it.

pub mod apply;
pub mod check;
pub mod commands;
pub mod convert;
pub mod dialect;
pub mod direct;
pub mod engine;
pub mod grammar;
mod layout;
pub mod passes;
pub mod to_pdl;
pub mod trial;

/// The package of the ops that every graph may use.
pub const DEFAULT_PACKAGE: &str = "q";
