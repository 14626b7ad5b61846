//! Tests of the formatter.

mod files;
mod generated;
mod style;

use super::format;
use skriptnd_source::diagnostics::render;
use skriptnd_source::{FileId, SourceMap};

/// The formatted text; must be stable.
fn formatted(text: &str) -> String {
    let once = attempt(text);
    assert_eq!(attempt(&once), once, "formatting again changes the text");
    once
}

fn attempt(text: &str) -> String {
    format(FileId(0), text).unwrap_or_else(|diagnostics| {
        let mut sources = SourceMap::default();
        sources.add("test", text);
        panic!("{}\n{text}", diagnostics.iter().map(|d| render(d, &sources)).collect::<String>())
    })
}
