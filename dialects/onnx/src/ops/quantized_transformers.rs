//! What transformers of `com.microsoft` do on whole numbers that stand for reals: attention, embeddings, tables of few bits.

use super::attention_microsoft::attention_of;
use super::fused_microsoft::embed_layer_norm;
use super::quantized::{Scale, product};
use super::quantized_microsoft::{scaled, unpacked};
use super::selections::gathered;
use super::slices::Part;
use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "QAttention" => Some(attention(t, node)),
        "QEmbedLayerNormalization" => Some(embeddings(t, node)),
        "GatherBlockQuantized" => one(gather(t, node)),
        _ => None,
    }
}

fn attention(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let (tensor, weights) = (node.input(0)?.clone(), node.input(1)?.clone());
    let sums = product(t, (&tensor, node.optional(6)), (&weights, node.optional(7)))?;
    let real = scaled(t, &sums, node.input(3)?, node.input(4)?)?;
    let all = t.binary("math.add", &real, node.input(2)?)?;
    let [mask, past] = [5, 8].map(|at| node.optional(at).cloned());
    attention_of(t, &node.with_some(vec![None, None, None, mask, past]), &all)
}

/// Tables, the factor and the summand are bytes, whose scales are 6 operands behind them and whose zeros are 11.
fn embeddings(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let real = |t: &mut Translator<'_>, at: usize, tensor: Tensor| {
        let scale = Scale { scale: node.input(at + 6)?.clone(), zero: node.optional(at + 11).cloned() };
        let scale = scale.aligned(t, &tensor.shape, 0, 0)?;
        t.dequantized(&tensor, &scale)
    };
    embed_layer_norm(t, &node.with_some((0..8).map(|at| node.optional(at).cloned()).collect()), real)
}

/// Rows of a table that is quantized by blocks, as reals.
fn gather(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (index, scale) = (node.input(1)?.clone(), node.input(2)?.clone());
    let (stored, bits) = (node.input(0)?.clone(), node.int_or("bits", 4)?);
    let data = halves(t, &stored, bits, None)?;
    let (axis, along) = (data.axis(node.int_or("gather_axis", 0)?)?, data.axis(node.int_or("quantize_axis", 1)?)?);
    if axis == along {
        return Err("it takes elements along the dimension that has the blocks".into());
    }
    let scales = gathered(t, &scale, &index, axis)?;
    let zero = match node.optional(3).cloned() {
        Some(zero) => {
            let zero = halves(t, &zero, bits, scale.shape.last())?;
            Some(gathered(t, &zero, &index, axis)?)
        }
        // Bytes lie around the middle.
        None => (stored.element == ElementType::Uint8).then(|| Tensor::int(1 << (bits - 1))),
    };
    let rows = gathered(t, &data, &index, axis)?;
    let along = if along > axis { along + index.rank() - 1 } else { along };
    let scale = Scale { scale: scales, zero };
    let scale = scale.aligned(t, &rows.shape, along as i64, node.int_or("block_size", 128)?)?;
    t.dequantized(&rows, &scale)
}

/// The elements of few bits that bytes hold, as many of each row as are said to be; others as they are.
fn halves(t: &mut Translator<'_>, tensor: &Tensor, bits: i64, last: Option<&Extent>) -> Result<Tensor, String> {
    if tensor.element != ElementType::Uint8 || bits == 8 {
        return Ok(tensor.clone());
    }
    if bits != 4 {
        return Err(format!("its `bits` are {bits}, where 4 or 8 are expected"));
    }
    let shape = tensor.shape.iter().map(|extent| extent.known().and_then(|extent| usize::try_from(extent).ok()));
    let mut shape: Vec<usize> = shape.collect::<Option<_>>().ok_or("the extents of its table must be known")?;
    let row = shape.last_mut().ok_or("its table has no dimensions")?;
    *row = row.checked_mul(2).ok_or("its table is larger than memory")?;
    let all = unpacked(tensor, bits, shape)?;
    let axis = all.rank() - 1;
    Ok(match last.filter(|last| **last != all.shape[axis]) {
        Some(last) => t.sliced(&all, &[Part { axis, begin: 0.into(), step: 1, extent: last.clone() }]),
        None => all,
    })
}
