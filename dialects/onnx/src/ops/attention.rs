//! Attention: what queries take of values, by how alike their keys are.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Attention" => Some(attention(t, node)),
        "RotaryEmbedding" => one(super::rotary::rotary(t, node)),
        _ => None,
    }
}

/// Which keys queries see, and what is done with their scores.
#[derive(Debug, Clone, Default)]
pub(super) struct Scores {
    /// Factor of the products.
    pub scale: Option<f64>,
    /// Scores are kept below this by a hyperbolic tangent; 0 where they are not.
    pub cap: f64,
    /// Truth values of what is seen, or what is added to scores.
    pub mask: Option<Tensor>,
    /// How far behind a query the first key is.
    pub before: Option<i64>,
    /// How far ahead of a query the last key is.
    pub behind: Option<i64>,
    /// How many keys there are before the first query.
    pub offset: Extent,
    /// How many keys each batch has.
    pub lengths: Option<Tensor>,
}

/// What attention computes, in `[batch, heads, queries, ..]`.
pub(super) struct Attended {
    pub result: Tensor,
    /// Scores at first, below their cap, with their mask, and as probabilities.
    pub stages: [Tensor; 4],
}

/// `[batch, length, heads * size]` as `[batch, heads, length, size]`.
pub(super) fn heads_of(t: &mut Translator<'_>, tensor: &Tensor, heads: i64) -> Result<Tensor, String> {
    let [batch, length, all] = &tensor.shape[..] else {
        return Err(format!("one of its operands has {} dimensions, where 3 or 4 are expected", tensor.rank()));
    };
    let size = all.div(&heads.into()).ok_or("its number of heads is 0")?;
    let parted = t.reshaped(tensor, vec![batch.clone(), length.clone(), heads.into(), size])?;
    Ok(t.transposed(&parted, &[0, 2, 1, 3]))
}

/// `[batch, heads, length, size]` as `[batch, length, heads * size]`.
pub(super) fn joined(t: &mut Translator<'_>, tensor: &Tensor) -> Result<Tensor, String> {
    let turned = t.transposed(tensor, &[0, 2, 1, 3]);
    let all = turned.shape[2].mul(&turned.shape[3]);
    t.reshaped(&turned, vec![turned.shape[0].clone(), turned.shape[1].clone(), all])
}

/// Products of rows of queries with what fewer heads of keys or values have: groups of heads share one.
fn grouped(t: &mut Translator<'_>, left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
    if left.shape[1] == right.shape[1] {
        return t.product(left, right);
    }
    let groups = left.shape[1].div(&right.shape[1]).ok_or("it has no heads of keys")?;
    let [batch, _, rows, depth] = &left.shape[..] else { return Err("its heads have no dimension".into()) };
    let shared = vec![batch.clone(), right.shape[1].clone(), groups.mul(rows), depth.clone()];
    let folded = t.reshaped(left, shared)?;
    let result = t.product(&folded, right)?;
    t.reshaped(&result, vec![batch.clone(), left.shape[1].clone(), rows.clone(), right.shape[3].clone()])
}

impl Translator<'_> {
    /// Attention over heads: queries, keys and values in `[batch, heads, length, size]`.
    pub(super) fn attended(
        &mut self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        scores: &Scores,
    ) -> Result<Attended, String> {
        let first = self.scored(query, key, scores.scale)?;
        let capped = self.capped(&first, scores.cap)?;
        let masked = self.masked(&capped, scores)?;
        let probabilities = match scores.is_masked() {
            true => self.unary("onnx.softmax_or_zero", &masked),
            false => self.call("nn.softmax").ints("axes", [3]).on(&masked).gives(masked.element, masked.shape.clone()),
        };
        let result = self.weighed(&probabilities, value)?;
        Ok(Attended { result, stages: [first, capped, masked, probabilities] })
    }

    /// How alike queries and keys are, in `[batch, heads, queries, keys]`.
    pub(crate) fn scored(&mut self, query: &Tensor, key: &Tensor, scale: Option<f64>) -> Result<Tensor, String> {
        if query.rank() != 4 || key.rank() != 4 {
            return Err("its queries and keys are expected to have 4 dimensions".into());
        }
        let scale = scale.map_or_else(|| natural_scale(query), Ok)?;
        let scaled = self.binary("math.mul", query, &Tensor::real(scale))?;
        let turned = self.transposed(key, &[0, 1, 3, 2]);
        grouped(self, &scaled, &turned)
    }

    /// What queries take of values.
    pub(crate) fn weighed(&mut self, probabilities: &Tensor, value: &Tensor) -> Result<Tensor, String> {
        if value.rank() != 4 {
            return Err("its values are expected to have 4 dimensions".into());
        }
        grouped(self, probabilities, value)
    }

    fn capped(&mut self, scores: &Tensor, cap: f64) -> Result<Tensor, String> {
        if cap == 0.0 {
            return Ok(scores.clone());
        }
        let less = self.binary("math.div", scores, &Tensor::real(cap))?;
        let bent = self.unary("math.tanh", &less);
        self.binary("math.mul", &bent, &Tensor::real(cap))
    }

    fn masked(&mut self, scores: &Tensor, by: &Scores) -> Result<Tensor, String> {
        let mut masked = scores.clone();
        if let Some(mask) = &by.mask {
            let mask = self.mask_of_all(mask, &scores.shape[3])?;
            masked = match mask.element {
                ElementType::Bool => self.select(&mask, &masked, &Tensor::real(f64::NEG_INFINITY))?,
                _ => self.binary("math.add", &masked, &mask)?,
            };
            masked.element = scores.element;
        }
        if by.before.is_none() && by.behind.is_none() && by.lengths.is_none() {
            return Ok(masked);
        }
        let mut call = self.call("onnx.attend_near");
        for (name, distance) in [("before", by.before), ("behind", by.behind)] {
            call = if let Some(distance) = distance { call.int(name, distance) } else { call };
        }
        let call = if by.offset.known() == Some(0) { call } else { call.attribute("offset", by.offset.expression()) };
        Ok(call.on(&masked).on_any(by.lengths.as_ref()).gives(masked.element, masked.shape.clone()))
    }

    /// A mask for so many keys: those behind it are not seen.
    fn mask_of_all(&mut self, mask: &Tensor, keys: &Extent) -> Result<Tensor, String> {
        let rank = mask.rank();
        let last = mask.shape.last().ok_or("its mask has no dimensions")?;
        let missing = keys.sub(last);
        if last.known() == Some(1) || missing.known().is_none_or(|missing| missing <= 0) {
            return Ok(mask.clone());
        }
        let mut shape = mask.shape.clone();
        shape[rank - 1] = missing;
        let unseen = match mask.element {
            ElementType::Bool => Tensor::known(ElementType::Bool, Vec::new(), crate::value::Known::Bools(vec![false])),
            _ => Tensor::real(f64::NEG_INFINITY),
        };
        let unseen = self.filled(&unseen, shape)?;
        self.concatenated(&[mask, &unseen], rank - 1)
    }
}

impl Scores {
    /// Whether there may be queries that see nothing.
    fn is_masked(&self) -> bool {
        self.mask.is_some() || self.before.is_some() || self.behind.is_some() || self.lengths.is_some()
    }
}

/// The reciprocal of the root of the heads' size.
pub(super) fn natural_scale(query: &Tensor) -> Result<f64, String> {
    let size = query.shape.last().and_then(Extent::known).filter(|size| *size > 0);
    size.map(|size| 1.0 / (size as f64).sqrt())
        .ok_or_else(|| "the size of its heads must be known, or its `scale`".into())
}

/// What was there before, and what is new behind it.
pub(super) fn continued(t: &mut Translator<'_>, past: Option<&Tensor>, new: Tensor) -> Result<Tensor, String> {
    match past {
        Some(past) => t.concatenated(&[past, &new], 2),
        None => Ok(new),
    }
}

fn attention(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let flat = node.input(0)?.rank() == 3;
    let heads = |t: &mut Translator<'_>, at: usize, name: &str| {
        let tensor = node.input(at)?.clone();
        if !flat {
            return Ok(tensor);
        }
        let count = node.int(name)?.ok_or_else(|| format!("its `{name}` is missing"))?;
        heads_of(t, &tensor, count)
    };
    let query = heads(t, 0, "q_num_heads")?;
    let (key, value) = (heads(t, 1, "kv_num_heads")?, heads(t, 2, "kv_num_heads")?);
    let key = continued(t, node.optional(4), key)?;
    let value = continued(t, node.optional(5), value)?;
    let attended = t.attended(&query, &key, &value, &scores_of(node)?)?;
    let result = if flat { joined(t, &attended.result)? } else { attended.result };
    let stage = stage_of(node)?;
    let [first, capped, masked, probabilities] = attended.stages;
    let asked = [first, capped, masked, probabilities].into_iter().nth(stage).ok_or("its output mode is not 0 to 3")?;
    Ok(vec![result, key, value, asked])
}

/// Which stage of the scores the fourth result is.
fn stage_of(node: &Node<'_>) -> Result<usize, String> {
    let mode = node.int_or("qk_matmul_output_mode", 0)?;
    usize::try_from(mode).map_err(|_| "its `qk_matmul_output_mode` is negative".into())
}

fn scores_of(node: &Node<'_>) -> Result<Scores, String> {
    let distance = |name: &str| -> Result<Option<i64>, String> { Ok(node.int(name)?.filter(|limit| *limit >= 0)) };
    let behind = if node.flag("is_causal", false)? { Some(0) } else { distance("right_window_size")? };
    Ok(Scores {
        scale: node.float("scale")?,
        cap: node.float_or("softcap", 0.0)?,
        mask: node.optional(3).cloned(),
        before: distance("left_window_size")?,
        behind,
        offset: node.optional(4).map(|past| past.shape[2].clone()).unwrap_or_default(),
        lengths: node.optional(6).cloned(),
    })
}
