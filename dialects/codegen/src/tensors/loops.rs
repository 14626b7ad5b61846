//! Loops over tensors keep what they carry in one buffer each, where each iteration computes the next value anew: it is
//! copied into the value that the iteration began with, or better computed there, which bufferization finds out. What is
//! carried in another way, such as in turn, gets its buffers later (`crate::buffers::carried`).

use crate::Error;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_arguments, types, walk};
use skriptnd_mlir::ops::{bufferization, linalg, scf, tensor};

/// Inserts the copies in all loops of a function. Returns their number.
pub fn carry_in_place<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut copies = 0;
    for terminator in walk(function) {
        let Some(carried) = carried(terminator) else { continue };
        // A copy would overwrite what another one still has to read.
        if !carried.iter().all(|carried| carried.stays() || carried.is_computed()) {
            continue;
        }
        for (index, carried) in carried.iter().enumerate().filter(|(_, carried)| !carried.stays()) {
            let Carried { value, argument } = *carried;
            let copied = bufferization::materialize_in_destination(&Builder::before(terminator)?, value, argument)?;
            terminator.set_operand(index, copied)?;
            copies += 1;
        }
    }
    Ok(copies)
}

/// What a loop carries: the next value, and what it is called in the block that computes it.
struct Carried<'c, 'a> {
    value: Value<'c, 'a>,
    argument: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Carried<'c, 'a> {
    /// Whether the value has the argument's buffer anyway, or is no tensor.
    fn stays(&self) -> bool {
        !types::is_ranked_tensor(self.value.r#type()) || destination(self.value).key() == self.argument.key()
    }

    /// Whether the value is computed into a tensor that is empty before.
    fn is_computed(&self) -> bool {
        let origin = destination(self.value).defining_operation();
        self.value.r#type() == self.argument.r#type()
            && origin.is_some_and(|origin| origin.full_name() == linalg::GENERIC)
    }
}

/// The tensor in whose buffer a value is made, as far as operations name it: they insert into a destination.
fn destination<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut value = value;
    while let Some(definition) = value.defining_operation() {
        let number = definition.result_values().iter().position(|result| result.key() == value.key());
        let operand = match (definition.full_name(), number) {
            (tensor::INSERT | tensor::INSERT_SLICE, _) => 1,
            (scf::FOR, Some(number)) => 3 + number,
            _ => break,
        };
        match definition.operand(operand) {
            Ok(into) => value = into,
            Err(_) => break,
        }
    }
    value
}

/// What the terminator of a counted loop's block carries, by its operands.
fn carried<'c: 'a, 'a>(terminator: OperationRef<'c, 'a>) -> Option<Vec<Carried<'c, 'a>>> {
    let parent = terminator.parent_operation()?;
    if (terminator.full_name(), parent.full_name()) != (scf::YIELD, scf::FOR) {
        return None;
    }
    let arguments = block_arguments(terminator.block()?).skip(1);
    Some(terminator.operands().zip(arguments).map(|(value, argument)| Carried { value, argument }).collect())
}
