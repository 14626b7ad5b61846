//! The largest or smallest elements along a dimension.

use super::Converted;
use crate::convert::builder::{Nodes, permuted, static_dims};
use crate::convert::by_table::are_static;
use crate::convert::counterparts::ElementKinds;
use crate::convert::kept::Kept;
use crate::generated::operations as htp;
use skriptnd_dialect::generated::algo::TopKOp;
use skriptnd_mlir::ir::Builder;

/// The op works along the last dimension, and gives its elements in their order.
pub fn greatest<'c: 'a, 'a>(search: TopKOp<'c, 'a>, to: &Builder<'c, 'a>) -> Converted<'c, 'a> {
    if !are_static(search.operation(), ElementKinds::Numbers) {
        return Err(Kept::because("its tensors are not all of static shape and numbers"));
    }
    if !search.sorted().unwrap_or(true) {
        return Err(Kept::because("it keeps the order of its input, and the op `TopK` sorts"));
    }
    let (input, types) = (search.input()?, [search.values()?.r#type(), search.indices()?.r#type()]);
    let rank = static_dims(input.r#type()).unwrap_or_default().len();
    let axis = search.axis().unwrap_or_default();
    let axis = usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).ok();
    let axis = axis.filter(|axis| *axis < rank).ok_or_else(|| Kept::because("it has no such dimension"))?;
    let count = static_dims(types[0]).unwrap_or_default()[axis];
    if count == 0 {
        return Err(Kept::because("it finds nothing, and the op `TopK` finds at least one element"));
    }
    let mut order: Vec<usize> = (0..rank).filter(|at| *at != axis).collect();
    order.push(axis);
    let is_last = axis + 1 == rank;
    let input = if is_last { input } else { to.transpose(input, &order)? };
    let node = htp::TopKOpBuilder::new(to).input(input);
    let node = node.k(to.ints(&[i64::try_from(count).unwrap_or(i64::MAX)], &[1])?);
    let node = node.largest(to.ints(&[i64::from(search.largest().unwrap_or(true))], &[1])?);
    let [values, indices] = [permuted(types[0], &order)?, permuted(types[1], &order)?];
    let node = node.values_type(values).indices_type(indices).build()?;
    let made = [node.values()?, node.indices()?];
    let back: Vec<usize> = (0..rank).map(|at| order.iter().position(|from| *from == at).unwrap_or(at)).collect();
    let moved = made.into_iter().map(|value| if is_last { Ok(value) } else { to.transpose(value, &back) });
    Ok(moved.collect::<Result<_, _>>()?)
}
