//! Contexts, modules, operations, types and attributes.
//!
//! References to IR (`OperationRef`, `BlockRef`, `RegionRef`, `Value`) carry two lifetimes: that of the context, and that
//! of the module that they are part of.

pub mod affine;
pub mod attributes;
mod blocks;
mod builder;
pub(crate) mod changes;
pub(crate) mod context;
pub mod defined;
pub(crate) mod diagnostics;
pub mod locations;
mod module;
mod notes;
mod operations;
mod references;
pub(crate) mod root;
mod structure;
mod text;
pub mod types;
mod values;

pub use attributes::Attribute;
pub use blocks::{block_arguments, block_operations, region_blocks, split_before};
pub use builder::{Body, Builder, NamedAttribute, Parts};
pub use context::Context;
pub(crate) use diagnostics::report;
pub use diagnostics::{capture, emit, emit_with};
pub use locations::Location;
pub use module::{Module, parse_module, parse_module_file, verify};
pub use operations::{operations_named, symbol_lookup, walk};
pub use references::{BlockRef, OperationRef, RegionRef, Value};
pub use root::Root;
pub(crate) use root::guard;
pub use structure::{equal_bodies, hash_bodies};
pub use text::{PrintForm, print};
pub use types::Type;
