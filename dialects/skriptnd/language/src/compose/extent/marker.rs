//! Markers of extents that only the data determine, until the graph gives them a name.

use super::SymExpr;
use std::sync::Arc;

/// Such a marker.
pub(crate) type Undetermined = Arc<str>;

/// A name for an undetermined extent, which no model can write.
pub(crate) fn undetermined(name: &str) -> Arc<str> {
    Arc::from(format!("~{name}"))
}

/// Whether the symbol is such a marker.
pub(crate) fn is_undetermined(symbol: &str) -> bool {
    symbol.starts_with('~')
}

impl SymExpr {
    /// Whether it is a marker.
    pub(crate) fn is_undetermined(&self) -> bool {
        matches!(self, SymExpr::Symbol(symbol) if is_undetermined(symbol))
    }
}
