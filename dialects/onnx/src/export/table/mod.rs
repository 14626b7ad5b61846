//! What standard operators are in ONNX, as far as it has operators that do the same: all else follows from their definitions.

mod call;

use super::scope::{Scope, Why};
pub use call::Call;

/// The results of an operator of the standard library; none where ONNX has no such operator for these operands.
///
/// # Errors
/// Where it has one, but it can't be given what it needs.
pub fn write(_scope: &mut Scope, _call: &Call<'_>) -> Result<Option<Vec<String>>, Why> {
    Ok(None)
}
