//! Extents and lengths that no tensor can have.

use super::{Subject, shape_text};
use crate::compose::extent::SymExpr;
use crate::compose::limits;
use crate::compose::tensors::TensorType;
use crate::compose::violation::{Violation, extent, message, words};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};
use skriptnd_syntax::ast::Param;

pub(crate) fn negative_extent(extent: i64, span: Span) -> Diagnostic {
    Diagnostic::error(Code::NegativeExtent, span, format!("an extent must not be negative; it is {extent}"))
        .with_label(format!("= {extent}"))
}

pub(crate) fn negative_bound(bound: i64, span: Span) -> Diagnostic {
    Diagnostic::error(Code::NegativeExtent, span, format!("the bound of an extent must not be negative; it is {bound}"))
        .with_label(format!("= {bound}"))
}

/// An extent of a tensor that an operator declares.
pub(crate) struct DeclaredExtent<'a> {
    /// `result`, `constant`, `variable`
    pub(crate) kind: &'a str,
    pub(crate) param: &'a Param,
    /// In a pack.
    pub(crate) position: Option<usize>,
    pub(crate) dimension: usize,
}

/// An extent that some extents of the run make negative.
pub(crate) fn negative_declared(path: &str, place: DeclaredExtent<'_>, value: &SymExpr, span: Span) -> Violation {
    let DeclaredExtent { kind, param, position, dimension } = place;
    let item = position.map_or_else(String::new, |at| format!("[{at}]"));
    let about = format!("dimension {dimension} of {kind} `{}{item}` of `{path}` is ", param.name.text);
    negative((about, value, "an extent"), param, span)
}

/// A pack of which some extents of the run make the length negative.
pub(crate) fn negative_pack(path: &str, (kind, param): (&str, &Param), length: &SymExpr, span: Span) -> Violation {
    let about = format!("the length of {kind} `{}` of `{path}` is ", param.name.text);
    negative((about, length, "a length"), param, span)
}

fn negative((about, value, what): (String, &SymExpr, &str), param: &Param, span: Span) -> Violation {
    let text = message(vec![words(about), extent(value), words(format!("; {what} must not be negative"))]);
    let violation = Violation::new(Code::NegativeExtent, span, text).with_related(param.span, "declared here");
    match value.as_known() {
        Some(_) => violation,
        None => violation.with_value(value.to_string(), extent(value)),
    }
}

/// An extent of an argument is above the bound that the input declares.
pub(crate) fn extent_above_bound(
    path: &str,
    subject: &Subject<'_>,
    extent_of_argument: &SymExpr,
    bound: &SymExpr,
    span: Span,
) -> Violation {
    let about = format!("{} is ", subject.describe(path));
    let text = message(vec![words(about), extent(extent_of_argument), words(", above the bound "), extent(bound)]);
    Violation::new(Code::ExtentBound, span, text).with_related(subject.param().span, "the bound is declared here")
}

pub(crate) fn rank_limit(rank: usize, span: Span) -> Diagnostic {
    let limit = limits::RANK;
    Diagnostic::error(Code::RankLimit, span, format!("a tensor of {rank} dimensions; the limit is {limit}"))
}

pub(crate) fn tensor_too_large(ty: &TensorType, param: &Param, site: Span) -> Diagnostic {
    let message = format!("tensor `{}` can't be addressed: it is {}", param.name.text, shape_text(ty));
    let diagnostic = Diagnostic::error(Code::TensorTooLarge, site, message)
        .with_help("its known extents, those of 0 left out, must multiply to less than 2**60 elements");
    if site == param.span { diagnostic } else { diagnostic.with_related(param.span, "declared here") }
}
