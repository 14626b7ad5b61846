//! Convolutions whose results are put in another order, as at the border of a graph: a line is turned while the nearest cache has it.

use super::group::Group;
use super::memory::root;
use crate::views::elements;
use crate::views::shapes::volume;
use skriptnd_mlir::ir::types;

/// Whether these are a product and a copy of it alone that puts its elements in another order: what is beside each other lies apart then.
pub fn is_turned(groups: &[Group<'_, '_>]) -> bool {
    let [product, copy] = groups else { return false };
    let space = &copy.space;
    let is_copy = space.main.computation.instructions.is_empty() && space.init.is_none() && space.epilogues.is_empty();
    let mut read = space.main.memory();
    let (Some((operand, access)), None) = (read.next(), read.next()) else { return false };
    let is_of_product = root(space.operands[operand]).key() == root(product.output()).key();
    let is_across = copy.neighbours(access).is_some_and(|dim| Some(dim) != copy.neighbours(&space.output.1));
    is_copy && is_across && product.space.is_contraction() && is_of_product
}

/// Whether the filters of a convolution stay in a near cache, of so many bytes, while they are used for one line after the other, and its
/// channels are added up: others share nothing of what they read.
pub fn is_filter_near(product: &Group<'_, '_>, near: i64) -> bool {
    let space = &product.space;
    let Some(lanes) = product.neighbours(&space.output.1) else { return false };
    let factor = |moves: bool| space.main.memory().find(|(_, access)| access.steps[lanes].moves() == moves);
    let (Some((filter, access)), Some(_)) = (factor(true), factor(false)) else { return false };
    let moving = (0..space.dims.len()).filter(|&dim| access.steps[dim].moves());
    let elements = volume(&moving.map(|dim| space.dims[dim].extent).collect::<Vec<_>>());
    let bytes = elements::of(types::element(space.operands[filter].r#type())).map_or(1, |element| element.bytes());
    elements.saturating_mul(bytes) <= near
}
