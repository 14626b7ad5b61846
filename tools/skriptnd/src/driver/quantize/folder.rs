//! The folder of the quantized model: it is there whole, or as it was.

use crate::driver::kept;
use crate::driver::model::{Composed, Model};
use crate::driver::variables::Source;
use crate::failure::Failure;
use skriptnd_compiler::quantize::{Contents, File, Written};
use skriptnd_interpret::Variables;
use skriptnd_language::compose::graph::Origin;
use skriptnd_runtime::file::{Items, write_items};
use skriptnd_runtime::{Storage, Stored, View, prepare_npy, write_dat};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What the text of a quantized model begins with; a folder with such a text may be written again.
const MARK: &str = "# Written by `skriptnd quantize`";

/// Where the folder will be.
pub struct Place<'p> {
    path: &'p Path,
}

/// A folder that is written, but not in its place yet.
pub struct Folder {
    written: TempDir,
    path: PathBuf,
}

impl Place<'_> {
    /// Whether the folder may be written: it is not there, empty, or one that was written so before.
    pub fn find(path: &Path) -> Result<Place<'_>, Failure> {
        let entries = match path.read_dir() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Place { path }),
            entries => entries.map_err(|error| Failure::file(path, &error))?,
        };
        let mut names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        let is_own = || fs::read_to_string(path.join("main.sknd")).is_ok_and(|text| text.starts_with(MARK));
        match names.next() {
            Some(name) if !is_own() => {
                let name = name.map_err(|error| Failure::file(path, &error))?;
                let (path, name) = (path.display(), name.to_string_lossy().into_owned());
                let failure = Failure::input(format!("-o {path}: has something else in it, as {name}"));
                Err(failure.with_help("name a folder that is not there or empty, or remove what is in it"))
            }
            _ => Ok(Place { path }),
        }
    }

    /// Writes the model beside its place.
    pub fn write(
        &self,
        model: &Model,
        source: &Source<'_>,
        composed: &Composed,
        written: &Written,
    ) -> Result<Folder, Failure> {
        kept::check(&self.path.join("main.sknd"))?;
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let failed = |error: &io::Error| Failure::file(self.path, error);
        fs::create_dir_all(parent).map_err(|error| failed(&error))?;
        let usual = fs::Permissions::from_mode(0o777);
        let folder = tempfile::Builder::new().prefix(".quantized-").permissions(usual).tempdir_in(parent);
        let folder = folder.map_err(|error| failed(&error))?;
        for file in &written.files {
            write_file(folder.path(), source, composed, file)?;
        }
        write_texts(folder.path(), model, composed, written)?;
        if !written.storage.is_empty() {
            let text = serde_json::to_string_pretty(&written.storage).map_err(Failure::input)?;
            fs::write(folder.path().join("storage.json"), text + "\n").map_err(|error| failed(&error))?;
        }
        Ok(Folder { written: folder, path: self.path.to_owned() })
    }
}

impl Folder {
    /// Where it is until then.
    pub fn path(&self) -> &Path {
        self.written.path()
    }

    /// Puts it in its place.
    pub fn finish(self) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::file(&self.path, &error);
        let before = self.path.exists().then(|| self.written.path().with_extension("before"));
        if let Some(before) = &before {
            fs::rename(&self.path, before).map_err(failed)?;
        }
        let written = self.written.keep();
        if let Err(error) = fs::rename(&written, &self.path) {
            // What was there comes back.
            before.iter().for_each(|before| drop(fs::rename(before, &self.path)));
            let _ = fs::remove_dir_all(&written);
            return Err(failed(error));
        }
        before.map_or(Ok(()), |before| fs::remove_dir_all(before).map_err(failed))
    }
}

/// The main text, and the modules of the model that it may name.
fn write_texts(folder: &Path, model: &Model, composed: &Composed, written: &Written) -> Result<(), Failure> {
    use skriptnd_source::FileProvider;
    for path in
        composed.definitions.modules.keys().filter(|path| *path != "main" && !composed.definitions.is_standard(path))
    {
        let parts: Vec<&str> = path.split('.').collect();
        let Some(text) = model.module(&parts) else { continue };
        let (_, text) = text.map_err(Failure::input)?;
        crate::driver::output::write_below(folder, &format!("{}.sknd", parts.join("/")), text)?;
    }
    let main = folder.join("main.sknd");
    let mut file = fs::File::create(&main).map_err(|error| Failure::file(&main, &error))?;
    let made = write!(
        file,
        "{MARK} of {}: whole numbers for reals; docs/quantize.md says how.\n\n{}",
        composed.graph.name, written.text
    );
    made.map_err(|error| Failure::file(&main, &error))
}

fn write_file(folder: &Path, source: &Source<'_>, composed: &Composed, file: &File) -> Result<(), Failure> {
    let File { stem, shape, contents } = file;
    let path = folder.join(format!("{stem}.dat"));
    let done = match contents {
        Contents::Whole(values) => {
            let bytes: Vec<u8> = values.iter().map(|value| *value as u8).collect();
            write_items(&path, shape, Items::Signed, 8, &bytes)
        }
        Contents::Nibbles(bytes) => write_items(&path, shape, Items::Unsigned, 8, bytes),
        Contents::Reals(values) => {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            write_items(&path, shape, Items::Float, 32, &bytes)
        }
        Contents::Same(id) => return copy(&path, source, composed, *id),
    };
    done.map_err(|error| Failure::file(&path, &error))
}

/// The value of a variable that is not quantized, in the form that it has.
fn copy(
    path: &Path,
    source: &Source<'_>,
    composed: &Composed,
    id: skriptnd_language::compose::graph::TensorId,
) -> Result<(), Failure> {
    let declared = composed.graph.tensor(id);
    let Origin::Variable { file } = &declared.origin else { return Ok(()) };
    let failed = |reason: String| Failure::input(format!("variable `{}`: {reason}", declared.name));
    let value = source.read(file, declared).map_err(failed)?;
    match composed.graph.storage.get(&id) {
        None => write_dat(path, &value).map_err(Failure::input),
        Some(Storage::BF16) => Err(failed("is stored as bf16, which the files that are written here have not".into())),
        Some(storage) => {
            let path = path.with_extension("npy");
            let stored = Stored::of(*storage, &View::from(&value)).map_err(failed)?;
            let prepared = prepare_npy(&path, stored.view()).map_err(Failure::input)?;
            prepared.finish().map_err(|error| Failure::file(&path, &error))
        }
    }
}
