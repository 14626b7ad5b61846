//! Tensor types of the dialect and the output definitions that rules see.

use crate::apply::{Channels, Encoding, OutputDef};
use crate::grammar::model::DType;
use skriptnd_mlir::ir::types::Quantization;
use skriptnd_mlir::ir::{Context, OperationRef, Type, types};
use std::fmt::Write;

/// The output definition that a type stands for; `None` if it is no tensor of static shape.
pub fn output_def(ty: Type<'_>) -> Option<OutputDef> {
    if !types::is_ranked_tensor(ty) {
        return None;
    }
    let dims = types::shape(ty)?.into_iter().collect::<Option<Vec<_>>>()?;
    let encoding = encoding(types::element(ty));
    Some(match encoding.has_channels_of(&dims) {
        true => OutputDef { dims, encoding },
        false => OutputDef { dims, encoding: Encoding::plain(DType::Unknown) },
    })
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

/// Whether the types of an op have a quantization for each index along a dimension, where they tell several.
pub fn have_their_channels(op: OperationRef<'_, '_>) -> bool {
    op.operand_types().into_iter().chain(op.result_types()).all(has_its_channels)
}

fn has_its_channels(ty: Type<'_>) -> bool {
    let axis = types::quantization(types::element(ty)).and_then(|of| Some((of.axis?, of.parameters.len() as u64)));
    axis.is_none_or(|(axis, count)| {
        types::shape(ty).is_none_or(|dims| dims.get(axis).is_some_and(|extent| extent.is_none_or(|of| of == count)))
    })
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
            Some(quantization) => return quantized(quantization).unwrap_or_else(|| Encoding::plain(DType::Unknown)),
            None if element.to_string() == "f16" => DType::Float16,
            None => DType::Unknown,
        },
    };
    Encoding::plain(dtype)
}

/// What rules see of a quantized type: its values are all that its bits hold, or a symmetric range.
fn quantized(of: Quantization) -> Option<Encoding> {
    let values = |is_symmetric| Encoding::of_integers(of.width, of.is_signed, is_symmetric);
    let is_same = |encoding: &Encoding| encoding.limits() == Some((of.least, of.most));
    let encoding = [false, true].into_iter().filter_map(values).find(is_same)?;
    let step = |(scale, zero): &(f64, i64)| Some((i32::try_from(*zero).ok()?, *scale as f32));
    let each = of.parameters.iter().map(step).collect::<Option<Vec<_>>>()?;
    match of.axis {
        Some(axis) => Some(encoding.with_channels(Channels { axis, each })),
        None => each.first().map(|(zero, step)| encoding.with_step(*zero, *step)),
    }
}

fn element(encoding: &Encoding) -> Option<String> {
    let Some((least, most)) = encoding.limits() else {
        return match encoding.dtype() {
            DType::Float32 => Some("f32".to_owned()),
            DType::Float16 => Some("f16".to_owned()),
            DType::Int32 => Some("i32".to_owned()),
            DType::Int64 => Some("i64".to_owned()),
            _ => None,
        };
    };
    let mut text = format!("!quant.uniform<{}{}", if least < 0 { "i" } else { "u" }, encoding.bits());
    if encoding.is_symmetric() {
        let _ = write!(text, "<{least}:{most}>");
    }
    // MLIR wants a point in a number.
    let parameters = |zero: i32, step: f32| format!("{step:.17e}:{zero}");
    match encoding.channels() {
        None => {
            let _ = write!(text, ":f32, {}>", parameters(encoding.zero_offset()?, encoding.step_size()?));
        }
        Some(Channels { axis, each }) => {
            let each: Vec<String> = each.iter().map(|(zero, step)| parameters(*zero, *step)).collect();
            let _ = write!(text, ":f32:{axis}, {{{}}}>", each.join(", "));
        }
    }
    Some(text)
}
