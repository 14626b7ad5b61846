//! Tensor types of the dialect and the output definitions that rules see.

use crate::apply::{Encoding, OutputDef};
use crate::grammar::model::DType;
use skriptnd_mlir::ir::types::Quantization;
use skriptnd_mlir::ir::{Context, Type, types};
use std::fmt::Write;

/// The output definition that a type stands for; `None` if it is no tensor of static shape.
pub fn output_def(ty: Type<'_>) -> Option<OutputDef> {
    if !types::is_ranked_tensor(ty) {
        return None;
    }
    let dims = types::shape(ty)?.into_iter().collect::<Option<Vec<_>>>()?;
    Some(OutputDef { dims, encoding: encoding(types::element(ty)) })
}

/// The type that an output definition stands for; `None` if there is none.
pub fn tensor_type<'c>(context: &'c Context, def: &OutputDef) -> Option<Type<'c>> {
    let ty = types::parse(context, &type_text(def)?)?;
    // What does not come back, e.g. a step size that the type can't hold, can't be expressed.
    (output_def(ty).as_ref() == Some(def)).then_some(ty)
}

/// The type of the language that holds what the elements of a type stand for: its numbers are `f32` and `i64`.
pub fn of_language(ty: Type<'_>) -> Type<'_> {
    let Some(def) = output_def(ty).filter(|def| is_narrow(def.encoding.dtype())) else { return ty };
    let element = match def.encoding.dtype() {
        DType::Int32 => types::integer(ty.context(), 64),
        _ => types::f32(ty.context()),
    };
    let extents: Vec<_> = def.dims.into_iter().map(Some).collect();
    types::tensor(element, &extents).unwrap_or(ty)
}

/// Whether elements are fewer numbers than the language has.
pub fn is_narrow(dtype: DType) -> bool {
    dtype.is_quantized() || matches!(dtype, DType::Float16 | DType::Int32)
}

/// What an output definition stands for as text, in which no digit of a step size misses.
pub fn type_text(def: &OutputDef) -> Option<String> {
    let mut text = String::from("tensor<");
    for extent in &def.dims {
        let _ = write!(text, "{extent}x");
    }
    let _ = write!(text, "{}>", element(&def.encoding)?);
    Some(text)
}

fn encoding(element: Type<'_>) -> Encoding {
    let context = element.context();
    let is_int = |width| element == types::integer(context, width);
    // Printing a type takes far longer than all else that a rule asks of a tensor.
    let dtype = match () {
        () if element == types::f32(context) => DType::Float32,
        () if is_int(32) => DType::Int32,
        () if is_int(64) => DType::Int64,
        () => match types::quantization(element) {
            Some(quantization) => return quantized(quantization).unwrap_or(Encoding::plain(DType::Unknown)),
            None if element.to_string() == "f16" => DType::Float16,
            None => DType::Unknown,
        },
    };
    Encoding::plain(dtype)
}

fn quantized(quantization: Quantization) -> Option<Encoding> {
    let dtype = match (quantization.is_signed, quantization.width) {
        (false, 8) => DType::QUInt8,
        (true, 8) => DType::QInt8,
        (false, 16) => DType::QUInt16,
        (true, 16) => DType::QInt16,
        (true, 32) => DType::QInt32,
        _ => return None,
    };
    let zero_offset = i32::try_from(quantization.zero_point).ok()?;
    Some(Encoding::new(dtype, zero_offset, quantization.scale as f32))
}

fn element(encoding: &Encoding) -> Option<String> {
    let storage = match encoding.dtype() {
        DType::Float32 => return Some("f32".to_owned()),
        DType::Float16 => return Some("f16".to_owned()),
        DType::Int32 => return Some("i32".to_owned()),
        DType::Int64 => return Some("i64".to_owned()),
        DType::QUInt8 => "u8",
        DType::QInt8 => "i8",
        DType::QUInt16 => "u16",
        DType::QInt16 => "i16",
        DType::QInt32 => "i32",
        DType::Unknown => return None,
    };
    // MLIR wants a point in a number.
    let step = format!("{:.17e}", encoding.step_size());
    Some(format!("!quant.uniform<{storage}:f32, {step}:{}>", encoding.zero_offset()))
}
