//! Operators of `com.microsoft` on whole numbers that stand for reals: their reals are computed with.

use super::quantized::{Scale, multiplier, of_columns, of_rows, product};
use super::slices::Part;
use super::{Results, one};
use crate::constant::Constant;
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::{Known, Tensor};
use std::sync::Arc;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    if node.proto.op_type == "DynamicQuantizeLSTM" {
        return Some(lstm(t, node));
    }
    let result = match node.proto.op_type.as_str() {
        "QLinearAdd" => binary(t, node, "math.add"),
        "QLinearMul" => binary(t, node, "math.mul"),
        "QLinearSigmoid" => mapped(t, node, |t, _, real| Ok(t.unary("nn.sigmoid", real))),
        "QLinearLeakyRelu" => {
            mapped(t, node, |t, node, real| super::activations::leaky_relu(t, real, node.float_or("alpha", 0.01)?))
        }
        "QLinearSoftmax" => mapped(t, node, softmax),
        "QLinearAveragePool" => mapped(t, node, |t, node, real| pool(t, node, real, super::pools::average_pool)),
        "QLinearGlobalAveragePool" => mapped(t, node, |t, node, real| {
            pool(t, node, real, |t, node| super::pools::global(t, node, "math.mean_reduce"))
        }),
        "NhwcMaxPool" => max_pool(t, node),
        "QLinearWhere" => select(t, node),
        "QLinearConcat" => concat(t, node),
        "QGemm" => gemm(t, node),
        "MatMulIntegerToFloat" => matmul_to_float(t, node),
        "DynamicQuantizeMatMul" => dynamic_matmul(t, node),
        "MatMulNBits" => matmul_of_few_bits(t, node),
        _ => return None,
    };
    one(result)
}

/// The reals of the operand at a place, whose one scale and zero follow it.
fn real(t: &mut Translator<'_>, node: &Node<'_>, at: usize) -> Result<Tensor, String> {
    let tensor = node.input(at)?.clone();
    let scale = Scale::of(node, at + 1)?.aligned(t, &tensor.shape, 0, 0)?;
    t.dequantized(&tensor, &scale)
}

/// The whole numbers of a result, whose one scale and zero are the operands at a place.
fn whole(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    at: usize,
    real: &Tensor,
    default: ElementType,
) -> Result<Tensor, String> {
    let scale = Scale::of(node, at)?.aligned(t, &real.shape, 0, 0)?;
    let element = scale.zero.as_ref().map_or(default, |zero| zero.element);
    t.quantized(real, &scale, element)
}

fn binary(t: &mut Translator<'_>, node: &Node<'_>, name: &str) -> Result<Tensor, String> {
    let (left, right) = (real(t, node, 0)?, real(t, node, 3)?);
    let result = t.binary(name, &left, &right)?;
    whole(t, node, 6, &result, node.input(0)?.element)
}

/// An operator of one operand.
fn mapped(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    map: impl Fn(&mut Translator<'_>, &Node<'_>, &Tensor) -> Result<Tensor, String>,
) -> Result<Tensor, String> {
    let operand = real(t, node, 0)?;
    let result = map(t, node, &operand)?;
    whole(t, node, 3, &result, node.input(0)?.element)
}

fn softmax(t: &mut Translator<'_>, node: &Node<'_>, real: &Tensor) -> Result<Tensor, String> {
    let version = node.int_or("opset", 13)?;
    super::norms::softmax(t, &Node { version, ..node.with(vec![real.clone()]) })
}

/// A pool, which may have its channels behind the dimensions of its windows.
fn pool(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    real: &Tensor,
    rule: impl Fn(&mut Translator<'_>, &Node<'_>) -> Result<Tensor, String>,
) -> Result<Tensor, String> {
    if !node.flag("channels_last", false)? || real.rank() < 3 {
        return rule(t, &node.with(vec![real.clone()]));
    }
    with_channels_last(t, node, real, rule)
}

fn with_channels_last(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    tensor: &Tensor,
    rule: impl Fn(&mut Translator<'_>, &Node<'_>) -> Result<Tensor, String>,
) -> Result<Tensor, String> {
    let rank = tensor.rank();
    if rank < 3 {
        return Err(format!("its operand has {rank} dimensions, where channels stand behind those of windows"));
    }
    let forth: Vec<usize> = [0, rank - 1].into_iter().chain(1..rank - 1).collect();
    let back: Vec<usize> = [0].into_iter().chain(2..rank).chain([1]).collect();
    let moved = t.transposed(tensor, &forth);
    let result = rule(t, &node.with(vec![moved]))?;
    Ok(t.transposed(&result, &back))
}

fn max_pool(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let greatest = |t: &mut Translator<'_>, node: &Node<'_>| {
        let results = super::pools::max_pool(t, node)?;
        results.into_iter().next().ok_or_else(|| "a pool gives a result".into())
    };
    with_channels_last(t, node, &tensor, greatest)
}

fn select(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let condition = node.input(0)?.clone();
    let (left, right) = (real(t, node, 1)?, real(t, node, 4)?);
    let result = t.select(&condition, &left, &right)?;
    whole(t, node, 7, &result, node.input(1)?.element)
}

fn concat(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let parts: Vec<Tensor> = (2..node.inputs.len()).step_by(3).map(|at| real(t, node, at)).collect::<Result<_, _>>()?;
    let first = parts.first().ok_or("it has no operands")?;
    let axis = first.axis(node.int("axis")?.ok_or("its `axis` is missing")?)?;
    let result = t.concatenated(&parts.iter().collect::<Vec<_>>(), axis)?;
    whole(t, node, 0, &result, node.input(2)?.element)
}

/// Sums of products as reals, with the scales of rows and columns.
pub(super) fn scaled(t: &mut Translator<'_>, sums: &Tensor, rows: &Tensor, columns: &Tensor) -> Result<Tensor, String> {
    let sums = t.as_real(sums);
    let (rows, columns) = (of_rows(t, rows)?, of_columns(t, columns)?);
    let factor = multiplier(t, [&rows, &columns], None)?;
    t.binary("math.mul", &sums, &factor)
}

fn with_bias(t: &mut Translator<'_>, node: &Node<'_>, at: usize, result: Tensor) -> Result<Tensor, String> {
    match node.optional(at) {
        Some(bias) => t.binary("math.add", &result, bias),
        None => Ok(result),
    }
}

fn matmul_to_float(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    let sums = product(t, (&left, node.optional(4)), (&right, node.optional(5)))?;
    let result = scaled(t, &sums, node.input(2)?, node.input(3)?)?;
    with_bias(t, node, 6, result)
}

fn dynamic_matmul(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    let (scale, zero) = t.range_of(&left)?;
    let known = Scale { scale: scale.clone(), zero: Some(zero.clone()) };
    let left = t.quantized(&left, &known, ElementType::Uint8)?;
    let sums = product(t, (&left, Some(&zero)), (&right, node.optional(3)))?;
    let result = scaled(t, &sums, &scale, node.input(2)?)?;
    with_bias(t, node, 4, result)
}

fn gemm(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(3)?.clone());
    let alpha = node.float_or("alpha", 1.0)?;
    let turned = |t: &mut Translator<'_>, tensor: Tensor, name: &str| {
        Ok::<_, String>(if node.flag(name, false)? { t.transposed(&tensor, &[1, 0]) } else { tensor })
    };
    if left.rank() != 2 || right.rank() != 2 {
        return Err("its operands are no matrices".into());
    }
    let (left, right) = (turned(t, left, "transA")?, turned(t, right, "transB")?);
    let mut sums = product(t, (&left, node.optional(2)), (&right, node.optional(5)))?;
    if let Some(bias) = node.optional(6) {
        sums = t.as_int(&sums);
        sums = t.binary("math.add", &sums, bias)?;
    }
    let (rows, columns) = (of_rows(t, node.input(1)?)?, of_columns(t, node.input(4)?)?);
    let rows = if alpha == 1.0 { rows } else { multiplier(t, [&Tensor::real(alpha), &rows], None)? };
    if node.optional(7).is_none() {
        return scaled(t, &sums, &rows, &columns);
    }
    let result = Scale::of(node, 7)?.aligned(t, &[], 0, 0)?;
    let element = result.zero.as_ref().map_or(left.element, |zero| zero.element);
    let factor = multiplier(t, [&rows, &columns], Some(&result.scale))?;
    t.requantized(&sums, &factor, result.zero, element)
}

/// The weights that a node packs into bytes, row by row.
pub(super) fn unpacked(tensor: &Tensor, bits: i64, shape: Vec<usize>) -> Result<Tensor, String> {
    let element = match bits {
        2 => ElementType::Uint2,
        4 => ElementType::Uint4,
        8 => ElementType::Uint8,
        other => return Err(format!("its `bits` are {other}, where 2, 4 or 8 are expected")),
    };
    let Some(Known::Stored(stored)) = &tensor.known else {
        return Err("its weights are packed, and must be known when the model is imported".into());
    };
    let bits = shape.iter().try_fold(element.bits(), |bits, extent| bits.checked_mul(*extent));
    if bits != Some(stored.bytes.len() * 8) {
        return Err("its packed weights have another size than `N`, `K` and `block_size` say".into());
    }
    Ok(Tensor::stored(Arc::new(Constant { element, shape, ..(**stored).clone() })))
}

/// The zeros of blocks as `[rows, blocks, 1]`, or the one that all have where none are given.
fn zero_of_few_bits(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    bits: i64,
    rows: usize,
    blocks: usize,
) -> Result<Tensor, String> {
    let Some(zero) = node.optional(3) else { return Ok(Tensor::int(1 << (bits - 1))) };
    if zero.element.is_real() {
        return Err("its zeros are reals, where whole numbers are expected".into());
    }
    // Each row begins with a new byte.
    let too_many = "it has more blocks than memory";
    let padded = blocks.checked_mul(bits as usize).ok_or(too_many)?.div_ceil(8) * 8 / bits as usize;
    let all = unpacked(zero, bits, vec![rows, padded])?;
    let blocks = Extent::from(blocks as i64);
    let part = Part { axis: 1, begin: 0.into(), step: 1, extent: blocks.clone() };
    let taken = t.sliced(&all, &[part]);
    t.reshaped(&taken, vec![(rows as i64).into(), blocks, 1.into()])
}

fn matmul_of_few_bits(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let size = |name: &str| {
        let value = node.int(name)?.filter(|value| *value > 0).and_then(|value| usize::try_from(value).ok());
        value.ok_or_else(|| format!("its `{name}` is missing"))
    };
    let (depth, rows, block) = (size("K")?, size("N")?, size("block_size")?);
    let bits = node.int_or("bits", 4)?;
    let blocks = depth.div_ceil(block);
    if node.optional(4).is_some() {
        return Err("its blocks are permuted by `g_idx`, which is not read".into());
    }
    let weights = unpacked(node.input(1)?, bits, vec![rows, blocks, block])?;
    let each = vec![Extent::from(rows as i64), Extent::from(blocks as i64), Extent::from(1)];
    let scale = t.reshaped(node.input(2)?, each)?;
    let zero = zero_of_few_bits(t, node, bits, rows, blocks)?;
    let real = t.dequantized(&weights, &Scale { scale, zero: Some(zero) })?;
    let flat = t.reshaped(&real, vec![(rows as i64).into(), ((blocks * block) as i64).into()])?;
    let matrix = t.sliced(&flat, &[Part { axis: 1, begin: 0.into(), step: 1, extent: (depth as i64).into() }]);
    let turned = t.transposed(&matrix, &[1, 0]);
    let left = node.input(0)?.clone();
    let result = t.product(&left, &turned)?;
    with_bias(t, node, 5, result)
}

/// The network, whose weights have the features behind the gates.
fn lstm(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let mut weights = Vec::new();
    for operand in [1, 2] {
        let own = node.input(operand)?.clone();
        if own.rank() != 3 {
            return Err(format!("its weights have {} dimensions, where 3 are expected", own.rank()));
        }
        weights.push(Some(t.transposed(&own, &[0, 2, 1])));
    }
    let inputs = [vec![Some(node.input(0)?.clone())], weights, (3..8).map(|at| node.optional(at).cloned()).collect()];
    let scales = [Scale::of(node, 8)?, Scale::of(node, 10)?];
    super::recurrent::quantized_lstm(t, &node.with_some(inputs.concat()), scales)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Known;

    #[test]
    fn packed_weights_are_read_lowest_bits_first() {
        let constant = Constant {
            name: String::new(),
            element: ElementType::Uint8,
            shape: vec![1, 2],
            bytes: vec![0x21, 0x43].into(),
        };
        let tensor = Tensor::stored(Arc::new(constant));
        let Some(Known::Stored(fours)) = unpacked(&tensor, 4, vec![1, 4]).unwrap().known else { unreachable!() };
        assert_eq!(fours.ints().collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(unpacked(&tensor, 4, vec![1, 5]).unwrap_err().contains("another size"));
        assert!(unpacked(&tensor, 3, vec![1, 4]).unwrap_err().contains("`bits` are 3"));
        assert!(unpacked(&Tensor::real(1.0), 4, vec![1, 2]).is_err());
    }
}
