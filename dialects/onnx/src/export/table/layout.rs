//! Creation and rearrangement of data.

use super::{Call, Results};
use crate::constant::Constant;
use crate::export::attributes as attr;
use crate::export::constants::constant_tensor;
use crate::export::scope::Scope;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_language::compose::graph::TensorType;

/// `layout.constant`
pub fn constant(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some(value) = call.value("value") else { return Ok(None) };
    Ok(Some(vec![constant_tensor(scope, value, &call.outputs[0])?]))
}

/// `layout.uniform`
pub fn uniform(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((value, _)) = call.input(0) else { return Ok(None) };
    expanded(scope, value, &call.outputs[0])
}

/// `layout.broadcast`
pub fn broadcast(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((value, _)) = call.input(0) else { return Ok(None) };
    expanded(scope, value, &call.outputs[0])
}

fn expanded(scope: &mut Scope, value: &str, ty: &TensorType) -> Results {
    let shape = scope.shape(&ty.shape)?;
    Ok(Some(vec![scope.nodes.add("Expand", &[value, &shape], Vec::new())]))
}

/// `layout.reshape`, `layout.flatten` and `layout.unflatten`
pub fn reshape(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let shape = &call.outputs[0].shape;
    if let Some(constant) = reshaped(scope.nodes.known(x), shape) {
        return Ok(Some(vec![scope.nodes.constant(&constant)]));
    }
    let result = match kept(&ty.shape, shape) {
        Some(numbers) => {
            let shape = scope.nodes.ints(&numbers);
            scope.nodes.add("Reshape", &[x, &shape], Vec::new())
        }
        None => {
            let shape = scope.shape(shape)?;
            scope.nodes.add("Reshape", &[x, &shape], vec![attr::int("allowzero", 1)])
        }
    };
    note_vector(scope, call, &result);
    Ok(Some(vec![result]))
}

/// A constant in another shape.
fn reshaped(constant: Option<&Constant>, shape: &[Extent]) -> Option<Constant> {
    let shape: Option<Vec<usize>> = shape.iter().map(|extent| usize::try_from(extent.as_known()?).ok()).collect();
    Some(Constant { shape: shape?, ..constant?.clone() })
}

/// A shape by numbers: 0 for an open extent that stays where it is, or -1 for the only one among known ones; none where these
/// do not suffice.
fn kept(before: &[Extent], shape: &[Extent]) -> Option<Vec<i64>> {
    let known: Vec<Option<i64>> = shape.iter().map(Extent::as_known).collect();
    if known.contains(&Some(0)) {
        return None;
    }
    let stays = |at: usize| before.get(at).is_some_and(|extent| extent.value == shape[at].value);
    let kept: Option<Vec<i64>> = (0..shape.len()).map(|at| known[at].or_else(|| stays(at).then_some(0))).collect();
    let is_only = known.iter().filter(|extent| extent.is_none()).count() == 1;
    kept.or_else(|| is_only.then(|| known.iter().map(|extent| extent.unwrap_or(-1)).collect()))
}

/// Notes a vector that is given in a shape of which only one dimension has several elements.
fn note_vector(scope: &mut Scope, call: &Call<'_>, result: &str) {
    let Some((x, ty)) = call.input(0) else { return };
    let several = call.outputs[0].shape.iter().filter(|extent| extent.as_known() != Some(1));
    if ty.shape.len() == 1 && several.eq(&ty.shape) {
        scope.vectors.insert(result.to_owned(), x.to_owned());
    }
}

/// `layout.shape`
pub fn shape(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, _)) = call.input(0) else { return Ok(None) };
    Ok(Some(vec![scope.nodes.add("Shape", &[x], Vec::new())]))
}

/// `layout.squeeze`
pub fn squeeze(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axes) = call.axes("axes", ty.shape.len()).filter(|axes| !axes.is_empty()) else { return Ok(None) };
    Ok(Some(vec![scope.nodes.squeeze(x, &axes)]))
}

/// `layout.unsqueeze`
pub fn unsqueeze(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, _)) = call.input(0) else { return Ok(None) };
    let rank = call.outputs[0].shape.len();
    let Some(axes) = call.axes("axes", rank).filter(|axes| !axes.is_empty()) else { return Ok(None) };
    let result = scope.nodes.unsqueeze(x, &axes);
    note_vector(scope, call, &result);
    Ok(Some(vec![result]))
}

/// `layout.transpose`
pub fn transpose(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let rank = ty.shape.len();
    let (Some(axis), Some(order)) = (call.axis("axis", rank), call.axes("perm", rank)) else { return Ok(None) };
    let order: Vec<usize> = (0..axis).chain(order).filter_map(|from| usize::try_from(from).ok()).collect();
    let all: Vec<usize> = order.iter().copied().chain(order.len()..rank).collect();
    if all.iter().enumerate().all(|(at, from)| at == *from) {
        return Ok(None);
    }
    Ok(Some(vec![scope.nodes.transpose(x, &all)]))
}

/// Tensors joined along a dimension.
pub fn joined(scope: &mut Scope, items: Vec<String>, axis: i64) -> String {
    scope.nodes.several(("", "Concat"), items, 1, vec![attr::int("axis", axis)]).swap_remove(0)
}

/// `layout.concat`
pub fn concat(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some(items) = call.pack(0).filter(|items| !items.is_empty()) else { return Ok(None) };
    let Some(axis) = call.axis("axis", items[0].1.shape.len()) else { return Ok(None) };
    let items = items.iter().map(|(name, _)| name.clone()).collect();
    Ok(Some(vec![joined(scope, items, axis)]))
}

/// `layout.stack`
pub fn stack(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some(items) = call.pack(0).filter(|items| !items.is_empty()) else { return Ok(None) };
    let Some(axis) = call.axis("axis", items[0].1.shape.len()) else { return Ok(None) };
    let is_there = call.holds("squeeze");
    let item = |(name, _): &(String, TensorType)| match is_there {
        true => name.clone(),
        false => scope.nodes.unsqueeze(name, &[axis]),
    };
    let items = items.iter().map(item).collect();
    Ok(Some(vec![joined(scope, items, axis)]))
}

/// `layout.split`
pub fn split(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axis) = call.axis("axis", ty.shape.len()).filter(|_| !call.outputs.is_empty()) else { return Ok(None) };
    let at = usize::try_from(axis).unwrap_or(0);
    let sizes: Vec<SymExpr> = call.outputs.iter().map(|part| part.shape[at].value.clone()).collect();
    let sizes = scope.vector(&sizes)?;
    Ok(Some(parts(scope, (x, &sizes), axis, call.outputs.len())))
}

fn parts(scope: &mut Scope, (x, sizes): (&str, &str), axis: i64, count: usize) -> Vec<String> {
    let inputs = vec![x.to_owned(), sizes.to_owned()];
    scope.nodes.several(("", "Split"), inputs, count, vec![attr::int("axis", axis)])
}

/// `layout.unstack`
pub fn unstack(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axis) = call.axis("axis", ty.shape.len()).filter(|_| !call.outputs.is_empty()) else { return Ok(None) };
    let count = call.outputs.len();
    if ty.shape[usize::try_from(axis).unwrap_or(0)].as_known() != i64::try_from(count).ok() {
        return Ok(None);
    }
    let sizes = scope.nodes.ints(&vec![1; count]);
    let parts = parts(scope, (x, &sizes), axis, count);
    let is_gone = call.holds("squeeze");
    let part = |part: String| if is_gone { scope.nodes.squeeze(&part, &[axis]) } else { part };
    Ok(Some(parts.into_iter().map(part).collect()))
}

/// For each dimension what is given for some of them.
fn for_all(axes: &[i64], given: Vec<SymExpr>, rank: usize, otherwise: i64) -> Option<Vec<SymExpr>> {
    let mut all = vec![SymExpr::Const(otherwise); rank];
    for (axis, value) in axes.iter().zip(given) {
        *all.get_mut(usize::try_from(*axis).ok()?)? = value;
    }
    Some(all)
}

/// `layout.tile`
pub fn tile(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let rank = ty.shape.len();
    let repeats = call.axes("axes", rank).zip(call.expressions("repeats"));
    let Some(repeats) = repeats.and_then(|(axes, repeats)| for_all(&axes, repeats, rank, 1)) else { return Ok(None) };
    let repeats = scope.vector(&repeats)?;
    Ok(Some(vec![scope.nodes.add("Tile", &[x, &repeats], Vec::new())]))
}

/// `layout.slice`
pub fn slice(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let Some(axes) = call.axes("axes", ty.shape.len()).filter(|axes| !axes.is_empty()) else { return Ok(None) };
    let (Some(begin), Some(end), Some(stride)) =
        (call.expressions("begin"), call.expressions("end"), call.expressions("stride"))
    else {
        return Ok(None);
    };
    let [begin, end, stride] = [scope.vector(&begin)?, scope.vector(&end)?, scope.vector(&stride)?];
    let axes = scope.nodes.ints(&axes);
    Ok(Some(vec![scope.nodes.add("Slice", &[x, &begin, &end, &axes, &stride], Vec::new())]))
}

/// `layout.pad`
pub fn pad(scope: &mut Scope, call: &Call<'_>) -> Results {
    let Some((x, ty)) = call.input(0) else { return Ok(None) };
    let rank = ty.shape.len();
    if rank == 0 {
        return Ok(None);
    }
    let mode = match call.text("method") {
        Some("CONSTANT") => "constant",
        Some("REFLECT") => "reflect",
        Some("REPLICATE") => "edge",
        _ => return Ok(None),
    };
    let given = call.axes("axes", rank).zip(call.expressions("padding"));
    let Some((axes, mut before)) = given.filter(|(axes, padding)| padding.len() == 2 * axes.len()) else {
        return Ok(None);
    };
    let after = before.split_off(axes.len());
    let all = for_all(&axes, before, rank, 0).zip(for_all(&axes, after, rank, 0));
    let Some((mut padding, after)) = all else { return Ok(None) };
    padding.extend(after);
    let padding = scope.vector(&padding)?;
    let inputs: Vec<&str> = [x, &padding].into_iter().chain(call.input(1).map(|(value, _)| value)).collect();
    Ok(Some(vec![scope.nodes.add("Pad", &inputs, vec![attr::text("mode", mode)])]))
}
