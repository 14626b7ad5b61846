//! What each operator of ONNX is in SkriptND, by what they are about. A room's `translate` gives `None` for operators of others.

mod arithmetic;
mod casts;
mod elementwise;
mod norms;
mod pools;
mod products;
mod recurrent;
mod reductions;
mod selections;
mod sequences;
pub mod shapes;
pub mod slices;
mod sources;

use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Tensor, Value};

/// The results of a node, or why there are none.
pub type Results = Result<Vec<Tensor>, String>;

/// The rooms of the default domain.
const ROOMS: [fn(&mut Translator<'_>, &Node<'_>) -> Option<Results>; 12] = [
    arithmetic::translate,
    casts::translate,
    elementwise::translate,
    norms::translate,
    pools::translate,
    products::translate,
    recurrent::translate,
    reductions::translate,
    selections::translate,
    shapes::translate,
    slices::translate,
    sources::translate,
];

/// Translates a node.
///
/// # Errors
/// Why it can't be said.
pub fn translate(translator: &mut Translator<'_>, node: &Node<'_>) -> Result<Vec<Value>, String> {
    if matches!(node.proto.domain.as_str(), "" | "ai.onnx") {
        if let Some(results) = sequences::translate(translator, node) {
            return results;
        }
        for room in ROOMS {
            if let Some(results) = room(translator, node) {
                return tensors(results);
            }
        }
    }
    Err("there is no translation of this operator".into())
}

fn tensors(results: Results) -> Result<Vec<Value>, String> {
    results.map(|tensors| tensors.into_iter().map(Value::Tensor).collect())
}

/// The only result of a rule.
pub(crate) fn one(result: Result<Tensor, String>) -> Option<Results> {
    Some(result.map(|tensor| vec![tensor]))
}
