//! Which structured operations on tensors become one kernel: an operation with what computes its initial accumulator and the
//! elementwise operations behind it, and several of these that have rows in common. What is decided here stands on the
//! operations ([`notes`]), where bufferization leaves it, and the emitter carries it out.

mod begins;
pub mod body;
mod chains;
mod dims;
mod form;
pub mod group;
mod join;
pub mod memory;
pub mod notes;
mod places;
pub mod rows;
mod turned;

pub use dims::merge_shared;
pub use form::form;
