//! Which dialects a context knows.

use std::sync::Once;

use melior::dialect::DialectRegistry;

use crate::dialect::{self, DialectSpec};
use crate::ir::Context;
use crate::{Error, ffi};

/// The dialects of a context: the upstream ones and those defined from Rust.
pub struct Registry {
    raw: DialectRegistry,
    namespaces: Vec<String>,
}

impl Registry {
    /// The upstream dialects, with their external interface models, and the upstream passes.
    pub fn new() -> Self {
        register_passes();
        let raw = DialectRegistry::new();
        // SAFETY: the registry is valid.
        unsafe {
            ffi::skndRegisterUpstreamDialects(raw.to_raw());
            ffi::skndRegisterKept(raw.to_raw());
            ffi::skndExtendKnownDialects(raw.to_raw());
        }
        Self { raw, namespaces: Vec::new() }
    }

    /// Adds a dialect. Names are checked here: MLIR would abort.
    pub fn add_dialect(&mut self, dialect: DialectSpec) -> Result<(), Error> {
        self.namespaces.push(dialect.namespace().to_string());
        let added = dialect::register(&self.raw, dialect);
        if added.is_err() {
            self.namespaces.pop();
        }
        // SAFETY: the registry is valid.
        unsafe { ffi::skndExtendKnownDialects(self.raw.to_raw()) };
        added
    }

    /// A context with these dialects, all of them loaded.
    pub fn context(&self) -> Context {
        let context = melior::Context::new_with_registry(&self.raw, true);
        context.load_all_available_dialects();
        // SAFETY: the context is valid.
        unsafe { ffi::skndConfigureContext(context.to_raw()) };
        Context(context)
    }

    /// The namespaces of the dialects added from Rust.
    pub fn namespaces(&self) -> &[String] {
        &self.namespaces
    }

    pub(crate) fn raw(&self) -> &DialectRegistry {
        &self.raw
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

/// Registers the upstream passes, for which everything that looks passes up comes here first.
pub(crate) fn register_passes() {
    static ONCE: Once = Once::new();
    // SAFETY: passes are registered once, as MLIR requires.
    ONCE.call_once(|| unsafe { ffi::skndRegisterUpstreamPasses() });
}
