//! What can be wrong with parts of a replacement that no graph has.

use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// A number that makes the replacement undefined everywhere; `wanted` is what its place takes.
pub fn impossible_number(span: Span, wanted: &str, found: i128) -> Diagnostic {
    nothing_is_replaced(span, format!("{wanted}, found {found}"))
}

/// Something that no graph can be asked for.
pub fn nothing_is_replaced(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::Restriction, span, message)
        .with_help("a rule does nothing where its replacement is undefined")
}

/// A dimension that no tensor has.
pub fn beyond_rank(span: Span, found: i128, most: i128) -> Diagnostic {
    out_of_range(span, &format!("a dimension is 0 to {most}"), found)
}

/// A number that is of no use in its place; `wanted` is what that takes.
pub fn out_of_range(span: Span, wanted: &str, found: i128) -> Diagnostic {
    Diagnostic::warning(Code::UselessRule, span, format!("{wanted}, found {found}"))
        .with_help("what is beyond is asked for in vain")
}

/// A constraint that asks for an operand that the match has not.
pub fn undefined_operand(span: Span, wanted: &str, found: i128) -> Diagnostic {
    out_of_range(span, wanted, found).with_help("a rule does nothing where its constraint is undefined")
}

/// An iteration from a number to one that is not above it.
pub fn no_steps(span: Span, first: i128, end: i128) -> Diagnostic {
    let message = format!("the OP_ITER has no steps: {first} is not below {end}");
    Diagnostic::warning(Code::UselessRule, span, message)
        .with_help("it steps from its third operand up to its fourth, which is left out")
}

/// A dimension that the chunks of a tensor class have not.
pub fn unknown_dimension(span: Span, class: &str, dimension: u32) -> Diagnostic {
    out_of_range(span, &format!("the chunks of `{class}` have dimensions 0 to 3"), dimension.into())
}

/// An integer that the element of a constant can't hold.
pub fn wraps_around(span: Span, found: i128) -> Diagnostic {
    let message = format!("{found} does not fit in an element of 32 bits and becomes {}", found as i32);
    Diagnostic::warning(Code::NegativeSize, span, message).with_help("write the int that is meant, or a float")
}

/// A slice whose start and size have other ranks.
pub fn slice_ranks(span: Span, start: usize, size: usize) -> Diagnostic {
    let message =
        format!("start and size of a slice have the rank of what is sliced, found {start} and {size} extents");
    nothing_is_replaced(span, message)
}

/// `$Out` with other operands than it takes; `found` is in words.
pub fn view_operands(span: Span, found: &str) -> Diagnostic {
    let message = format!("`$Out` takes an op and a shape of its outputs, found {found}");
    Diagnostic::error(Code::Restriction, span, message)
        .with_help("it is written Op(\"$Out\", WITH_MULTI_OUT(outputs, Op(...)), gen_Shape(0, 0, outputs, output))")
}

/// `$Out` of an op that has another number of outputs.
pub fn view_outputs(span: Span, told: i128, made: i128) -> Diagnostic {
    let noun = if made == 1 { "output" } else { "outputs" };
    nothing_is_replaced(span, format!("the op has {made} {noun}, found {told} in the shape of `$Out`"))
}

/// `Op("$Const")` and its kin in a replacement.
pub fn constant_as_op(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::Restriction, span, format!("`{name}` is made of values, and not as an op")).with_help(
        "constants are gen_ConstScalar_f32(x), gen_ConstArr_vals_i32(...) and their kin, shapes gen_Shape(...)",
    )
}

/// A shape where a tensor is wanted.
pub fn shape_as_root(span: Span, is_chosen: bool) -> Diagnostic {
    let never = if is_chosen { "the rule does not apply where it is chosen" } else { "the rule never applies" };
    Diagnostic::warning(Code::UselessRule, span, format!("a shape can't take the place of an op: {never}"))
        .with_help("give the shape to an op as an operand, or as the size of one by WITH_SIZE(shape, Op(...))")
}
