//! Operators on the bits of whole numbers.

use super::{Results, one};
use crate::element::ElementType;
use crate::node::Node;
use crate::translate::Translator;
use crate::translate::call::Call;
use crate::value::Tensor;

pub(super) fn translate(t: &mut Translator<'_>, node: &Node<'_>) -> Option<Results> {
    let result = match node.proto.op_type.as_str() {
        "BitShift" => shift(t, node),
        "BitwiseAnd" => bitwise(t, node, "AND"),
        "BitwiseOr" => bitwise(t, node, "OR"),
        "BitwiseXor" => bitwise(t, node, "XOR"),
        "BitwiseNot" => not(t, node),
        _ => return None,
    };
    one(result)
}

/// Bits and sign of an operand.
fn integers(tensor: &Tensor) -> Result<(i64, bool), String> {
    let bits = tensor.element.integers();
    let bits =
        bits.ok_or_else(|| format!("its operand is of {}s, where whole numbers are expected", tensor.element.name()))?;
    Ok((bits.0.into(), bits.1))
}

fn shift(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    let (bits, is_signed) = integers(&left)?;
    let direction = node.string_or("direction", "")?;
    let shape = super::elementwise::broadcast(&left.shape, &right.shape)?;
    match direction.as_str() {
        "LEFT" => {
            let call = t.call("onnx.shift_left").int("bits", bits);
            let result = call.on(&left).on(&right).gives(left.element, shape);
            Ok(t.wrapped(result))
        }
        "RIGHT" => {
            let call = t.call("onnx.shift_right").int("bits", bits).flag("signed", is_signed);
            Ok(call.on(&left).on(&right).gives(left.element, shape))
        }
        other => Err(format!("its `direction` is `{other}`, where LEFT or RIGHT is expected")),
    }
}

fn bitwise(t: &mut Translator<'_>, node: &Node<'_>, kind: &str) -> Result<Tensor, String> {
    let (left, right) = (node.input(0)?.clone(), node.input(1)?.clone());
    let (bits, is_signed) = integers(&left)?;
    // The highest of 64 bits is that of the sign here, whatever the type.
    let has_sign = is_signed || left.element == ElementType::Uint64;
    let shape = super::elementwise::broadcast(&left.shape, &right.shape)?;
    let call: Call<'_, '_> = t.call("onnx.bitwise").word("kind", kind);
    let call = call.int("bits", if has_sign { bits - 1 } else { bits });
    Ok(call.on(&left).on(&right).gives(left.element, shape))
}

fn not(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let tensor = node.input(0)?.clone();
    let (bits, is_signed) = integers(&tensor)?;
    let most = if is_signed || bits == 64 { -1 } else { (1 << bits) - 1 };
    let most = Tensor { element: tensor.element, ..Tensor::int(most) };
    t.binary("math.sub", &most, &tensor)
}
