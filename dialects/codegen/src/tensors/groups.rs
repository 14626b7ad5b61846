//! Along which dimensions of a product an atom adds several at once.

use super::roles::Roles;
use crate::nest::atom::Atom;
use crate::target::Target;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Expr;

/// Lanes of vectors from which on those of several are put together to groups.
const LEAST_LANES: i64 = 8;

/// The reduced dimension along which the elements of the input lie beside each other, and how many products an atom of the
/// target adds at once.
pub(super) fn group(structured: &Structured<'_, '_>, roles: &Roles, target: &Target) -> Option<(usize, i64)> {
    if roles.depthwise {
        return own_group(structured, roles, target);
    }
    let atom = Atom::best(target, roles.numbers, roles.sum)?;
    let filter = structured.maps[roles.filter].as_dims().filter(|_| !roles.depthwise)?;
    // Behind it may come dimensions of one index only, such as those of images that are one pixel.
    let has_several =
        |expr: &&Expr| (0..structured.extents.len()).any(|dim| expr.uses(dim) && !is_unit(structured, dim));
    let last = structured.maps[roles.input].results.iter().rfind(has_several)?;
    let is_grouped = |dim: &usize| structured.reduced[*dim] && structured.extents[*dim] > 1 && filter.contains(dim);
    let window = || {
        // What fills no group is loaded by itself, which whole vectors are not.
        let mut dims = (0..structured.extents.len()).filter(|&dim| last.uses(dim) && structured.reduced[dim]);
        let dim = dims.next().filter(|&dim| !target.isa.only_whole && last.coefficient(dim) == Some(1))?;
        dims.next().is_none().then_some(dim)
    };
    let dim = last.as_dim().or_else(window).filter(is_grouped)?;
    Some((dim, atom.group))
}

/// Whether a dimension has one index.
fn is_unit(structured: &Structured<'_, '_>, dim: usize) -> bool {
    structured.extents[dim] == 1 && structured.open[dim].is_none()
}

/// The same where each lane has groups of its own, as in a depthwise convolution: along the dimension of its window that leaves the fewest
/// places empty. Elements that lie apart are put together as fast as others are loaded, but for short vectors.
fn own_group(structured: &Structured<'_, '_>, roles: &Roles, target: &Target) -> Option<(usize, i64)> {
    let has_room = !target.isa.is_scalable() && target.isa.lanes() >= LEAST_LANES;
    let atom = Atom::best_for(target, roles.numbers, roles.sum, true).filter(|_| has_room)?;
    let filter = structured.maps[roles.filter].as_dims()?;
    let output = structured.output_map()?.as_dims()?;
    let (input, last) = (&structured.maps[roles.input].results, Expr::Dim(roles.channel));
    if output.last() != Some(&roles.channel) || input.last() != Some(&last) {
        return None;
    }
    let is_along = |expr: &Expr, dim: usize| expr.coefficient(dim).is_some_and(|factor| factor != 0);
    let is_window = |dim: usize| filter.contains(&dim) && input.iter().any(|expr| is_along(expr, dim));
    let windows = (0..structured.extents.len()).filter(|&dim| structured.reduced[dim] && is_window(dim));
    let filled = |dim: usize| {
        let extent = structured.extents[dim];
        let groups = (extent + atom.group - 1) / atom.group;
        // Where a vector has few pixels, those beside each other share what is put together across lines, which lie near.
        let order = if target.isa.only_whole { dim } else { structured.extents.len() - dim };
        (extent * atom.group / groups, order)
    };
    let dim = windows.filter(|&dim| structured.extents[dim] > 1).max_by_key(|&dim| filled(dim))?;
    Some((dim, atom.group))
}
