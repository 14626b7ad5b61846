//! Expressions that have no value.

use crate::compose::extent::SymExpr;
use crate::compose::failure::Fault;
use crate::compose::limits;
use crate::compose::term::Term;
use crate::compose::value::ScalarType;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, nearest};
use skriptnd_syntax::ast::{BinaryOp, Builtin, Member, TypeName, UnaryOp};

pub(crate) fn expression_too_deep(span: Span) -> Diagnostic {
    let limit = limits::EXPRESSION_DEPTH;
    Diagnostic::error(Code::NestingLimit, span, format!("expressions nest deeper than the limit of {limit}"))
        .with_help("give parts of the expression names in `@using`")
}

pub(crate) fn undeclared<'a>(name: &str, span: Span, names: impl Iterator<Item = &'a str>) -> Diagnostic {
    let d = Diagnostic::error(Code::UndeclaredIdentifier, span, format!("`{name}` is not declared"))
        .with_label("not known here");
    match nearest(name, names) {
        Some(nearest) => d.with_help(format!("did you mean `{nearest}`?")),
        None => d,
    }
}

pub(crate) fn type_as_value(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::TypeAsValue, span, format!("`{name}` is a type, a value is expected"))
        .with_help(format!("its default value is `{name}()`, a conversion to it is `{name}(x)`"))
}

pub(crate) fn unknown_type(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnknownType, span, format!("there is no type `{name}`"))
        .with_help("types are int, real, bool, str and those of `@dtype`")
}

pub(crate) fn abstract_type(name: TypeName, span: Span) -> Diagnostic {
    let name = name.keyword();
    Diagnostic::error(Code::AbstractType, span, format!("`{name}` is abstract, a concrete type is expected"))
        .with_help("abstract types only restrict the types of `@dtype`")
}

pub(crate) fn no_such_member(name: &str, member: Member, base: &Term, span: Span) -> Diagnostic {
    let message = format!("`{name}` is a {} and has no `.{member}`", base.describe());
    Diagnostic::error(Code::NoSuchMember, span, message)
        .with_help("tensors have `.shape` and `.rank`, packs of tensors have `.size`")
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Neg => "-",
        UnaryOp::Not => "!",
    }
}

pub(crate) fn unary_fault(fault: Fault, op: UnaryOp, operand: &Term, span: Span) -> Diagnostic {
    let op = unary_text(op);
    if fault != Fault::Types {
        return arithmetic(fault, &format!("{op}{operand}"), span);
    }
    let expected = if op == "!" { "bool" } else { "int or real" };
    let message = format!("the operand of `{op}` must be {expected}, found {} ({operand})", operand.describe());
    Diagnostic::error(Code::OperandType, span, message)
}

pub(crate) fn binary_fault(fault: Fault, op: BinaryOp, a: &Term, b: &Term, span: Span) -> Diagnostic {
    if fault != Fault::Types {
        return arithmetic(fault, &format!("{a} {} {b}", op.symbol()), span);
    }
    let message = format!("operator `{}` is not defined for {} and {}", op.symbol(), a.describe(), b.describe());
    let d = Diagnostic::error(Code::OperandType, span, message).with_note(format!("left = {a}, right = {b}"));
    match (a.dtype(), b.dtype()) {
        (Some(ScalarType::Int), Some(ScalarType::Real)) | (Some(ScalarType::Real), Some(ScalarType::Int)) => {
            d.with_help("convert one side: `real(x)` or `int(x)`; a real literal has a point, as in `1.0`")
        }
        _ => d,
    }
}

/// What can't be computed, as it would be written with its values.
fn arithmetic(fault: Fault, operation: &str, span: Span) -> Diagnostic {
    match fault {
        Fault::DivisionByZero => {
            Diagnostic::error(Code::DivisionByZero, span, format!("division by zero: `{operation}`"))
                .with_label("the right side is 0")
                .with_help("assert that it is not 0, or choose another value with `?:`")
        }
        Fault::NegativeExponent => {
            let message = format!("an integer power with a negative exponent is no integer: `{operation}`");
            Diagnostic::error(Code::NegativeExponent, span, message)
                .with_help("compute with reals: `real(x) ** real(y)`")
        }
        Fault::Overflow | Fault::Types => {
            Diagnostic::error(Code::IntegerOverflow, span, format!("the value of `{operation}` doesn't fit in 64 bits"))
                .with_label("integer overflow")
        }
    }
}

pub(crate) fn value_too_large(span: Span) -> Diagnostic {
    let limit = limits::SYMBOLIC_NODES;
    let message =
        format!("this value has more than {limit} parts that only the run knows, the limit of one expression");
    Diagnostic::error(Code::ExpressionLimit, span, message)
        .with_help("fix extents with `--bind`, or make them attributes of the graph")
}

pub(crate) fn formatted_at_run_time(span: Span) -> Diagnostic {
    Diagnostic::error(Code::RunTimeText, span, "a string is known when composing; this value is known only at run time")
        .with_help("compare the values themselves, without quotes")
}

pub(crate) fn string_too_long(span: Span) -> Diagnostic {
    let limit = limits::STRING_BYTES;
    Diagnostic::error(Code::StringLimit, span, format!("the string is longer than the limit of {limit} bytes"))
}

pub(crate) fn integer_overflow(span: Span) -> Diagnostic {
    Diagnostic::error(Code::IntegerOverflow, span, "the value doesn't fit in 64 bits").with_label("integer overflow")
}

pub(crate) fn cast_overflow(value: f64, span: Span) -> Diagnostic {
    if value.is_nan() {
        return Diagnostic::error(Code::IntegerOverflow, span, "`int(...)` of what is not a number (NaN)")
            .with_help("NaN comes from operations such as 0.0 / 0.0 or `sqrt`(-1.0)");
    }
    Diagnostic::error(
        Code::IntegerOverflow,
        span,
        format!("{value:?} can't be converted to int: it doesn't fit in 64 bits"),
    )
    .with_help("the largest and the least int are `int(inf)` and `int(-inf)`")
}

pub(crate) fn known_int_expected(found: &Term, span: Span) -> Diagnostic {
    match found {
        Term::Symbolic(_) | Term::Condition(_) | Term::Scalar(_) | Term::Sequence(_) => {
            let message = format!("this must be known when the graph is composed; it is {found}");
            let diagnostic = Diagnostic::error(Code::RunTimeValue, span, message).with_label("depends on the run");
            match found {
                Term::Scalar(_) => diagnostic,
                _ => diagnostic.with_help("fix the extents with `--bind`, or make them attributes of the graph"),
            }
        }
        found => {
            let message = format!("an int is expected, found {} ({found})", found.describe());
            Diagnostic::error(Code::IntExpected, span, message)
        }
    }
}

pub(crate) fn bool_expected(what: &str, found: &Term, span: Span) -> Diagnostic {
    let message = format!("{what} must be bool, found {} ({found})", found.describe());
    Diagnostic::error(Code::BoolExpected, span, message)
}

pub(crate) fn pack_expected(what: &str, found: &Term, span: Span) -> Diagnostic {
    let message = format!("{what} takes a pack, found {} ({found})", found.describe());
    Diagnostic::error(Code::PackExpected, span, message)
}

/// `3 items`
fn items(count: u64) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{count} items") }
}

fn pack_lengths(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::PackLengths, span, message).with_label("lengths must agree")
}

/// The packs that an operator combines item by item.
pub(crate) fn operand_lengths(operator: &str, left: (&Term, u64), right: (&Term, u64), span: Span) -> Diagnostic {
    let message = format!(
        "the operands of `{operator}` must have the same length, found {} and {}",
        items(left.1),
        items(right.1)
    );
    pack_lengths(span, message).with_note(format!("left = {}", left.0)).with_note(format!("right = {}", right.0))
}

pub(crate) fn zip_lengths(first: u64, other: u64, span: Span) -> Diagnostic {
    pack_lengths(span, format!("zipped packs must have the same length, found {} and {}", items(first), items(other)))
}

pub(crate) fn select_lengths(first: u64, other: u64, span: Span) -> Diagnostic {
    let message = format!("the packs of `?:` must have the same length, found {} and {}", items(first), items(other));
    pack_lengths(span, message).with_help("a condition that is a pack chooses item by item")
}

pub(crate) fn index_lengths(first: u64, other: u64, span: Span) -> Diagnostic {
    pack_lengths(
        span,
        format!("packs of indices must have the same length, found {} and {}", items(first), items(other)),
    )
}

pub(crate) fn extent_lengths(expected: u64, found: u64, span: Span) -> Diagnostic {
    pack_lengths(span, format!("a pack of {expected} extents can't stand for {found} dimensions"))
}

pub(crate) fn expanded_length(found: u64, written: u64, span: Span) -> Diagnostic {
    let message = format!("the length after `..` must be that of the pack, {found}; found {written}");
    pack_lengths(span, message).with_help("remove the length; `x[:n]` takes a part of a pack")
}

pub(crate) fn mask_length(what: &str, expected: u64, found: u64, span: Span) -> Diagnostic {
    let message = format!("a mask must be as long as the {what}: expected {}, found {found}", items(expected));
    pack_lengths(span, message).with_help("a pack of bool takes the items where it is true")
}

pub(crate) fn new_value_count(expected: u64, found: u64, span: Span) -> Diagnostic {
    let message = format!("`<-` needs one new value for each index: expected {expected}, found {found}");
    pack_lengths(span, message)
}

pub(crate) fn new_value_type(expected: ScalarType, found: &Term, span: Span) -> Diagnostic {
    let message =
        format!("the new value of an item must be {}, found {} ({found})", expected.keyword(), found.describe());
    Diagnostic::error(Code::TypeMismatch, span, message)
}

/// Packs of which only the run may know that they are equally long.
pub(crate) fn open_lengths(first: &SymExpr, other: &SymExpr, span: Span) -> Diagnostic {
    if matches!(first.minus(other), Some(SymExpr::Const(_))) {
        let message = format!("packs that belong together must have the same length, found {first} and {other}");
        return pack_lengths(span, message);
    }
    let message = format!("whether packs of {first} and {other} items have the same length, only the run knows");
    pack_lengths(span, message).with_help("fix the extents with `--bind`, or make them attributes of the graph")
}

/// Some tensors of a pack of open length that are not the first ones behind a known place.
pub(crate) fn open_tensors(length: &SymExpr, span: Span) -> Diagnostic {
    let message = format!("which tensors of a pack of {length} these are, only the run knows");
    pack_lengths(span, message).with_help("count from the first one, in steps of 1; or fix the length with `--bind`")
}

/// A fold that has no expression while the length of its pack is open.
pub(crate) fn open_fold(op: BinaryOp, pack: &Term, span: Span) -> Diagnostic {
    let message = format!("`{}` over {} must be known when the graph is composed", op.symbol(), pack.describe());
    Diagnostic::error(Code::RunTimeValue, span, message)
        .with_label("depends on the run")
        .with_note(format!("pack = {pack}"))
        .with_help("fix the extents with `--bind`, or make them attributes of the graph")
}

/// An index that no value of the extents makes one of the pack.
pub(crate) fn index_beyond_extent(index: &SymExpr, length: &SymExpr, span: Span) -> Diagnostic {
    Diagnostic::error(Code::IndexRange, span, format!("index {index} is outside of a pack of {length} items"))
}

pub(crate) fn too_many_comparisons(count: u64, span: Span) -> Diagnostic {
    let limit = limits::COMPARISONS;
    let message = format!("this takes {count} comparisons of values that only the run knows; the limit is {limit}");
    Diagnostic::error(Code::PackLimit, span, message)
}

pub(crate) fn known_bool_expected(found: &Term, span: Span) -> Diagnostic {
    let message = format!("a mask must be known when the graph is composed, found {found}");
    Diagnostic::error(Code::RunTimeValue, span, message).with_label("depends on the run")
}

pub(crate) fn pack_too_long(length: impl std::fmt::Display, span: Span) -> Diagnostic {
    let limit = limits::PACK_LENGTH;
    Diagnostic::error(Code::PackLimit, span, format!("the pack has {length} items; the limit is {limit}"))
}

pub(crate) fn negative_length(length: i64, span: Span) -> Diagnostic {
    Diagnostic::error(Code::NegativeLength, span, format!("a length must not be negative; it is {length}"))
        .with_label(format!("= {length}"))
}

pub(crate) fn pack_not_expanded(found: &Term, span: Span) -> Diagnostic {
    let message = format!("a pack within a list must be expanded, found a {} ({found})", found.describe());
    Diagnostic::error(Code::PackNotExpanded, span, message).with_label("a pack").with_help("write `..` after it")
}

pub(crate) fn expansion_needs_length(found: &Term, span: Span) -> Diagnostic {
    let message = format!("only a pack can be expanded without a length, found {}", found.describe());
    Diagnostic::error(Code::ExpansionLength, span, message).with_help("to repeat a value, write `..(n)` after it")
}

pub(crate) fn open_range(span: Span) -> Diagnostic {
    Diagnostic::error(Code::OpenRange, span, "a range in a list must have a begin and an end")
}

pub(crate) fn zero_stride(span: Span) -> Diagnostic {
    Diagnostic::error(Code::ZeroStride, span, "the stride of a range must not be 0")
}

pub(crate) fn mixed_list(first: &Term, other: &Term, span: Span) -> Diagnostic {
    let message =
        format!("the items of a list must be of one type, found {} and {}", first.describe(), other.describe());
    Diagnostic::error(Code::MixedList, span, message)
}

pub(crate) fn one_index_expected(base: &Term, span: Span) -> Diagnostic {
    Diagnostic::error(Code::OneIndex, span, format!("a {} takes one index or range", base.describe()))
}

pub(crate) fn not_indexable(base: &Term, span: Span) -> Diagnostic {
    Diagnostic::error(Code::NotIndexable, span, format!("a {} ({base}) can't be indexed", base.describe()))
        .with_help("packs and strings can, and tensors within `@lower`")
}

pub(crate) fn index_out_of_range(index: i64, what: &str, length: u64, span: Span) -> Diagnostic {
    let unit = if what == "string" { "characters" } else { "items" };
    let d =
        Diagnostic::error(Code::IndexRange, span, format!("index {index} is outside of a {what} of {length} {unit}"));
    match length {
        0 => d.with_label("it is empty"),
        length => d.with_label(format!("expected 0 to {}, or -1 to -{length} from the end", length - 1)),
    }
}

pub(crate) fn pack_for_one_item(span: Span) -> Diagnostic {
    Diagnostic::error(Code::PackForItem, span, "one item can't be replaced by a pack")
        .with_help("several items are replaced by as many: `a[[0, 2]] <- [x, y]`")
}

pub(crate) fn select_needs_alternative(span: Span) -> Diagnostic {
    Diagnostic::error(Code::SelectAlternative, span, "a condition that only the run knows needs both branches")
        .with_help("add `: value`")
}

pub(crate) fn branches_differ(a: &Term, b: &Term, span: Span) -> Diagnostic {
    let message = format!("the branches of `?:` must be of one type, found {} and {}", a.describe(), b.describe());
    Diagnostic::error(Code::BranchTypes, span, message)
}

pub(crate) fn no_such_fold(op: BinaryOp, span: Span) -> Diagnostic {
    Diagnostic::error(Code::NoSuchFold, span, format!("there is no such fold with `{}`", op.symbol()))
}

pub(crate) fn no_such_cast(found: &Term, dtype: ScalarType, span: Span) -> Diagnostic {
    let message = format!("{} can't be converted to {}", found.describe(), dtype.keyword());
    Diagnostic::error(Code::NoSuchCast, span, message).with_help("conversions exist between int, real and bool")
}

pub(crate) fn builtin_type(function: Builtin, found: &Term, span: Span) -> Diagnostic {
    let expected = if matches!(function, Builtin::Abs | Builtin::Sign) { "int or real" } else { "real" };
    let message = format!("`{function}` takes {expected}, found {} ({found})", found.describe());
    Diagnostic::error(Code::BuiltinType, span, message)
}
