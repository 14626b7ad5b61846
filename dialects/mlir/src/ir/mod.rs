//! Contexts, modules, operations, types and attributes: melior's safe types, and what they lack.
//!
//! Prefer the functions of [`attributes`] and [`types`] to melior's constructors and accessors: they do not panic on what
//! a module may contain (melior's `StringAttribute::value` does on an empty string).

pub mod affine;
pub mod attributes;
mod builder;
pub(crate) mod context;
pub mod locations;
mod module;
mod operations;
mod structure;
mod text;
pub mod types;
mod values;

pub use builder::{Builder, NamedAttribute};
pub use context::InContext;
pub use melior::ir::block::BlockArgument;
pub use melior::ir::operation::{
    OperationBuilder, OperationLike, OperationMutLike, OperationRefMut, OperationResult, WalkOrder, WalkResult,
};
pub use melior::ir::{
    Attribute, AttributeLike, Block, BlockLike, BlockRef, Identifier, Location, Module, Operation, OperationRef,
    Region, RegionLike, RegionRef, Type, TypeLike, Value, ValueLike,
};
pub use melior::{Context, ContextRef};
pub use module::{parse_module, parse_module_file, verify};
pub use operations::{
    OperationExt, block_arguments, block_operations, operand_types, operations_named, region_blocks, result_types,
    symbol_lookup, walk,
};
pub use structure::{equal_bodies, hash_bodies};
pub use text::{PrintForm, print};
pub use values::ValueExt;
