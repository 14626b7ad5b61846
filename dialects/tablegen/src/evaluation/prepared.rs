//! A file as TableGen is to read it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::Input;
use crate::{
    error::{Diagnostic, Error, Result},
    guard,
    paths::OwnIncludes,
    spellings::respell,
};

/// A file, checked and with today's spellings, and where what it includes is.
pub struct Prepared {
    /// The name that diagnostics show.
    pub file_name: String,
    /// The name under which TableGen reads it.
    pub read_name: String,
    /// The files that it includes, directly or not.
    pub included: Vec<PathBuf>,
    /// What was said of its spellings.
    pub warnings: Vec<Diagnostic>,
    /// The text, where it is not that of a file of this name.
    pub text: Option<String>,
    include_directories: Vec<PathBuf>,
    // They are deleted with this.
    _own: OwnIncludes,
    _kept: Option<NamedTempFile>,
}

impl Prepared {
    /// The file `path`; `include` statements are searched in `include_directories` and among the files that this crate
    /// brings along.
    pub fn file(path: &Path, include_directories: &[PathBuf]) -> Result<Self> {
        let own = OwnIncludes::new()?;
        let directories = own.behind(include_directories);
        let included = guard::check_file(path, &directories)?;
        let name = path.to_string_lossy().into_owned();
        let respelled = fs::read_to_string(path).ok().and_then(|text| respell(&text, &name));
        let (text, warnings) = respelled.map_or((None, Vec::new()), |found| (Some(found.text), found.warnings));
        Self::new(name, text, warnings, included, directories, own)
    }

    /// The text `text`, which diagnostics call `name`.
    pub fn text(text: &str, name: &str, include_directories: &[PathBuf]) -> Result<Self> {
        let own = OwnIncludes::new()?;
        let directories = own.behind(include_directories);
        let included = guard::check_text(text, name, &directories)?;
        let (text, warnings) = match respell(text, name) {
            Some(respelled) => (Some(respelled.text), respelled.warnings),
            None if fs::read(name).is_ok_and(|contents| contents == text.as_bytes()) => (None, Vec::new()),
            None => (Some(text.to_string()), Vec::new()),
        };
        Self::new(name.to_string(), text, warnings, included, directories, own)
    }

    fn new(
        file_name: String,
        text: Option<String>,
        warnings: Vec<Diagnostic>,
        included: Vec<PathBuf>,
        include_directories: Vec<PathBuf>,
        own: OwnIncludes,
    ) -> Result<Self> {
        // TableGen gives places in files only.
        let error = |error| Error::new(format!("cannot keep '{file_name}' in a temporary file: {error}"));
        let kept = text.as_deref().map(keep).transpose().map_err(error)?;
        let read_name = kept.as_ref().map_or(file_name.clone(), |file| file.path().to_string_lossy().into_owned());
        Ok(Self { file_name, read_name, included, warnings, text, include_directories, _own: own, _kept: kept })
    }

    /// What TableGen is to evaluate.
    pub fn input(&self) -> Input<'_> {
        Input {
            read_name: &self.read_name,
            shown_name: &self.file_name,
            include_directories: &self.include_directories,
        }
    }
}

fn keep(text: &str) -> std::io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().suffix(".td").tempfile()?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}
