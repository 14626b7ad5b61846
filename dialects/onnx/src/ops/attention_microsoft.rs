//! Attention of `com.microsoft`: with the products that make queries, keys and values, and with caches of them.

use super::attention::{Scores, continued, heads_of, joined};
use super::slices::Part;
use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Attention" => Some(attention(t, node)),
        "MultiHeadAttention" => Some(multi_head(t, node)),
        "RotaryEmbedding" => one(rotary(t, node)),
        _ => None,
    }
}

pub(super) fn count(node: &Node<'_>, name: &str) -> Result<i64, String> {
    node.int(name)?.filter(|count| *count > 0).ok_or_else(|| format!("its `{name}` is missing"))
}

/// Parts along a dimension, one behind the other.
pub(super) fn parts(t: &mut Translator<'_>, tensor: &Tensor, axis: usize, sizes: &[Extent]) -> Vec<Tensor> {
    let mut begin = Extent::default();
    let mut parts = Vec::new();
    for size in sizes {
        let part = Part { axis, begin: begin.clone(), step: 1, extent: size.clone() };
        parts.push(t.sliced(tensor, &[part]));
        begin = begin.add(size);
    }
    parts
}

/// Nothing of what an operator's variants need, and this one has not.
pub(super) fn refuse(node: &Node<'_>, operands: &[(usize, &str)], flags: &[&str]) -> Result<(), String> {
    for (at, name) in operands {
        if node.optional(*at).is_some() {
            return Err(format!("its operand `{name}` is not taken"));
        }
    }
    for name in flags {
        if node.int_or(name, 0)? > 0 {
            return Err(format!("its `{name}` is not taken"));
        }
    }
    Ok(())
}

/// What is added to the scores of keys: a mask of whole numbers says 1 where a key is seen; one number for each batch item
/// says how many keys it has.
fn bias_of_mask(t: &mut Translator<'_>, node: &Node<'_>, scores: &mut Scores, mask: &Tensor) -> Result<(), String> {
    if mask.rank() == 1 {
        scores.lengths = Some(mask.clone());
        return Ok(());
    }
    let lifted = match mask.rank() {
        2 => vec![mask.shape[0].clone(), 1.into(), 1.into(), mask.shape[1].clone()],
        3 => vec![mask.shape[0].clone(), 1.into(), mask.shape[1].clone(), mask.shape[2].clone()],
        4 => mask.shape.clone(),
        rank => return Err(format!("its mask has {rank} dimensions, where 1 to 4 are expected")),
    };
    let mask = t.reshaped(mask, lifted)?;
    let is_seen = t.cast(&mask, ElementType::Bool)?;
    let unseen = node.float_or("mask_filter_value", -10000.0)?;
    let bias = t.select(&is_seen, &Tensor::real(0.0), &Tensor::real(unseen))?;
    let bias = Tensor { element: ElementType::Float, ..bias };
    scores.mask = Some(match scores.mask.take() {
        Some(other) => t.binary("math.add", &other, &bias)?,
        None => bias,
    });
    Ok(())
}

pub(super) fn scores_of(node: &Node<'_>, bias: usize, past: Option<&Tensor>) -> Result<Scores, String> {
    Ok(Scores {
        scale: node.float("scale")?.filter(|scale| *scale != 0.0),
        mask: node.optional(bias).cloned(),
        behind: node.flag("unidirectional", false)?.then_some(0),
        offset: past.map(|past| past.shape[2].clone()).unwrap_or_default(),
        ..Scores::default()
    })
}

fn attention(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let (tensor, weights) = (node.input(0)?.clone(), node.input(1)?.clone());
    let mut all = t.product(&tensor, &weights)?;
    if let Some(bias) = node.optional(2) {
        all = t.binary("math.add", &all, bias)?;
    }
    attention_of(t, node, &all)
}

/// Attention of queries, keys and values that lie beside each other, with the mask, the past and the bias of a node.
pub(super) fn attention_of(t: &mut Translator<'_>, node: &Node<'_>, all: &Tensor) -> Results {
    refuse(node, &[(6, "past_sequence_length")], &["do_rotary", "past_present_share_buffer"])?;
    let third = all.shape[2].div(&3.into()).unwrap_or_default();
    let sizes = match node.ints("qkv_hidden_sizes")?.filter(|sizes| sizes.len() == 3) {
        Some(sizes) => sizes.into_iter().map(Extent::from).collect(),
        None => vec![third; 3],
    };
    let heads = count(node, "num_heads")?;
    let mut made = Vec::new();
    for part in parts(t, all, 2, &sizes) {
        made.push(heads_of(t, &part, heads)?);
    }
    let [query, key, value] = made.try_into().map_err(|_| "its weights are three matrices")?;
    let past = match node.optional(4).cloned() {
        Some(past) => past_of(t, &past)?,
        None => Vec::new(),
    };
    let (key, value) = (continued(t, past.first(), key)?, continued(t, past.get(1), value)?);
    let mut scores = scores_of(node, 5, past.first())?;
    if let Some(mask) = node.optional(3).cloned() {
        bias_of_mask(t, node, &mut scores, &mask)?;
    }
    let attended = t.attended(&query, &key, &value, &scores)?;
    let result = joined(t, &attended.result)?;
    Ok(if node.gives(1) { vec![result, both(t, &key, &value)?] } else { vec![result] })
}

/// The keys and the values of what was there before.
fn past_of(t: &mut Translator<'_>, past: &Tensor) -> Result<Vec<Tensor>, String> {
    let shape = past.shape.get(1..).ok_or("its `past` has no dimensions")?.to_vec();
    let parts = parts(t, past, 0, &[1.into(), 1.into()]);
    parts.iter().map(|part| t.reshaped(part, shape.clone())).collect()
}

/// Keys and values in one tensor.
fn both(t: &mut Translator<'_>, key: &Tensor, value: &Tensor) -> Result<Tensor, String> {
    let lift = |t: &mut Translator<'_>, tensor: &Tensor| {
        t.unsqueezed(tensor, &[0], [&[Extent::from(1)], &tensor.shape[..]].concat())
    };
    if key.shape != value.shape {
        return Err("its keys and values have different shapes, and can't be one tensor".into());
    }
    let (key, value) = (lift(t, key), lift(t, value));
    t.concatenated(&[&key, &value], 0)
}

/// What is added to queries, keys and values.
fn biases(t: &mut Translator<'_>, node: &Node<'_>, query: &Tensor) -> Vec<Option<Tensor>> {
    let Some(bias) = node.optional(3).cloned() else { return vec![None; 3] };
    let size = query.shape[2].clone();
    let rest = bias.volume().sub(&size).sub(&size);
    parts(t, &bias, 0, &[size.clone(), size, rest]).into_iter().map(Some).collect()
}

fn multi_head(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    refuse(node, &[(8, "past_sequence_length"), (9, "cache_indirection")], &[])?;
    let heads = count(node, "num_heads")?;
    let query = node.input(0)?.clone();
    if query.rank() != 3 {
        return Err("its queries are packed with their keys, which is not taken".into());
    }
    let biases = biases(t, node, &query);
    let mut made = Vec::new();
    for (at, bias) in biases.iter().enumerate() {
        let tensor = node.input(at)?.clone();
        let tensor = match bias {
            Some(bias) if tensor.rank() == 3 => t.binary("math.add", &tensor, bias)?,
            _ => tensor,
        };
        made.push(if tensor.rank() == 4 { tensor } else { heads_of(t, &tensor, heads)? });
    }
    let [query, key, value] = made.try_into().map_err(|_| "it has three operands")?;
    let key = continued(t, node.optional(6), key)?;
    let value = continued(t, node.optional(7), value)?;
    let mut scores = scores_of(node, 5, node.optional(6))?;
    if let Some(mask) = node.optional(4).cloned() {
        bias_of_mask(t, node, &mut scores, &mask)?;
    }
    let attended = t.attended(&query, &key, &value, &scores)?;
    Ok(vec![joined(t, &attended.result)?, key, value])
}

fn rotary(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    refuse(node, &[], &["is_packed_batching"])?;
    let (tensor, positions) = (node.input(0)?.clone(), node.input(1)?.clone());
    let (cosine, sine) = (node.input(2)?.clone(), node.input(3)?.clone());
    if positions.rank() == 2 {
        return super::rotary::rotary_of(t, node, &tensor, Some(&positions), (&cosine, &sine));
    }
    // One number is the position of the first token.
    let length = tensor.shape[tensor.rank() - 2].clone();
    let first = t.reshaped(&positions, vec![1.into(), 1.into()])?;
    let steps = t.places(&length);
    let positions = t.binary("math.add", &steps, &first)?;
    super::rotary::rotary_of(t, node, &tensor, Some(&positions), (&cosine, &sine))
}

impl Translator<'_> {
    /// `[[0, 1, ..]]`: so many.
    pub(super) fn places(&mut self, count: &Extent) -> Tensor {
        let call = self.call("layout.range").dtype(skriptnd_syntax::build::Element::Int).int("first", 0);
        let places = call.attribute("last", count.expression()).gives(ElementType::Int64, vec![count.clone()]);
        self.unsqueezed(&places, &[0], vec![1.into(), count.clone()])
    }
}
