//! Messages about `@lower`.

use crate::sema::symbols::SymbolKind;
use crate::sema::types::Context;
use crate::sema::types::{Base, Type};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, nearest};

pub(in crate::sema) fn bound_outside_formula(span: Span) -> Diagnostic {
    Diagnostic::error(Code::MisplacedBound, span, "`| |` guards indices of tensors and belongs into `@lower`")
        .with_label("no index of a tensor")
}

pub(in crate::sema) fn access_outside_formula(span: Span, context: Context) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::MisplacedAccess, span, "elements of tensors can only be read in `@lower`")
        .with_label("accesses a tensor");
    match context {
        Context::Composition => diagnostic.with_help("invoke an operator such as `layout.slice` or `layout.gather`"),
        _ => diagnostic.with_help("only the shape of a tensor is known here: `x.shape`, `x.rank`"),
    }
}

pub(in crate::sema) fn access_needs_comma(span: Span) -> Diagnostic {
    Diagnostic::error(Code::AccessComma, span, "expected a comma after the only index of a tensor")
        .with_label("reads like the index of a pack")
        .with_help("write `x[i,]`; a pack of indices is expanded: `x[i..]`")
}

pub(in crate::sema) fn access_rank(span: Span, rank: usize, found: usize) -> Diagnostic {
    let expected = if rank == 1 { "1 index".to_owned() } else { format!("{rank} indices") };
    Diagnostic::error(Code::AccessRank, span, format!("expected {expected} for a tensor of rank {rank}, found {found}"))
        .with_label(if found < rank { "too few indices" } else { "too many indices" })
}

pub(in crate::sema) fn lowered_other(span: Span, name: &str, kind: SymbolKind, declaration: Span) -> Diagnostic {
    Diagnostic::error(
        Code::LoweredOther,
        span,
        format!("`@lower` can only assign outputs, found {} `{name}`", kind.words()),
    )
    .with_label("no output")
    .with_related(declaration, "declared here")
}

/// `name` is what may be null, and whether it is a tensor.
pub(in crate::sema) fn optional_not_resolved(span: Span, found: &Type, name: Option<(String, bool)>) -> Diagnostic {
    let reason = name.as_ref().map_or_else(String::new, |(name, _)| format!(": `{name}` is optional"));
    let message = format!("expected a value that is never null, found {found}{reason}");
    let (name, tensor) = name.unwrap_or_else(|| ("x".to_owned(), true));
    let value = if tensor { format!("{name}[...]") } else { name.clone() };
    let fallback = match found.base {
        Base::Int => "0",
        Base::Bool => "false",
        _ => "0.0",
    };
    Diagnostic::error(Code::OptionalNotResolved, span, message)
        .with_label("may be null")
        .with_help(format!("say what to use in its place: `{value} ?? {fallback}`, or `?{name} ? ... : ...`"))
}

pub(in crate::sema) fn lowered_undeclared(span: Span, name: &str, outputs: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error(Code::UndeclaredIdentifier, span, format!("`{name}` is not declared"))
        .with_label("no output of this operator");
    match nearest(name, outputs.iter().copied()) {
        Some(nearest) => diagnostic.with_help(format!("did you mean `{nearest}`?")),
        None => diagnostic.with_help("`@lower` assigns outputs: declare it in `@output`"),
    }
}

pub(in crate::sema) fn overwritten(span: Span, index: &str, bound: Span) -> Diagnostic {
    let message = format!("`=` assigns the same element for each `{index}`: only the value of the last one remains");
    Diagnostic::warning(Code::OverwrittenElement, span, message)
        .with_label(format!("doesn't depend on `{index}`"))
        .with_related(bound, "runs here")
        .with_help("write `+=` to add the values up")
}

pub(in crate::sema) fn hiding_index(span: Span, name: &str, kind: SymbolKind, declaration: Span) -> Diagnostic {
    let message = format!("the index symbol `{name}` hides the {} of the same name", kind.words());
    Diagnostic::warning(Code::HidingIndex, span, message)
        .with_label("stands for the index in this formula")
        .with_related(declaration, "hidden here")
        .with_help("choose another name for the index")
}

pub(in crate::sema) fn data_dependent_bound(span: Span, index: &str) -> Diagnostic {
    let message = "the bound of an index symbol must be known when composing, found an element of a tensor";
    Diagnostic::error(Code::DataDependentBound, span, message)
        .with_label("known only at run time")
        .with_help(format!("let `{index}` run to an upper bound and put the limit into a condition: `| {index} < ...`"))
}

pub(in crate::sema) fn missing_initialisation(span: Span, name: &str, operator: &str) -> Diagnostic {
    Diagnostic::error(Code::MissingInitialisation, span, format!("`{operator}` needs an initial value of `{name}`"))
        .with_label("not initialised")
        .with_help(format!("assign it with `=` first: `{name}[...] = ...;`"))
}

pub(in crate::sema) fn initialised_twice(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error(Code::TooManyAssignments, span, format!("`{name}` is assigned with `=` after another assignment"))
        .with_label("assigned again")
        .with_related(first, "assigned first")
        .with_help("an output has one initialisation with `=`, then one assignment that accumulates")
}

pub(in crate::sema) fn too_many_assignments(span: Span, name: &str, last: Span) -> Diagnostic {
    Diagnostic::error(
        Code::TooManyAssignments,
        span,
        format!("expected at most two assignments to `{name}`: `=`, then one that accumulates"),
    )
    .with_label("one too many")
    .with_related(last, "the one before")
}
