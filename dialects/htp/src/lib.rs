//! The rule language of HTP op packages, and the `htp` dialect.
//!
//! The way of a rule: [`grammar`] reads it from C++ text, [`check`] makes a typed rule of it, [`to_pdl`] a pattern of PDL,
//! and [`engine`] applies it, deciding by [`apply`] what it means. [`direct`] applies rules without PDL, and judges the
//! engine. The way of a graph: [`convert`] makes ops of the [`dialect`] of operators, and operators of ops.

pub mod apply;
pub mod cases;
pub mod check;
pub mod commands;
pub mod convert;
pub mod dialect;
pub mod direct;
pub mod engine;
pub mod explain;
pub mod generated;
pub mod grammar;
mod layout;
pub mod passes;
pub mod placement;
pub mod registered;
pub mod settings;
pub mod to_pdl;
pub mod trial;

/// Registers the dialect with a registry, and the passes with the process.
pub fn register(registry: &mut skriptnd_mlir::Registry) -> Result<(), skriptnd_mlir::Error> {
    registry.add_dialect(dialect::dialect())?;
    passes::register_passes()
}
