//! Source texts and where they come from. The front end reads files only through a [`FileProvider`].

use crate::origins::{Origin, Origins};
use crate::span::{FileId, Span};
use std::sync::{Arc, OnceLock};

/// Where modules come from: the disk, an editor's buffers, a test.
pub trait FileProvider {
    /// The text of the module at `path` (its parts, e.g. `["lib", "ops"]`) of the model, with the name to show in
    /// diagnostics; `None` if there is no such module; `Err` with the reason if it exists and
    /// can't be read, and behind a semicolon what to do about it.
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>>;

    /// What the text of the main module was made of, where a program wrote it; its name is that of the model, then.
    fn origins(&self) -> Option<Arc<Origins>> {
        None
    }
}

/// One source text.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The name shown in diagnostics: the path as the user gave it.
    pub name: String,
    /// What the file holds; spans count its bytes.
    pub text: Arc<str>,
    /// Where its lines begin, worked out when the first message needs it.
    lines: OnceLock<Vec<usize>>,
    /// What it was made of, if a program wrote it; then the name is that of the model.
    origins: Option<Arc<Origins>>,
}

impl SourceFile {
    fn lines(&self) -> &[usize] {
        let breaks = || self.text.match_indices('\n').map(|(at, _)| at + 1);
        self.lines.get_or_init(|| std::iter::once(0).chain(breaks()).collect())
    }

    /// The line, counted from 0, that a place in the text belongs to.
    pub fn line_of(&self, offset: usize) -> usize {
        self.lines().partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Where a line begins, counted from 0; the end of the text for lines beyond it.
    pub fn line_start(&self, line: usize) -> usize {
        self.lines().get(line).copied().unwrap_or(self.text.len())
    }
}

/// All sources of one compilation.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        self.files.push(SourceFile { name: name.into(), text: text.into(), lines: OnceLock::new(), origins: None });
        FileId(u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX))
    }

    /// Says what a text was made of.
    pub fn set_origins(&mut self, id: FileId, origins: impl Into<Arc<Origins>>) {
        if let Some(file) = self.files.get_mut(id.0 as usize) {
            file.origins = Some(origins.into());
        }
    }

    /// What the line was made of in which a span begins, where a program wrote the text.
    pub fn origin(&self, span: Span) -> Option<&Origin> {
        let file = self.file(span.file)?;
        file.origins.as_ref()?.of_line(file.line_of(span.start as usize))
    }

    /// The file with this index, if it is one of ours.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The file of a name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        let number = self.files.iter().position(|file| file.name == name)?;
        u32::try_from(number).ok().map(FileId)
    }

    /// The offset of a line and column, both from 1; columns count characters.
    pub fn offset(&self, id: FileId, (line, column): (usize, usize)) -> u32 {
        let Some(file) = self.file(id) else { return 0 };
        let start = file.line_start(line.saturating_sub(1));
        let rest = &file.text[start..];
        let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
        u32::try_from(start + within).unwrap_or(u32::MAX)
    }

    /// `(line, column)` of the start of the span, both from 1; columns count characters.
    pub fn position(&self, span: Span) -> (usize, usize) {
        let Some(file) = self.file(span.file) else { return (1, 1) };
        let mut offset = (span.start as usize).min(file.text.len());
        while !file.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = file.line_of(offset);
        (line + 1, file.text[file.line_start(line)..offset].chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_are_each_others_inverse() {
        let mut sources = SourceMap::default();
        sources.add("a.sknd", "");
        let file = sources.add("b.sknd", "a\n\u{e9}b c\n");
        assert_eq!(sources.find("b.sknd"), Some(file));
        assert_eq!(sources.find("c.sknd"), None);
        for start in [0, 1, 2, 4, 5, 6, 7] {
            let position = sources.position(Span { file, start, end: start });
            assert_eq!(sources.offset(file, position), start, "{position:?}");
        }
        assert_eq!((sources.offset(file, (9, 9)), sources.offset(file, (2, 99))), (8, 8));
    }
}
