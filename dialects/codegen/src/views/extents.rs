//! Extents of memrefs that only a run knows, as values: what the memory was made with says them.

use super::made::Origin;
use crate::Error;
use skriptnd_mlir::ir::{BlockRef, Builder, OperationRef, RegionRef, Value, attributes, types};
use skriptnd_mlir::ops::{arith, memref, scf};

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
            let (source, parts) = collapsed(memory, dimension)?;
            parts.into_iter().try_fold(Product::known(1), |product, part| product.times(of(source, part)?))
        }
        memref::EXPAND_SHAPE => {
            let number = shape.iter().take(dimension).filter(|extent| extent.is_none()).count();
            definition.operand(1 + number).ok().map(Product::of)
        }
        _ => None,
    }
}

/// Whether two extents of tensors or memrefs are known to be the same number.
pub fn is_same<'c: 'a, 'a>(one: (Value<'c, 'a>, usize), other: (Value<'c, 'a>, usize)) -> bool {
    if one.0.key() == other.0.key() {
        return one.1 == other.1;
    }
    if one.0.r#type().is_mem_ref() {
        let keys =
            |product: Product<'c, 'a>| (product.factor, product.values.iter().map(Value::key).collect::<Vec<_>>());
        return of(one.0, one.1).zip(of(other.0, other.1)).is_some_and(|(one, other)| keys(one) == keys(other));
    }
    let origins = [one, other].map(|(tensor, dimension)| (Origin::of(tensor, dimension), dimension));
    let is_one = match &origins {
        [(Origin::Given(one), _), (Origin::Given(other), _)] => one.key() == other.key(),
        [(Origin::Tensor(one), own), (Origin::Tensor(other), another)] => one.key() == other.key() && own == another,
        _ => false,
    };
    let [own, another] = origins.map(|(origin, dimension)| origin.symbols(dimension));
    is_one || own.is_some() && own == another
}

/// The memrefs of the same shape of which one is a memref that regions hand on: what branches yield, and what loops begin with,
/// which keep the shape of what they carry.
pub fn sources<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
    let Some(definition) = memory.defining_operation() else {
        let (block, number) = memory.as_argument()?;
        return begins(block.parent_operation()?, block, number).map(|value| vec![value]);
    };
    let number = definition.result_values().iter().position(|result| result.key() == memory.key())?;
    match definition.full_name() {
        memref::CAST => Some(vec![definition.operand(0).ok()?]),
        arith::SELECT => Some(vec![definition.operand(1).ok()?, definition.operand(2).ok()?]),
        scf::IF => {
            let yielded = |region: RegionRef<'c, 'a>| region.first_block()?.terminator()?.operand(number).ok();
            definition.regions().map(yielded).collect()
        }
        scf::FOR => Some(vec![definition.operand(3 + number).ok()?]),
        scf::WHILE => handed(definition, number).map(|value| vec![value]),
        _ => None,
    }
}

/// What an argument of a loop's block begins with.
fn begins<'c: 'a, 'a>(around: OperationRef<'c, 'a>, block: BlockRef<'c, 'a>, number: usize) -> Option<Value<'c, 'a>> {
    match around.full_name() {
        // The index comes first, and the bounds.
        scf::FOR => around.operand(3 + number.checked_sub(1)?).ok(),
        scf::WHILE if around.region(0).ok()?.first_block() == Some(block) => around.operand(number).ok(),
        scf::WHILE => handed(around, number),
        _ => None,
    }
}

/// What the first block of `scf.while` hands on.
fn handed<'c: 'a, 'a>(repetition: OperationRef<'c, 'a>, number: usize) -> Option<Value<'c, 'a>> {
    repetition.region(0).ok()?.first_block()?.terminator()?.operand(1 + number).ok()
}

/// The memref and the dimension that a `memref.dim` asks for.
pub fn asked<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<(Value<'c, 'a>, usize)> {
    let number = || operation.operand(1).ok()?.defining_operation()?.get_integer("value");
    let number = Some(number).filter(|_| operation.full_name() == memref::DIM)?()?;
    Some((operation.operand(0).ok()?, usize::try_from(number).ok()?))
}

/// The parts of which a dimension of a collapsed memref is the product: the memref, and its dimensions.
pub fn collapsed<'c: 'a, 'a>(memory: Value<'c, 'a>, dimension: usize) -> Option<(Value<'c, 'a>, Vec<usize>)> {
    let definition = memory.defining_operation().filter(|operation| operation.full_name() == memref::COLLAPSE_SHAPE)?;
    let groups = attributes::as_array(definition.get("reassociation")?)?;
    let group = attributes::as_integers(*groups.get(dimension)?)?;
    let parts = group.into_iter().map(|part| usize::try_from(part).ok()).collect::<Option<_>>()?;
    Some((definition.operand(0).ok()?, parts))
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
