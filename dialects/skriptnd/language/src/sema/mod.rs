//! Checks of definitions on their own: names, types, binding order, before anything is instantiated.

use crate::diagnostics::Diagnostics;
use crate::library::Library;

/// Checks every definition of the model's own modules.
pub fn check(_library: &Library) -> Diagnostics {
    Diagnostics::default()
}
