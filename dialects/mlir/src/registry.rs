//! Which dialects a context knows.

use crate::Error;
use crate::dialect::DialectSpec;
use crate::ir::Context;

/// The dialects of a context: the upstream ones and those defined from Rust.
pub struct Registry {
    raw: melior::dialect::DialectRegistry,
    namespaces: Vec<String>,
}

impl Registry {
    /// The upstream dialects, with their external interface models, and the upstream passes.
    pub fn new() -> Self {
        todo!()
    }

    /// Adds a dialect. Names are checked here: MLIR would abort.
    pub fn add_dialect(&mut self, dialect: DialectSpec) -> Result<(), Error> {
        todo!()
    }

    /// A context with these dialects, all of them loaded.
    pub fn context(&self) -> Context {
        todo!()
    }

    /// The namespaces of the dialects added from Rust.
    pub fn namespaces(&self) -> &[String] {
        &self.namespaces
    }

    pub(crate) fn raw(&self) -> &melior::dialect::DialectRegistry {
        &self.raw
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}
