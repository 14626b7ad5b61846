//! Integers and exponents that are known, but stand in tensors: bodies that read one for all elements have it as a constant. So do divisors
//! where no instruction divides.

use crate::Error;
use crate::target::Target;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Expr;
use skriptnd_mlir::ir::{
    Attribute, Builder, OperationRef, Value, attributes, block_arguments, operations_named, types,
};
use skriptnd_mlir::ops::{arith, linalg, math, tensor};

/// Gives the bodies of a function's structured operations constants in place of elements. Returns how many.
pub fn inline_numbers<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let mut count = 0;
    for structured in operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read) {
        for (place, argument) in block_arguments(structured.body).take(structured.inputs.len()).enumerate() {
            let is_one = structured.maps[place].results.iter().all(|expr| *expr == Expr::Const(0));
            let known = number(structured.inputs[place]).filter(|_| is_one && argument.is_used());
            let is_divisor = || target.is_hexagon() && is_only(argument, arith::DIVF);
            let is_taken =
                |_: &Attribute<'c>| argument.r#type().is_integer() || is_only(argument, math::POWF) || is_divisor();
            let Some(known) = known.filter(is_taken) else { continue };
            let constant = Builder::before(structured.operation)?.constant(known, argument.r#type())?;
            for (reader, operand) in argument.uses() {
                reader.set_operand(operand, constant)?;
            }
            count += 1;
        }
    }
    Ok(count)
}

/// Whether a real is read as the second operand of an operation only, such as an exponent: for some, powers are products. Kernels are the
/// same for all others.
fn is_only(argument: Value<'_, '_>, name: &str) -> bool {
    argument.uses().iter().all(|(reader, operand)| reader.full_name() == name && *operand == 1)
}

/// The only element of a tensor of integers of 64 bits or of reals, if it is known.
fn number<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Option<Attribute<'c>> {
    let element = types::element(value.r#type());
    let is_tensor = value.r#type().is_ranked_tensor() && (types::is_integer(element, 64) || element.is_float());
    let mut at = 0;
    loop {
        let made = value.defining_operation().filter(|_| is_tensor)?;
        match made.full_name() {
            arith::CONSTANT => {
                let numbers = made.get("value")?;
                let one = || attributes::as_whole_numbers(numbers)?.get(usize::try_from(at).ok()?).copied();
                let one = || attributes::typed_integer(element, one()?);
                return attributes::as_splat(numbers).or_else(one);
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
