//! Padding writes what it adds, and not what its source writes over: the border of a tensor is filled slab by slab.

use crate::target::Target;
use crate::views::shapes::volume;
use crate::views::structured::copy;
use crate::views::typical;
use crate::{Error, notes};
use skriptnd_mlir::ir::affine::Map;
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
        let builder = Builder::before(pad)?;
        if let Some(border) = Border::of(&builder, pad)? {
            border.fill(&builder, pad, done)?;
            done += 1;
        }
    }
    Ok(done)
}

/// What is added around a tensor.
struct Border<'c, 'a> {
    /// The extents of the tensor.
    inner: Vec<Size<'c, 'a>>,
    /// How many elements are added before it.
    low: Vec<Size<'c, 'a>>,
    /// The same behind it.
    high: Vec<Size<'c, 'a>>,
    /// Where what is behind it begins.
    ends: Vec<Size<'c, 'a>>,
    /// The extents of the result.
    outer: Vec<Size<'c, 'a>>,
}

/// Where a part of a tensor begins, and its extents.
type Slab<'c, 'a> = (Vec<Size<'c, 'a>>, Vec<Size<'c, 'a>>);

impl<'c: 'a, 'a> Border<'c, 'a> {
    /// None where what is added is no smaller part of the result.
    fn of(builder: &Builder<'c, 'a>, pad: OperationRef<'c, 'a>) -> Result<Option<Self>, Error> {
        let source = pad.operand(0)?;
        let shape = types::shape(source.r#type()).unwrap_or_default();
        let Some([low, high]) =
            tensor::padding(pad).filter(|around| around.iter().all(|side| side.len() == shape.len()))
        else {
            return Ok(None);
        };
        if !is_worth(source, &low, &high) {
            return Ok(None);
        }
        let inner = shape.iter().enumerate().map(|(dim, extent)| match extent {
            Some(extent) => Ok(Size::Known(i64::try_from(*extent).unwrap_or(i64::MAX))),
            None => Ok(Size::Value(super::operations::extent(builder, source, dim)?)),
        });
        let inner = inner.collect::<Result<Vec<_>, Error>>()?;
        let sums = |one: &[Size<'c, 'a>], other: &[Size<'c, 'a>]| {
            one.iter().zip(other).map(|(one, other)| one.plus(*other, builder)).collect::<Result<Vec<_>, _>>()
        };
        let ends = sums(&low, &inner)?;
        let outer = sums(&ends, &high)?;
        Ok(Some(Border { inner, low, high, ends, outer }))
    }

    /// Of each slab where it begins and its extents: those of the dimensions before its own are the tensor's, those behind the result's.
    fn slabs(&self) -> Vec<Slab<'c, 'a>> {
        let rank = self.inner.len();
        let mut slabs = Vec::new();
        for dim in 0..rank {
            let added = [(Size::Known(0), self.low[dim]), (self.ends[dim], self.high[dim])];
            for (first, count) in added.into_iter().filter(|(_, count)| *count != Size::Known(0)) {
                let begin = [&self.low[..dim], &[first], &vec![Size::Known(0); rank - dim - 1]].concat();
                slabs.push((begin, [&self.inner[..dim], &[count], &self.outer[dim + 1..]].concat()));
            }
        }
        slabs
    }

    fn fill(&self, builder: &Builder<'c, 'a>, pad: OperationRef<'c, 'a>, own: usize) -> Result<(), Error> {
        let Some(number) = number(builder, pad)? else { return Ok(()) };
        let (source, kind) = (pad.operand(0)?, pad.result(0)?.r#type());
        let slice = |(offsets, sizes): Slab<'c, 'a>| Slice { strides: vec![1; offsets.len()], offsets, sizes };
        let mut whole = tensor::empty(builder, kind, &open(&self.outer))?;
        if let Some(empty) = whole.defining_operation() {
            let own = i64::try_from(own).unwrap_or(i64::MAX);
            empty.set(notes::OWN, attributes::integer(builder.context(), own));
        }
        for (begin, extents) in self.slabs() {
            let shape: Vec<_> = extents.iter().map(known).collect();
            let slab = types::tensor(types::element(kind), &shape).ok_or_else(|| Error::malformed("no such tensor"))?;
            let empty = tensor::empty(builder, slab, &open(&extents))?;
            let scalar = Map { dims: shape.len(), results: Vec::new() };
            let slab = copy(*builder, (number, &scalar), (empty, &Map::identity(shape.len())))?.result(0)?;
            whole = insert_slice(builder, slab, whole, &slice((begin, extents)))?;
        }
        whole = insert_slice(builder, source, whole, &slice((self.low.clone(), self.inner.clone())))?;
        Ok(with_rewriter(pad, |rewriter| rewriter.replace(pad, &[whole]))?)
    }
}

/// Whether a border is worth slabs of its own: of large tensors, and where it is the smaller part. Extents and paddings that only a run
/// knows are taken for typical ones, and for little.
fn is_worth(source: Value<'_, '_>, low: &[Size<'_, '_>], high: &[Size<'_, '_>]) -> bool {
    let inner: Vec<_> = (0..low.len()).map(|dim| typical::extent(source, dim)).collect();
    let added = |size: &Size<'_, '_>| if let Size::Known(known) = size { *known } else { 1 };
    let sums = inner
        .iter()
        .zip(low.iter().zip(high))
        .map(|(inner, (low, high))| inner.saturating_add(added(low)).saturating_add(added(high)));
    let outer: Vec<_> = sums.collect();
    let is_more = low.iter().chain(high).all(|size| added(size) >= 0);
    is_more && volume(&outer) >= FEW && volume(&inner) >= volume(&outer) / 2
}

/// The extent of a type's dimension.
fn known(size: &Size<'_, '_>) -> Option<u64> {
    if let Size::Known(known) = size { u64::try_from(*known).ok() } else { None }
}

/// The extents that only a run knows.
fn open<'c, 'a>(sizes: &[Size<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    sizes.iter().filter_map(|size| if let Size::Value(value) = size { Some(*value) } else { None }).collect()
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
    use super::{Border, Size};

    #[test]
    fn slabs_are_what_the_tensor_does_not_fill_once_each() {
        let sizes = |sizes: [i64; 3]| sizes.map(Size::Known).to_vec();
        let (inner, low, high) = (sizes([3, 1, 4]), sizes([1, 0, 2]), sizes([0, 2, 1]));
        let border = Border { inner, low, high, ends: sizes([4, 1, 6]), outer: sizes([4, 3, 7]) };
        let mut seen = vec![0; 4 * 3 * 7];
        let inner = (border.low.clone(), border.inner.clone());
        let known = |size: Size<'_, '_>| if let Size::Known(known) = size { known } else { 0 };
        for (begin, extents) in border.slabs().into_iter().chain([inner]) {
            let range = |dim: usize| known(begin[dim])..known(begin[dim]) + known(extents[dim]);
            for (x, y) in range(0).flat_map(|x| range(1).map(move |y| (x, y))) {
                range(2).for_each(|z| seen[((x * 3 + y) * 7 + z) as usize] += 1);
            }
        }
        assert!(seen.iter().all(|count| *count == 1), "{seen:?}");
    }
}
