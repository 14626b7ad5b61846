//! Loops over tensors keep each carried value in one buffer: what an iteration computes is copied into the value that it
//! began with. Without that, bufferization would allocate in every iteration.

use super::operations::{self, set_operand};
use crate::Error;
use skriptnd_mlir::ir::{
    BlockLike, OperationExt, OperationLike, OperationRef, Value, ValueExt, ValueLike, types, walk,
};

/// Inserts the copies in all loops of a function. Returns their number.
pub fn carry_in_place<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut copies = 0;
    for terminator in walk(function) {
        let Some((operands, arguments)) = carried(terminator) else { continue };
        for index in operands..terminator.operand_count() {
            let value = terminator.operand(index).map_err(skriptnd_mlir::Error::from)?;
            let block = terminator.block().ok_or_else(|| Error::malformed("a terminator outside of a block"))?;
            let Ok(argument) = block.argument(index - operands + arguments) else { continue };
            let argument = Value::from(argument);
            let tensor = types::is_ranked_tensor(value.r#type()) && value.r#type() == argument.r#type();
            if !tensor || destination(value).key() == argument.key() {
                continue;
            }
            let into = "bufferization.materialize_in_destination";
            let copied = operations::value(terminator, into, &[value, argument], value.r#type(), &[])?;
            set_operand(terminator, index, copied);
            copies += 1;
        }
    }
    Ok(copies)
}

/// The tensor in whose buffer a value is made, as far as operations name it: they insert into a destination.
fn destination<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut value = value;
    while let Some(definition) = value.defining_operation() {
        let number = definition.result_values().iter().position(|result| result.key() == value.key());
        let operand = match (definition.full_name(), number) {
            ("tensor.insert" | "tensor.insert_slice", _) => 1,
            ("scf.for", Some(number)) => 3 + number,
            _ => break,
        };
        match definition.operand(operand) {
            Ok(into) => value = into,
            Err(_) => break,
        }
    }
    value
}

/// For the terminator of a loop's block, the first operand that is carried and the block's argument that it belongs to.
fn carried(terminator: OperationRef<'_, '_>) -> Option<(usize, usize)> {
    let parent = terminator.parent_operation()?;
    match (terminator.full_name(), parent.full_name()) {
        ("scf.yield", "scf.for") => Some((0, 1)),
        ("scf.yield", "scf.while") => Some((0, 0)),
        ("scf.condition", "scf.while") => Some((1, 0)),
        _ => None,
    }
}
