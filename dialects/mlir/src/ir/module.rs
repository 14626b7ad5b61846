//! Reading and verifying modules.

use std::path::Path;

use melior::ir::Module;
use melior::ir::operation::OperationLike;

use super::Context;
use crate::{Error, diagnostics, ffi};

/// Parses and verifies a module from text; the file name appears in locations and diagnostics. The `builtin.module` around
/// the operations may be left out.
pub fn parse_module<'c>(context: &'c Context, text: &str, file_name: &str) -> Result<Module<'c>, Error> {
    // The lexer reads up to a zero, which is not counted.
    let source = format!("{text}\0");
    let (module, diagnostics) = diagnostics::capture(context, || {
        // SAFETY: the context is valid, and the strings outlive the call.
        unsafe {
            let text = ffi::text(&source[..text.len()]);
            let raw = ffi::skndParseModule(context.to_raw(), text, ffi::text(file_name));
            Module::from_option_raw(raw)
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
