//! Modules: making, reading and verifying them.

use std::path::Path;

use melior::ir::operation::OperationLike;
use mlir_sys::{MlirModule, mlirModuleFromOperation, mlirOperationClone};

use super::context::context_of;
use super::{BlockRef, Context, Location, OperationRef, capture};
use crate::{Error, ffi};

/// A `builtin.module` with all that it contains.
#[derive(Debug)]
pub struct Module<'c>(pub(crate) melior::ir::Module<'c>);

impl<'c> Module<'c> {
    /// An empty module.
    pub fn new(location: Location<'c>) -> Self {
        Self(melior::ir::Module::new(location.0))
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        context_of(self.0.context())
    }

    /// The module as an operation.
    pub fn as_operation(&self) -> OperationRef<'c, '_> {
        OperationRef(self.0.as_operation())
    }

    /// The block that it consists of.
    pub fn body(&self) -> BlockRef<'c, '_> {
        BlockRef(self.0.body())
    }

    /// Another module of the same operations.
    pub fn copy(&self) -> Self {
        // SAFETY: the operation is a module's, and what the copy is made to be owns it.
        let copy = unsafe { mlirModuleFromOperation(mlirOperationClone(self.0.as_operation().to_raw())) };
        // SAFETY: likewise; the context outlives both.
        Self(unsafe { melior::ir::Module::from_raw(copy) })
    }

    pub(crate) fn to_raw(&self) -> MlirModule {
        self.0.to_raw()
    }
}

/// Parses and verifies a module from text; the file name appears in locations and diagnostics. The `builtin.module` around
/// the operations may be left out.
pub fn parse_module<'c>(context: &'c Context, text: &str, file_name: &str) -> Result<Module<'c>, Error> {
    // The lexer reads up to a zero, which is not counted.
    let source = format!("{text}\0");
    let (module, diagnostics) = capture(context, || {
        // SAFETY: the context is valid, and the strings outlive the call.
        unsafe {
            let text = ffi::text(&source[..text.len()]);
            let raw = ffi::skndParseModule(context.to_raw(), text, ffi::text(file_name));
            melior::ir::Module::from_option_raw(raw).map(Module)
        }
    });
    let has_place = diagnostics.iter().any(|diagnostic| diagnostic.position.is_some());
    let what = if has_place { "cannot parse".to_string() } else { format!("cannot parse {file_name}") };
    module.ok_or(Error::Reported { what, diagnostics })
}

/// Reads, parses and verifies a module.
pub fn parse_module_file<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, Error> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|source| Error::Read { path: name.clone(), source })?;
    parse_module(context, &text, &name)
}

/// Verifies an operation and all that it contains.
pub fn verify(operation: OperationRef<'_, '_>) -> Result<(), Error> {
    let (valid, diagnostics) = capture(operation.context(), || operation.0.verify());
    if valid { Ok(()) } else { Err(Error::Reported { what: "invalid module".into(), diagnostics }) }
}
