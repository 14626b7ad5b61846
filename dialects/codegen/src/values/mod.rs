//! What is known of the values of scalars and of the elements of tensors, before a run.

mod carried;
mod propagate;
pub mod range;
mod relative;
pub mod scalars;
mod told;

pub use propagate::{begins_beyond, has_terms, most_terms, ranges};
pub use told::{carry, carry_results};
