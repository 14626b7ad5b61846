//! What is wrong with the modules of a model as such, one constructor each.

use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic};

pub(super) fn unknown_module(span: Span, name: &str, nearest: Option<&str>) -> Diagnostic {
    let d = Diagnostic::error(
        Code::UnknownModule,
        span,
        format!("there is no module `{name}`, neither in the model's folder nor in the standard library"),
    )
    .with_label("not found");
    match (nearest, name.strip_suffix(".sknd")) {
        (_, Some(module)) => d.with_help(format!("modules are named without `.sknd`: `import {module};`")),
        (Some(nearest), None) => d.with_help(format!("did you mean `{nearest}`?")),
        (None, None) => {
            d.with_help(format!("expected the file `{}.sknd` in the model's folder", name.replace('.', "/")))
        }
    }
}

/// Behind a semicolon the reason may have what to do about it.
pub(super) fn unreadable_module(span: Span, name: &str, reason: &str) -> Diagnostic {
    let (reason, cure) = reason.split_once("; ").unwrap_or((reason, "give another file, or remove the import"));
    Diagnostic::error(Code::UnreadableModule, span, format!("the module `{name}` can't be read: {reason}"))
        .with_label("needed here")
        .with_help(cure)
}

pub(super) fn import_of_main(span: Span) -> Diagnostic {
    Diagnostic::error(Code::ImportOfMain, span, "the main module can't be imported: it defines graphs")
        .with_label("not allowed")
        .with_help("move what both need to a module of its own")
}

pub(super) fn graph_in_module(span: Span, graph: &str, module: &str) -> Diagnostic {
    let message = format!("the graph `{graph}` is defined in the imported module `{module}`");
    Diagnostic::error(Code::GraphInModule, span, message)
        .with_label("graphs are only allowed in `main`")
        .with_help("define it as an `operator`, or move it to main.sknd")
}
