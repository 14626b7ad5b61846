//! The extents that operators give which keep the elements: what they are known from, while translating, is computed alike.

use crate::extent::{Extent, volume};
use crate::node::Node;
use crate::value::axis_of;

/// The extents that `Reshape` gives: 0 keeps one, -1 stands for what is left.
pub fn reshape_target(node: &Node<'_>, current: &[Extent]) -> Result<Vec<Extent>, String> {
    let wanted: Vec<Extent> = match node.ints("shape")? {
        Some(shape) if node.version < 5 => shape.into_iter().map(Extent::from).collect(),
        _ => node.known_ints(1)?,
    };
    let zeros_stay = !node.flag("allowzero", false)?;
    let mut shape = Vec::new();
    for (at, extent) in wanted.iter().enumerate() {
        shape.push(match extent.known() {
            Some(0) if zeros_stay => {
                current.get(at).cloned().ok_or_else(|| format!("its shape keeps dimension {at}, which there is not"))?
            }
            _ => extent.clone(),
        });
    }
    fill_rest(shape, current)
}

/// Puts what is left of all elements in place of -1.
pub fn fill_rest(mut shape: Vec<Extent>, current: &[Extent]) -> Result<Vec<Extent>, String> {
    let open: Vec<usize> = (0..shape.len()).filter(|at| shape[*at].known() == Some(-1)).collect();
    match open[..] {
        [] => {}
        [at] => {
            shape[at] = Extent::from(1);
            let rest = volume(current).div(&volume(&shape));
            shape[at] = rest.ok_or("its shape has -1 beside 0, so that anything would fit")?;
        }
        _ => return Err("its shape has -1 more than once".into()),
    }
    if volume(&shape).differs_from(&volume(current)) {
        return Err("its shape has another number of elements than its operand".into());
    }
    Ok(shape)
}

/// The extents that `Flatten` gives.
pub fn flatten_target(node: &Node<'_>, current: &[Extent]) -> Result<Vec<Extent>, String> {
    let axis = node.int_or("axis", 1)?;
    let at = if axis == current.len() as i64 { current.len() } else { axis_of(axis, current.len())? };
    Ok(vec![volume(&current[..at]), volume(&current[at..])])
}

/// The axes of `Squeeze` and `Unsqueeze`: an operand since version 13, an attribute before.
fn given_axes(node: &Node<'_>) -> Result<Option<Vec<i64>>, String> {
    match node.optional(1) {
        Some(_) => node.fixed_ints(1).map(Some),
        None => node.ints("axes"),
    }
}

/// The axes that `Squeeze` removes, and the extents that it gives.
pub fn squeeze_target(node: &Node<'_>, current: &[Extent]) -> Result<(Vec<usize>, Vec<Extent>), String> {
    let axes: Vec<usize> = match given_axes(node)? {
        Some(axes) => axes.into_iter().map(|axis| axis_of(axis, current.len())).collect::<Result<_, _>>()?,
        None => (0..current.len()).filter(|at| current[*at].known() == Some(1)).collect(),
    };
    let kept = (0..current.len()).filter(|at| !axes.contains(at)).map(|at| current[at].clone()).collect();
    Ok((axes, kept))
}

/// The axes that `Unsqueeze` adds, and the extents that it gives.
pub fn unsqueeze_target(node: &Node<'_>, current: &[Extent]) -> Result<(Vec<usize>, Vec<Extent>), String> {
    let axes = given_axes(node)?.ok_or("its axes are missing")?;
    let rank = current.len() + axes.len();
    let mut axes: Vec<usize> = axes.into_iter().map(|axis| axis_of(axis, rank)).collect::<Result<_, _>>()?;
    axes.sort_unstable();
    let mut old = current.iter().cloned();
    let extent = |at: usize| if axes.contains(&at) { Some(Extent::from(1)) } else { old.next() };
    let shape: Option<Vec<Extent>> = (0..rank).map(extent).collect();
    Ok((axes, shape.ok_or("its axes name one dimension twice")?))
}
