//! Which loops LLVM's pipeliner may take: iterations that overlap fill packets, but keep more values. Where sums are carried in as many
//! registers as there are, values would go to memory.

use super::values::constant_index;
use crate::{Error, Target};
use skriptnd_mlir::ir::{OperationRef, attributes, operations_named, types, walk};
use skriptnd_mlir::ops::{math, memref, scf};
use std::ops::RangeInclusive;

/// What leaves a loop as it is, in LLVM's dialect: the attribute of its branch back.
const AS_IT_IS: &str = "#llvm.loop_annotation<pipeline = #llvm.loop_pipeline<disable = true>>";
/// What makes two iterations one.
const TWICE: &str = "#llvm.loop_annotation<unroll = #llvm.loop_unroll<count = 2 : i32>>";

/// Sums to which a loop adds single products: fewer wait for each other, more leave no registers for iterations that overlap.
const SUMS: RangeInclusive<usize> = 4..=16;
/// Accesses of an iteration to memory, at most: the pipeliner looks for all circles of what may be the same memory, which takes seconds
/// where there are many.
const MOST_ACCESSES: usize = 24;
/// Those of a vector that is looked up in a table.
const LOOKUP: usize = 4;

/// Notes at the loops of a function that are no innermost ones of vectors, carry values, or are long, that their iterations don't overlap.
/// Those on Hexagon that add single products do, two as one, so that each packet has two products: of an odd number LLVM would leave in the middle,
/// and they do one by one.
pub fn keep_apart<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    let parse = |text: &str| {
        attributes::parse(function.context(), text).ok_or_else(|| Error::malformed("no attribute for loops"))
    };
    let (as_it_is, twice) = (parse(AS_IT_IS)?, parse(TWICE)?);
    let is_hexagon = Target::noted(function).is_hexagon();
    for inside in operations_named(function, scf::FOR) {
        let annotation = match is_hexagon && adds_products(inside) {
            true => (!is_odd(inside)).then_some(twice),
            false => (!may_overlap(inside)).then_some(as_it_is),
        };
        if let Some(annotation) = annotation {
            inside.set("loop_annotation", annotation);
        }
    }
    Ok(())
}

/// Whether an innermost loop adds a product of two reals to each of a few sums, and does nothing else.
fn adds_products(inside: OperationRef<'_, '_>) -> bool {
    let within = walk(inside);
    let count = |name: &str| within.iter().filter(|operation| operation.full_name() == name).count();
    let are_reals = inside.results().all(|result| result.r#type() == types::f32(inside.context()));
    let sums = inside.result_count();
    SUMS.contains(&sums)
        && are_reals
        && within.iter().skip(1).all(|operation| operation.region_count() == 0)
        && count(math::FMA) == sums
        && 2 * count(memref::LOAD) <= MOST_ACCESSES
        && count(memref::STORE) == 0
}

/// Whether a loop is known to have an odd number of iterations.
fn is_odd(inside: OperationRef<'_, '_>) -> bool {
    let known = |number: usize| inside.operand(number).ok().and_then(constant_index);
    let range = known(0).zip(known(1)).zip(known(2));
    range.is_some_and(|((begin, end), step)| (end - begin + step - 1) / step.max(1) % 2 != 0)
}

fn may_overlap(inside: OperationRef<'_, '_>) -> bool {
    let has_vectors =
        |operation: &OperationRef<'_, '_>| operation.operands().any(|operand| operand.r#type().is_vector());
    let within = walk(inside);
    let is_innermost = within.iter().skip(1).all(|operation| operation.region_count() == 0);
    let is_short = || within.iter().map(accesses).sum::<usize>() <= MOST_ACCESSES;
    inside.result_count() == 0 && is_innermost && within.iter().any(has_vectors) && is_short()
}

fn accesses(operation: &OperationRef<'_, '_>) -> usize {
    match operation.full_name() {
        "vector.load" | "vector.store" | "vector.maskedload" | "vector.maskedstore" => 1,
        "vector.gather" => LOOKUP,
        _ => 0,
    }
}
