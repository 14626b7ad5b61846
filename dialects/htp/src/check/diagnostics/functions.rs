//! What can be wrong with uses of external functions.

use crate::grammar::ExternalFunction;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// An external function with another number of operands than its annotation tells.
pub fn function_operands(span: Span, annotation: &ExternalFunction, expected: usize, given: usize) -> Diagnostic {
    let noun = if expected == 1 { "operand" } else { "operands" };
    let message = format!("function `{}` takes {expected} {noun}, found {given}", annotation.name);
    Diagnostic::error(Code::OperandCount, span, message)
        .with_related(annotation.span, "announced here")
        .with_help("the replacement and the context of a split are given by the framework, and not counted")
}

/// An operand of an external function of another type than its annotation tells.
pub fn function_operand_type(span: Span, annotation: &ExternalFunction, wanted: &str, found: &str) -> Diagnostic {
    let message = format!("function `{}` takes `{wanted}` here, found {found}", annotation.name);
    Diagnostic::error(Code::Type, span, message)
        .with_related(annotation.span, "announced here")
        .with_help("tags are nodes; numbers are converted by INT(x), UINT(x) and FLOAT(x)")
}

/// Operands of an external function in another order than it takes them.
pub fn function_operands_exchanged(span: Span, annotation: &ExternalFunction) -> Diagnostic {
    let message = format!("the operands of function `{}` stand in another order than it takes them", annotation.name);
    Diagnostic::error(Code::Type, span, message)
        .with_related(annotation.span, "announced here")
        .with_help(format!("it takes ({})", annotation.parameters.join(", ")))
}

/// A function of a split that is used without one.
pub fn function_wants_split(span: Span, annotation: &ExternalFunction) -> Diagnostic {
    wants_split(span, &annotation.name).with_related(annotation.span, "announced here")
}

/// The same of one that nobody needs to announce.
pub fn wants_split(span: Span, function: &str) -> Diagnostic {
    Diagnostic::error(Code::WrongPlace, span, format!("function `{function}` takes the context of a split"))
        .with_help("apply it by AUTOSPLIT_SHAPEFN_APPLY(function, \"split\", operand...)")
}

/// A function that may be a misspelt one of the framework.
pub fn like_framework(span: Span, function: &str, near: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnknownName, span, format!("no annotation announces `{function}`"))
        .with_help(format!("did you mean `{near}`?"))
}

/// A function of the framework that gets too little.
pub fn too_few_operands(span: Span, function: &str, least: usize, given: usize) -> Diagnostic {
    let noun = if least == 1 { "operand" } else { "operands" };
    let message = format!("function `{function}` takes {least} {noun} behind the split, found {given}");
    Diagnostic::error(Code::OperandCount, span, message).with_help("the first one is the tensor that is sliced")
}
