//! What can be wrong with what a file registers of ops.

use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// Properties of an op that were told before.
pub fn properties_twice(span: Span, op: &str, first: Span) -> Diagnostic {
    let message = format!("the tensor properties of op `{op}` are told twice");
    Diagnostic::warning(Code::UnknownFlag, span, message).with_related(first, "they are told here")
}

/// Properties of an op that neither a registration nor a rule names.
pub fn not_registered(span: Span, op: &str) -> Diagnostic {
    let message = format!("tensor properties of op `{op}`, which nothing registers and no rule makes");
    Diagnostic::warning(Code::UnknownName, span, message)
        .with_help(format!("register it, e.g. by DEF_PACKAGE_OP(function, \"{op}\")"))
}

/// A tensor that is said to have two layouts, or to lie in two places.
pub fn contradiction(span: Span, op: &str, tensor: &str, [one, other]: [&str; 2]) -> Diagnostic {
    let message = format!("tensor \"{tensor}\" of op `{op}` can't be both `{one}` and `{other}`");
    Diagnostic::warning(Code::UnknownFlag, span, message)
}

/// A layout or place of no tensor.
pub fn no_tensor(span: Span, op: &str, layout: &str) -> Diagnostic {
    let message = format!("`{layout}` of op `{op}` names no tensor, and says nothing");
    Diagnostic::warning(Code::OperandCount, span, message)
        .with_help("name operands, \"*\" for the result, or \"...\" for all others")
}

/// A rule that makes an op with another number of operands than its properties tell.
pub fn other_operands(span: Span, op: &str, found: usize, told: usize, properties: Span) -> Diagnostic {
    let message =
        format!("op `{op}` has another number of operands here ({found}) than in its tensor properties ({told})");
    Diagnostic::warning(Code::OperandCount, span, message)
        .with_related(properties, "told here")
        .with_help("name all operands of the op in DEF_TENSOR_PROPERTIES, in their order")
}
