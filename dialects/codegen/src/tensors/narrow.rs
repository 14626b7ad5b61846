//! Products of tensors that are stored in a narrow form are computed in that form: what extends their elements goes behind
//! padding and reshaping, and into the products, where the target may have an atom for them.

use super::extended::{Extended, extension};
use super::operations::open_extents;
use super::roles::Roles;
use super::sunk::sink_extensions;
use crate::Error;
use crate::nest::atom::Atom;
use crate::nest::element::Number;
use crate::target::Target;
use crate::values::range::Ranges;
use crate::values::{most_terms, ranges};
use crate::views::constants::is_zero;
use crate::views::structured::{Contraction, Structured, copy};
use skriptnd_mlir::ir::affine::Map;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, block_operations, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Lets the products in a function work on narrow elements. Returns how many do.
pub fn multiply_narrow<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    sink_extensions(function)?;
    let ranges = ranges(function);
    let read = |operation| Structured::read(operation).and_then(Product::of);
    let exact = |operation| read(operation).map(|product| (operation, product.is_exact(&ranges)));
    // Ranges are asked for before anything changes.
    let products: Vec<_> = operations_named(function, linalg::GENERIC).into_iter().filter_map(exact).collect();
    let mut narrowed = 0;
    for (operation, is_exact) in products {
        let Some(product) = read(operation) else { continue };
        narrowed += usize::from(product.narrow(target, is_exact)?);
    }
    // What nobody reads in its wide form any more would hold layouts.
    for operation in operations_named(function, linalg::GENERIC).into_iter().rev() {
        let results = operation.result_values();
        if results.iter().all(|result| !result.is_used() && Extended::of(*result).is_some()) && !results.is_empty() {
            with_rewriter(operation, |rewriter| rewriter.erase(operation))?;
        }
    }
    Ok(narrowed)
}

/// Features of processors that extend floating-point numbers of 16 bits by an instruction.
const HALVES: [&str; 4] = ["f16c", "avx512f", "neon", "zvfhmin"];

/// Whether all that a pad adds is zero.
pub(super) fn pads_with_zeros(pad: OperationRef<'_, '_>) -> bool {
    let zero = || Some(is_zero(pad.region(0).ok()?.first_block()?.terminator()?.operand(0).ok()?));
    zero().unwrap_or(false)
}

/// A contraction of two extended tensors, or of one if its elements are real.
struct Product<'c, 'a> {
    structured: Structured<'c, 'a>,
    contraction: Contraction,
    factors: [Option<Extended<'c, 'a>>; 2],
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    fn of(structured: Structured<'c, 'a>) -> Option<Self> {
        let contraction = structured.contraction()?;
        let wide = |(_, number): &(usize, Number)| number.element() == contraction.sum;
        let apart = contraction.factors[0].0 != contraction.factors[1].0;
        let alone = structured.inputs.len() == 2 && structured.operation.result_count() == 1;
        if !alone || !apart || !contraction.factors.iter().all(wide) {
            return None;
        }
        let factors = contraction.factors.map(|(input, _)| Extended::of(structured.inputs[input]));
        Some(Product { structured, contraction, factors })
    }

    fn narrow(&self, target: &Target, is_exact: bool) -> Result<bool, Error> {
        match self.factors {
            [None, None] => Ok(false),
            [Some(left), Some(right)] if is_exact => self.with_integers([left, right]),
            _ if self.is_worth_extending(target) => self.with_reals(),
            _ => Ok(false),
        }
    }

    /// Whether it is better to extend real elements whenever they are multiplied than once: where an atom multiplies them
    /// as they are, or each is used once, and extending them is an instruction.
    fn is_worth_extending(&self, target: &Target) -> bool {
        let numbers: Vec<_> = self.factors.iter().flatten().map(|factor| factor.number).collect();
        let extends = |number: &Number| match number {
            Number::BFloat => true,
            Number::Real(16) => HALVES.iter().any(|feature| target.has(feature)),
            _ => false,
        };
        let has_atom = || match numbers[..] {
            [left, right] => Atom::best(target, [left, right], self.contraction.sum).is_some(),
            _ => false,
        };
        let is_used_once = || Roles::of(&self.structured).is_some_and(|roles| roles.reuse <= 1);
        numbers.iter().all(extends) && (has_atom() || is_used_once())
    }

    /// Whether no sum can leave the range of 32 bits.
    fn is_exact(&self, ranges: &Ranges) -> bool {
        let [left, right] = self.factors.map(|factor| factor.and_then(|factor| factor.largest(ranges)));
        let product = left.zip(right).and_then(|(left, right)| left.checked_mul(right));
        let sum =
            product.zip(most_terms(ranges, &self.structured)).and_then(|(product, terms)| product.checked_mul(terms));
        sum.is_some_and(|sum| sum <= i64::from(i32::MAX))
    }

    /// The sum of products on other inputs.
    fn multiplied(
        &self,
        builder: &Builder<'c, 'a>,
        sums: Value<'c, 'a>,
        names: [&str; 2],
        extend: impl Fn(&Extended<'c, 'a>) -> &'static str,
    ) -> Result<Value<'c, 'a>, Error> {
        let Structured { maps, reduced, inputs, .. } = &self.structured;
        let mut inputs = inputs.clone();
        for (factor, (number, _)) in self.factors.iter().zip(self.contraction.factors) {
            inputs[number] = factor.map_or(inputs[number], |factor| factor.source);
        }
        let body = linalg::generic(builder, &inputs, &[sums], maps, reduced)?;
        let element = types::element(sums.r#type());
        let mut factors = Vec::new();
        for (factor, (number, _)) in self.factors.iter().zip(self.contraction.factors) {
            let argument = body.arguments[number];
            factors.push(match factor {
                Some(factor) => body.builder.value(extend(factor), &[argument], &[], element)?,
                None => argument,
            });
        }
        let product = body.builder.value(names[0], &factors, &[], element)?;
        let sum = body.builder.value(names[1], &[body.arguments[2], product], &[], element)?;
        linalg::r#yield(&body.builder, &[sum])?;
        Ok(body.operation.result(0)?)
    }

    /// Real elements are extended where they are multiplied.
    fn with_reals(&self) -> Result<bool, Error> {
        let operation = self.structured.operation;
        let builder = Builder::before(operation)?;
        let sums =
            self.multiplied(&builder, self.structured.outputs[0], [arith::MULF, arith::ADDF], |_| arith::EXTF)?;
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &[sums]))?;
        Ok(true)
    }

    /// Integers are added in 32 bits; what the sum begins with is added behind.
    fn with_integers(&self, factors: [Extended<'c, 'a>; 2]) -> Result<bool, Error> {
        let operation = self.structured.operation;
        let builder = Builder::before(operation)?;
        let output = self.structured.outputs[0];
        let word = types::integer(builder.context(), 32);
        let shape = types::shape(output.r#type()).unwrap_or_default();
        let Some(kind) = types::tensor(word, &shape) else { return Ok(false) };
        let zeros = filled(&builder, (kind, output), builder.integer(word, 0)?)?;
        let sums = self.multiplied(&builder, zeros, [arith::MULI, arith::ADDI], |factor| extension(factor.number))?;
        let is_real = factors[0].extension.ends_with("fp");
        let names = if is_real { [arith::SITOFP, arith::ADDF] } else { [arith::EXTSI, arith::ADDI] };
        let result = added(&builder, sums, output, names)?;
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &[result]))?;
        Ok(true)
    }
}

/// Sums in 32 bits, extended, and what they begin with: what that is a broadcast of, so that it need not be in memory.
fn added<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    sums: Value<'c, 'a>,
    start: Value<'c, 'a>,
    [extend, add]: [&str; 2],
) -> Result<Value<'c, 'a>, Error> {
    let rank = types::rank(start.r#type()).unwrap_or(0);
    let (source, map) = broadcast(start).unwrap_or((start, Map::identity(rank)));
    let empty = tensor::empty(builder, start.r#type(), &open_extents(builder, start)?)?;
    let maps = [Map::identity(rank), map, Map::identity(rank)];
    let body = linalg::generic(builder, &[sums, source], &[empty], &maps, &vec![false; rank])?;
    let element = types::element(start.r#type());
    let wide = body.builder.value(extend, &[body.arguments[0]], &[], element)?;
    let sum = match is_zero(source) {
        true => wide,
        false => body.builder.value(add, &[body.arguments[1], wide], &[], element)?,
    };
    linalg::r#yield(&body.builder, &[sum])?;
    Ok(body.operation.result(0)?)
}

/// A tensor of one value, as large as another one.
pub(super) fn filled<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    (kind, like): (Type<'c>, Value<'c, 'a>),
    value: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let rank = types::rank(kind).unwrap_or(0);
    let empty = tensor::empty(builder, kind, &open_extents(builder, like)?)?;
    let scalar = Map { dims: rank, results: Vec::new() };
    Ok(copy(*builder, (value, &scalar), (empty, &Map::identity(rank)))?.result(0)?)
}

/// What a tensor is a broadcast of, by which map.
pub(super) fn broadcast<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(Value<'c, 'a>, Map)> {
    let structured = value.defining_operation().and_then(Structured::read)?;
    let copies = block_operations(structured.body).count() == 1
        && structured.body.terminator()?.operand(0).ok()?.as_argument()?.1 == 0;
    let plain = structured.inputs.len() == 1 && structured.is_parallel();
    let identity = *structured.output_map()? == Map::identity(structured.extents.len());
    (copies && plain && identity).then(|| (structured.inputs[0], structured.maps[0].clone()))
}
