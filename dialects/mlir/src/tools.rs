//! The main functions of the tools that MLIR ships as libraries, with our dialects and passes.

use crate::Registry;
use crate::diagnostics::Failure;

/// A text that a translation reads.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Its name: a path, or `<stdin>`.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A translation from text to text.
pub type Translate = dyn for<'a> Fn(Source<'a>) -> Result<String, Failure> + Send + Sync;

/// A translation that `translate_main` offers as `--<name>`.
pub struct Translation {
    /// Its command line argument, without dashes.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The translation. The message of a failure is printed as it is.
    pub translate: Box<Translate>,
}

/// An `mlir-opt` with the dialects of a registry and all registered passes; every stock flag works. The first argument is
/// the program's name. Returns the exit code.
pub fn opt_main(arguments: &[String], registry: &Registry) -> i32 {
    todo!()
}

/// An `mlir-translate` with the stock translations and those given. The first argument is the program's name. Returns the
/// exit code.
pub fn translate_main(arguments: &[String], registry: &Registry, translations: Vec<Translation>) -> i32 {
    todo!()
}

/// The language server for `.mlir` files. The first argument is the program's name. Returns the exit code.
pub fn language_server_main(arguments: &[String], registry: &Registry) -> i32 {
    todo!()
}
