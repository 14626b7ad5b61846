//! Operators of `com.microsoft` that ONNX Runtime fuses from several of the default domain.

use super::reductions::Along;
use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Gelu" => one(gelu(t, node, None)),
        "BiasGelu" => one(gelu(t, node, None)),
        "FastGelu" => one(gelu(t, node, Some("TANH"))),
        "QuickGelu" => one(quick_gelu(t, node)),
        "FusedMatMul" | "TransposeMatMul" => one(matmul(t, node)),
        "FusedConv" => one(conv(t, node)),
        "FusedGemm" => one(gemm(t, node)),
        "SkipLayerNormalization" => Some(skip_layer_norm(t, node)),
        "SimplifiedLayerNormalization" => Some(super::norms::simplified_layer_norm(t, node)),
        "SkipSimplifiedLayerNormalization" => Some(skip_simplified_layer_norm(t, node)),
        "EmbedLayerNormalization" => Some(embed_layer_norm(t, node, |_, _, rows| Ok(rows))),
        _ => None,
    }
}

/// The sum of the first operand and those of the others that are there.
fn sum(t: &mut Translator<'_>, node: &Node<'_>, others: &[usize]) -> Result<Tensor, String> {
    let mut sum = node.input(0)?.clone();
    for at in others {
        if let Some(other) = node.optional(*at) {
            sum = t.binary("math.add", &sum, other)?;
        }
    }
    Ok(sum)
}

fn gelu(t: &mut Translator<'_>, node: &Node<'_>, approximate: Option<&str>) -> Result<Tensor, String> {
    let sum = sum(t, node, &[1])?;
    let call = t.call("nn.gelu");
    let call = if let Some(word) = approximate { call.word("approximate", word) } else { call };
    Ok(call.on(&sum).gives(sum.element, sum.shape.clone()))
}

fn quick_gelu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let scaled = t.binary("math.mul", &tensor, &Tensor::real(node.float_or("alpha", 1.702)?))?;
    let gate = t.unary("nn.sigmoid", &scaled);
    t.binary("math.mul", &tensor, &gate)
}

/// The dimensions of an operand as the product takes them: the first ones may have been moved behind the rows, the last two
/// may be turned.
fn turned(t: &mut Translator<'_>, tensor: &Tensor, moves_batch: bool, is_turned: bool) -> Tensor {
    let rank = tensor.rank();
    let mut perm: Vec<usize> = (0..rank).collect();
    if moves_batch && rank > 2 {
        perm = (1..rank - 1).chain([0, rank - 1]).collect();
    }
    if is_turned && rank > 1 {
        perm.swap(rank - 2, rank - 1);
    }
    t.transposed(tensor, &perm)
}

fn matmul(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    let left = turned(t, &left, node.flag("transBatchA", false)?, node.flag("transA", false)?);
    let right = turned(t, &right, node.flag("transBatchB", false)?, node.flag("transB", false)?);
    let product = t.product(&left, &right)?;
    match node.float_or("alpha", 1.0)? {
        1.0 => Ok(product),
        alpha => t.binary("math.mul", &product, &Tensor::real(alpha)),
    }
}

/// The function that a fused operator applies at the end.
fn activated(t: &mut Translator<'_>, name: &str, given: &[f64], tensor: Tensor) -> Result<Tensor, String> {
    let value = |at: usize, default: f64| given.get(at).copied().unwrap_or(default);
    let call = match name {
        "" => return Ok(tensor),
        "Relu" => t.call("nn.relu"),
        "Tanh" => t.call("math.tanh"),
        "Sigmoid" => t.call("nn.sigmoid"),
        "LeakyRelu" => return super::activations::leaky_relu(t, &tensor, value(0, 0.01)),
        "HardSigmoid" => t.call("nn.hard_sigmoid").real("alpha", value(0, 0.2)).real("beta", value(1, 0.5)),
        "Clip" => {
            let least = t.binary("math.max", &tensor, &Tensor::real(value(0, f64::NEG_INFINITY)))?;
            return t.binary("math.min", &least, &Tensor::real(value(1, f64::INFINITY)));
        }
        other => return Err(format!("its `activation` is `{other}`, which is not known")),
    };
    Ok(call.on(&tensor).gives(tensor.element, tensor.shape.clone()))
}

fn conv(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (tensor, filter) = (node.input(0)?.clone(), node.input(1)?.clone());
    let mut result = super::products::convolve(t, node, &tensor, &filter, node.optional(2))?;
    if let Some(added) = node.optional(3) {
        result = t.binary("math.add", &result, added)?;
    }
    activated(t, &node.string_or("activation", "")?, &node.floats("activation_params")?.unwrap_or_default(), result)
}

fn gemm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let result = super::products::gemm(t, node)?;
    let given = [node.float("activation_alpha")?, node.float("activation_beta")?];
    let given: Vec<f64> = given.into_iter().flatten().collect();
    activated(t, &node.string_or("activation", "")?, &given, result)
}

fn skip_layer_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let sum = sum(t, node, &[1, 4])?;
    let inputs = vec![Some(sum.clone()), node.optional(2).cloned(), node.optional(3).cloned()];
    let mut results = super::norms::layer_norm(t, &node.with_some(inputs), 1e-12)?;
    results.push(sum);
    Ok(results)
}

fn skip_simplified_layer_norm(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    if node.gives(1) {
        return Err("it gives a mean, which it does not compute".into());
    }
    let sum = sum(t, node, &[1, 3])?;
    let (result, inverse) = super::norms::rms_normalized(t, node, &sum, 1e-5)?;
    let result = super::norms::scaled(t, result, node.optional(2), None)?;
    // Nothing reads the second result.
    Ok(vec![result, inverse.clone(), inverse, sum])
}

/// The rows of a table that are asked for.
fn embedded(t: &mut Translator<'_>, table: &Tensor, index: &Tensor) -> Tensor {
    let shape = [&index.shape[..], &table.shape[1..]].concat();
    t.call("layout.gather").int("axis", 0).on(table).on(index).gives(table.element, shape)
}

/// The sum of rows of tables, normalized. `real` gives the reals that what is taken of an operand stands for.
pub(super) fn embed_layer_norm(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    real: impl Fn(&mut Translator<'_>, usize, Tensor) -> Result<Tensor, String>,
) -> Results {
    let (index, words, places) = (node.input(0)?.clone(), node.input(2)?.clone(), node.input(3)?.clone());
    let [batch, length] = &index.shape[..] else { return Err("its indices are expected to have 2 dimensions".into()) };
    let words = embedded(t, &words, &index);
    let places = match node.optional(8) {
        Some(positions) => embedded(t, &places, positions),
        None => {
            let part = super::slices::Part { axis: 0, begin: 0.into(), step: 1, extent: length.clone() };
            t.sliced(&places, &[part])
        }
    };
    let (words, places) = (real(t, 2, words)?, real(t, 3, places)?);
    let mut sum = t.binary("math.add", &words, &places)?;
    if let (Some(segments), Some(table)) = (node.optional(1), node.optional(4)) {
        let segments = embedded(t, table, segments);
        let segments = real(t, 4, segments)?;
        sum = t.binary("math.add", &sum, &segments)?;
    }
    let mut inputs = vec![sum.clone()];
    for at in [5, 6] {
        inputs.push(real(t, at, node.input(at)?.clone())?);
    }
    let normalized = super::norms::layer_norm(t, &node.with(inputs), 1e-12)?;
    let result = normalized.into_iter().next().ok_or("a normalization gives a result")?;
    let lengths = match node.optional(7) {
        Some(mask) => t.reduced("math.sum_reduce", mask, &Along { axes: vec![1], are_kept: false }),
        None => {
            t.filled(&Tensor { element: ElementType::Int32, ..Tensor::int(Extent::from(0)) }, vec![batch.clone()])?
        }
    };
    Ok(vec![result, lengths, sum])
}
