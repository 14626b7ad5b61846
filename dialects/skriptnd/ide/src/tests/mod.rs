//! Tests of what an editor asks. `$` marks the place in a text where somebody points or types.

mod completion;
mod names;

use crate::snapshot::Snapshot;
use skriptnd_source::{FileId, FileProvider, Span};

/// A model of texts: `main` and others.
struct Texts(Vec<(&'static str, String)>);

impl FileProvider for Texts {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let path = path.join(".");
        let (name, text) = self.0.iter().find(|(name, _)| *name == path)?;
        Some(Ok((format!("{name}.sknd"), text.clone())))
    }
}

/// A model, and the marked place in its main module.
struct Marked {
    snapshot: Snapshot,
    file: FileId,
    offset: u32,
}

fn marked(main: &str, others: &[(&'static str, &str)]) -> Marked {
    let offset = main.find('$').unwrap() as u32;
    let main = ("main", main.replacen('$', "", 1));
    let others = others.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let snapshot = Snapshot::checked(&Texts(std::iter::once(main).chain(others).collect()));
    let file = snapshot.definitions.main_file().unwrap();
    Marked { snapshot, file, offset }
}

impl Marked {
    fn hover(&self) -> String {
        self.snapshot.hover(self.file, self.offset).map(|hover| hover.text).unwrap_or_default()
    }

    /// A place as `file:line: text of the line`.
    fn line(&self, span: Span) -> String {
        let sources = &self.snapshot.definitions.sources;
        let source = sources.file(span.file).unwrap();
        let (line, _) = sources.position(span);
        format!("{}:{line}: {}", source.name, source.text.lines().nth(line - 1).unwrap_or_default().trim())
    }

    fn definition(&self) -> String {
        self.snapshot.definition(self.file, self.offset).map(|span| self.line(span)).unwrap_or_default()
    }

    fn references(&self) -> Vec<String> {
        self.snapshot.references(self.file, self.offset).into_iter().map(|span| self.line(span)).collect()
    }

    fn labels(&self) -> Vec<String> {
        let (_, proposals) = self.snapshot.completions(self.file, self.offset, &["lib.ops".to_owned()]);
        proposals.into_iter().map(|proposal| proposal.label).collect()
    }
}
