//! Which tensors of a model are its parameters: what somebody trains, and gives other values by name. They are variables, however few
//! elements they have, and whatever these are.

use super::Translator;
use super::names::is_numbered;
use crate::proto::NodeProto;
use crate::value::{Known, Tensor, Value};

impl Translator<'_> {
    /// Whether the node that is looked at takes a tensor as a parameter.
    pub fn is_parameter(&self, tensor: &Tensor) -> bool {
        let (Some(Known::Stored(stored)), Some(reader)) = (&tensor.known, self.reader) else { return false };
        if stored.name.is_empty() || !stored.element.is_real() || stored.shape.is_empty() {
            return false;
        }
        let Some(takes) = parameters_of(reader) else { return false };
        if takes.has_names && (stored.count() < 2 || is_numbered(&stored.name)) {
            return false;
        }
        // Rules give it other shapes; its bytes stay where they are.
        let place = stored.bytes.as_ptr_range();
        let is_it = |name: &String| match self.lookup(name) {
            Some(Value::Tensor(Tensor { known: Some(Known::Stored(own)), .. })) => own.bytes.as_ptr_range() == place,
            _ => false,
        };
        reader.input.iter().enumerate().any(|(operand, name)| (takes.operand)(operand) && is_it(name))
    }
}

/// Which operands of a node are parameters.
struct Parameters {
    operand: fn(usize) -> bool,
    /// Whether only those are that have several elements and a name which no exporter made up: others are limits, or means of images.
    has_names: bool,
}

fn parameters_of(node: &NodeProto) -> Option<Parameters> {
    let some = |operand: fn(usize) -> bool| Some(Parameters { operand, has_names: false });
    if node.domain == "com.microsoft" {
        return Some(Parameters { operand: |_| true, has_names: true });
    }
    match node.op_type.as_str() {
        "Conv"
        | "ConvTranspose"
        | "BatchNormalization"
        | "InstanceNormalization"
        | "GroupNormalization"
        | "LayerNormalization"
        | "RMSNormalization"
        | "SimplifiedLayerNormalization"
        | "PRelu" => some(|at| at > 0),
        "DeformConv" => some(|at| at == 1 || at == 3),
        "LSTM" | "GRU" | "RNN" => some(|at| matches!(at, 1 | 2 | 3 | 7)),
        "MatMul" | "Gemm" | "Einsum" => some(|_| true),
        "Gather" => some(|at| at == 0),
        "Add" | "Sub" | "Mul" | "Div" => Some(Parameters { operand: |_| true, has_names: true }),
        _ => None,
    }
}
