//! What operators of the standard library are to quantization.

use skriptnd_language::compose::graph::OperatorCall;
use skriptnd_language::compose::value::Value;

/// A factor of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor {
    /// The number of the input.
    pub input: usize,
    /// The dimension of it that is one of the result, too; each index there has a scale of its own where it is a weight.
    pub channels: Option<usize>,
}

/// Networks that multiply the items of a sequence by their second input, and states by their third.
const RECURRENT: &[&str] = &["nn.lstm", "onnx.gru", "onnx.lstm", "onnx.rnn"];

/// Whether an operator has its products within a loop: what it gives is no sum.
pub fn is_recurrent(call: &OperatorCall) -> bool {
    RECURRENT.contains(&&*call.operator)
}

/// Whether what an operator multiplies has few bits already.
fn is_quantized(call: &OperatorCall) -> bool {
    call.attributes.get("quantized") == Some(&Value::Bool(true))
}

/// The factors of a product or of a recurrent network that whole numbers can stand for, if inputs have these ranks; none if it is neither.
pub fn factors(call: &OperatorCall, rank: &dyn Fn(usize) -> Option<usize>) -> Option<Vec<Factor>> {
    if is_recurrent(call) && is_quantized(call) {
        return Some(Vec::new());
    }
    if is_recurrent(call) {
        let weight = |input| Factor { input, channels: Some(0) };
        return Some(vec![Factor { input: 0, channels: None }, weight(1), weight(2)]);
    }
    let last = |input: usize, from_last: usize| rank(input)?.checked_sub(from_last + 1);
    let is_set = |name: &str| call.attributes.get(name) == Some(&Value::Bool(true));
    let channels = match &*call.operator {
        "nn.linear" => [None, Some(0)],
        "nn.conv" => [None, outputs_of_filter(call, last(1, 0)?)],
        "nn.deconv" => [None, inputs_of_filter(call, last(1, 0)?)],
        "linalg.matmul" => [last(0, usize::from(!is_set("transA"))), last(1, usize::from(is_set("transB")))],
        "linalg.matvec" => [last(0, usize::from(!is_set("transA"))), None],
        _ => return None,
    };
    Some([0, 1].map(|input| Factor { input, channels: channels[input] }).to_vec())
}

fn format(call: &OperatorCall) -> &str {
    match call.attributes.get("filter_format") {
        Some(Value::Str(format)) => format,
        _ => "NCX",
    }
}

fn outputs_of_filter(call: &OperatorCall, last: usize) -> Option<usize> {
    Some(if ["XCN", "CXN"].contains(&format(call)) { last } else { 0 })
}

/// Of a transposed convolution, what is called an input channel of the filter is one of the output.
fn inputs_of_filter(call: &OperatorCall, last: usize) -> Option<usize> {
    match format(call) {
        "NXC" => Some(last),
        "XCN" => last.checked_sub(1),
        "CXN" => Some(0),
        _ => Some(1),
    }
}

/// What an operator that is no product makes of quantized tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It gives elements of its first input, or 0: what is quantized stays so.
    Moves,
    /// It computes other numbers, which are quantized again where all that it takes is quantized.
    Between,
    /// All else computes with reals.
    Real,
}

/// Operators that move elements.
const MOVES: &[&str] = &[
    "image.nearest_downsample",
    "image.nearest_upsample",
    "layout.batch_to_space",
    "layout.broadcast",
    "layout.depth_to_space",
    "layout.flatten",
    "layout.gather",
    "layout.reshape",
    "layout.shuffle",
    "layout.slice",
    "layout.space_to_batch",
    "layout.space_to_depth",
    "layout.split",
    "layout.squeeze",
    "layout.tile",
    "layout.transpose",
    "layout.unflatten",
    "layout.unsqueeze",
    "layout.unstack",
    "math.iden",
    "math.max_reduce",
    "math.min_reduce",
    "nn.max_pool",
    "onnx.expand",
];

/// Operators that may compute with whole numbers.
const BETWEEN: &[&str] = &[
    "image.area_downsample",
    "image.linear_upsample",
    "layout.concat",
    "layout.pad",
    "layout.stack",
    "math.add",
    "math.clamp",
    "math.max",
    "math.mean_reduce",
    "math.min",
    "math.mul",
    "math.sub",
    "nn.avg_pool",
];

/// The role of an operator.
pub fn role(call: &OperatorCall) -> Role {
    let is_null = |name: &str| call.attributes.get(name).is_none_or(|value| *value == Value::Null);
    match &*call.operator {
        "nn.relu" if is_null("alpha") && is_null("max") => Role::Moves,
        "nn.relu" => Role::Between,
        operator if MOVES.contains(&operator) => Role::Moves,
        operator if BETWEEN.contains(&operator) => Role::Between,
        _ => Role::Real,
    }
}

/// Whether an operator may be computed with what is before it, of which it takes one tensor that is not known before the run:
/// then what comes out of it is quantized, and not what goes in.
pub fn follows(call: &OperatorCall) -> bool {
    const FOLLOWING: &[&str] =
        &["math.add", "math.clamp", "math.max", "math.min", "math.mul", "math.sub", "nn.batch_norm", "nn.relu"];
    FOLLOWING.contains(&&*call.operator)
}

/// Whether an operator gives the same for the same operands.
pub fn is_pure(call: &OperatorCall) -> bool {
    !call.operator.starts_with("rand.")
}
