//! Quantization: operators that quantize become types of what ops compute.
//!
//! What an op of quantized operands computes is defined by what they stand for: it computes with the real numbers, and
//! its result is quantized as its type says. So `Quantize(op(Dequantize(x)))` is the op from quantized to quantized.

use super::builder::{Nodes, replace, static_dims};
use super::kept::Kept;
use crate::apply::{Encoding, OutputDef};
use crate::dialect::encoding::{output_def, tensor_type};
use crate::engine::remove_dead;
use crate::generated::operations::{
    ChannelShuffleOp, ConstOp, DepthToSpaceOp, DequantizeOp, DequantizeOpBuilder, GatherNdOp, GatherOp, QuantizeOp,
    QuantizeOpBuilder, ReluMinMaxOpBuilder, RequantizeOpBuilder, ReshapeOp, ShapeOp, SliceShapeOp, SpaceToDepthOp,
    StridedSliceOp, TileOp, TransposeOp,
};
use crate::grammar::model::DType;
use skriptnd_dialect::generated::operations::VariableOp;
use skriptnd_dialect::generated::quant::ZeroPointLinearQuantizeOp;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, types, walk};

/// The quantization that an operator is, if it is one.
pub fn quantization<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<ZeroPointLinearQuantizeOp<'c, 'a>> {
    ZeroPointLinearQuantizeOp::new(op)
}

/// `q::Dequantize` of `q::Quantize`; between them `q::ReluMinMax`, where the smallest value is not the type's.
pub fn quantize<'c: 'a, 'a>(
    op: ZeroPointLinearQuantizeOp<'c, 'a>,
    to: &Builder<'c, 'a>,
) -> Result<Value<'c, 'a>, Kept> {
    let input = op.input()?;
    let dims = static_dims(input.r#type()).filter(|_| types::element(input.r#type()) == types::f32(to.context()));
    let dims = dims.ok_or_else(|| Kept::because("its operand is no tensor of static shape and 32-bit floats"))?;
    let encoding = encoding_of(op)?;
    let rank = dims.len();
    let ty = tensor_type(to.context(), &OutputDef { dims, encoding });
    let ty = ty.ok_or_else(|| Kept::because("no type has its zero point and scale"))?;
    let mut quantized = QuantizeOpBuilder::new(to).input(input).output_type(ty).build()?.output()?;
    if op.symmetric().unwrap_or(false) && op.signed().unwrap_or(true) {
        let [least, most] = symmetric_range(op.bits()?, &encoding);
        let limit = |value: f64| to.reals(&[value], &vec![1; rank]);
        let limited = ReluMinMaxOpBuilder::new(to).input(quantized).min(limit(least)?).max(limit(most)?);
        quantized = limited.output_type(ty).build()?.output()?;
    }
    dequantized(quantized, input.r#type(), to).map_err(Kept::from)
}

fn dequantized<'c: 'a, 'a>(value: Value<'c, 'a>, ty: Type<'c>, to: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    DequantizeOpBuilder::new(to).input(value).output_type(ty).build()?.output()
}

/// What the smallest and the largest value stand for where one is the negative of the other. No type has such a range, so
/// what is quantized to a type's own range is limited to it: both limits are values of the type.
fn symmetric_range(bits: i64, encoding: &Encoding) -> [f64; 2] {
    let largest = (1i64 << (bits - 1)) - 1;
    let zero = i64::from(encoding.zero_offset());
    [-largest, largest].map(|value| f64::from((value - zero) as f32 * encoding.step_size()))
}

fn encoding_of(op: ZeroPointLinearQuantizeOp<'_, '_>) -> Result<Encoding, Kept> {
    let dtype = match (op.bits()?, op.signed().unwrap_or(true)) {
        (8, false) => DType::QUInt8,
        (8, true) => DType::QInt8,
        (16, false) => DType::QUInt16,
        (16, true) => DType::QInt16,
        (32, true) => DType::QInt32,
        (bits, _) => return Err(Kept::because(format!("no type has such values of {bits} bits"))),
    };
    let same = |values: &[f64]| values.windows(2).all(|pair| pair[0] == pair[1]);
    let (zeros, steps) = (op.zero_point().unwrap_or_default(), op.scale().unwrap_or_default());
    match (&zeros[..], &steps[..]) {
        ([zero, others @ ..], [step, ..]) if same(&steps) && others.iter().all(|other| other == zero) => {
            let zero = i32::try_from(*zero).map_err(|_| Kept::because("its zero point does not fit in 32 bits"))?;
            Ok(Encoding::new(dtype, zero, *step as f32))
        }
        _ => Err(Kept::because("each channel has a quantization of its own, and a type has one step and one zero")),
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
        let from = with_shape_of(operands[0].r#type(), ty)?;
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
    let ty = with_shape_of(value.r#type(), inner.r#type())?;
    let to = to.located(op.location());
    Ok(Some(to.operation(op.full_name(), &operands, &[], &[ty])?.result(0)?))
}

/// A tensor type with the shape of one and the elements of another.
fn with_shape_of<'c>(shape: Type<'c>, elements: Type<'c>) -> Result<Type<'c>, Failure> {
    super::builder::tensor(types::element(elements), &static_dims(shape).ok_or("has a tensor of dynamic shape")?)
}

/// Whether an op passes on elements of its first operand.
pub fn moves(op: OperationRef<'_, '_>) -> bool {
    TransposeOp::new(op).is_some()
        || ReshapeOp::new(op).is_some()
        || SliceShapeOp::new(op).is_some()
        || StridedSliceOp::new(op).is_some()
        || GatherOp::new(op).is_some()
        || GatherNdOp::new(op).is_some()
        || TileOp::new(op).is_some()
        || ChannelShuffleOp::new(op).is_some()
        || DepthToSpaceOp::new(op).is_some()
        || SpaceToDepthOp::new(op).is_some()
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
        _ => ConstOp::new(op).is_none() && ShapeOp::new(op).is_none() && !is_parameter(op),
    }
}

/// Whether an operation gives a variable, or what quantization for each channel makes of one.
fn is_parameter(op: OperationRef<'_, '_>) -> bool {
    let source = match ZeroPointLinearQuantizeOp::new(op) {
        Some(quantize) => quantize.input().ok().and_then(|input| input.defining_operation()),
        None => Some(op),
    };
    source.is_some_and(|source| VariableOp::new(source).is_some())
}
