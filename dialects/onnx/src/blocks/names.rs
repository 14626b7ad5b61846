//! What operators are called.

use crate::translate::names::Names;

/// Names that modules of the standard library have, and the graph.
const TAKEN: [&str; 12] =
    ["Net", "layout", "math", "linalg", "nn", "layer", "image", "quant", "algo", "misc", "rand", "onnx"];

/// The names that operators have.
#[derive(Debug, Default)]
pub(super) struct Operators {
    names: Names,
}

impl Operators {
    /// A new name, like that of the modules where they have one.
    pub fn fresh(&mut self, like: Option<&str>) -> String {
        let like = like.unwrap_or("block");
        if TAKEN.contains(&like) { self.names.fresh(&format!("{like}_block")) } else { self.names.fresh(like) }
    }
}
