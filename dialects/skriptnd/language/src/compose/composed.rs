//! The names of an invocation as they were composed. A run, which knows the extents, does not decide again what is
//! decided at compile time (specification, section 2.4).

use super::env::Env;
use super::infer::Binding;
use super::tensors::FormalTensors;

/// The names of an invocation as they were composed: `is` compares what these stand for.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) env: Env,
    /// The tensors that they refer to.
    pub(crate) types: FormalTensors,
}

impl Names {
    pub(crate) fn of_binding(binding: &Binding) -> Self {
        Names { env: binding.env.clone(), types: binding.types.clone() }
    }
}
