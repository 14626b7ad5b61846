//! What extents that only a run knows are taken for where sizes are compared: what follows from those that inputs usually have. So each
//! layer of a network gets schedules for the sizes that images have there.

use super::constants;
use super::extents::{of, sources};
use super::made::Origin;
use super::symbols::{self, Marks, Source};
use crate::nest::space::TYPICAL;
use skriptnd_mlir::ir::{OperationRef, Value, types};
use skriptnd_mlir::ops::{Size, arith, memref, tensor};

/// Rows and columns of an image.
const IMAGE: i64 = 224;
/// Dimensions of a tensor of images before its rows.
const BEFORE: i64 = 2;
/// Dimensions of a tensor of images at least, and how many images there are.
const OF_IMAGES: usize = 4;
const FEW: i64 = 4;
/// The least that is taken: what is open is no dimension of one element.
const LEAST: i64 = 2;
/// Operations that are looked at for one extent.
const MOST: u32 = 100;

/// The extent of a tensor or memref, or what it is taken for.
pub fn extent(value: Value<'_, '_>, dimension: usize) -> i64 {
    let known = types::shape(value.r#type()).and_then(|shape| shape.get(dimension).copied().flatten());
    match known {
        Some(known) => i64::try_from(known).unwrap_or(i64::MAX),
        None => Guess { left: MOST }.extent(value, dimension).unwrap_or(TYPICAL).max(LEAST),
    }
}

/// One answer, which looks at so many more operations.
struct Guess {
    left: u32,
}

impl Guess {
    fn extent<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>, dimension: usize) -> Option<i64> {
        self.left = self.left.checked_sub(1)?;
        let shape = types::shape(value.r#type())?;
        if let Some(known) = shape.get(dimension).copied()? {
            return i64::try_from(known).ok();
        }
        if value.r#type().is_mem_ref() {
            return match of(value, dimension) {
                Some(product) => product
                    .values
                    .into_iter()
                    .try_fold(product.factor, |so_far, factor| so_far.checked_mul(self.number(factor)?)),
                None => self.extent(sources(value)?.first().copied()?, dimension),
            };
        }
        match Origin::of(value, dimension) {
            Origin::Given(given) => self.number(given),
            Origin::Tensor(tensor) => match tensor.defining_operation() {
                Some(made) => self.of_operation(made, dimension),
                None => argument(tensor, dimension),
            },
        }
    }

    /// The extent of a tensor that an operation gives.
    fn of_operation<'c: 'a, 'a>(&mut self, made: OperationRef<'c, 'a>, dimension: usize) -> Option<i64> {
        match made.full_name() {
            tensor::PAD => {
                let within = self.extent(made.operand(0).ok()?, dimension)?;
                let sizes = tensor::padding(made)?.map(|sizes| sizes.get(dimension).copied());
                sizes.into_iter().try_fold(within, |so_far, size| so_far.checked_add(self.size(size?)?))
            }
            tensor::INSERT_SLICE => self.extent(made.operand(1).ok()?, dimension),
            _ => None,
        }
    }

    fn size(&mut self, size: Size<'_, '_>) -> Option<i64> {
        match size {
            Size::Known(known) => Some(known),
            Size::Value(value) => self.number(value),
        }
    }

    /// What an integer is taken for.
    fn number<'c: 'a, 'a>(&mut self, value: Value<'c, 'a>) -> Option<i64> {
        self.left = self.left.checked_sub(1)?;
        let Some(made) = value.defining_operation() else { return symbol(value) };
        let name = made.full_name();
        if let Some(constant) = constants::integer(value) {
            return Some(constant);
        }
        if [tensor::DIM, memref::DIM].contains(&name) {
            let dimension = constants::integer(made.operand(1).ok()?)?;
            return self.extent(made.operand(0).ok()?, usize::try_from(dimension).ok()?);
        }
        let left = self.number(made.operand(0).ok()?)?;
        if name == arith::INDEX_CAST {
            return Some(left);
        }
        let right = self.number(made.operand(1).ok()?)?;
        match name {
            arith::ADDI => left.checked_add(right),
            arith::SUBI => left.checked_sub(right),
            arith::MULI => left.checked_mul(right),
            arith::SHRSI => left.checked_shr(u32::try_from(right).ok()?),
            arith::SHLI => left.checked_mul(1i64.checked_shl(u32::try_from(right).ok()?)?),
            arith::DIVSI => left.checked_div(right),
            arith::MAXSI => Some(left.max(right)),
            arith::MINSI => Some(left.min(right)),
            _ => None,
        }
    }
}

/// What an argument that is an extent of inputs is taken for.
fn symbol(value: Value<'_, '_>) -> Option<i64> {
    let marks = Marks::of(value)?;
    let Source { input, dimension, factor, offset } = marks.source()?;
    let rank = symbols::input(value, input).and_then(|input| input.shape()).map_or(0, |shape| shape.len());
    let usual = whole(dimension, rank).checked_sub(offset)?.checked_div(factor)?;
    Some(marks.bound().map_or(usual, |bound| usual.min(bound)))
}

/// What an extent of an argument is taken for.
fn argument(tensor: Value<'_, '_>, dimension: usize) -> Option<i64> {
    let marks = Marks::of(tensor)?;
    let (name, bound) = marks.extent(dimension)?;
    let whole = || Some(whole(i64::try_from(dimension).ok()?, marks.shape()?.len()));
    let usual = symbols::named(tensor, name).and_then(symbol).or_else(whole)?;
    Some(bound.map_or(usual, |bound| usual.min(bound)))
}

/// What a dimension of an input is taken for.
fn whole(dimension: i64, rank: usize) -> i64 {
    match dimension {
        BEFORE.. => IMAGE,
        0 if rank >= OF_IMAGES => FEW,
        _ => TYPICAL,
    }
}
