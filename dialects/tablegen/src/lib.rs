//! TableGen for Rust: .td files on MLIR's own `mlir/IR/OpBase.td` become Rust, PDL and Markdown.
//!
//! - [`records`]: reading a file, with tblgen-rs;
//! - [`dag`]: the dags in its fields;
//! - [`ods`]: the model of what it declares: dialects, operations, enumerations, passes;
//! - [`drr`]: the model of its rewrite patterns;
//! - [`predicate`]: the C++ of constraints, said in Rust;
//! - [`generate`]: the text that is made of these models;
//! - [`tool`]: the command line of `skriptnd-tblgen`.
//!
//! Build scripts use [`BuildScript`] and the functions of [`generate`]; the generated Rust needs
//! `skriptnd_ods` and nothing of this crate.

mod build;
mod constant;
mod cpp;
pub mod dag;
pub mod drr;
mod error;
mod evaluation;
mod fields;
pub mod generate;
mod guard;
pub mod ods;
mod paths;
pub mod predicate;
pub mod records;
mod source;
mod spellings;
pub mod tool;
mod writer;

pub use build::{BuildScript, Declarations};
pub use error::{Diagnostic, Error, Place, Result, Severity};
pub use paths::{llvm_prefix, search_path};
pub use records::Records;
