//! The note beside a library, `model.variables.json`: where the variables' files are.

use crate::driver::kept;
use crate::driver::model::{Composed, Model};
use crate::driver::variables;
use crate::failure::Failure;
use serde_json::Value as Json;
use skriptnd_compiler::tensors::stem;
use skriptnd_runtime::variable::files;
use skriptnd_runtime::{TensorFile, write_npy};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// What names the graph in the note; stems of files have a `.` in them.
pub const GRAPH: &str = "graph";

/// `model.so` has its note in `model.variables.json`: the graph, and from the stem of each variable's file to the file.
pub fn note_of(library: &Path) -> PathBuf {
    library.with_extension("variables.json")
}

/// Where the files of the variables are, also of those that the code does not read; those without a file must be given when the
/// artifact is run.
pub fn variables_note(output: &Path, model: &Model, composed: &Composed) -> Result<String, Failure> {
    let options = variables::VariableOptions::default();
    let source = variables::Source::new(&options, model, &composed.graph)?;
    let mut note = serde_json::Map::new();
    note.insert(GRAPH.to_string(), Json::String(composed.graph.name.clone()));
    for &id in &composed.graph.variables {
        let declared = composed.graph.tensor(id);
        let Some(stem) = stem(declared) else { continue };
        let file = match source.weight(declared) {
            Some(tensor) => Some(keep_weight(output, stem, &tensor.map_err(Failure::input)?)?),
            None => source.file(declared).ok().flatten(),
        };
        let file = file.and_then(|file| file.canonicalize().ok());
        note.insert(stem.to_string(), file.map_or(Json::Null, noted_name));
    }
    Ok(format!("{:#}\n", Json::Object(note)))
}

/// Writes a tensor of a file of weights to a file of its own in the folder `OUT.weights`.
fn keep_weight(output: &Path, stem: &str, tensor: &TensorFile) -> Result<PathBuf, Failure> {
    let folder = output.with_extension("weights");
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
    let file = folder.join(format!("{stem}.npy"));
    kept::check(&file)?;
    let view = tensor.storage().and_then(|storage| tensor.view(storage));
    let written = match view {
        Some(view) => write_npy(&file, view),
        None => tensor.read().and_then(|tensor| write_npy(&file, &tensor)),
    };
    written.and_then(|()| tensor.check()).map_err(Failure::input)?;
    Ok(file)
}

/// The name of a file as it stands in the note: a text, or its bytes where they are none.
fn noted_name(file: PathBuf) -> Json {
    match file.into_os_string().into_string() {
        Ok(text) => Json::String(text),
        Err(name) => Json::from(name.into_vec()),
    }
}

/// What [`noted_name`] made.
pub fn named_file(note: &Json) -> Option<PathBuf> {
    let byte = |byte: &Json| u8::try_from(byte.as_u64()?).ok();
    match note {
        Json::String(text) => Some(PathBuf::from(text)),
        Json::Array(bytes) => Some(OsString::from_vec(bytes.iter().map(byte).collect::<Option<_>>()?).into()),
        _ => None,
    }
}

/// What is noted beside a library; nothing where there is no note.
pub fn read_note(library: &Path) -> Result<Json, Failure> {
    let path = note_of(library);
    match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| Failure::input(format!("{}: {error}", path.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Json::Null),
        Err(error) => Err(Failure::input(format!("{}: {error}", path.display()))),
    }
}

/// All names of the variable whose file has a stem.
pub fn names_of(note: &Json, stem: &str) -> Vec<String> {
    files::names(stem, note[GRAPH].as_str())
}
