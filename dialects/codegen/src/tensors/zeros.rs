//! Integers less what stands for 0 among them, where only a run knows that: products multiply the integers as they are, bytes mostly,
//! and have the number times the sums of their weights taken from them. `sum (q - z) w` is `sum q w - z sum w`.

use super::moves::Moved;
use super::operations::{copy_values, open_extents};
use super::roles::{Roles, is_fixed};
use super::scales::has_atom;
use super::windows::{Term, Times, Windows, extended, with_terms};
use crate::Error;
use crate::nest::element::{Element, Number};
use crate::target::Target;
use crate::values::range::Ranges;
use crate::values::ranges;
use crate::views::elements;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_arguments, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};
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
    structured: Structured<'c, 'a>,
    /// What the body takes the number from.
    whole: Value<'c, 'a>,
    number: Number,
    /// The number, or a tensor with it alone.
    zero: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Difference<'c, 'a> {
    fn of(value: Value<'c, 'a>, ranges: &Ranges) -> Option<Self> {
        let moved = Moved::of(value);
        let (structured, result) = computed(moved.source, ranges)?;
        let difference = result.defining_operation()?;
        if moved.pads() || difference.full_name() != arith::SUBI {
            return None;
        }
        let (whole, zero) = (difference.operand(0).ok()?, difference.operand(1).ok()?);
        let range = ranges.get(whole);
        let bytes = [(Number::Unsigned(8), 0.0, 255.0), (Number::Signed(8), -128.0, 127.0)];
        let (number, ..) = bytes.into_iter().find(|(_, least, most)| range.is_in(*least, *most))?;
        let zero = resized(zero, ranges);
        let place = block_arguments(structured.body).position(|argument| argument.key() == zero.key())?;
        let is_one = structured.maps[place].results.is_empty();
        let zero = *structured.inputs.get(place).filter(|_| is_one)?;
        Some(Difference { moved, structured, whole, number, zero })
    }

    /// The integers as bytes, where the differences were.
    fn bytes(&self) -> Result<Value<'c, 'a>, Error> {
        let builder = Builder::before(self.structured.operation)?;
        let element = elements::r#type(builder.context(), self.number.element())?;
        let source = self.moved.source;
        let kind = types::tensor(element, &types::shape(source.r#type()).unwrap_or_default());
        let kind = kind.ok_or_else(|| Error::malformed("no tensor of bytes"))?;
        let empty = tensor::empty(&builder, kind, &open_extents(&builder, source)?)?;
        let Structured { inputs, maps, reduced, body, .. } = &self.structured;
        let made = linalg::generic(&builder, inputs, &[empty], maps, reduced)?;
        let known = block_arguments(*body).map(|argument| argument.key()).zip(made.arguments.clone());
        let whole = copy_values(*body, &made.builder, known.collect(), &[self.whole])?[0];
        linalg::r#yield(&made.builder, &[arith::trunci(&made.builder, whole, element)?])?;
        self.moved.again(made.operation.result(0)?, 0)
    }
}

/// What computes the elements of a tensor one by one, and its result before that got other bits.
fn computed<'c: 'a, 'a>(mut tensor: Value<'c, 'a>, ranges: &Ranges) -> Option<(Structured<'c, 'a>, Value<'c, 'a>)> {
    loop {
        let structured = tensor.defining_operation().and_then(Structured::read)?;
        let identity = Map::identity(structured.extents.len());
        let result = resized(structured.body.terminator()?.operand(0).ok()?, ranges);
        if !structured.is_parallel() || *structured.output_map()? != identity {
            return None;
        }
        let Some(place) = block_arguments(structured.body).position(|argument| argument.key() == result.key()) else {
            return Some((structured, result));
        };
        tensor = *structured.inputs.get(place).filter(|_| structured.maps[place] == identity)?;
    }
}

/// An integer before it got other bits, none of which was lost.
fn resized<'c: 'a, 'a>(mut value: Value<'c, 'a>, ranges: &Ranges) -> Value<'c, 'a> {
    while let Some(made) = value.defining_operation() {
        let Ok(before) = made.operand(0) else { break };
        let is_kept = match made.full_name() {
            arith::EXTSI => true,
            arith::TRUNCI => ranges.get(before) == ranges.get(value),
            _ => false,
        };
        if !is_kept {
            break;
        }
        value = before;
    }
    value
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
