//! Reading and verifying modules.

use std::path::Path;

use melior::StringRef;
use melior::ir::Module;
use melior::ir::operation::OperationLike;
use mlir_sys::{mlirModuleFromOperation, mlirOperationCreateParse, mlirOperationDestroy};

use super::Context;
use crate::Error;
use crate::diagnostics;

/// Parses and verifies a module from text; the file name appears in locations and diagnostics.
pub fn parse_module<'c>(context: &'c Context, text: &str, file_name: &str) -> Result<Module<'c>, Error> {
    // The parser reads up to a terminating zero.
    let source = format!("{text}\0");
    let (module, diagnostics) = diagnostics::capture(context, || {
        // SAFETY: both strings outlive the call, and the source is followed by a zero that is not counted. The operation
        // is owned by the module made of it, or destroyed here.
        unsafe {
            let operation = mlirOperationCreateParse(
                context.to_raw(),
                StringRef::new(&source[..text.len()]).to_raw(),
                StringRef::new(file_name).to_raw(),
            );
            if operation.ptr.is_null() {
                return None;
            }
            let module = mlirModuleFromOperation(operation);
            if module.ptr.is_null() {
                mlirOperationDestroy(operation);
            }
            Module::from_option_raw(module)
        }
    });
    module.ok_or_else(|| Error::Reported { what: format!("cannot parse {file_name}"), diagnostics })
}

/// Reads, parses and verifies a module.
pub fn parse_module_file<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, Error> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|source| Error::Read { path: name.clone(), source })?;
    parse_module(context, &text, &name)
}

/// Verifies an operation and all that it contains.
pub fn verify<'c: 'a, 'a>(operation: &impl OperationLike<'c, 'a>) -> Result<(), Error> {
    let context = super::context::context_of(operation.context());
    let (valid, diagnostics) = diagnostics::capture(context, || operation.verify());
    if valid { Ok(()) } else { Err(Error::Reported { what: "invalid module".into(), diagnostics }) }
}
