//! Elements chosen, moved and made.

use super::array::{Array, Items, broadcast, indices, place, spread};
use crate::element::ElementType;
use crate::extent::{Extent, known_shape};
use crate::node::Node;
use crate::value::{MOST_KNOWN, Tensor, Value, axis_of};
use std::sync::Arc;

/// Other extents for the same elements: the result's shape follows from the operator alone.
pub(super) fn reshaped(node: &Node<'_>, array: Array) -> Option<Array> {
    let current: Vec<Extent> = array.shape.iter().map(|extent| Extent::from(*extent as i64)).collect();
    let shape = match node.proto.op_type.as_str() {
        "Reshape" => crate::targets::reshape_target(node, &current).ok()?,
        "Squeeze" => crate::targets::squeeze_target(node, &current).ok()?.1,
        "Unsqueeze" => crate::targets::unsqueeze_target(node, &current).ok()?.1,
        _ => crate::targets::flatten_target(node, &current).ok()?,
    };
    let shape: Vec<usize> = known_shape(&shape)?.into_iter().map(|extent| extent as usize).collect();
    (shape.iter().product::<usize>() == array.count()).then_some(Array { shape, ..array })
}

pub(super) fn gather(node: &Node<'_>, data: &Array, index: &Array) -> Option<Array> {
    let axis = axis_of(node.int_or("axis", 0).ok()?, data.shape.len()).ok()?;
    let Items::Ints(wanted) = &index.items else { return None };
    let extent = data.shape[axis] as i64;
    let wanted: Vec<usize> = wanted
        .iter()
        .map(|at| at.known().map(|at| if at < 0 { at + extent } else { at }))
        .map(|at| at.filter(|at| (0..extent).contains(at)).map(|at| at as usize))
        .collect::<Option<_>>()?;
    let shape = [&data.shape[..axis], &index.shape, &data.shape[axis + 1..]].concat();
    let places: Vec<usize> = indices(&shape)
        .map(|at| {
            let inner = &at[axis..axis + index.shape.len()];
            let chosen = wanted[place(&index.shape, inner)];
            let source = [&at[..axis], &[chosen], &at[axis + index.shape.len()..]].concat();
            place(&data.shape, &source)
        })
        .collect();
    data.pick(shape, &places)
}

pub(super) fn slice(node: &Node<'_>, data: &Array) -> Option<Array> {
    let current: Vec<Extent> = data.shape.iter().map(|extent| Extent::from(*extent as i64)).collect();
    let parts = crate::parts::parts(node, &current).ok()?;
    let mut shape = data.shape.clone();
    let mut starts = vec![(0i64, 1i64); shape.len()];
    for part in &parts {
        shape[part.axis] = part.extent.known()? as usize;
        starts[part.axis] = (part.begin.known()?, part.step);
    }
    let places: Vec<usize> = indices(&shape)
        .map(|index| {
            let source: Vec<usize> =
                index.iter().zip(&starts).map(|(at, (begin, step))| (begin + *at as i64 * step) as usize).collect();
            place(&data.shape, &source)
        })
        .collect();
    data.pick(shape, &places)
}

/// The parts of a vector of which all is known.
pub(super) fn split(node: &Node<'_>) -> Option<Vec<Value>> {
    let data = Array::of(node.optional(0)?)?;
    let count = i64::try_from(node.result_count()).ok()?;
    let sizes: Vec<i64> = match (node.optional(1), node.ints("split").ok()?) {
        (Some(_), _) => node.fixed_ints(1).ok()?,
        (None, Some(sizes)) => sizes,
        (None, None) => {
            let parts = node.int_or("num_outputs", count).ok().filter(|parts| *parts == count)?;
            let extent = data.count() as i64;
            let each = extent / parts + i64::from(extent % parts != 0);
            (0..parts).map(|at| each.min(extent - at * each)).collect()
        }
    };
    let are_parts = sizes.iter().all(|size| (0..=MOST_KNOWN as i64).contains(size));
    if data.shape.len() != 1 || !are_parts || sizes.iter().sum::<i64>() != data.count() as i64 {
        return None;
    }
    let mut begin = 0;
    let part = |size: i64| {
        let places: Vec<usize> = (begin..begin + size as usize).collect();
        begin += size as usize;
        data.pick(vec![places.len()], &places).map(|part| Value::Tensor(part.tensor()))
    };
    sizes.into_iter().map(part).collect()
}

pub(super) fn concat(node: &Node<'_>) -> Option<Array> {
    let parts: Vec<Array> = node.tensors().ok()?.into_iter().map(Array::of).collect::<Option<_>>()?;
    let first = parts.first()?;
    // Anything else than vectors is none of shapes' arithmetic.
    if first.shape.len() != 1 || axis_of(node.int_or("axis", 0).ok()?, 1).is_err() {
        return None;
    }
    let shape = vec![parts.iter().map(Array::count).sum()];
    let items = match &first.items {
        Items::Ints(_) => {
            let mut all = Vec::new();
            for part in &parts {
                let Items::Ints(values) = &part.items else { return None };
                all.extend(values.iter().cloned());
            }
            Items::Ints(all)
        }
        Items::Reals(_) => {
            let mut all = Vec::new();
            for part in &parts {
                let Items::Reals(values) = &part.items else { return None };
                all.extend(values);
            }
            Items::Reals(all)
        }
        Items::Bools(_) => return None,
    };
    Some(Array { element: first.element, shape, items })
}

pub(super) fn range(first: &Array, limit: &Array, step: &Array) -> Option<Array> {
    let (Items::Ints(first_), Items::Ints(limit), Items::Ints(step)) = (&first.items, &limit.items, &step.items) else {
        return None;
    };
    let known = |values: &[Extent]| values.first().and_then(Extent::known);
    let (begin, end, by) = (known(first_)?, known(limit)?, known(step)?);
    let count = if by > 0 {
        (end - begin + by - 1) / by
    } else if by < 0 {
        (begin - end - by - 1) / -by
    } else {
        return None;
    };
    let count = usize::try_from(count.max(0)).ok().filter(|count| *count <= MOST_KNOWN)?;
    let items = (0..count as i64).map(|at| Extent::from(begin + at * by)).collect();
    Some(Array { element: first.element, shape: vec![count], items: Items::Ints(items) })
}

pub(super) fn constant_of_shape(node: &Node<'_>) -> Option<Array> {
    let shape = node.optional(0)?.ints()?.iter().map(Extent::known).collect::<Option<Vec<_>>>()?;
    let shape: Vec<usize> = shape.into_iter().map(|extent| usize::try_from(extent).ok()).collect::<Option<_>>()?;
    let count = shape.iter().try_fold(1usize, |count, extent| count.checked_mul(*extent))?;
    if count > MOST_KNOWN {
        return None;
    }
    let value = match node.tensor("value").ok()? {
        Some(value) => Array::of(&Tensor::stored(Arc::new(value)))?,
        None => Array { element: ElementType::Float, shape: vec![1], items: Items::Reals(vec![0.0]) },
    };
    value.pick(shape, &vec![0; count])
}

pub(super) fn expand(array: &Array, target: &[Extent]) -> Option<Array> {
    let target: Vec<usize> =
        target.iter().map(|extent| extent.known().map(|extent| extent as usize)).collect::<Option<_>>()?;
    let shape = broadcast(&array.shape, &target)?;
    spread(array, &shape)
}

/// Where the elements are that are not 0: a column for each, which tensors with no dimensions have none of.
pub(super) fn nonzero(array: &Array) -> Option<Array> {
    let is_set: Vec<bool> = match &array.items {
        Items::Bools(values) => values.clone(),
        Items::Ints(values) => {
            values.iter().map(|value| value.known().map(|value| value != 0)).collect::<Option<_>>()?
        }
        Items::Reals(values) => values.iter().map(|value| *value != 0.0).collect(),
    };
    let rank = array.shape.len();
    let set = indices(&array.shape).zip(is_set).filter(|(_, is_set)| *is_set);
    let found: Vec<Vec<usize>> = set.map(|(index, _)| index).collect();
    let places = (0..rank).flat_map(|axis| found.iter().map(move |index| Extent::from(index[axis] as i64)));
    let items = Items::Ints(places.collect());
    (rank > 0).then(|| Array { element: ElementType::Int64, shape: vec![rank, found.len()], items })
}

pub(super) fn transpose(node: &Node<'_>, array: &Array) -> Option<Array> {
    let rank = array.shape.len();
    let reversed = || (0..rank as i64).rev().collect();
    let perm: Vec<usize> = node.ints("perm").ok()?.unwrap_or_else(reversed).into_iter().map(|at| at as usize).collect();
    if perm.len() != rank || perm.iter().any(|at| *at >= rank) {
        return None;
    }
    let shape: Vec<usize> = perm.iter().map(|at| array.shape[*at]).collect();
    let places: Vec<usize> = indices(&shape)
        .map(|index| {
            let mut source = vec![0; rank];
            perm.iter().zip(&index).for_each(|(to, at)| source[*to] = *at);
            place(&array.shape, &source)
        })
        .collect();
    array.pick(shape, &places)
}
