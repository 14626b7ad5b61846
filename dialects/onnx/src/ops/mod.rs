//! What each operator of ONNX is in SkriptND, by what they are about. A room's `translate` gives `None` for operators of others.

mod activations;
mod arithmetic;
mod attention;
mod attention_grouped;
mod attention_microsoft;
mod bits;
mod bitwise;
pub mod casts;
mod determinants;
mod einsum;
mod elementwise;
mod exact;
mod fused_microsoft;
mod grams;
mod grids;
mod learned;
mod losses;
mod norms;
mod pools;
mod products;
mod quantized;
mod quantized_microsoft;
mod quantized_transformers;
mod random;
mod recurrent;
mod recurrent_attention;
mod reductions;
pub(crate) mod resample;
mod resize;
mod rotary;
mod runs;
mod sampling;
mod selections;
mod sequences;
pub mod shapes;
mod signals;
pub mod slices;
mod sources;
mod training;
mod unique;
mod unpools;
mod unsigned;

use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Tensor, Value};

/// The results of a node, or why there are none.
pub type Results = Result<Vec<Tensor>, String>;

/// A room: what a node gives, or `None` where it is one of another room.
type Room = fn(&mut Translator<'_>, &Node<'_>) -> Option<Results>;

/// The rooms of the default domain.
const ROOMS: &[Room] = &[
    activations::translate,
    arithmetic::translate,
    attention::translate,
    bitwise::translate,
    casts::translate,
    determinants::translate,
    einsum::translate,
    elementwise::translate,
    grams::translate,
    losses::translate,
    norms::translate,
    pools::translate,
    products::translate,
    quantized::translate,
    random::translate,
    recurrent::translate,
    recurrent_attention::translate,
    reductions::translate,
    resize::translate,
    runs::translate,
    sampling::translate,
    selections::translate,
    shapes::translate,
    signals::translate,
    slices::translate,
    sources::translate,
    unique::translate,
    unpools::translate,
];

/// The rooms of ONNX Runtime's domain: some operators are those of the default one.
const MICROSOFT: &[Room] = &[
    attention_grouped::translate,
    attention_microsoft::translate,
    fused_microsoft::translate,
    quantized_microsoft::translate,
    quantized_transformers::translate,
    quantized::translate,
];

fn rooms(domain: &str) -> &'static [Room] {
    match domain {
        "" | "ai.onnx" => ROOMS,
        "com.microsoft" => MICROSOFT,
        "ai.onnx.ml" => &[learned::translate],
        "ai.onnx.preview.training" => &[training::translate],
        _ => &[],
    }
}

/// Translates a node.
///
/// # Errors
/// Why it can't be said.
pub fn translate(translator: &mut Translator<'_>, node: &Node<'_>) -> Result<Vec<Value>, String> {
    let domain = node.proto.domain.as_str();
    if matches!(domain, "" | "ai.onnx") {
        if let Some(results) = sequences::translate(translator, node) {
            return results;
        }
    }
    translator.warn_of_unsigned(node);
    for room in rooms(domain) {
        if let Some(results) = room(translator, node) {
            return tensors(results);
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
