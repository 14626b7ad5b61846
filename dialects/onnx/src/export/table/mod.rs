//! What standard operators are in ONNX, as far as it has operators that do the same: all else follows from their definitions.

mod activations;
mod call;
mod convolutions;
mod layout;
mod picks;
mod pools;
mod products;
mod reductions;
mod windows;

use super::scope::{Scope, Why};
pub use call::Call;

/// What an entry gives: the results, or none where ONNX has no operator that does the same for these operands.
type Results = Result<Option<Vec<String>>, Why>;

/// An entry of the table.
type Entry = fn(&mut Scope, &Call<'_>) -> Results;

/// By name of the operator.
const TABLE: [(&str, Entry); 53] = [
    ("algo.nonmax_suppress", picks::nonmax_suppress),
    ("algo.top_k", picks::top_k),
    ("layout.broadcast", layout::broadcast),
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
    ("math.prod_reduce", reductions::reduce),
    ("math.sum_reduce", reductions::reduce),
    ("nn.avg_pool", pools::pool),
    ("nn.batch_norm", products::batch_norm),
    ("nn.conv", convolutions::conv),
    ("nn.deconv", convolutions::deconv),
    ("nn.elu", activations::activation),
    ("nn.gelu", activations::activation),
    ("nn.hard_sigmoid", activations::activation),
    ("nn.linear", products::linear),
    ("nn.max_pool", pools::pool),
    ("nn.relu", activations::activation),
    ("nn.selu", activations::activation),
    ("nn.sigmoid", activations::activation),
    ("nn.softmax", reductions::softmax),
    ("nn.sum_pool", pools::pool),
    ("rand.bernoulli", picks::random),
    ("rand.normal", picks::random),
    ("rand.uniform", picks::random),
];

/// The results of an operator of the standard library; none where ONNX has no such operator for these operands.
///
/// # Errors
/// Where it has one, but it can't be given what it needs.
pub fn write(scope: &mut Scope, call: &Call<'_>) -> Results {
    let entry = TABLE.binary_search_by_key(&&*call.call.operator, |(name, _)| name);
    entry.map_or(Ok(None), |at| TABLE[at].1(scope, call))
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn operators_are_in_order() {
        assert!(TABLE.is_sorted_by_key(|(name, _)| name));
    }
}
