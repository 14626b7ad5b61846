//! What plans what processes share of kernels.

use super::given::Files;
use crate::fusion::memory::{base, root};
use crate::nest::space::Rounding;
use crate::target::Target;
use skriptnd_mlir::ir::Value;

/// What kernels are planned with.
pub struct Planner<'p, 'f, 'c> {
    /// Whose schedules say what tiles are.
    pub files: &'p mut Files<'f, 'c>,
    /// For what.
    pub target: &'p Target,
    /// How real numbers are combined.
    pub rounding: Rounding,
    /// How many units a loop shall have: enough for all processes, of which none has much more than another.
    pub wanted: i64,
}

/// Whether memory is all of what it is a view of, from its begin on.
pub fn is_all(memory: Value<'_, '_>) -> bool {
    base(memory).key() == root(memory).key()
}
