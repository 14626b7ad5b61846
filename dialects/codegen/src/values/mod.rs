//! What is known of the values of scalars and of the elements of tensors, before a run.

mod carried;
mod propagate;
pub mod range;
pub mod scalars;

pub use carried::carry;
pub use propagate::ranges;
