//! Weights that are whole numbers, of which an operator makes reals: elements of a quantized type, where their steps are known.

use super::builder::static_dims;
use crate::apply::{Channels, Encoding, OutputDef};
use crate::dialect::encoding::tensor_type;
use crate::generated::operations::{DequantizeOpBuilder, QuantizeOp, QuantizeOpBuilder};
use skriptnd_dialect::generated::discardable::StorageAttribute;
use skriptnd_dialect::generated::operations::{ConstantOp, VariableOp};
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes};

/// The operator: whole numbers, steps, and zero points where there are some.
const DEQUANTIZE: &str = "skriptnd.onnx.dequantize";

/// The encoding that reals have which an operator makes of a variable of whole numbers; none where its steps or zero points are no constants, or its
/// numbers are of no quantized type.
fn encoding_of(op: OperationRef<'_, '_>) -> Option<Encoding> {
    let operands: Vec<_> = op.operands().collect();
    let (whole, parameters) = operands.split_first().filter(|_| op.full_name() == DEQUANTIZE)?;
    let values = match StorageAttribute::get(VariableOp::new(whole.defining_operation()?)?.operation())? {
        "i8" => Encoding::of_integers(8, true, false),
        "u8" => Encoding::of_integers(8, false, false),
        "i16" => Encoding::of_integers(16, true, false),
        "u16" => Encoding::of_integers(16, false, false),
        _ => None,
    }?;
    let dims = static_dims(whole.r#type())?;
    let (axis, steps) = along(*parameters.first()?, &dims, attributes::as_floats)?;
    let (zero_axis, zeros) = match parameters.get(1) {
        Some(zeros) => along(*zeros, &dims, attributes::as_whole_numbers)?,
        None => (None, vec![0]),
    };
    let zeros = zeros.into_iter().map(i32::try_from).collect::<Result<Vec<_>, _>>().ok()?;
    match (axis, zero_axis) {
        (None, None) => Some(values.with_step(*zeros.first()?, *steps.first()?)),
        (Some(axis), other) if other.is_none_or(|other| other == axis) => {
            let each = zeros.into_iter().cycle().zip(steps).collect();
            Some(values.with_channels(Channels { axis, each }))
        }
        _ => None,
    }
}

/// The elements of a constant, and the dimension along which they go, if there are several; none where they go along more than one.
fn along<'c, T>(
    value: Value<'c, '_>,
    dims: &[u64],
    elements: impl Fn(attributes::Attribute<'c>) -> Option<Vec<T>>,
) -> Option<(Option<usize>, Vec<T>)> {
    let elements = elements(ConstantOp::new(value.defining_operation()?)?.value().ok()?)?;
    let own = static_dims(value.r#type())?;
    let missing = dims.len().checked_sub(own.len())?;
    let mut longer = own.iter().enumerate().filter(|(_, extent)| **extent != 1).map(|(axis, _)| axis + missing);
    match (longer.next(), longer.next()) {
        (None, _) => Some((None, elements)),
        (Some(axis), None) if dims[axis] == elements.len() as u64 => Some((Some(axis), elements)),
        _ => None,
    }
}

/// The reals of an operator as those of a quantized type that has all of them; none where it makes none of weights.
pub fn dequantized<'c: 'a, 'a>(
    op: OperationRef<'c, 'a>,
    to: &Builder<'c, 'a>,
) -> Result<Option<Value<'c, 'a>>, Failure> {
    let Some(encoding) = encoding_of(op) else { return Ok(None) };
    let result = op.result(0)?.r#type();
    let Some(ty) = static_dims(result).and_then(|dims| tensor_type(to.context(), &OutputDef { dims, encoding })) else {
        return Ok(None);
    };
    let reals = to.copy(op, &op.operands().collect::<Vec<_>>())?.result(0)?;
    let quantized = QuantizeOpBuilder::new(to).input(reals).output_type(ty).build()?.output()?;
    DequantizeOpBuilder::new(to).input(quantized).output_type(result).build()?.output().map(Some)
}

/// Whether an op quantizes reals that are those of its type already.
pub fn are_quantized(op: OperationRef<'_, '_>, encoding: &Encoding) -> bool {
    let reals = QuantizeOp::new(op).and_then(|quantize| quantize.input().ok()?.defining_operation());
    reals.and_then(encoding_of).is_some_and(|of| of == *encoding)
}
