//! Notes beside compiled models: where the files of their variables are.

use serde_json::Value as Json;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// What names the graph in a note, and the folder in which the compiled model was; stems of files have a `.` in them.
const GRAPH: &str = "graph";
const FOLDER: &str = "folder";

/// From the stem of each variable's file to the file. Files below the folder of the compiled model are named from there, so that
/// all may be moved together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Note(Json);

impl Note {
    /// A note of a graph that was compiled to a file in a folder.
    pub fn new(graph: &str, folder: &Path) -> Note {
        let mut note = serde_json::Map::new();
        note.insert(GRAPH.to_string(), Json::String(graph.to_string()));
        note.insert(FOLDER.to_string(), name_of(whole(folder)));
        Note(Json::Object(note))
    }

    /// `model.so` has its note in `model.variables.json`.
    pub fn place(library: &Path) -> PathBuf {
        library.with_extension("variables.json")
    }

    /// The note beside a library; none if there is none.
    ///
    /// # Errors
    /// Where it can't be read.
    pub fn beside(library: &Path) -> io::Result<Option<Note>> {
        let place = Note::place(library);
        // Opening a pipe waits for its writer.
        if place.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("it is no regular file"));
        }
        match std::fs::read_to_string(place) {
            Ok(text) => Ok(Some(Note(serde_json::from_str(&text)?))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What [`Note::to_text`] wrote; empty where it is none.
    pub fn of_text(text: &str) -> Note {
        Note(serde_json::from_str(text).unwrap_or_default())
    }

    /// As it stands in a file.
    pub fn to_text(&self) -> String {
        format!("{:#}\n", self.0)
    }

    /// Adds a variable by the stem of its file's name, perhaps without a file.
    pub fn add(&mut self, stem: &str, file: Option<&Path>) {
        let folder = path_of(&self.0[FOLDER]).unwrap_or_default();
        let file = file.map(whole).map(|file| match file.strip_prefix(&folder) {
            Ok(below) if !folder.as_os_str().is_empty() => below.to_path_buf(),
            _ => file,
        });
        if let Some(note) = self.0.as_object_mut() {
            note.insert(stem.to_string(), file.map_or(Json::Null, name_of));
        }
    }

    /// The stems of all variables' files.
    pub fn stems(&self) -> impl Iterator<Item = &str> {
        let stems = self.0.as_object().into_iter().flatten().map(|(stem, _)| stem.as_str());
        stems.filter(|stem| ![GRAPH, FOLDER].contains(stem))
    }

    /// The file of a variable, if there is one: from the folder in which the compiled model is now, or else from the one in
    /// which it was.
    pub fn file(&self, stem: &str, folder: &Path) -> Option<PathBuf> {
        let beside = folder.join(path_of(&self.0[stem])?);
        [beside, self.noted(stem)?].into_iter().find(|file| file.is_file())
    }

    /// Where the file of a variable was when the model was compiled.
    pub fn noted(&self, stem: &str) -> Option<PathBuf> {
        Some(path_of(&self.0[FOLDER]).unwrap_or_default().join(path_of(&self.0[stem])?))
    }
}

/// The folder of a file, as it is named.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// A path as it stands in a note: a text, or its bytes where they are none.
fn name_of(path: PathBuf) -> Json {
    match path.into_os_string().into_string() {
        Ok(text) => Json::String(text),
        Err(name) => Json::from(name.into_vec()),
    }
}

/// What [`name_of`] made.
fn path_of(name: &Json) -> Option<PathBuf> {
    let byte = |byte: &Json| u8::try_from(byte.as_u64()?).ok();
    match name {
        Json::String(text) => Some(PathBuf::from(text)),
        Json::Array(bytes) => Some(OsString::from_vec(bytes.iter().map(byte).collect::<Option<_>>()?).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn what_lies_below_is_found_where_it_is_moved_to() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let odd = place.path().join(OsStr::from_bytes(b"home/\xff.npy"));
        std::fs::create_dir(at("home")).unwrap();
        for file in [&at("home/w.npy"), &at("v.npy"), &odd] {
            std::fs::write(file, "").unwrap();
        }
        let mut note = Note::new("Net", &at("home"));
        note.add("main.Net.w", Some(&at("home/w.npy")));
        note.add("main.Net.v", Some(&at("v.npy")));
        note.add("main.Net.odd", Some(&odd));
        note.add("main.Net.u", None);
        let note = Note::of_text(&note.to_text());
        assert_eq!((note.stems().count(), note.file("main.Net.u", &at("home"))), (4, None));
        // A copy of the library alone.
        assert_eq!(note.file("main.Net.w", &at("elsewhere")), Some(whole(&at("home/w.npy"))));
        std::fs::rename(at("home"), at("moved")).unwrap();
        assert_eq!(note.file("main.Net.w", &at("moved")), Some(at("moved/w.npy")));
        assert_eq!(note.file("main.Net.odd", &at("moved")), Some(at("moved").join(OsStr::from_bytes(b"\xff.npy"))));
        assert_eq!(note.file("main.Net.v", &at("moved")), Some(whole(&at("v.npy"))));
        assert_eq!(note.file("main.Net.w", &at("home")), None);
        assert!(note.noted("main.Net.w").unwrap().ends_with("home/w.npy"));
    }
}
