//! From formulas to linalg: what becomes of each assignment is decided without MLIR ([`plan`]), then emitted.

pub mod affine;
pub mod emit;
mod neutral;
pub mod plan;
#[cfg(test)]
pub(crate) mod testing;
pub mod view;
mod walk;
