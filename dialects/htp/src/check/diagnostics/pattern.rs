//! What can be wrong with matches.

use super::describe;
use crate::grammar::term::{Term, TermKind};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

/// An op whose name is made of several constants, and that has no operands.
pub fn name_of_parts(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(Code::StringConstant, span, format!("string constants side by side name the op `{name}` here"))
        .with_help("if the second one is an operand, a comma is missing before it")
}

/// A tag that is a part of one in the match, which several constants make.
pub fn tag_of_parts(span: Span, whole: &str, part: &str) -> Diagnostic {
    let message = format!("string constants side by side are one operand tag, \"{whole}\", and \"{part}\" is none");
    Diagnostic::error(Code::UnknownTag, span, message).with_help("a comma is missing between them")
}

/// `LET` around the root of a match.
pub fn let_at_root(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Let, span, "the root of a match must be Op or OpVarIn, found `LET(...)`")
        .with_help("the root is \"*\" in constraint and replacement")
}

/// An operand tag as a whole match.
pub fn root_must_be_op(span: Span) -> Diagnostic {
    Diagnostic::error(Code::Unexpected, span, "the root of a match must be Op or OpVarIn, found an operand tag")
        .with_help("write e.g. Op(\"Relu\", \"x\")")
}

/// `LET` around something else than an op.
pub fn let_needs_op(term: &Term) -> Diagnostic {
    let help = match term.kind {
        TermKind::Strings(_) => "an operand that is a tag needs no LET",
        _ => "write LET(\"tag\", Op(...))",
    };
    Diagnostic::error(Code::Let, term.span, format!("`LET` names an Op or OpVarIn, found {}", describe(term)))
        .with_help(help)
}

/// A tag that two `LET`s give.
pub fn let_twice(span: Span, tag: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::Let, span, format!("tag \"{tag}\" is given by two LETs"))
        .with_related(first, "first given here")
        .with_help("give each op a tag of its own; an op that is an operand twice stands under its tag the second time")
}

/// A tag within the op that `LET` names by it.
pub fn let_within_itself(span: Span, tag: &str) -> Diagnostic {
    Diagnostic::error(Code::Let, span, format!("tag \"{tag}\" stands within the LET that gives it"))
        .with_help("no op can be its own operand")
}

/// `"*"` in a match.
pub fn star_in_match(span: Span) -> Diagnostic {
    Diagnostic::error(Code::OperandTag, span, "\"*\" is the root of the match, and no operand tag within it")
        .with_help("give the operand another tag; constraint and replacement name the root \"*\"")
}
