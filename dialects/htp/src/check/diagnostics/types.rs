//! What can be wrong with types and numbers of expressions.

use crate::grammar::model::{Expr, Type};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// An expression of another type than its place wants.
pub fn type_expected(span: Span, wanted: &str, found: Type) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::Type, span, format!("expected type {wanted}, found {found}"))
        .with_label(format!("this is of type {found}"));
    match (wanted, found) {
        ("bool", Type::Int | Type::Size | Type::Float) => {
            diagnostic.with_help("compare it with something, e.g. NE(x, 0)")
        }
        ("int", Type::Size | Type::Float) | ("int or size", Type::Float) => {
            diagnostic.with_help("convert it by INT(x)")
        }
        ("float", Type::Int | Type::Size) => diagnostic.with_help("convert it by FLOAT(x)"),
        ("dtype", _) => diagnostic.with_help("dtypes are DType::TAG, DTYPE_OF(x) and SELECT of these"),
        ("bool", _) => diagnostic.with_help("compare it with something, e.g. EQ(x, DType::QInt8)"),
        (_, Type::Bool) => diagnostic.with_help("a choice between numbers is written SELECT(condition, 1, 0)"),
        _ => diagnostic.with_help("convert it by INT(x)"),
    }
}

/// A number as a condition, in `sdk` mode.
pub fn number_as_condition(span: Span, found: Type) -> Diagnostic {
    Diagnostic::warning(
        Code::Type,
        span,
        format!("a value of type {found} is taken as a condition: true unless it is 0"),
    )
    .with_help("compare it with something, e.g. NE(x, 0)")
}

/// A conversion that there is not.
pub fn bad_cast(span: Span, from: Type, to: Type) -> Diagnostic {
    let help = match (from, to) {
        (Type::DType, _) => "a dtype is converted by INT(x) only",
        (_, Type::DType) => "an integer is converted to a dtype; convert a float by INT(x) before",
        _ => "numbers are converted to numbers",
    };
    Diagnostic::error(Code::Type, span, format!("a value of type {from} can't be converted to {to}")).with_help(help)
}

/// Operands of the graph that are compared like values.
pub fn operands_compared(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::Type, span, format!("`{name}` compares values, found two operands"))
        .with_help("operands are compared by SAME_OP, SAME_SHAPE and SAME_ENCODING, or by what is asked of them")
}

/// Operands whose types have nothing in common.
pub fn types_differ(name: &str, span: Span, first: &Expr, second: &Expr) -> Diagnostic {
    let message = format!("`{name}` needs operands of one type, found {} and {}", first.ty, second.ty);
    Diagnostic::error(Code::Type, span, message)
        .with_related(first.span, format!("{}", first.ty))
        .with_related(second.span, format!("{}", second.ty))
        .with_help(match (first.ty, second.ty) {
            (Type::DType, _) | (_, Type::DType) => "a dtype is compared with a dtype, e.g. DType::QUInt8",
            _ => "convert one of them, e.g. by INT(x), or compare it with something",
        })
}

/// `LT` and its kin of something without order.
pub fn not_ordered(span: Span, name: &str, ty: Type) -> Diagnostic {
    let message = format!("`{name}` compares numbers, found {ty}");
    Diagnostic::error(Code::Type, span, message)
        .with_help(format!("values of type {ty} are compared by EQ and NE only"))
}

/// A constant below zero that becomes a size.
pub fn negative_size(span: Span, value: i64) -> Diagnostic {
    Diagnostic::warning(
        Code::NegativeSize,
        span,
        format!("{value} meets a value of type size and becomes a huge number"),
    )
    .with_help("convert the other operand by INT(x)")
}

/// A constant index below zero: there is nothing there, in any tensor.
pub fn negative_index(span: Span, name: &str, value: i64) -> Diagnostic {
    let outcome = match name {
        "DIM_OF" => "reads as 0",
        "CONSTVAL_INT" => "reads as MIN_INT",
        "CONSTVAL_FLOAT" => "reads as NaN",
        _ => "is never valid",
    };
    Diagnostic::warning(Code::NegativeSize, span, format!("`{name}` counts from 0: {value} {outcome}"))
        .with_help("the last dimension is SUB(RANK_OF(x), 1)")
}

/// A dimension of a chunk that no tensor has.
pub fn chunk_dimension(span: Span, found: i64) -> Diagnostic {
    let message = format!("a dimension of a chunk is 0 to {}, found {found}", u32::MAX);
    Diagnostic::error(Code::Type, span, message).with_help("dimensions are counted from 0")
}

/// `ROUNDUP` to no power of 2.
pub fn not_power_of_two(span: Span, value: i128) -> Diagnostic {
    Diagnostic::error(Code::Roundup, span, format!("`ROUNDUP` rounds to a power of 2, found {value}"))
        .with_help("write 1, 2, 4, 8 and so on")
}

/// An integer division by the constant 0.
pub fn division_by_zero(span: Span) -> Diagnostic {
    Diagnostic::error(Code::DivisionByZero, span, "an integer is divided by 0")
        .with_help("the condition would be undefined in every graph")
}
