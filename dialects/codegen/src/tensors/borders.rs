//! Padding writes what it adds, and not what its source writes over: the border of a tensor is filled slab by slab.

use super::narrow::filled;
use super::operations::open_extents;
use crate::target::Target;
use crate::views::structured::volume;
use crate::{Error, notes};
use skriptnd_mlir::ir::{BlockRef, Builder, OperationRef, Value, attributes, operations_named, types};
use skriptnd_mlir::ops::tensor::{Slice, insert_slice};
use skriptnd_mlir::ops::{Size, arith, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Elements that are filled as fast together as their border is.
const FEW: i64 = 8192;

/// Fills the borders of large tensors that are padded by one number. Returns how many were. Where there are whole vectors only, slabs
/// that do not fill them take longer than all of a tensor.
///
/// # Errors
/// Where operations can't be built.
pub fn fill<'c: 'a, 'a>(module: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    if target.isa.only_whole {
        return Ok(0);
    }
    let mut done = 0;
    for pad in operations_named(module, tensor::PAD) {
        if let Some(border) = Border::of(pad) {
            border.fill(pad, done)?;
            done += 1;
        }
    }
    Ok(done)
}

/// What is added around a tensor.
struct Border {
    /// The extents of the tensor; none of those that only a run knows, along which nothing is added.
    inner: Vec<Option<i64>>,
    /// How many elements are added before it.
    low: Vec<i64>,
    /// The same behind it.
    high: Vec<i64>,
}

impl Border {
    /// None where only a run knows what is added, or where that is no smaller part of the result.
    fn of(pad: OperationRef<'_, '_>) -> Option<Border> {
        let shape = types::shape(pad.operand(0).ok()?.r#type())?;
        let inner: Vec<_> = shape.into_iter().map(|extent| extent.and_then(|extent| extent.try_into().ok())).collect();
        let padding = |name| pad.get_integers(name).filter(|padding| padding.len() == inner.len());
        let (low, high) = (padding("static_low")?, padding("static_high")?);
        let added: Vec<i64> = low.iter().zip(&high).map(|(low, high)| low.saturating_add(*high)).collect();
        let is_known = low.iter().chain(&high).all(|padding| *padding >= 0)
            && inner.iter().zip(&added).all(|(extent, added)| extent.is_some() || *added == 0);
        let outer: Vec<i64> = inner.iter().zip(&added).map(|(extent, added)| extent.unwrap_or(1) + added).collect();
        let kept = volume(&inner.iter().map(|extent| extent.unwrap_or(1)).collect::<Vec<_>>());
        let is_worth = volume(&outer) >= FEW && kept >= volume(&outer) / 2;
        (is_known && is_worth).then_some(Border { inner, low, high })
    }

    /// Of each slab where it begins and its extents: those of the dimensions before its own are the tensor's, those behind the result's.
    fn slabs(&self) -> Vec<(Vec<i64>, Vec<Option<i64>>)> {
        let rank = self.inner.len();
        let all = |dim: usize| self.inner[dim].map(|extent| self.low[dim] + extent + self.high[dim]);
        let mut slabs = Vec::new();
        for dim in 0..rank {
            let end = self.low[dim] + self.inner[dim].unwrap_or(0);
            for (first, count) in [(0, self.low[dim]), (end, self.high[dim])].into_iter().filter(|slab| slab.1 > 0) {
                let begin = [&self.low[..dim], &[first], &vec![0; rank - dim - 1]].concat();
                let extents = self.inner[..dim].iter().copied().chain([Some(count)]).chain((dim + 1..rank).map(all));
                slabs.push((begin, extents.collect()));
            }
        }
        slabs
    }

    fn fill<'c: 'a, 'a>(&self, pad: OperationRef<'c, 'a>, own: usize) -> Result<(), Error> {
        let builder = Builder::before(pad)?;
        let Some(number) = number(&builder, pad)? else { return Ok(()) };
        let (source, kind) = (pad.operand(0)?, pad.result(0)?.r#type());
        let open = open_extents(&builder, source)?;
        let slice = |begin: &[i64], extents: &[Option<i64>]| {
            let mut open = open.iter().copied();
            let size = |extent: &Option<i64>| extent.map(Size::Known).or_else(|| open.next().map(Size::Value));
            let sizes = extents.iter().filter_map(size).collect();
            let offsets = begin.iter().map(|first| Size::Known(*first)).collect();
            Slice { offsets, sizes, strides: vec![1; begin.len()] }
        };
        let mut whole = tensor::empty(&builder, kind, &open)?;
        if let Some(empty) = whole.defining_operation() {
            let own = i64::try_from(own).unwrap_or(i64::MAX);
            empty.set(notes::OWN, attributes::integer(builder.context(), own));
        }
        for (begin, extents) in self.slabs() {
            let shape: Vec<_> = extents.iter().map(|extent| extent.and_then(|extent| extent.try_into().ok())).collect();
            let slab = types::tensor(types::element(kind), &shape).ok_or_else(|| Error::malformed("no such tensor"))?;
            let like = tensor::empty(&builder, slab, &open)?;
            let slab = filled(&builder, (slab, like), number)?;
            whole = insert_slice(&builder, slab, whole, &slice(&begin, &extents))?;
        }
        whole = insert_slice(&builder, source, whole, &slice(&self.low, &self.inner))?;
        Ok(with_rewriter(pad, |rewriter| rewriter.replace(pad, &[whole]))?)
    }
}

/// The number that is added, if it is the same everywhere.
fn number<'c: 'a, 'a>(builder: &Builder<'c, 'a>, pad: OperationRef<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Error> {
    let Some(body) = pad.region(0)?.first_block() else { return Ok(None) };
    let given = body.terminator().ok_or_else(|| Error::malformed("padding by nothing"))?.operand(0)?;
    let is_inside = |own: Option<BlockRef<'c, 'a>>| own.is_some_and(|own| own.key() == body.key());
    match given.defining_operation() {
        None => Ok(Some(given).filter(|given| !is_inside(given.as_argument().map(|(block, _)| block)))),
        Some(made) if !is_inside(made.block()) => Ok(Some(given)),
        Some(made) => match made.get("value").filter(|_| made.full_name() == arith::CONSTANT) {
            Some(value) => Ok(Some(builder.constant(value, given.r#type())?)),
            None => Ok(None),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::Border;

    #[test]
    fn slabs_are_what_the_tensor_does_not_fill_once_each() {
        let border = Border { inner: vec![Some(3), Some(1), Some(4)], low: vec![1, 0, 2], high: vec![0, 2, 1] };
        let mut seen = vec![0; 4 * 3 * 7];
        let inner = (border.low.clone(), border.inner.clone());
        for (begin, extents) in border.slabs().into_iter().chain([inner]) {
            let range = |dim: usize| begin[dim]..begin[dim] + extents[dim].unwrap();
            for (x, y) in range(0).flat_map(|x| range(1).map(move |y| (x, y))) {
                range(2).for_each(|z| seen[((x * 3 + y) * 7 + z) as usize] += 1);
            }
        }
        assert!(seen.iter().all(|count| *count == 1), "{seen:?}");
    }
}
