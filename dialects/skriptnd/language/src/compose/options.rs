//! What composition is told beside the model.

use super::value::{ScalarType, Value};
use skriptnd_runtime::Storage;

/// What the user fixes from outside.
#[derive(Debug, Clone, Default)]
pub struct ComposeOptions {
    /// Which graph of `main`; the first one by default.
    pub graph: Option<String>,
    /// Types that its generic types stand for.
    pub dtypes: Vec<(String, ScalarType)>,
    /// Graph attributes.
    pub attributes: Vec<(String, Value)>,
    /// Values for dynamic extents, by symbol.
    pub bindings: Vec<(String, i64)>,
    /// How inputs, variables and outputs are stored, as [`Graph::store`](super::graph::Graph::store) takes it: integers of few bits have
    /// limits. What the graph does not have, or can't store so, changes nothing.
    pub storage: Vec<(String, Storage)>,
}
