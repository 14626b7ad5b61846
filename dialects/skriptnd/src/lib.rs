//! The `skriptnd` dialect: import, operators whose meaning comes from their own definitions, decomposition and
//! lowering to linalg.

mod assembly;
pub mod call;
pub mod definitions;
mod dialect;
pub mod export;
mod formula;
pub mod generated;
mod graph;
mod hooks;
pub mod import;
mod locations;
pub mod lowering;
pub mod natives;
pub mod operator;
mod passes;
mod report;
mod require;
mod scalars;
#[cfg(test)]
mod tests;

pub use dialect::{dialect, register};
pub use generated::NAMESPACE;
pub use import::{import_model, import_named_model};
pub use passes::{TO_LINALG, decompose, decompose_quantized};
