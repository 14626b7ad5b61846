//! The `skriptnd` dialect: import, operators whose meaning comes from their own definitions, decomposition and lowering to linalg.

pub mod builder;
pub mod lowering;
pub mod generated;
pub mod natives;
