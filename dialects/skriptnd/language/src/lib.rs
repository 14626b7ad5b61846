//! What SkriptND means: from the tree of a text to a composed graph.
//!
//! [`library`] gathers the modules of a model, [`sema`] checks definitions on their own, [`compose`] instantiates them;
//! [`model`] is the way through all three. Nothing here knows of MLIR, nothing reads files but through a
//! [`FileProvider`](skriptnd_source::FileProvider), and nothing panics on what a user wrote: every stage returns what it
//! could make and a list of [`Diagnostics`](skriptnd_source::diagnostics::Diagnostics).

pub mod arithmetic;
pub mod compose;
pub mod fault;
pub mod library;
pub mod model;
pub mod sema;
#[cfg(test)]
mod steps;
pub mod written;
