//! The SkriptND language: from text to a composed graph, and the interpreter that is everybody's oracle.
//!
//! `syntax` makes a tree of a text, [`library`] gathers the modules of a model, `sema` checks definitions on their own,
//! `compose` instantiates them, `interpret` runs the result; [`model`] is the way through the first four. Nothing here knows of MLIR, nothing reads files but
//! through a [`source::FileProvider`], and nothing panics on what a user wrote: every stage returns what it could
//! make and a list of [`diagnostics`].

pub mod arithmetic;
pub mod compose;
pub mod diagnostics;
pub mod format;
pub mod interpret;
pub mod library;
mod lint;
pub mod model;
pub mod query;
pub mod sema;
pub mod source;
#[cfg(test)]
mod steps;
pub mod syntax;
