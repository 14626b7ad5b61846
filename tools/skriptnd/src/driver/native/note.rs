//! Writing and reading the note beside a library.

use crate::driver::kept;
use crate::driver::model::{Composed, Model};
use crate::driver::variables;
use crate::failure::Failure;
use skriptnd_compiler::tensors::stem;
use skriptnd_runtime::variable::note::{Note, folder_of};
use skriptnd_runtime::{TensorFile, write_npy};
use std::path::{Path, PathBuf};

/// Where the files of the variables are, also of those that the code does not read; those without a file must be given when the
/// artifact is run.
pub fn variables_note(output: &Path, model: &Model, composed: &Composed) -> Result<String, Failure> {
    let options = variables::VariableOptions::default();
    let source = variables::Source::new(&options, model, &composed.graph)?;
    let mut note = Note::new(&composed.graph.name, folder_of(output));
    for &id in &composed.graph.variables {
        let declared = composed.graph.tensor(id);
        let Some(stem) = stem(declared) else { continue };
        let file = match source.weight(declared) {
            Some(tensor) => Some(keep_weight(output, stem, &tensor.map_err(Failure::input)?)?),
            None => source.file(declared).ok().flatten().filter(|file| file.exists()),
        };
        note.add(stem, file.as_deref());
    }
    Ok(note.to_text())
}

/// A note of the variables alone, whose values are in the artifact.
pub fn stems_note(output: &Path, composed: &Composed) -> String {
    let mut note = Note::new(&composed.graph.name, folder_of(output));
    let declared = composed.graph.variables.iter().map(|&id| composed.graph.tensor(id));
    declared.filter_map(stem).for_each(|stem| note.add(stem, None));
    note.to_text()
}

/// The folder of an artifact's weights, which no other artifact has: `model.so.weights`.
pub fn weights_folder(artifact: &Path) -> PathBuf {
    let mut name = artifact.as_os_str().to_owned();
    name.push(".weights");
    name.into()
}

/// Writes a tensor of a file of weights to a file of its own.
fn keep_weight(output: &Path, stem: &str, tensor: &TensorFile) -> Result<PathBuf, Failure> {
    let folder = weights_folder(output);
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

/// The note beside a library; none if there is none.
pub fn read_note(library: &Path) -> Result<Option<Note>, Failure> {
    let failed = |error| Failure::input(format!("{}: {error}", Note::place(library).display()));
    Note::beside(library).map_err(failed)
}
