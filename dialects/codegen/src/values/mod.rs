//! What is known of the values of scalars and of the elements of tensors, before a run.

pub mod encoding;
mod propagate;
pub mod range;
mod relative;
pub mod scalars;

pub use propagate::{begins_beyond, has_terms, most_terms, ranges};
