//! Diagnostics as text for a person: `FILE:LINE:COLUMN: error: ...`, the source underlined, notes, chain, help.

use super::{Diagnostic, Severity};
use crate::source::SourceMap;

/// The text of one diagnostic, ending in a newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let (line, column) = sources.position(diagnostic.span);
    let file = sources.file(diagnostic.span.file).map_or("?", |f| f.name.as_str());
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!("{file}:{line}:{column}: {severity}: {}\n", diagnostic.message)
}
