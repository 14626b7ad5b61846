//! What can be wrong with splits, and with what the published text restricts of replacements.

use super::quoted;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// A split tag that two splits give themselves.
pub fn split_tag_twice(span: Span, tag: &str, first: Span) -> Diagnostic {
    Diagnostic::error(
        Code::SplitTag,
        span,
        format!("split tag \"{tag}\" belongs to another AUTOSPLIT or OP_ITER of the rule"),
    )
    .with_related(first, "first given here")
    .with_help("give each its own tag")
}

/// A reference to a split that is not around it.
pub fn split_not_around(span: Span, tag: &str, around: &[String], elsewhere: Option<Span>) -> Diagnostic {
    let message = format!("no AUTOSPLIT or OP_ITER around this has the split tag \"{tag}\"");
    let mut diagnostic = Diagnostic::error(Code::SplitTag, span, message);
    if let Some(elsewhere) = elsewhere {
        diagnostic = diagnostic.with_related(elsewhere, "it may be used in the last operand of this split only");
    }
    match around {
        [] => diagnostic.with_help("it may only stand in the last operand of an AUTOSPLIT or OP_ITER"),
        _ => diagnostic.with_help(format!("around it are {}", quoted(around))),
    }
}

/// An `AUTOSPLIT` whose body is the same for all slices.
pub fn split_unused(span: Span, tag: &str) -> Diagnostic {
    Diagnostic::error(
        Code::SplitTag,
        span,
        format!("the body of the AUTOSPLIT never refers to its split tag \"{tag}\""),
    )
    .with_help("slice an operand, e.g. TYPICAL_SLICE(\"x\", \"I\")")
}

/// An `AUTOSPLIT` without a condition on a dimension.
pub fn split_unguarded(constraint: Span) -> Diagnostic {
    let message = "the constraint compares no dimension: the rule splits even where the dimension fits one slice";
    Diagnostic::warning(Code::SplitUnguarded, constraint, message).with_help("guard it, e.g. GT(DIM_DEPTH(\"*\"), 32)")
}

/// An `AUTOSPLIT` whose constraint compares another dimension.
pub fn split_guarded_elsewhere(constraint: Span, dimension: i128, compared: i128) -> Diagnostic {
    let message =
        format!("the rule splits dimension {dimension}, and its constraint compares dimension {compared} only");
    Diagnostic::warning(Code::SplitUnguarded, constraint, message)
        .with_help(format!("guard the dimension that is split, e.g. GT(DIM_OF(\"*\", {dimension}), 32)"))
}

/// An `AUTOSPLIT` where the dimension is small already.
pub fn split_in_vain(constraint: Span, dimension: i128, most: i128, size: i128) -> Diagnostic {
    let message =
        format!("the rule splits dimension {dimension} only where it is {most} or less, and fits one slice of {size}");
    Diagnostic::warning(Code::SplitUnguarded, constraint, message)
        .with_help(format!("the comparison may be the wrong way round; write GT(DIM_OF(\"*\", {dimension}), {size})"))
}

/// A match that begins with a constant.
pub fn constant_at_root(span: Span, name: &str) -> Diagnostic {
    let message = format!("the match begins with `{name}`, a constant: it is replaced wherever it is used");
    Diagnostic::warning(Code::Restriction, span, message).with_help("begin with the op that uses it")
}

/// A replacement that may be `"*"`.
pub fn replaced_by_itself(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Restriction, span, "the replacement may not be \"*\", the node that is to be replaced")
        .with_help("say in the constraint when the rule is not to apply")
}

/// A modifier around something that makes no op.
pub fn modifier_needs_op(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Restriction, span, "the last operand of a modifier must construct an Op")
        .with_help("a modifier sets the output definition of the ops in it, and existing nodes keep theirs")
}

/// A modifier of an op that wraps a node that was there.
pub fn modifier_of_wrap(span: Span) -> Diagnostic {
    let message = "a wrapping op has the output of what it wraps: this modifier changes nothing";
    Diagnostic::warning(Code::Restriction, span, message)
        .with_help("leave the modifier out, or make the op by Op(\"name\", operand)")
}

/// A shape of a shape.
pub fn shape_of_shape(span: Span) -> Diagnostic {
    Diagnostic::warning(Code::Restriction, span, "`gen_ShapeOf` of a shape is that shape")
        .with_help("leave out gen_ShapeOf")
}

/// A step size where the zero offset stands, and the other way round.
pub fn encoding_exchanged(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::Type,
        span,
        "the zero offset, an int, stands before the step size, a float; found float, int",
    )
    .with_help("write e.g. WITH_OUTPUT_TYPE(DType::QUInt8, 128, 0.5f, Op(...))")
}

/// A size of `WITH_SPLIT_HISTORY` that is no constant.
pub fn split_history_constant(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Restriction, span, "the second operand of WITH_SPLIT_HISTORY must be an integer constant")
        .with_help("write the size of the slices, e.g. 32")
}

/// `AUTOSPLIT` or `EXTERNAL_REPLACE` within something.
pub fn only_at_root(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` may only be the root of a replacement, or stand in a SELECT there");
    Diagnostic::error(Code::Restriction, span, message)
        .with_help("make what is around it by a rule of its own, in an earlier or a later pass")
}

/// `OP_ITER` over something that is neither `Op` nor an operand.
pub fn iteration_base(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Restriction, span, "the first operand of OP_ITER must be Op(...) or an existing operand")
        .with_help("it gives the op's name and its first operands; put modifiers around OP_ITER")
}

/// A slice of something that is not in the graph before.
pub fn existing_expected(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Restriction, span, "the first operand of a slice must be an existing operand")
        .with_help("name a tag of the match; what the rule makes may be made once for each slice")
}

/// No shape where one is wanted.
pub fn shape_expected(span: Span, of: &str) -> Diagnostic {
    let message = format!("`{of}` takes a shape from an existing operand or a shape construction");
    Diagnostic::error(Code::Restriction, span, message).with_help(
        "shape constructions are gen_Shape, gen_ShapeOf, SHAPEFN_APPLY, AUTOSPLIT_SHAPEFN_APPLY, and SELECT of these",
    )
}
