//! `@lower` of one operator with attributes, types and shapes filled in (specification, section 2.12).

mod assignment;
mod instantiate;
mod locals;
mod loops;
mod outside;
#[cfg(test)]
mod tests;

pub(crate) use instantiate::{FormulaRequest, instantiate, names};
