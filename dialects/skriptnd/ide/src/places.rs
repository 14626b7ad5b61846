//! Definitions, references, renaming.

use crate::snapshot::Snapshot;
use skriptnd_language::sema::SymbolKind;
use skriptnd_language::sema::names::Meaning;
use skriptnd_source::{FileId, Span};
use std::fmt;

/// Why a name can't be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the texts say it")]
pub enum RenameError {
    NothingHere,
    Standard,
    Module,
    NotAName,
    Taken,
}

impl fmt::Display for RenameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RenameError::NothingHere => "there is no name here that can be changed",
            RenameError::Standard => "names of the standard library can't be changed",
            RenameError::Module => "a module is named by its file",
            RenameError::NotAName => "names consist of letters, digits and `_`, and are no keywords",
            RenameError::Taken => "the definition has this name already",
        })
    }
}

impl Snapshot {
    /// Where what stands at this byte is introduced.
    pub fn definition(&self, file: FileId, offset: u32) -> Option<Span> {
        let names = self.names(file)?;
        self.introduction(file, &names.at(offset)?.meaning)
    }

    fn introduction(&self, file: FileId, meaning: &Meaning) -> Option<Span> {
        match meaning {
            Meaning::Own(number) => Some(self.names(file)?.introduced.get(*number)?.span),
            Meaning::Operator(path) => Some(self.definitions.operator(path)?.name.span),
            Meaning::Module(path) => Some(Span { file: self.definitions.file_of(path)?, start: 0, end: 0 }),
            Meaning::Attribute(path, name) => {
                let operator = self.definitions.operator(path)?;
                operator.attributes.iter().find(|param| param.name.text == *name).map(|param| param.name.span)
            }
            Meaning::Builtin(_) => None,
        }
    }

    /// All places where what stands at this byte is meant, in the modules of the model; the first one introduces it, if
    /// it is among them.
    pub fn references(&self, file: FileId, offset: u32) -> Vec<Span> {
        let Some(names) = self.names(file) else { return Vec::new() };
        let Some(occurrence) = names.at(offset) else { return Vec::new() };
        let place = self.introduction(file, &occurrence.meaning);
        let mut found: Vec<Span> = Vec::new();
        for other in self.own_files() {
            let Some(names) = self.names(other) else { continue };
            for candidate in &names.occurrences {
                let same = candidate.meaning == occurrence.meaning;
                let own = matches!(occurrence.meaning, Meaning::Own(_));
                if (same && (!own || other == file))
                    || (!own && self.introduction(other, &candidate.meaning) == place && place.is_some())
                {
                    found.push(candidate.span);
                } else if own && place.is_some() && matches!(candidate.meaning, Meaning::Attribute(..)) {
                    // An attribute's own name, and where invocations give it.
                    found.extend((self.introduction(other, &candidate.meaning) == place).then_some(candidate.span));
                }
            }
        }
        found.sort_by_key(|span| (Some(*span) != place, span.file, span.start));
        found.dedup();
        found
    }

    /// The files of the model itself.
    fn own_files(&self) -> Vec<FileId> {
        let own = self.definitions.modules.keys().filter(|path| !self.definitions.is_standard(path));
        own.filter_map(|path| self.definitions.file_of(path)).collect()
    }

    /// The places to be changed if what stands at this byte gets another name.
    pub fn rename(&self, file: FileId, offset: u32, to: &str) -> Result<Vec<Span>, RenameError> {
        let names = self.names(file).ok_or(RenameError::NothingHere)?;
        let occurrence = names.at(offset).ok_or(RenameError::NothingHere)?;
        if !is_name(to) {
            return Err(RenameError::NotAName);
        }
        match &occurrence.meaning {
            Meaning::Module(_) => return Err(RenameError::Module),
            Meaning::Builtin(_) => return Err(RenameError::NothingHere),
            Meaning::Operator(path) if self.definitions.operator(&sibling(path, to)).is_some() => {
                return Err(RenameError::Taken);
            }
            Meaning::Own(number) => {
                let own = names.introduced.get(*number).ok_or(RenameError::NothingHere)?;
                let mut others = names.introduced.iter().filter(|other| other.operator == own.operator);
                let label = own.kind == SymbolKind::Label;
                if others.any(|other| *other.name == *to && (other.kind == SymbolKind::Label) == label) {
                    return Err(RenameError::Taken);
                }
            }
            _ => {}
        }
        let place = self.introduction(file, &occurrence.meaning).ok_or(RenameError::NothingHere)?;
        if self.definitions.path_of(place.file).is_none_or(|path| self.definitions.is_standard(path)) {
            return Err(RenameError::Standard);
        }
        Ok(self.references(file, offset))
    }
}

/// Another operator of the same module.
fn sibling(path: &str, name: &str) -> String {
    let module = path.rsplit_once('.').map_or("", |(module, _)| module);
    format!("{module}.{name}")
}

fn is_name(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && text.chars().all(word) && !super::context::KEYWORDS.contains(&text)
}
