//! Extents of memrefs that only a run knows, as values: what the memory was made with says them.

use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, types};
use skriptnd_mlir::ops::{arith, memref};

/// A number times some values.
pub struct Product<'c, 'a> {
    /// Known.
    pub factor: i64,
    /// Known to the run only.
    pub values: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    fn known(factor: i64) -> Self {
        Product { factor, values: Vec::new() }
    }

    fn of(value: Value<'c, 'a>) -> Self {
        Product { factor: 1, values: vec![value] }
    }

    /// As a value at some place.
    pub fn at(self, place: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let mut factors = self.values.into_iter();
        let Some(first) = factors.next() else { return Ok(place.index(self.factor)?) };
        let product = factors.try_fold(first, |product, value| arith::muli(place, product, value))?;
        Ok(if self.factor == 1 { product } else { arith::muli(place, product, place.index(self.factor)?)? })
    }

    fn times(self, other: Self) -> Option<Self> {
        let values = [self.values, other.values].concat();
        Some(Product { factor: self.factor.checked_mul(other.factor)?, values })
    }
}

/// The extent of a memref; none if what made it does not say.
pub fn of<'c: 'a, 'a>(memory: Value<'c, 'a>, dimension: usize) -> Option<Product<'c, 'a>> {
    let shape = types::shape(memory.r#type())?;
    if let Some(known) = shape.get(dimension)? {
        return i64::try_from(*known).ok().map(Product::known);
    }
    let definition = memory.defining_operation()?;
    match definition.full_name() {
        memref::ALLOC => {
            let number = shape.iter().take(dimension).filter(|extent| extent.is_none()).count();
            definition.operand(number).ok().map(Product::of)
        }
        memref::REINTERPRET_CAST | memref::SUBVIEW => size(definition, dimension),
        memref::CAST => of(definition.operand(0).ok()?, dimension),
        memref::COLLAPSE_SHAPE => {
            let groups = attributes::as_array(definition.get("reassociation")?)?;
            let group = attributes::as_integers(*groups.get(dimension)?)?;
            let source = definition.operand(0).ok()?;
            let mut parts = group.into_iter().map(|part| of(source, usize::try_from(part).ok()?));
            parts.try_fold(Product::known(1), |product, part| product.times(part?))
        }
        memref::EXPAND_SHAPE => {
            let number = shape.iter().take(dimension).filter(|extent| extent.is_none()).count();
            definition.operand(1 + number).ok().map(Product::of)
        }
        _ => None,
    }
}

/// The extent at the place of a builder.
pub fn at<'c: 'a, 'a>(
    place: &Builder<'c, 'a>,
    memory: Value<'c, 'a>,
    dimension: usize,
) -> Result<Value<'c, 'a>, Error> {
    match of(memory, dimension) {
        Some(extent) => extent.at(place),
        None => Ok(memref::dim(place, memory, dimension)?),
    }
}

/// The size that a view is made with.
fn size<'c: 'a, 'a>(view: OperationRef<'c, 'a>, dimension: usize) -> Option<Product<'c, 'a>> {
    let sizes = view.get_integers("static_sizes")?;
    let segments = view.get_integers("operandSegmentSizes")?;
    let number = kept(view, &sizes, dimension)?;
    if sizes[number] != types::OPEN {
        return Some(Product::known(sizes[number]));
    }
    let before: i64 = segments.iter().take(2).sum();
    let open = sizes[..number].iter().filter(|size| **size == types::OPEN).count();
    view.operand(usize::try_from(before).ok()? + open).ok().map(Product::of)
}

/// The dimension of the source that a dimension of a view is: a view may drop some of extent 1.
fn kept(view: OperationRef<'_, '_>, sizes: &[i64], dimension: usize) -> Option<usize> {
    let rank = types::rank(view.result(0).ok()?.r#type())?;
    match sizes.len() - rank {
        0 => Some(dimension),
        dropped => {
            let units: Vec<usize> = (0..sizes.len()).filter(|&at| sizes[at] == 1).collect();
            // Which ones go is certain only where all do.
            (units.len() == dropped).then(|| (0..sizes.len()).filter(|at| !units.contains(at)).nth(dimension))?
        }
    }
}
