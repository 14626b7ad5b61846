//! Which operators there are integers for.

use crate::compose::graph::OperatorCall;
use crate::compose::value::Value;

/// Operators that give quantized values.
pub(super) const QUANTIZING: [&str; 3] = ["onnx.quantize", "onnx.requantize", "quant.zero_point_linear_quantize"];

/// Reals of integers.
pub(super) const DEQUANTIZING: [&str; 2] = ["onnx.dequantize", "quantized.dequantize"];

/// Operators that give some of the elements that they are given, or the greatest or least of several: integers of them are as
/// many steps as the reals are.
const MOVING: [&str; 36] = [
    "math.iden",
    "layout.reshape",
    "layout.flatten",
    "layout.unflatten",
    "layout.squeeze",
    "layout.unsqueeze",
    "layout.transpose",
    "layout.slice",
    "layout.tile",
    "layout.broadcast",
    "layout.concat",
    "layout.stack",
    "layout.shuffle",
    "layout.space_to_depth",
    "layout.depth_to_space",
    "layout.space_to_batch",
    "layout.batch_to_space",
    "layout.split",
    "layout.unstack",
    "layout.gather",
    "layout.gather_nd",
    "layout.scatter",
    "layout.scatter_nd",
    PAD,
    "image.nearest_downsample",
    "image.nearest_upsample",
    "image.nearest_resize",
    "onnx.expand",
    "onnx.gather_elements",
    "onnx.nearest_rescale",
    "nn.max_pool",
    "math.max_reduce",
    "math.min_reduce",
    "math.max",
    "math.min",
    "math.select",
];

/// The operator that fills places with a number.
const PAD: &str = "layout.pad";

/// Functions of single reals.
const ACTIVATIONS: [&str; 26] = [
    "nn.relu",
    "nn.thresholded_relu",
    "nn.sigmoid",
    "nn.silu",
    "nn.softplus",
    "nn.erf",
    "nn.hard_sigmoid",
    "nn.elu",
    "nn.selu",
    "nn.gelu",
    "onnx.softsign",
    "math.neg",
    "math.rcp",
    "math.sqr",
    "math.sqrt",
    "math.rsqr",
    "math.rsqrt",
    "math.exp",
    "math.log",
    "math.sin",
    "math.cos",
    "math.tanh",
    "math.abs",
    "math.floor",
    "math.ceil",
    "math.round",
];

/// Functions of several reals.
const ELEMENTWISE: [&str; 8] =
    ["math.add", "math.sub", "math.mul", "math.div", "math.pow", "math.min", "math.max", "math.clamp"];

/// What else becomes integers.
const COMPUTING: [&str; 19] = [
    "nn.conv",
    "nn.deconv",
    "nn.linear",
    "linalg.matmul",
    "nn.avg_pool",
    "nn.sum_pool",
    "nn.softmax",
    "nn.prelu",
    "nn.batch_norm",
    "nn.l2_norm",
    "nn.mean_variance_norm",
    "math.moments",
    "math.mean_reduce",
    "math.sum_reduce",
    "image.linear_resize",
    "onnx.linear_rescale",
    "onnx.resample",
    "math.argmax",
    "math.argmin",
];

pub(super) fn is_moving(operator: &str) -> bool {
    MOVING.contains(&operator)
}

/// Whether an operator may look for the greatest, or for the least, of nothing.
pub(super) fn may_be_empty(operator: &str) -> bool {
    matches!(operator, "nn.max_pool" | "math.max_reduce" | "math.min_reduce")
}

/// Whether an operand is a number that an operator fills places with.
pub(super) fn is_filling(call: &OperatorCall, at: usize) -> bool {
    let is_constant = || call.attributes.get("method") == Some(&Value::Str("CONSTANT".into()));
    *call.operator == *PAD && at == 1 && is_constant()
}

pub(super) fn is_activation(operator: &str) -> bool {
    ACTIVATIONS.contains(&operator)
}

/// Whether an activation is more than arithmetic of reals.
pub(super) fn is_transcendental(operator: &str) -> bool {
    const ARITHMETIC: [&str; 10] = [
        "nn.relu",
        "nn.thresholded_relu",
        "nn.hard_sigmoid",
        "onnx.softsign",
        "math.neg",
        "math.sqr",
        "math.abs",
        "math.floor",
        "math.ceil",
        "math.round",
    ];
    is_activation(operator) && !ARITHMETIC.contains(&operator)
}

/// Whether each element of what an operator gives is computed of the elements at that place.
pub(super) fn is_elementwise(operator: &str) -> bool {
    ELEMENTWISE.contains(&operator)
}

/// Whether nothing but the results of an operator tells that it was computed.
pub(super) fn is_pure(operator: &str) -> bool {
    [&QUANTIZING[..], &DEQUANTIZING, &MOVING, &ACTIVATIONS, &ELEMENTWISE, &COMPUTING].concat().contains(&operator)
}

/// Operators that multiply what they are given by weights in each of several steps: their second and third operand.
const RECURRENT: [&str; 4] = ["nn.lstm", "onnx.rnn", "onnx.gru", "onnx.lstm"];

pub(super) fn is_recurrent(call: &OperatorCall) -> bool {
    RECURRENT.contains(&&*call.operator)
}
