//! Operators that carry what came before as a state of a fixed size: linear attention, causal convolution.

use super::Results;
use super::slices::Part;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "LinearAttention" => Some(linear_attention(t, node)),
        "CausalConvWithState" => Some(causal_conv(t, node)),
        _ => None,
    }
}

/// `[batch, steps, heads * size]` as `[steps, batch, heads, rows, size]`, where rows of `heads` share one.
fn by_step(t: &mut Translator<'_>, tensor: &Tensor, heads: i64, rows: i64) -> Result<Tensor, String> {
    let [batch, steps, all] = &tensor.shape[..] else {
        return Err(format!("one of its operands has {} dimensions, where 3 are expected", tensor.rank()));
    };
    let size = all.div(&(heads * rows).into()).ok_or("it has no heads")?;
    let parted = t.reshaped(tensor, vec![batch.clone(), steps.clone(), heads.into(), rows.into(), size])?;
    Ok(t.transposed(&parted, &[1, 0, 2, 3, 4]))
}

/// The numbers of heads of queries, and of keys and values.
fn head_counts(node: &Node<'_>) -> Result<(i64, i64), String> {
    let count = |name: &str| -> Result<i64, String> {
        node.int(name)?.filter(|count| *count > 0).ok_or_else(|| format!("its `{name}` is missing"))
    };
    let (queries, heads) = (count("q_num_heads")?, count("kv_num_heads")?);
    if queries % heads != 0 {
        return Err(format!("its {queries} heads of queries are no multiple of its {heads} heads of keys"));
    }
    Ok((queries, heads))
}

fn update_rule(node: &Node<'_>) -> Result<String, String> {
    let rule = node.string_or("update_rule", "gated_delta")?;
    match rule.as_str() {
        "linear" | "gated" | "delta" | "gated_delta" => Ok(rule),
        other => Err(format!("its `update_rule` is `{other}`")),
    }
}

fn linear_attention(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let (queries, heads) = head_counts(node)?;
    let rule = update_rule(node)?;
    let query = by_step(t, &node.input(0)?.clone(), heads, queries / heads)?;
    let key = by_step(t, &node.input(1)?.clone(), heads, 1)?;
    let value = by_step(t, &node.input(2)?.clone(), heads, 1)?;
    let shape = [&key.shape[1..3], &[key.shape[4].clone(), value.shape[4].clone()]].concat();
    let state = match node.optional(3) {
        Some(state) => state.clone(),
        None => t.filled(&Tensor::real(0.0), shape.clone())?,
    };
    let decay = decay(t, node, &key, heads)?;
    let beta = beta(t, node, &key)?;
    let scale = match node.float_or("scale", 0.0)? {
        0.0 => super::attention::natural_scale(&query)?,
        scale => scale,
    };
    let query = t.binary("math.mul", &query, &Tensor::real(scale))?;
    let given = [&query.shape[..4], &[value.shape[4].clone()]].concat();
    let call = t.call("onnx.linear_attention").flag("delta", rule.ends_with("delta"));
    let call = call.on(&query).on(&key).on(&value).on(&state).on(&decay).on(&beta);
    let results = call.gives_all(vec![(query.element, given.clone()), (state.element, shape)]);
    let [output, last] = results.try_into().map_err(|_| "linear attention gives two results")?;
    let turned = t.transposed(&output, &[1, 0, 2, 3, 4]);
    let all = given[4].mul(&queries.into());
    Ok(vec![t.reshaped(&turned, vec![given[1].clone(), given[0].clone(), all])?, last])
}

/// The factors of the state in each step, as `[steps, batch, heads, keys or 1, 1]`.
fn decay(t: &mut Translator<'_>, node: &Node<'_>, key: &Tensor, heads: i64) -> Result<Tensor, String> {
    let Some(given) = node.optional(4).cloned() else {
        let shape = [&key.shape[..3], &[1.into(), 1.into()]].concat();
        return t.filled(&Tensor::real(1.0), shape);
    };
    let factor = t.unary("math.exp", &given);
    let parted = by_step(t, &factor, heads, 1)?;
    Ok(t.transposed(&parted, &[0, 1, 2, 4, 3]))
}

/// How much of the values is written in each step, as `[steps, batch, heads or 1, 1, 1]`.
fn beta(t: &mut Translator<'_>, node: &Node<'_>, key: &Tensor) -> Result<Tensor, String> {
    let Some(given) = node.optional(5).cloned() else {
        let shape = [&key.shape[..2], &[1.into(), 1.into(), 1.into()]].concat();
        return t.filled(&Tensor::real(1.0), shape);
    };
    let [batch, steps, heads] = &given.shape[..] else {
        return Err(format!("its `beta` has {} dimensions, where 3 are expected", given.rank()));
    };
    let lifted = vec![batch.clone(), steps.clone(), heads.clone(), 1.into(), 1.into()];
    let lifted = t.reshaped(&given, lifted)?;
    Ok(t.transposed(&lifted, &[1, 0, 2, 3, 4]))
}

fn causal_conv(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let (tensor, filter) = (node.input(0)?.clone(), node.input(1)?.clone());
    let ([batch, channels, length], [_, _, size]) = (&tensor.shape[..], &filter.shape[..]) else {
        return Err("its operand and its filter are expected to have 3 dimensions".into());
    };
    let kept = size.sub(&1.into());
    let past = match node.optional(3) {
        Some(past) => past.clone(),
        None => t.filled(&Tensor::real(0.0), vec![batch.clone(), channels.clone(), kept.clone()])?,
    };
    let all = t.concatenated(&[&past, &tensor], 2)?;
    let call = t.call("nn.conv").ints("padding", [0, 0]).attribute("groups", channels.expression());
    let result = call.on(&all).on(&filter).on_any(node.optional(2)).gives(tensor.element, tensor.shape.clone());
    let result = match node.string_or("activation", "none")?.as_str() {
        "none" => result,
        "silu" | "swish" => {
            let gate = t.unary("nn.sigmoid", &result);
            t.binary("math.mul", &result, &gate)?
        }
        other => return Err(format!("its `activation` is `{other}`, where `silu`, `swish` or `none` is expected")),
    };
    let last = t.sliced(&all, &[Part { axis: 2, begin: length.clone(), step: 1, extent: kept }]);
    Ok(vec![result, last])
}
