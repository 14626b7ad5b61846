//! From formulas to linalg: what becomes of each assignment is decided without MLIR ([`plan`]), then emitted.

pub mod defined;
pub mod emit;
pub mod form;
mod inequalities;
pub mod intrinsic;
pub mod limits;
pub mod mixed_radix;
mod neutral;
mod phases;
pub mod plan;
pub mod requirements;
pub mod reroll;
pub mod scan;
#[cfg(test)]
pub(crate) mod testing;
pub mod view;
mod walk;
