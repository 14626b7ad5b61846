//! Integers less what stands for 0 among them, where only a run knows that: products multiply the integers as they are, bytes mostly,
//! and have the number times the sums of their weights taken from them. `sum (q - z) w` is `sum q w - z sum w`.

use super::encoded::Encoded;
use super::moves::Moved;
use super::roles::{Roles, is_fixed};
use super::scales::has_atom;
use super::windows::{Term, Times, Windows, extended, with_terms};
use crate::Error;
use crate::nest::element::{Element, Number};
use crate::target::Target;
use crate::values::range::Ranges;
use crate::values::ranges;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named};
use skriptnd_mlir::ops::{arith, linalg};
use skriptnd_mlir::rewrite::with_rewriter;

/// Takes such numbers out of the products of a function. Returns how many change.
pub fn take_out<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let ranges = ranges(function);
    let products = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let products: Vec<_> = products.filter_map(|structured| Product::of(structured, &ranges, target)).collect();
    for product in &products {
        product.replace()?;
    }
    Ok(products.len())
}

/// Integers less one that is the same for all.
struct Difference<'c, 'a> {
    moved: Moved<'c, 'a>,
    encoded: Encoded<'c, 'a>,
    /// What the body takes the number from.
    whole: Value<'c, 'a>,
    number: Number,
    /// The number, or a tensor with it alone.
    zero: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Difference<'c, 'a> {
    fn of(value: Value<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let moved = Moved::of(value);
        let encoded = Encoded::behind(moved.source, ranges).filter(|_| !moved.pads())?;
        let [whole, zero] = encoded.difference(ranges)?;
        let bytes = [Number::Unsigned(8), Number::Signed(8)];
        let number = bytes.into_iter().find(|number| ranges.get(whole).fits(*number))?;
        let (zero, _) =
            encoded.place(zero).filter(|(_, map)| map.results.is_empty() && zero.as_argument().is_some())?;
        Some(Difference { moved, encoded, whole, number, zero })
    }

    /// The integers as bytes, where the differences were.
    fn bytes(&self) -> Result<Value<'c, 'a>, Error> {
        self.moved.again(self.encoded.stored_of(self.whole, self.number)?, 0)
    }
}

/// A product of such integers and weights.
struct Product<'c, 'a> {
    structured: Structured<'c, 'a>,
    roles: Roles,
    difference: Difference<'c, 'a>,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    fn of(structured: Structured<'c, 'a>, ranges: &Ranges, target: &Target) -> Option<Self> {
        let roles = Roles::of(&structured).filter(|roles| roles.sum == Element::Integer(32) && !roles.depthwise)?;
        let filter = structured.inputs[roles.filter];
        let is_alone = structured.inputs.len() == 2 && structured.operation.result_count() == 1;
        let range = ranges.get(filter);
        if !is_alone || !is_fixed(filter) || range.most - range.least > 255.0 || roles.numbers[0] != Number::Signed(16)
        {
            return None;
        }
        let difference = Difference::of(structured.inputs[roles.input], ranges)?;
        let bytes = [difference.number, Number::Signed(8)];
        has_atom(bytes, target).then_some(Product { structured, roles, difference })
    }

    fn replace(&self) -> Result<(), Error> {
        let Product { structured, roles, difference } = self;
        let operation = structured.operation;
        let (bytes, builder) = (difference.bytes()?, Builder::before(operation)?);
        let mut inputs = structured.inputs.clone();
        inputs[roles.input] = bytes;
        let body = linalg::generic(&builder, &inputs, &structured.outputs, &structured.maps, &structured.reduced)?;
        let inside = &body.builder;
        let left = extended(inside, body.arguments[roles.input], difference.number)?;
        let right = extended(inside, body.arguments[roles.filter], roles.numbers[1])?;
        linalg::r#yield(inside, &[arith::addi(inside, body.arguments[2], arith::muli(inside, left, right)?)?])?;
        let windows = Windows::of(structured, roles.filter);
        let (sums, map) = windows.sums(&builder, structured.inputs[roles.filter], roles.numbers[1])?;
        let term = Term { sums, map, times: Times::Less(difference.zero) };
        let result = with_terms(&builder, body.operation.result(0)?, &[term])?;
        Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &[result]))?)
    }
}
