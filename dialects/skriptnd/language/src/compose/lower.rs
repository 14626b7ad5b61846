//! `@lower` of one operator with attributes, types and shapes filled in (specification, section 2.12).

mod access;
mod assignment;
pub(crate) mod context;
mod instantiate;
mod locals;
mod loops;
pub(crate) mod outside;
pub(super) mod ranges;
pub(crate) mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use instantiate::{FormulaRequest, instantiate, names};
