//! Transform sequences applied to a module.

use crate::Error;
use crate::diagnostics::Diagnostic;
use crate::ir::Module;

/// Applies the named sequence `entry` of a transform module, given as text, to a payload module. Returns what was reported
/// meanwhile.
pub fn apply(payload: &mut Module<'_>, sequence: &str, file_name: &str, entry: &str) -> Result<Vec<Diagnostic>, Error> {
    todo!()
}
