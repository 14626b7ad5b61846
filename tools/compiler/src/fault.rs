//! What is said where a run of compiled code fails: what the interpreter says.

use skriptnd_runtime::fault::{Call, Failed, Place};
use skriptnd_source::diagnostics::{Diagnostic, Frame};
use skriptnd_source::{SourceMap, Span};

/// The message of a fault; none if its place is not in these sources.
pub fn diagnostic(failed: &Failed, sources: &SourceMap) -> Option<Diagnostic> {
    let fault = &failed.fault;
    let mut diagnostic = Diagnostic::error(fault.code.parse().ok()?, span(&fault.place, sources)?, failed.message());
    diagnostic.label.clone_from(&fault.label);
    diagnostic.help = (!fault.help.is_empty()).then(|| fault.help.clone());
    for Call { operator, place } in &fault.calls {
        diagnostic.chain.push(Frame { operator: operator.clone(), span: span(place, sources)? });
    }
    Some(diagnostic)
}

fn span(place: &Place, sources: &SourceMap) -> Option<Span> {
    let file = sources.find(&place.file)?;
    Some(Span { file, start: sources.offset(file, place.start), end: sources.offset(file, place.end) })
}
