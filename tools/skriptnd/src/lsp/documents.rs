//! The texts that editors have open, and the files beside them.

use super::position::Lines;
use crate::driver::read_text;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use skriptnd_source::FileProvider;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A text that is open.
#[derive(Debug)]
pub struct Document {
    /// As the editor calls it.
    pub uri: Uri,
    pub text: String,
    pub version: i32,
}

/// All texts that are open, by path.
#[derive(Debug, Default)]
pub struct Documents {
    open: HashMap<PathBuf, Document>,
}

impl Documents {
    pub fn open(&mut self, uri: Uri, text: String, version: i32) {
        self.open.insert(path_of(&uri), Document { uri, text, version });
    }

    pub fn close(&mut self, uri: &Uri) {
        self.open.remove(&path_of(uri));
    }

    /// Applies an editor's changes one after the other.
    pub fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let Some(document) = self.open.get_mut(&path_of(uri)) else { return };
        document.version = version;
        for change in changes {
            match change.range {
                None => document.text = change.text,
                Some(range) => {
                    let lines = Lines::of(&document.text);
                    let (start, end) = (lines.offset(range.start), lines.offset(range.end));
                    document.text.replace_range(start..end.max(start), &change.text);
                }
            }
        }
    }

    pub fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.open.keys().map(PathBuf::as_path)
    }

    /// What the editor calls a file.
    pub fn uri(&self, path: &Path) -> Option<Uri> {
        match self.open.get(path) {
            Some(document) => Some(document.uri.clone()),
            None => uri_of(path),
        }
    }

    /// Whether a file is open or on disk.
    pub fn exists(&self, path: &Path) -> bool {
        self.open.contains_key(path) || path.is_file()
    }

    /// The model with this main file.
    pub fn model<'d>(&'d self, main: &'d Path) -> OpenModel<'d> {
        OpenModel { documents: self, main }
    }
}

/// The modules of a model: what is open, else what is on disk.
pub struct OpenModel<'d> {
    documents: &'d Documents,
    main: &'d Path,
}

impl FileProvider for OpenModel<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let file = match path {
            ["main"] => self.main.to_owned(),
            _ => self.main.parent()?.join(path.iter().collect::<PathBuf>()).with_extension("sknd"),
        };
        let name = file.to_string_lossy().into_owned();
        if let Some(document) = self.documents.get(&file) {
            return Some(Ok((name, document.text.clone())));
        }
        match read_text(&file) {
            Ok(text) => text.map(|text| Ok((name, text))),
            Err(reason) => Some(Err(reason)),
        }
    }
}

/// The path of a file; of other texts their whole name.
pub fn path_of(uri: &Uri) -> PathBuf {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else { return PathBuf::from(text) };
    // The part up to the first slash is the machine.
    let path = rest.find('/').map_or(rest, |at| &rest[at..]);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, others @ ..] = rest {
        let digits = others.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let decoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &others[2..] } else { others };
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of a file for editors.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?;
    if !path.is_absolute() {
        return Uri::from_str(text).ok();
    }
    let mut encoded = String::from("file://");
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte))
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&encoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_names_correspond() {
        let path = Path::new("/a b/\u{e4}%/main.sknd");
        let uri = uri_of(path).unwrap();
        assert_eq!(uri.as_str(), "file:///a%20b/%C3%A4%25/main.sknd");
        assert_eq!(path_of(&uri), path);
        let untitled = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(uri_of(&path_of(&untitled)).unwrap(), untitled);
    }
}
