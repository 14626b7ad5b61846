//! Quantization: operators that quantize become types of what ops compute.
//!
//! What an op of quantized operands computes is defined by what they stand for: it computes with the real numbers, and
//! its result is quantized as its type says. So `Quantize(op(Dequantize(x)))` is the op from quantized to quantized.

use super::builder::{replace, static_dims};
use super::kept::Kept;
use super::moved::{moves, type_before, type_behind};
use crate::apply::{Channels, Encoding, OutputDef};
use crate::dialect::encoding::{output_def, tensor_type};
use crate::engine::remove_dead;
use crate::generated::operations::{
    ConstOp, DequantizeOp, DequantizeOpBuilder, QuantizeOp, QuantizeOpBuilder, RequantizeOpBuilder, ShapeOp,
};
use crate::grammar::model::DType;
use skriptnd_dialect::generated::operations::{ConstantOp, VariableOp};
use skriptnd_dialect::generated::quant::ZeroPointLinearQuantizeOp;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, types, walk};
use std::collections::HashSet;

/// The quantization that an operator is, if it is one.
pub fn quantization<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<ZeroPointLinearQuantizeOp<'c, 'a>> {
    ZeroPointLinearQuantizeOp::new(op)
}

/// `q::Dequantize` of `q::Quantize`.
pub fn quantize<'c: 'a, 'a>(
    op: ZeroPointLinearQuantizeOp<'c, 'a>,
    to: &Builder<'c, 'a>,
) -> Result<Value<'c, 'a>, Kept> {
    let input = op.input()?;
    let dims = static_dims(input.r#type()).filter(|_| types::element(input.r#type()) == types::f32(to.context()));
    let dims = dims.ok_or_else(|| Kept::because("its operand is no tensor of static shape and 32-bit floats"))?;
    let encoding = encoding_of(op, dims.len())?;
    let ty = tensor_type(to.context(), &OutputDef { dims, encoding });
    let ty = ty.ok_or_else(|| Kept::because("no type has its zero point and scale"))?;
    let quantized = QuantizeOpBuilder::new(to).input(input).output_type(ty).build()?.output()?;
    dequantized(quantized, input.r#type(), to).map_err(Kept::from)
}

fn dequantized<'c: 'a, 'a>(value: Value<'c, 'a>, ty: Type<'c>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    DequantizeOpBuilder::new(to).input(value).output_type(ty).build()?.output()
}

fn encoding_of(op: ZeroPointLinearQuantizeOp<'_, '_>, rank: usize) -> Result<Encoding, Kept> {
    let bits = op.bits()?;
    let (is_signed, is_symmetric) = (op.signed().unwrap_or(true), op.symmetric().unwrap_or(false));
    let values = u32::try_from(bits).ok().and_then(|bits| Encoding::of_integers(bits, is_signed, is_symmetric));
    let values = values.ok_or_else(|| Kept::because(format!("no type has such values of {bits} bits")))?;
    let zeros = op.zero_point().unwrap_or_default();
    let zeros = zeros.into_iter().map(i32::try_from).collect::<Result<Vec<_>, _>>();
    let zeros = zeros.map_err(|_| Kept::because("its zero point does not fit in 32 bits"))?;
    let steps = op.scale().unwrap_or_default().into_iter().map(|step| step as f32);
    let each: Vec<(i32, f32)> = zeros.into_iter().zip(steps).collect();
    match &each[..] {
        [(zero, step), others @ ..] if others.iter().all(|other| other == &(*zero, *step)) => {
            Ok(values.with_step(*zero, *step))
        }
        _ => {
            let axis = op.channel_axis().unwrap_or(1);
            let axis = usize::try_from(if axis < 0 { axis + rank as i64 } else { axis });
            let axis = axis.map_err(|_| Kept::because("it has no such dimension"))?;
            Ok(values.with_channels(Channels { axis, each }))
        }
    }
}

/// Makes quantization part of the ops around it, wherever that computes the same.
pub fn fold(container: OperationRef<'_, '_>) -> Result<(), Failure> {
    for op in walk(container) {
        // What moves elements moves quantized ones, so that it can meet other moves.
        if moves(op)
            && let Some(quantized) = peeled(op.result(0)?, &Builder::before(op)?)?
        {
            replace(op, |to| dequantized(quantized, op.result(0)?.r#type(), to).map(|value| vec![value]))?;
            continue;
        }
        let Some(quantize) = QuantizeOp::new(op).filter(|_| op.is_used()) else { continue };
        let (input, ty) = (quantize.input()?, op.result(0)?.r#type());
        let to = Builder::before(op)?;
        if let Some(value) = as_quantized(input, ty, &to)? {
            replace::<Failure>(op, |_| Ok(vec![value]))?;
        }
    }
    remove_dead(container)
}

type Found<'c, 'a> = Result<Option<Value<'c, 'a>>, Failure>;

/// A value of this type that is the quantized `value`, without an op that only quantizes.
fn as_quantized<'c: 'a, 'a>(value: Value<'c, 'a>, ty: Type<'c>, to: &Builder<'c, 'a>) -> Found<'c, 'a> {
    let Some(op) = value.defining_operation() else { return Ok(None) };
    if let Some(dequantize) = DequantizeOp::new(op) {
        let from = dequantize.input()?;
        let same = from.r#type() == ty;
        return Ok(Some(if same {
            from
        } else {
            RequantizeOpBuilder::new(to).input(from).output_type(ty).build()?.output()?
        }));
    }
    if !value.has_one_use() || !is_computed(op) {
        return Ok(None);
    }
    let to = &to.located(op.location());
    let mut operands: Vec<_> = op.operands().collect();
    if moves(op) {
        let Some(from) = type_before(op, ty) else { return Ok(None) };
        let inner = match as_quantized(operands[0], from, to)? {
            Some(inner) => inner,
            None => QuantizeOpBuilder::new(to).input(operands[0]).output_type(from).build()?.output()?,
        };
        operands[0] = inner;
    } else {
        for (index, operand) in operands.iter_mut().enumerate() {
            match peeled(*operand, to)? {
                Some(quantized) => *operand = quantized,
                None if index == 0 || is_activation(*operand) => return Ok(None),
                None => {}
            }
        }
    }
    Ok(Some(to.operation(op.full_name(), &operands, &[], &[ty])?.result(0)?))
}

/// The quantized numbers that a value stands for.
fn peeled<'c: 'a, 'a>(value: Value<'c, 'a>, to: &Builder<'c, 'a>) -> Found<'c, 'a> {
    let Some(op) = value.defining_operation() else { return Ok(None) };
    if let Some(dequantize) = DequantizeOp::new(op) {
        return dequantize.input().map(Some);
    }
    if !moves(op) {
        return Ok(None);
    }
    let mut operands: Vec<_> = op.operands().collect();
    let Some(inner) = peeled(operands[0], to)? else { return Ok(None) };
    operands[0] = inner;
    let Some(ty) = type_behind(op, inner.r#type()) else { return Ok(None) };
    let to = to.located(op.location());
    Ok(Some(to.operation(op.full_name(), &operands, &[], &[ty])?.result(0)?))
}

/// Whether an op computes one tensor, by an op of the default package.
fn is_computed(op: OperationRef<'_, '_>) -> bool {
    op.full_name().starts_with("htp.q.") && op.result_types().len() == 1 && QuantizeOp::new(op).is_none()
}

/// Whether a value is what an op of the graph computes in floats, and no parameter, constant or variable.
fn is_activation(value: Value<'_, '_>) -> bool {
    let is_float = output_def(value.r#type()).is_some_and(|def| def.encoding.dtype() == DType::Float32);
    let Some(op) = value.defining_operation().filter(|_| is_float) else { return false };
    match op.operand(0) {
        Ok(inner) if moves(op) => is_activation(inner),
        _ => !is_parameter(op),
    }
}

/// Whether what an operation gives depends on variables and constants only.
fn is_parameter(op: OperationRef<'_, '_>) -> bool {
    let (mut pending, mut seen) = (vec![op], HashSet::new());
    while let Some(op) = pending.pop() {
        let is_known = VariableOp::new(op).is_some()
            || ConstantOp::new(op).is_some()
            || ConstOp::new(op).is_some()
            || ShapeOp::new(op).is_some();
        if is_known || !seen.insert(op.key()) {
            continue;
        }
        let Some(operands) = op.operands().map(|operand| operand.defining_operation()).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        if operands.is_empty() {
            return false;
        }
        pending.extend(operands);
    }
    true
}
