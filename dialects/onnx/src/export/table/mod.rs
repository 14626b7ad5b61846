//! What standard operators are in ONNX, as far as it has operators that do the same: all else follows from their definitions.

mod activations;
mod call;
mod convolutions;
mod integers;
mod layout;
mod norms;
mod picks;
mod pools;
mod products;
mod quantized;
mod recurrent;
mod reductions;
mod resize;
mod windows;

use super::few::Few;
use super::scope::{Scope, Why};
use crate::element::ElementType;
pub use call::Call;
use skriptnd_language::compose::graph::{Argument, TensorType};

/// What an entry gives: the results, or none where ONNX has no operator that does the same for these operands.
type Results = Result<Option<Vec<String>>, Why>;

/// An entry of the table.
type Entry = fn(&mut Scope, &Call<'_>) -> Results;

/// By name of the operator.
const TABLE: [(&str, Entry); 92] = [
    ("algo.nonmax_suppress", picks::nonmax_suppress),
    ("algo.top_k", picks::top_k),
    ("image.cubic_resize", resize::resize),
    ("image.grid_sample", picks::grid_sample),
    ("image.linear_resize", resize::resize),
    ("image.max_roi_pool", picks::max_roi_pool),
    ("image.nearest_resize", resize::nearest),
    ("image.nearest_upsample", resize::upsample),
    ("image.rescale", resize::by_mode),
    ("image.resize", resize::by_mode),
    ("layout.broadcast", layout::broadcast),
    ("layout.cast", resize::cast),
    ("layout.concat", layout::concat),
    ("layout.constant", layout::constant),
    ("layout.flatten", layout::reshape),
    ("layout.gather", picks::gather),
    ("layout.gather_nd", picks::gather_nd),
    ("layout.nonzero", picks::nonzero),
    ("layout.pad", layout::pad),
    ("layout.reshape", layout::reshape),
    ("layout.scatter", picks::scatter),
    ("layout.scatter_nd", picks::scatter_nd),
    ("layout.shape", layout::shape),
    ("layout.slice", layout::slice),
    ("layout.split", layout::split),
    ("layout.squeeze", layout::squeeze),
    ("layout.stack", layout::stack),
    ("layout.tensor", layout::constant),
    ("layout.tile", layout::tile),
    ("layout.transpose", layout::transpose),
    ("layout.unflatten", layout::reshape),
    ("layout.uniform", layout::uniform),
    ("layout.unsqueeze", layout::unsqueeze),
    ("layout.unstack", layout::unstack),
    ("linalg.matmul", products::matmul),
    ("math.all_reduce", reductions::reduce),
    ("math.any_reduce", reductions::reduce),
    ("math.argmax", reductions::extreme),
    ("math.argmin", reductions::extreme),
    ("math.cumsum", reductions::cumsum),
    ("math.max_reduce", reductions::reduce),
    ("math.mean_reduce", reductions::reduce),
    ("math.min_reduce", reductions::reduce),
    ("math.moments", norms::moments),
    ("math.prod_reduce", reductions::reduce),
    ("math.sub", integers::centered),
    ("math.sum_reduce", reductions::reduce),
    ("nn.avg_pool", pools::pool),
    ("nn.batch_norm", products::batch_norm),
    ("nn.conv", convolutions::conv),
    ("nn.deconv", convolutions::deconv),
    ("nn.elu", activations::activation),
    ("nn.gelu", activations::activation),
    ("nn.hard_sigmoid", activations::activation),
    ("nn.linear", products::linear),
    ("nn.lstm", recurrent::standard),
    ("nn.max_pool", pools::pool),
    ("nn.mean_variance_norm", norms::mean_variance_norm),
    ("nn.prelu", activations::prelu),
    ("nn.relu", activations::activation),
    ("nn.selu", activations::activation),
    ("nn.sigmoid", activations::activation),
    ("nn.silu", activations::silu),
    ("nn.softmax", reductions::softmax),
    ("nn.softplus", activations::activation),
    ("nn.sum_pool", pools::pool),
    ("onnx.dequantize", quantized::dequantize),
    ("onnx.gather_elements", picks::gather_elements),
    ("onnx.gru", recurrent::general),
    ("onnx.linear_rescale", resize::linear_rescale),
    ("onnx.lstm", recurrent::general),
    ("onnx.nearest_rescale", resize::nearest_rescale),
    ("onnx.quantize", quantized::quantize),
    ("onnx.requantize", integers::requantize),
    ("onnx.resample", resize::resample),
    ("onnx.rnn", recurrent::general),
    ("onnx.round", activations::activation),
    ("onnx.scatter_elements", picks::combined),
    ("onnx.scatter_elements_add", picks::combined),
    ("onnx.scatter_elements_max", picks::combined),
    ("onnx.scatter_elements_min", picks::combined),
    ("onnx.scatter_elements_mul", picks::combined),
    ("onnx.scatter_nd_add", picks::combined),
    ("onnx.scatter_nd_max", picks::combined),
    ("onnx.scatter_nd_min", picks::combined),
    ("onnx.scatter_nd_mul", picks::combined),
    ("onnx.softsign", activations::activation),
    ("onnx.wrap", quantized::wrap),
    ("quant.zero_point_linear_quantize", quantized::simulated),
    ("rand.bernoulli", picks::random),
    ("rand.normal", picks::random),
    ("rand.uniform", picks::random),
];

/// Operators that only move elements of their first operand, which ONNX Runtime has for those of few bits.
const MOVES: [&str; 11] = [
    "layout.concat",
    "layout.flatten",
    "layout.gather",
    "layout.reshape",
    "layout.slice",
    "layout.split",
    "layout.squeeze",
    "layout.stack",
    "layout.transpose",
    "layout.unsqueeze",
    "layout.unstack",
];

/// The results of an operator of the standard library; none where ONNX has no such operator for these operands.
///
/// # Errors
/// Where it has one, but it can't be given what it needs.
pub fn write(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Ok(at) = TABLE.binary_search_by_key(&&*call.call.operator, |(name, _)| name) else { return Ok(None) };
    let entry = TABLE[at].1;
    let Some((inputs, element)) = in_few_bits(scope, call) else { return entry(scope, call) };
    let moved = entry(scope, &Call { inputs: &inputs, ..*call })?;
    Ok(moved.map(|results| results.iter().map(|result| scope.widened(result, element)).collect()))
}

/// The operands with the first one in the few bits that all of it is in; none where nothing is moved so.
fn in_few_bits(scope: &Scope, call: &Call<'_>) -> Option<(Vec<Operand>, ElementType)> {
    let first = call.inputs.first().filter(|_| MOVES.contains(&&*call.call.operator))?;
    let few = first.items().iter().map(|(name, _)| scope.few(name).filter(|few| few.zero.is_none()));
    let few: Vec<&Few> = few.collect::<Option<_>>()?;
    let element = few.first()?.element;
    if few.iter().any(|few| few.element != element) {
        return None;
    }
    let mut names = few.iter().map(|few| few.name.clone());
    let narrow = first.map(|(name, ty)| (names.next().unwrap_or_else(|| name.clone()), ty.clone()));
    let rest = call.inputs[1..].iter().cloned();
    Some((std::iter::once(narrow).chain(rest).collect(), element))
}

/// An operand with its types.
type Operand = Argument<(String, TensorType)>;

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn operators_are_in_order() {
        assert!(TABLE.is_sorted_by_key(|(name, _)| name));
    }
}
