//! What upstream's C++ says of the operations of `shape`.

use skriptnd_ods::mlir::Failure;
use skriptnd_ods::mlir::dialect::InferenceInput;
use skriptnd_ods::mlir::ir::{OperationRef, Type};
use skriptnd_ods::predicate;

use crate::support::{is, is_one_of, parsed};

const SIZE: &str = "!xshape.size";
const SHAPE: &str = "!xshape.shape";

/// `size` where an operand has the type that can be an error, and `index` otherwise.
pub fn size_of<'c>(input: &InferenceInput<'c, '_>, erroneous: &str) -> Result<Vec<Type<'c>>, Failure> {
    let is_error = input.operand_types().iter().any(|found| is(*found, erroneous));
    parsed(input.context, if is_error { SIZE } else { "index" }).map(|found| vec![found])
}

/// The type that both operands have, or `size`.
pub fn common<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    match input.operand_types().as_slice() {
        [left, right] if left == right => Ok(vec![*left]),
        _ => parsed(input.context, SIZE).map(|found| vec![found]),
    }
}

/// The extents of a constant.
pub fn constant<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    let extents = input.attribute("shape").map_or(0, predicate::size);
    parsed(input.context, &format!("tensor<{extents}xindex>")).map(|found| vec![found])
}

/// The extents of a value with a shape.
pub fn shape_of<'c>(input: &InferenceInput<'c, '_>) -> Result<Vec<Type<'c>>, Failure> {
    let text = match input.operand_types().first() {
        Some(found) if is(*found, "!xshape.value_shape") => SHAPE.to_string(),
        Some(found) if predicate::has_rank(*found) => format!("tensor<{}xindex>", predicate::get_rank(*found)),
        _ => "tensor<?xindex>".to_string(),
    };
    parsed(input.context, &text).map(|found| vec![found])
}

/// Whether it is one number of extents.
pub fn are_sizes(found: &[Type<'_>]) -> bool {
    is_one_of(found, &[SIZE, "index"])
}

/// Whether both are one of a type.
pub fn are_both(left: &[Type<'_>], right: &[Type<'_>], text: &str) -> bool {
    is_one_of(left, &[text]) && is_one_of(right, &[text])
}

/// Whether shapes agree: a `shape` may be any, and extents that are open agree with all.
pub fn are_shapes(left: &[Type<'_>], right: &[Type<'_>]) -> bool {
    let ([left], [right]) = (left, right) else { return false };
    if is(*left, SHAPE) || is(*right, SHAPE) {
        return true;
    }
    let (left, right) = (predicate::get_shape(*left), predicate::get_shape(*right));
    left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| left == right || *left < 0 || *right < 0)
}

/// An operand that can be an error makes the result one that can be.
pub fn propagates_errors(operation: OperationRef<'_, '_>) -> Result<(), Failure> {
    let operands = operation.operand_types();
    let results = operation.result_types();
    let any = |types: &[Type<'_>], names: &[&str]| types.iter().any(|found| names.iter().any(|name| is(*found, name)));
    let can_fail = any(&operands, &[SIZE, SHAPE, "!xshape.value_shape"]);
    match can_fail && !any(&results, &[SIZE, SHAPE]) {
        true => Err(Failure::new(
            "if at least one of the operands can hold error values then the result must be of type `size` to propagate them",
        )),
        false => Ok(()),
    }
}
