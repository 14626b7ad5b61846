//! The warnings, one constructor each.

use skriptnd_language::sema::SymbolKind;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

pub(super) fn unused(kind: SymbolKind, name: &str, span: Span) -> Diagnostic {
    let (code, what) = match kind {
        SymbolKind::Dtype => (Code::UnusedType, "remove it"),
        SymbolKind::Attribute => (Code::UnusedAttribute, "it changes nothing: remove it"),
        SymbolKind::Input => (Code::UnusedInput, "it changes nothing: remove it"),
        SymbolKind::Variable => (Code::UnusedVariable, "its file is read for nothing: remove it"),
        SymbolKind::Constant => (Code::UnusedConstant, "remove it"),
        _ => (Code::UnusedSymbol, "remove it"),
    };
    Diagnostic::warning(code, span, format!("the {} `{name}` is never used", kind.words()))
        .with_label("declared here only")
        .with_help(format!("{what}, or begin its name with `_`"))
}

pub(super) fn duplicate_import(span: Span, module: &str, first: Span) -> Diagnostic {
    Diagnostic::warning(Code::DuplicateImport, span, format!("the module `{module}` is imported twice"))
        .with_label("imported again")
        .with_related(first, "imported first")
        .with_help("remove one of them")
}

pub(super) fn unused_import(span: Span, module: &str) -> Diagnostic {
    Diagnostic::warning(
        Code::UnusedImport,
        span,
        format!("the module `{module}` is imported, and nothing of it is named"),
    )
    .with_label("needed by nothing here")
    .with_help("remove the import")
}

pub(super) fn unused_operator(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(Code::UnusedOperator, span, format!("the operator `{name}` is part of no graph"))
        .with_label("defined here only")
        .with_help("remove it, begin its name with `_`, or move it to a module that others import")
}
