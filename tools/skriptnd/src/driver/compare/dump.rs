//! Tensors that another runtime computed: a folder of .npy files, or a .npz archive of them.

use crate::failure::Failure;
use skriptnd_onnx::problem::listed;
use skriptnd_runtime::{FileError, Tensor, read_tensor};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zip::ZipArchive;
use zip::result::ZipError;

/// Tensors by name.
pub struct Dump {
    path: PathBuf,
    tensors: BTreeMap<String, Place>,
    archive: Option<Archive>,
}

/// Where a tensor is, and whether it was asked for.
struct Place {
    at: At,
    is_read: Cell<bool>,
}

enum At {
    File(PathBuf),
    /// The number of an entry of the archive.
    Entry(usize),
}

/// An archive, and the folder for what is taken out of it.
struct Archive {
    entries: RefCell<ZipArchive<File>>,
    folder: TempDir,
}

impl Dump {
    /// Finds the tensors of a folder, those of folders in it with their path as name, or of an archive.
    pub fn open(path: &Path) -> Result<Dump, Failure> {
        let mut dump = Dump { path: path.to_owned(), tensors: BTreeMap::new(), archive: None };
        let found = path.metadata().map_err(|error| Failure::file(path, &error))?;
        if found.is_dir() {
            dump.add_folder(path, "", &mut HashSet::new()).map_err(|error| Failure::file(path, &error))?;
        } else if found.is_file() {
            dump.archive = Some(dump.open_archive()?);
        } else {
            return Err(Failure::input(format!("{}: expected a folder or a .npz archive", path.display())));
        }
        if dump.tensors.is_empty() {
            let failure = Failure::input(format!("{}: there is no tensor in it", path.display()));
            return Err(failure.with_help("tensors are .npy files, in the folder or in the .npz archive"));
        }
        Ok(dump)
    }

    /// Adds the tensors of a folder that was not `seen`: links may lead around in a circle.
    fn add_folder(&mut self, folder: &Path, above: &str, seen: &mut HashSet<PathBuf>) -> io::Result<()> {
        if !seen.insert(folder.canonicalize()?) {
            return Ok(());
        }
        // Of two files for a tensor the .npy file is read, which is the last one.
        let mut paths = folder.read_dir()?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if path.is_dir() {
                self.add_folder(&path, &format!("{above}{name}/"), seen)?;
            } else if let Some(name) = name.strip_suffix(".npy").or_else(|| name.strip_suffix(".dat")) {
                self.add(format!("{above}{name}"), At::File(path.clone()));
            }
        }
        Ok(())
    }

    fn open_archive(&mut self) -> Result<Archive, Failure> {
        let failed = |error: ZipError| {
            let failure = Failure::input(format!("{}: is no .npz archive: {error}", self.path.display()));
            failure
                .with_help("`numpy.savez(\"dump.npz\", **tensors)` writes one; a folder with .npy files does as well")
        };
        let file = File::open(&self.path).map_err(|error| Failure::file(&self.path, &error))?;
        let entries = ZipArchive::new(file).map_err(failed)?;
        let names: Vec<String> = entries.file_names().map(str::to_owned).collect();
        let folder = tempfile::tempdir().map_err(|error| Failure::file(&std::env::temp_dir(), &error))?;
        for name in names {
            let Some(number) = entries.index_for_name(&name) else { continue };
            if let Some(name) = name.strip_suffix(".npy") {
                self.add(name.to_owned(), At::Entry(number));
            }
        }
        Ok(Archive { entries: RefCell::new(entries), folder })
    }

    fn add(&mut self, name: String, at: At) {
        self.tensors.insert(name, Place { at, is_read: Cell::new(false) });
    }

    /// What it is for messages.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The tensor of the first of these names that there is. A slash that a name begins with may be left out.
    pub fn tensor(&self, names: &[&str]) -> Result<Option<Tensor>, Failure> {
        let Some((name, file)) = self.place(names)? else { return Ok(None) };
        let read = read_tensor(&file).map_err(|error| self.unreadable(name, &error))?;
        if self.archive.is_some() {
            // What follows may need the room; it stays in the archive.
            let _ = std::fs::remove_file(&file);
        }
        Ok(Some(read))
    }

    /// The file of the first of these names that there is.
    pub fn file(&self, names: &[&str]) -> Result<Option<PathBuf>, Failure> {
        Ok(self.place(names)?.map(|(_, file)| file))
    }

    fn place(&self, names: &[&str]) -> Result<Option<(&str, PathBuf)>, Failure> {
        let spellings = names.iter().flat_map(|name| [*name, name.trim_start_matches('/')]);
        let Some((name, place)) = spellings.into_iter().find_map(|name| self.tensors.get_key_value(name)) else {
            return Ok(None);
        };
        place.is_read.set(true);
        match (&place.at, &self.archive) {
            (At::Entry(number), Some(archive)) => {
                let file = archive.folder.path().join(format!("{number}.npy"));
                archive.extract(*number, &file).map_err(|error| {
                    Failure::input(format!("{}: `{name}` can't be read: {error}", self.path.display()))
                })?;
                Ok(Some((name, file)))
            }
            (At::File(file), _) => Ok(Some((name, file.clone()))),
            (At::Entry(_), None) => Ok(None),
        }
    }

    fn unreadable(&self, name: &str, error: &FileError) -> Failure {
        let failure = match &self.archive {
            Some(_) => Failure::input(format!("{}: `{name}`: {error}", self.path.display())),
            None => Failure::input(error),
        };
        match error.help() {
            Some(help) => failure.with_help(help),
            None => failure,
        }
    }

    /// The names of tensors, some of them where they are many.
    pub fn names(&self) -> String {
        listed(self.tensors.keys().map(String::as_str))
    }

    /// How many tensors nobody asked for, and names of them.
    pub fn unread(&self) -> Option<(usize, String)> {
        let unread = || self.tensors.iter().filter(|(_, place)| !place.is_read.get()).map(|(name, _)| name.as_str());
        (unread().count() > 0).then(|| (unread().count(), listed(unread())))
    }
}

impl Archive {
    /// Writes an entry to a file. An entry that is longer than its header says ends there, and is told as damaged.
    fn extract(&self, number: usize, file: &Path) -> io::Result<()> {
        let mut entries = self.entries.borrow_mut();
        let mut entry = entries.by_index(number)?;
        let size = entry.size();
        let mut out = File::create(file)?;
        let written = io::copy(&mut entry.by_ref().take(size), &mut out)?;
        match written == size && entry.read(&mut [0])? == 0 {
            true => Ok(()),
            false => Err(io::Error::other(format!("it has another length than the {size} bytes that are noted"))),
        }
    }
}
