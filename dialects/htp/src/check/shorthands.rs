//! `cst_macro`: names of the language that stand for other expressions.

use crate::grammar::model::*;
use crate::grammar::vocabulary;
use skriptnd_source::Span;

/// What `cst_macro` gives for the macros of one operand.
pub fn expand_macro(span: Span, name: &str, operand: OperandRef) -> Option<(ExprKind, Type)> {
    let dimension = match name {
        "DIM_BATCHES" | "DIM_FILTHEIGHT" => Some(0),
        "DIM_HEIGHT" | "DIM_FILTWIDTH" => Some(1),
        "DIM_WIDTH" | "DIM_FILTDEPTH" => Some(2),
        "DIM_DEPTH" | "DIM_NFILTS" => Some(3),
        _ => None,
    };
    if let Some(dimension) = dimension {
        let index = Expr { kind: ExprKind::Integer(dimension), ty: Type::Int, span };
        return Some((ExprKind::DimOf(operand, Box::new(index)), Type::Size));
    }
    let dtype = match name {
        "IS_QUINT8" => DType::QUInt8,
        "IS_QINT8" => DType::QInt8,
        "IS_QUINT16" => DType::QUInt16,
        "IS_QINT16" => DType::QInt16,
        "IS_QINT32" => DType::QInt32,
        "IS_INT32" => DType::Int32,
        "IS_FLOAT16" => DType::Float16,
        "IS_FLOAT32" | "IS_FLOAT" => DType::Float32,
        _ => return None,
    };
    debug_assert!(vocabulary::is_known(name));
    let of = Expr { kind: ExprKind::Property(Property::DType, operand), ty: Type::DType, span };
    let tag = Expr { kind: ExprKind::DType(dtype), ty: Type::DType, span };
    Some((ExprKind::Compare(Comparison::Eq, Box::new(of), Box::new(tag)), Type::Bool))
}
