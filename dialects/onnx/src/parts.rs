//! What slices take.

use crate::extent::Extent;
use crate::node::Node;
use crate::value::axis_of;

/// What a slice takes of one dimension.
#[derive(Debug, Clone)]
pub struct Part {
    /// The dimension.
    pub axis: usize,
    /// The first index.
    pub begin: Extent,
    /// From one index to the next; not 0.
    pub step: i64,
    /// How many indices there are.
    pub extent: Extent,
}

/// The parts that `Slice` takes of a tensor with these extents: limits are cut to what there is, as Python does.
pub fn parts(node: &Node<'_>, current: &[Extent]) -> Result<Vec<Part>, String> {
    let from_attribute = |name: &str| -> Result<Vec<Extent>, String> {
        let values = node.ints(name)?.ok_or_else(|| format!("its `{name}` are missing"))?;
        Ok(values.into_iter().map(Extent::from).collect())
    };
    let is_old = node.version < 10;
    let starts = if is_old { from_attribute("starts")? } else { node.known_ints(1)? };
    let ends = if is_old { from_attribute("ends")? } else { node.known_ints(2)? };
    let axes = match (is_old, node.optional(3)) {
        (true, _) => node.ints("axes")?,
        (false, Some(_)) => Some(node.fixed_ints(3)?),
        (false, None) => None,
    };
    let axes = axes.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = match node.optional(4) {
        Some(_) => node.fixed_ints(4)?,
        None => vec![1; starts.len()],
    };
    if [ends.len(), axes.len(), steps.len()].iter().any(|count| *count != starts.len()) {
        return Err("its starts, ends, axes and steps are not as many".into());
    }
    let mut parts = Vec::new();
    for (at, axis) in axes.iter().enumerate() {
        let axis = axis_of(*axis, current.len())?;
        parts.push(part(axis, &current[axis], &starts[at], &ends[at], steps[at])?);
    }
    Ok(parts)
}

fn part(axis: usize, extent: &Extent, start: &Extent, end: &Extent, step: i64) -> Result<Part, String> {
    if step == 0 {
        return Err("one of its steps is 0".into());
    }
    let one = Extent::from(1);
    // Backwards one may end before the first index, which is -1.
    let (least, most) = match step > 0 {
        true => (Extent::from(0), extent.clone()),
        false => (Extent::from(-1), extent.sub(&one)),
    };
    let begin = limit(start, extent, &if step > 0 { least.clone() } else { Extent::from(0) }, &most);
    let begin = if step < 0 && begin.known() == Some(-1) { Extent::from(0) } else { begin };
    let end = limit(end, extent, &least, &most);
    let distance = if step > 0 { end.sub(&begin) } else { begin.sub(&end) };
    let count = distance.div_up(&Extent::from(step.saturating_abs())).ok_or("one of its steps is 0")?;
    let count = match count.known() {
        Some(known) => Extent::from(known.max(0)),
        None if count.is_extent() || is_within(&begin, &end, step) => count,
        None => count.greater(&Extent::from(0)),
    };
    Ok(Part { axis, begin, step, extent: count })
}

/// A limit counted from the begin, between two others.
fn limit(given: &Extent, extent: &Extent, least: &Extent, most: &Extent) -> Extent {
    let counted = match given.known() {
        Some(known) if known < -(1 << 40) => return least.clone(),
        Some(known) if known > 1 << 40 => return most.clone(),
        Some(known) if known < 0 => given.add(extent),
        // What is taken off an extent may be a negative number, but only a run could tell: it is taken as it is written.
        _ => given.clone(),
    };
    if let (Some(known), Some(extent)) = (counted.known(), most.known()) {
        return Extent::from(known.clamp(least.known().unwrap_or(known).min(extent), extent));
    }
    if &counted == most || counted.known().is_some_and(|known| known <= 0) {
        return if counted.known().is_some_and(|known| known < 0) { least.clone() } else { counted };
    }
    match (counted.known(), given.known()) {
        // From the end: there may be fewer than are counted back.
        (None, Some(back)) if back < 0 && extent.known().is_none() => counted.greater(least),
        (Some(_), _) if most.known().is_none() => counted.lesser(most),
        (None, None) if most.sub(&counted).is_extent() => counted,
        (None, None) => counted.lesser(most).greater(least),
        _ => counted,
    }
}

fn is_within(begin: &Extent, end: &Extent, step: i64) -> bool {
    let distance = if step > 0 { end.sub(begin) } else { begin.sub(end) };
    distance.is_extent()
}
