//! Which loops LLVM's pipeliner may take: iterations that overlap fill packets, but keep more values. Where sums are carried in as many
//! registers as there are, values would go to memory.

use crate::Error;
use skriptnd_mlir::ir::{OperationRef, attributes, operations_named, walk};
use skriptnd_mlir::ops::scf;

/// What leaves a loop as it is, in LLVM's dialect: the attribute of its branch back.
const AS_IT_IS: &str = "#llvm.loop_annotation<pipeline = #llvm.loop_pipeline<disable = true>>";

/// Accesses of an iteration to memory, at most: the pipeliner looks for all circles of what may be the same memory, which takes seconds
/// where there are many.
const MOST_ACCESSES: usize = 24;
/// Those of a vector that is looked up in a table.
const LOOKUP: usize = 4;

/// Notes at the loops of a function that are no innermost ones of vectors, carry values, or are long, that their iterations don't overlap.
pub fn keep_apart<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<(), Error> {
    let annotation = attributes::parse(function.context(), AS_IT_IS);
    let annotation = annotation.ok_or_else(|| Error::malformed("no attribute for loops"))?;
    for inside in operations_named(function, scf::FOR) {
        if !may_overlap(inside) {
            inside.set("loop_annotation", annotation);
        }
    }
    Ok(())
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
