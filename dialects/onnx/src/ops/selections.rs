//! Elements chosen by indices, and written by them.

use super::{Results, one};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::translate::Translator;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    match node.proto.op_type.as_str() {
        "Gather" => one(gather(t, node)),
        "GatherND" => one(gather_nd(t, node)),
        "GatherElements" => one(gather_elements(t, node)),
        "ScatterElements" | "Scatter" => one(scatter_elements(t, node)),
        "ScatterND" => one(scatter_nd(t, node)),
        "NonZero" => one(nonzero(t, node)),
        "TopK" => Some(top_k(t, node)),
        "Trilu" => one(trilu(t, node)),
        "OneHot" => one(one_hot(t, node)),
        "Compress" => one(compress(t, node)),
        "Pad" => one(pad(t, node)),
        _ => None,
    }
}

fn gather(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (data, index) = (node.input(0)?.clone(), node.input(1)?.clone());
    let axis = data.axis(node.int_or("axis", 0)?)?;
    gathered(t, &data, &index, axis)
}

/// What has these indices along a dimension.
pub(super) fn gathered(t: &mut Translator<'_>, data: &Tensor, index: &Tensor, axis: usize) -> Result<Tensor, String> {
    let shape = [&data.shape[..axis], &index.shape, &data.shape[axis + 1..]].concat();
    // One index that is known is a slice.
    if let (Some([at]), Some(extent)) = (index.ints().as_deref(), data.shape[axis].known()) {
        if let Some(at) = at.known().filter(|_| index.rank() < 2) {
            let begin = Extent::from(if at < 0 { at + extent } else { at });
            let part = super::slices::Part { axis, begin, step: 1, extent: 1.into() };
            let taken = t.sliced(data, &[part]);
            if index.rank() == 1 {
                return Ok(taken);
            }
            return Ok(t.call("layout.squeeze").ints("axes", [axis as i64]).on(&taken).gives(data.element, shape));
        }
    }
    Ok(t.call("layout.gather").int("axis", axis as i64).on(data).on(index).gives(data.element, shape))
}

fn gather_nd(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (data, index) = (node.input(0)?.clone(), node.input(1)?.clone());
    let batch = usize::try_from(node.int_or("batch_dims", 0)?).map_err(|_| "its `batch_dims` is negative")?;
    let depth = index.shape.last().and_then(Extent::known).ok_or("the length of its indices must be known")? as usize;
    if batch + depth > data.rank() || index.rank() == 0 {
        return Err("its indices are longer than its operand has dimensions".into());
    }
    let shape = [&index.shape[..index.rank() - 1], &data.shape[batch + depth..]].concat();
    let call = t.call("layout.gather_nd");
    let call = if batch > 0 { call.int("batch_dims", batch as i64) } else { call };
    Ok(call.on(&data).on(&index).gives(data.element, shape))
}

fn gather_elements(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (data, index) = (node.input(0)?.clone(), node.input(1)?.clone());
    let axis = data.axis(node.int_or("axis", 0)?)?;
    let call = t.call("onnx.gather_elements").int("axis", axis as i64);
    Ok(call.on(&data).on(&index).gives(data.element, index.shape.clone()))
}

fn scatter_elements(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (data, index, updates) = (node.input(0)?.clone(), node.input(1)?.clone(), node.input(2)?.clone());
    let axis = data.axis(node.int_or("axis", 0)?)?;
    let name = format!("onnx.scatter_elements{}", reduction(node)?);
    let call = t.call(&name).int("axis", axis as i64);
    Ok(call.on(&data).on(&index).on(&updates).gives(data.element, data.shape.clone()))
}

/// The end of the operator's name for how elements that there are and those that come are put together.
fn reduction(node: &Node<'_>) -> Result<&'static str, String> {
    match node.string_or("reduction", "none")?.as_str() {
        "none" => Ok(""),
        "add" => Ok("_add"),
        "mul" => Ok("_mul"),
        "min" => Ok("_min"),
        "max" => Ok("_max"),
        other => Err(format!("its `reduction` is `{other}`")),
    }
}

fn scatter_nd(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (data, index, updates) = (node.input(0)?.clone(), node.input(1)?.clone(), node.input(2)?.clone());
    let depth = index.shape.last().and_then(Extent::known).ok_or("the length of its indices must be known")? as usize;
    if depth > data.rank() {
        return Err("its indices are longer than its operand has dimensions".into());
    }
    let name = match reduction(node)? {
        "" => "layout.scatter_nd".to_owned(),
        reduction => format!("onnx.scatter_nd{reduction}"),
    };
    Ok(t.call(&name).on(&data).on(&index).on(&updates).gives(data.element, data.shape.clone()))
}

fn nonzero(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let rank = Extent::from(tensor.rank() as i64);
    let bound = tensor.volume();
    Ok(t.call("layout.nonzero")
        .on(&tensor)
        .gives_found(ElementType::Int64, 1, &bound, |found| vec![rank.clone(), found]))
}

fn compress(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (data, condition) = (node.input(0)?.clone(), node.input(1)?.clone());
    let (data, axis) = match node.int("axis")? {
        Some(axis) => (data.clone(), data.axis(axis)?),
        None => (t.reshaped(&data, vec![data.volume()])?, 0),
    };
    let bound = condition.volume();
    let found = t.call("layout.nonzero").on(&condition);
    let found = found.gives_found(ElementType::Int64, 1, &bound, |found| vec![1.into(), found]);
    let count = found.shape[1].clone();
    let index = t.call("layout.squeeze").ints("axes", [0]).on(&found).gives(ElementType::Int64, vec![count.clone()]);
    let mut shape = data.shape.clone();
    shape[axis] = count;
    Ok(t.call("layout.gather").int("axis", axis as i64).on(&data).on(&index).gives(data.element, shape))
}

fn top_k(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let tensor = node.input(0)?.clone();
    let axis = tensor.axis(node.int_or("axis", -1)?)?;
    let count = match node.int("k")? {
        Some(count) => Extent::from(count),
        None => node.known_ints(1)?.first().cloned().ok_or("its `k` is missing")?,
    };
    let mut shape = tensor.shape.clone();
    shape[axis] = if count.known().is_some() { count.lesser(&shape[axis]) } else { count.clone() };
    let call = t.call("algo.top_k").attribute("k", count.expression()).int("axis", axis as i64);
    let call = if node.flag("largest", true)? { call } else { call.flag("largest", false) };
    let found = call.on(&tensor).gives_all(vec![(tensor.element, shape.clone()), (ElementType::Int64, shape)]);
    if count.known().is_none() || tensor.shape[axis].known().is_some() {
        return Ok(found);
    }
    // There are never fewer elements in ONNX: an extent of 1, say, is broadcast.
    let mut shape = tensor.shape;
    shape[axis] = count;
    found.iter().map(|found| t.reshaped(found, shape.clone())).collect()
}

fn trilu(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let diagonal = match node.optional(1) {
        Some(_) => node.known_ints(1)?.first().cloned().unwrap_or_default(),
        None => Extent::default(),
    };
    let name = if node.flag("upper", true)? { "onnx.upper" } else { "onnx.lower" };
    let name = if tensor.element == ElementType::Bool { format!("{name}_bool") } else { name.to_owned() };
    let call = t.call(&name).attribute("diagonal", diagonal.expression());
    Ok(call.on(&tensor).gives(tensor.element, tensor.shape.clone()))
}

fn one_hot(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (index, values) = (node.input(0)?.clone(), node.input(2)?.clone());
    let depth = node.input(1)?;
    let depth = match depth.ints() {
        Some(depth) => depth.first().cloned().ok_or("its depth is missing")?,
        None => Extent::from(*node.known_reals(1)?.first().ok_or("its depth is missing")? as i64),
    };
    let rank = index.rank() + 1;
    let axis = crate::value::axis_of(node.int_or("axis", -1)?, rank)?;
    let index = t.as_int(&index);
    let mut shape = index.shape.clone();
    shape.insert(axis, depth.clone());
    let call = t.call("onnx.one_hot").int("axis", axis as i64).attribute("depth", depth.expression());
    Ok(call.on(&index).on(&values).gives(values.element, shape))
}

/// The dimensions that are padded, with how much before and behind each.
fn padding(node: &Node<'_>, tensor: &Tensor) -> Result<Vec<(usize, Extent, Extent)>, String> {
    let is_old = node.version < 11;
    let amounts: Vec<Extent> = match is_old {
        true => {
            let given = node.ints("pads")?.or(node.ints("paddings")?).ok_or("its `pads` are missing")?;
            given.into_iter().map(Extent::from).collect()
        }
        false => node.known_ints(1)?,
    };
    let axes: Vec<usize> = match node.optional(3) {
        Some(_) if !is_old => {
            node.fixed_ints(3)?.into_iter().map(|axis| tensor.axis(axis)).collect::<Result<_, _>>()?
        }
        _ => (0..tensor.rank()).collect(),
    };
    if amounts.len() != 2 * axes.len() {
        return Err(format!("its `pads` are {}, where {} are expected", amounts.len(), 2 * axes.len()));
    }
    let (before, behind) = amounts.split_at(axes.len());
    Ok(axes.into_iter().zip(before.iter().cloned().zip(behind.iter().cloned())).map(|(a, (b, c))| (a, b, c)).collect())
}

fn pad(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let padding = padding(node, &tensor)?;
    let cut = cut_negative(t, &tensor, &padding);
    let positive = |extent: Extent| if extent.known().is_some_and(|known| known < 0) { 0.into() } else { extent };
    let padding = padding.into_iter().map(|(axis, before, behind)| (axis, positive(before), positive(behind)));
    let padded: Vec<(usize, Extent, Extent)> =
        padding.filter(|(_, before, behind)| [before, behind].iter().any(|extent| extent.known() != Some(0))).collect();
    if padded.is_empty() {
        return Ok(cut);
    }
    let mut shape = cut.shape.clone();
    padded.iter().for_each(|(axis, before, behind)| shape[*axis] = shape[*axis].add(before).add(behind));
    let before = padded.iter().map(|(_, before, _)| before.clone());
    let amounts: Vec<Extent> = before.chain(padded.iter().map(|(.., behind)| behind.clone())).collect();
    let mode = node.string_or("mode", "constant")?;
    let value = padding_value(t, node)?.filter(|value| mode == "constant" && value.scalar() != Some(0.0));
    let name = if mode == "wrap" { "onnx.pad_wrap" } else { "layout.pad" };
    let call = t.call(name).ints("axes", padded.iter().map(|(axis, ..)| *axis as i64)).extents("padding", &amounts);
    let call = match mode.as_str() {
        "constant" | "wrap" => call,
        "reflect" => call.word("method", "REFLECT"),
        "edge" => call.word("method", "REPLICATE"),
        other => return Err(format!("its `mode` is `{other}`")),
    };
    Ok(call.on(&cut).on_any(value.as_ref()).gives(tensor.element, shape))
}

/// What is put around a tensor, without dimensions.
fn padding_value(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Option<Tensor>, String> {
    if node.version < 11 {
        return Ok(Some(Tensor::real(node.float_or("value", 0.0)?)));
    }
    let Some(value) = node.optional(2).map(Tensor::as_scalar) else { return Ok(None) };
    if value.shape.iter().any(|extent| extent.known() != Some(1)) {
        return Err("its value is expected to be a single one".into());
    }
    if value.rank() == 0 {
        return Ok(Some(value));
    }
    let axes = 0..value.rank() as i64;
    Ok(Some(t.call("layout.squeeze").ints("axes", axes).on(&value).gives(value.element, Vec::new())))
}

/// Negative padding takes off.
fn cut_negative(t: &mut Translator<'_>, tensor: &Tensor, padding: &[(usize, Extent, Extent)]) -> Tensor {
    let taken = |extent: &Extent| extent.known().filter(|known| *known < 0).map_or(0, i64::saturating_abs);
    let parts: Vec<super::slices::Part> = padding
        .iter()
        .map(|(axis, before, behind)| (*axis, taken(before), taken(behind)))
        .filter(|(_, before, behind)| *before > 0 || *behind > 0)
        .map(|(axis, before, behind)| {
            let extent = tensor.shape[axis].sub(&before.into()).sub(&behind.into());
            super::slices::Part { axis, begin: before.into(), step: 1, extent }
        })
        .collect();
    t.sliced(tensor, &parts)
}
