//! A small safe API over MLIR and LLVM.
//!
//! It alone names melior, mlir-sys, inkwell and the C++ bridge in `bridge/`, and none of their types leaves it. Other
//! crates program against
//! - [`ir`]: contexts, modules, operations, types and attributes (melior's safe types and conveniences around them),
//! - [`ops`]: typed constructors of upstream's operations,
//! - [`Registry`]: which dialects a context knows,
//! - [`dialect`]: dialects and operations defined at run time from Rust,
//! - [`predicate`]: what constraints ask of types, attributes, values and operations,
//! - [`pass`]: passes written in Rust, and pipelines run on a module,
//! - [`rewrite`]: PDL and Rust rewrite patterns and the drivers that apply them,
//! - [`diagnostics`]: what MLIR reports, with file, line and column; [`ir::capture`] collects it,
//! - [`transform`]: transform sequences applied to a module,
//! - [`llvm`]: from the LLVM dialect to objects,
//! - [`link`]: from objects to libraries and programs,
//! - [`process`]: work in a process of its own,
//! - [`tools`]: the main functions of the `opt`, `translate` and language server tools.
//!
//! Panics of Rust callbacks do not unwind into C++: they become errors at the operation that was being worked on.

pub mod diagnostics;
pub mod dialect;
mod error;
mod everything;
mod ffi;
pub mod ir;
pub mod link;
pub mod llvm;
pub mod ops;
pub mod pass;
pub mod predicate;
pub mod process;
mod registry;
pub mod rewrite;
pub mod tools;
pub mod transform;

pub use diagnostics::{Diagnostic, Failure, Position, Severity};
pub use error::Error;
pub use ir::{parse_module, parse_module_file};
pub use registry::Registry;
