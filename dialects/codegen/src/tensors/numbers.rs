//! Integers that are known, but stand in tensors: bodies that read one for all elements have it as a constant.

use crate::Error;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Expr;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, block_arguments, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};

/// Gives the bodies of a function's structured operations constants in place of elements. Returns how many.
pub fn inline_numbers<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut count = 0;
    for structured in operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read) {
        for (place, argument) in block_arguments(structured.body).take(structured.inputs.len()).enumerate() {
            let is_one = structured.maps[place].results.iter().all(|expr| *expr == Expr::Const(0));
            let number = number(structured.inputs[place]).filter(|_| is_one && argument.is_used());
            let Some(number) = number else { continue };
            let constant = Builder::before(structured.operation)?.integer(argument.r#type(), number)?;
            for (reader, operand) in argument.uses() {
                reader.set_operand(operand, constant)?;
            }
            count += 1;
        }
    }
    Ok(count)
}

/// The only element of a tensor of integers, if it is known.
fn number<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Option<i64> {
    let is_tensor = value.r#type().is_ranked_tensor() && types::is_integer(types::element(value.r#type()), 64);
    let mut at = 0;
    loop {
        let made = value.defining_operation().filter(|_| is_tensor)?;
        match made.full_name() {
            arith::CONSTANT => {
                let numbers = made.get("value")?;
                let splat = attributes::as_splat(numbers).and_then(attributes::as_integer);
                return splat
                    .or_else(|| attributes::as_whole_numbers(numbers)?.get(usize::try_from(at).ok()?).copied());
            }
            tensor::COLLAPSE_SHAPE | tensor::EXPAND_SHAPE => {}
            // One of a vector.
            tensor::EXTRACT_SLICE => match made.get_integers("static_offsets")?[..] {
                [offset] if offset >= 0 && at == 0 => at = offset,
                _ => return None,
            },
            _ => return None,
        }
        value = made.operand(0).ok()?;
    }
}
