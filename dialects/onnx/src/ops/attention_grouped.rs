//! Attention of groups of queries that share keys, whose past may be a buffer with room for more.

use super::Results;
use super::attention::{Scores, heads_of, joined};
use super::attention_microsoft::{count, parts, refuse, scores_of};
use super::rotary::Rotation;
use crate::extent::Extent;
use crate::node::Node;
use crate::proto::{Dimension, ValueInfoProto, type_proto};
use crate::translate::Translator;
use crate::value::Tensor;

/// What there was before the queries.
struct Past {
    keys: Tensor,
    values: Tensor,
    /// How much of it each batch item has.
    lengths: Tensor,
    /// How long it is together with what is new.
    extent: Extent,
}

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    (node.proto.op_type == "GroupQueryAttention").then(|| group_query(t, node))
}

fn group_query(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    refuse(node, &[(11, "head_sink")], &["smooth_softmax", "k_quant_type", "v_quant_type"])?;
    let (queries, keys) = (count(node, "num_heads")?, count(node, "kv_num_heads")?);
    let mut made = operands(t, node, queries, keys)?;
    let past = past_of(t, node, &made[1].shape[2].clone())?;
    if node.flag("do_rotary", false)? {
        for tensor in &mut made[..2] {
            *tensor = rotated_behind(t, node, tensor, past.as_ref())?;
        }
    }
    let [query, mut key, mut value] = made;
    let mut lengths = None;
    if let Some(past) = &past {
        let count = Tensor::of_extents(vec![key.shape[2].clone()]);
        lengths = Some(t.binary("math.add", &past.lengths, &count)?);
        key = past.continued(t, &past.keys, &key)?;
        value = past.continued(t, &past.values, &value)?;
    }
    let window = node.int_or("local_window_size", -1)?;
    let scores = Scores {
        cap: node.float_or("softcap", 0.0)?,
        behind: Some(0),
        before: (window > 0).then(|| window - 1),
        lengths,
        ..scores_of(node, 10, None)?
    };
    let attended = t.attended(&query, &key, &value, &scores)?;
    Ok(vec![joined(t, &attended.result)?, key, value])
}

/// Queries, keys and values by heads; they may be one operand.
fn operands(t: &mut Translator<'_>, node: &Node<'_>, queries: i64, keys: i64) -> Result<[Tensor; 3], String> {
    let query = node.input(0)?.clone();
    let all = match (node.optional(1), node.optional(2)) {
        (Some(key), Some(value)) => vec![query, key.clone(), value.clone()],
        _ => {
            let last = query.shape.last().ok_or("its operand has no dimensions")?;
            let size = last.div(&(queries + 2 * keys).into()).ok_or("it has no heads")?;
            let sizes = [queries, keys, keys].map(|heads| size.mul(&heads.into()));
            parts(t, &query, 2, &sizes)
        }
    };
    let mut made = Vec::new();
    for (tensor, heads) in all.iter().zip([queries, keys, keys]) {
        made.push(heads_of(t, tensor, heads)?);
    }
    made.try_into().map_err(|_| "it has three operands".into())
}

/// The past of a node that has one. Each batch item has `seqlens_k` keys and one with those of the queries; the first
/// queries may be fewer than there is room for.
fn past_of(t: &mut Translator<'_>, node: &Node<'_>, queries: &Extent) -> Result<Option<Past>, String> {
    let (Some(keys), Some(values)) = (node.optional(3).cloned(), node.optional(4).cloned()) else { return Ok(None) };
    if keys.rank() != 4 || values.rank() != 4 {
        return Err("its past is expected to have 4 dimensions".into());
    }
    if keys.shape[2].known() == Some(0) {
        return Ok(None);
    }
    let last = t.reshaped(&node.input(5)?.clone(), vec![keys.shape[0].clone()])?;
    let last = t.as_int(&last);
    let before = Tensor::of_extents(vec![queries.sub(&1.into())]);
    let lengths = t.binary("math.sub", &last, &before)?;
    let lengths = t.binary("math.max", &lengths, &Tensor::int(0))?;
    let extent = extent_of_present(t, node, &keys.shape[2], queries);
    Ok(Some(Past { keys, values, lengths, extent }))
}

/// How long the past is together with what is new: as long as its buffer where there is room for that.
fn extent_of_present(t: &Translator<'_>, node: &Node<'_>, past: &Extent, queries: &Extent) -> Extent {
    let both = past.add(queries);
    let total = node.optional(6).and_then(Tensor::ints).and_then(|total| total.first()?.known());
    match (past.known(), total) {
        (Some(past), Some(total)) => Extent::from(past.max(total)),
        _ if is_buffer(t, node) => past.clone(),
        _ => both,
    }
}

/// Whether the model declares that the past that it takes is as long as the one that it gives.
fn is_buffer(t: &Translator<'_>, node: &Node<'_>) -> bool {
    let Some(graph) = &t.file.model.graph else { return false };
    let length = |ports: &[ValueInfoProto], name: Option<&String>| -> Option<Dimension> {
        let port = ports.iter().find(|port| Some(&port.name) == name)?;
        match port.r#type.as_ref()?.value.as_ref()? {
            type_proto::Value::Tensor(tensor) => tensor.shape.as_ref()?.dim.get(2)?.value.clone(),
            _ => None,
        }
    };
    let taken = length(&graph.input, node.proto.input.get(3));
    taken.is_some() && taken == length(&graph.output, node.proto.output.get(1))
}

impl Past {
    /// What was there, with what is new behind what each batch item has.
    fn continued(&self, t: &mut Translator<'_>, past: &Tensor, new: &Tensor) -> Result<Tensor, String> {
        let missing = self.extent.sub(&past.shape[2]);
        let room = if missing.known() == Some(0) {
            past.clone()
        } else if missing == new.shape[2] {
            t.concatenated(&[past, new], 2)?
        } else {
            let mut shape = past.shape.clone();
            shape[2] = missing;
            let zeros = t.filled(&Tensor::real(0.0), shape)?;
            t.concatenated(&[past, &Tensor { element: past.element, ..zeros }], 2)?
        };
        let call = t.call("onnx.tensor_scatter").int("axis", 2).flag("circular", false);
        Ok(call.on(&room).on(new).on(&self.lengths).gives(room.element, room.shape.clone()))
    }
}

/// Rotates by the positions that are given, or by those behind what each batch item has.
fn rotated_behind(
    t: &mut Translator<'_>,
    node: &Node<'_>,
    tensor: &Tensor,
    past: Option<&Past>,
) -> Result<Tensor, String> {
    let (cosine, sine) = (node.input(7)?.clone(), node.input(8)?.clone());
    let positions = match node.optional(9) {
        Some(given) => given.clone(),
        None => positions(t, past, &tensor.shape[2])?,
    };
    let rows = [t.at_positions(&cosine, Some(&positions))?, t.at_positions(&sine, Some(&positions))?];
    let size = rows[0].shape[2].known().map_or(0, |half| 2 * half);
    let rotation = Rotation { interleaved: node.flag("rotary_interleaved", false)?, size };
    t.rotated(tensor, (&rows[0], &rows[1]), 1, &rotation)
}

/// The positions of so many tokens, in the rows of a matrix.
fn positions(t: &mut Translator<'_>, past: Option<&Past>, count: &Extent) -> Result<Tensor, String> {
    let places = t.places(count);
    let Some(past) = past else { return Ok(places) };
    let begins = t.reshaped(&past.lengths, vec![past.lengths.shape[0].clone(), 1.into()])?;
    t.binary("math.add", &places, &begins)
}
