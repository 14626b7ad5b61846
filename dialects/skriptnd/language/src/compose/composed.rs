//! What is known of an operation from its composition with symbols. A run, which knows the extents, does not decide
//! again what is decided at compile time (specification, section 2.4).

use super::env::Env;
use super::graph::{Graph, TensorType};
use super::infer::Binding;
use super::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An operation as it was composed: one of which only the run knows some extents, or of which some operands are the same
/// tensor.
#[derive(Debug)]
pub struct Composed {
    pub(crate) binding: Arc<Binding>,
    /// Its parts, if it is described by such.
    pub graph: Option<Graph>,
    /// The symbols of its operands and attributes.
    pub symbols: Vec<Arc<str>>,
}

impl Composed {
    /// None if an instance of the operator for the types of its operands is the same.
    pub(crate) fn new(binding: &Arc<Binding>, graph: Option<Graph>) -> Option<Arc<Self>> {
        let symbols = symbols(binding);
        let binding = binding.clone();
        (binding.repeats_tensors || !symbols.is_empty()).then(|| Arc::new(Composed { binding, graph, symbols }))
    }
}

fn symbols(binding: &Binding) -> Vec<Arc<str>> {
    let mut symbols = BTreeSet::new();
    let mut add = |symbol: &Arc<str>| {
        symbols.insert(symbol.clone());
    };
    binding.types.iter().flat_map(|ty| &ty.shape).for_each(|extent| extent.value.symbols(&mut add));
    binding.input_lengths.iter().flatten().for_each(|length| length.symbols(&mut add));
    binding.call.attributes.values().for_each(|value: &Value| value.symbols(&mut add));
    symbols.into_iter().collect()
}

/// The names of an invocation as they were composed: `is` compares what these stand for.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) env: Env,
    /// Types of the tensors that they refer to.
    pub(crate) types: Vec<TensorType>,
}

impl Names {
    pub(crate) fn of_binding(binding: &Binding) -> Self {
        Names { env: binding.env.clone(), types: binding.types.clone() }
    }
}
