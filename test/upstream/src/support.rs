//! What hooks that are written by hand share.

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::SuccessorOperands;
use skriptnd_ods::mlir::ir::{Context, OperationRef, Type, types};
use skriptnd_ods::predicate;

/// These operands are what the block of a successor takes.
pub fn handed_on(forwarded: std::ops::Range<usize>) -> SuccessorOperands {
    SuccessorOperands { produced: 0, forwarded }
}

/// The type that a text names.
pub fn parsed<'c>(context: &'c Context, text: &str) -> Result<Type<'c>, Failure> {
    types::parse(context, text).ok_or_else(|| Failure::new(format!("'{text}' is no type")))
}

/// Whether a type is written so.
pub fn is(found: Type<'_>, text: &str) -> bool {
    found.to_string() == text
}

/// Whether there is one type, which is written in one of these ways.
pub fn is_one_of(found: &[Type<'_>], texts: &[&str]) -> bool {
    matches!(found, [single] if texts.iter().any(|text| is(*single, text)))
}

/// The type that a text names, which is there.
pub fn known<'c>(context: &'c Context, text: &str) -> Type<'c> {
    types::parse(context, text).unwrap_or_else(|| types::none(context))
}

/// As many indices behind an operand as it has dimensions.
pub fn has_indices(operation: OperationRef<'_, '_>, of: usize, first: usize) -> Result<(), Failure> {
    let Some(shaped) = operation.operand_types().get(of).copied() else { return Ok(()) };
    let count = operation.operand_count() - first;
    match predicate::has_rank(shaped) && predicate::get_rank(shaped) != count as i64 {
        true => Err(Failure::new("incorrect number of indices")),
        false => Ok(()),
    }
}

/// As many operands for the first result as it has open extents.
pub fn has_extents(operation: OperationRef<'_, '_>, count: usize) -> Result<(), Failure> {
    let Some(result) = operation.result_types().first().copied() else { return Ok(()) };
    let open = predicate::get_shape(result).into_iter().filter(|extent| *extent < 0).count();
    match open == count {
        true => Ok(()),
        false => Err(Failure::new(format!("incorrect number of dynamic sizes, has {count}, expected {open}"))),
    }
}

/// Tensors of one element type whose known extents agree.
pub fn are_castable_tensors(inputs: &[Type<'_>], outputs: &[Type<'_>]) -> bool {
    let ([input], [output]) = (inputs, outputs) else { return false };
    let ranked = predicate::has_rank(*input) && predicate::has_rank(*output);
    let (left, right) = (predicate::get_shape(*input), predicate::get_shape(*output));
    let agree = left.iter().zip(&right).all(|(left, right)| left == right || *left < 0 || *right < 0);
    predicate::element_type(*input) == predicate::element_type(*output)
        && (!ranked || left.len() == right.len() && agree)
}

/// Whether the operands are the elements of the first result.
pub fn are_elements(operation: OperationRef<'_, '_>) -> bool {
    let Some(result) = operation.result_types().first().copied() else { return false };
    let operands = operation.operand_types();
    operands.len() as i64 == predicate::get_num_elements(result)
        && operands.iter().all(|operand| *operand == predicate::element_type(result))
}
