//! Results: on standard output and in files.

use super::kept;
use crate::failure::Failure;
use serde_json::Value as Json;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::atomic::{Mode, Prepared};
use skriptnd_runtime::{Storage, Stored, Tensor, View, prepare_npy};
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Why something printed did not arrive.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints a line.
pub fn print_line(line: impl Display) {
    print(format_args!("{line}\n"));
}

/// Prints a text. A reader that has gone away is no error; what else goes wrong is said by [`finish`].
pub fn print(text: impl Display) {
    let mut out = io::stdout();
    note_lost(write!(out, "{text}").and_then(|()| out.flush()));
}

fn note_lost(printed: io::Result<()>) {
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => drop(LOST.set(error)),
        _ => {}
    }
}

/// Whether all that was printed arrived.
pub fn finish() -> Result<(), Failure> {
    LOST.get().map_or(Ok(()), |error| Err(Failure::input(format!("standard output: {error}"))))
}

/// With microseconds behind the point.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// Prints one JSON object on one line.
pub fn print_json(json: &Json) {
    print_line(json);
}

/// Whether a path stands for standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a path leads to something that can be written to and is no regular file: standard output, a device, a pipe.
pub fn is_stream(path: &Path) -> bool {
    is_standard_output(path) || std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// A file's name as JSON has it.
///
/// # Errors
/// Where it is not UTF-8: JSON has no other text.
pub fn json_name(path: &Path) -> Result<&str, Failure> {
    let refused = || Failure::usage(format!("{}: --json can't tell a name that is not UTF-8", path.display()));
    path.to_str().ok_or_else(refused)
}

/// Writes a file, or to standard output where the path is `-`.
pub fn write(path: &Path, mode: Mode, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    if is_standard_output(path) {
        let mut out = io::stdout();
        note_lost(out.write_all(content.as_ref()).and_then(|()| out.flush()));
        return Ok(());
    }
    OutputFile::prepare(path, mode, content)?.finish()
}

/// Whether there is a folder for a file, before work is done for it.
pub fn check_place(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.map(|folder| (folder, std::fs::metadata(folder))) {
        Some((folder, Err(error))) if error.kind() == ErrorKind::NotFound => {
            let failure = Failure::input(format!("{}: there is no folder {}", path.display(), folder.display()));
            Err(failure.with_help(format!("make it: `mkdir -p {}`", folder.display())))
        }
        Some((folder, Ok(found))) if !found.is_dir() => {
            let folder = folder.display();
            Err(Failure::input(format!("{}: {folder} is a file, expected a folder", path.display())))
        }
        _ if path.is_dir() => {
            let failure = Failure::input(format!("{}: expected a file to write to, found a folder", path.display()));
            Err(failure.with_help(format!("give a file in it, such as {}", path.join("model.so").display())))
        }
        _ => Ok(()),
    }
}

/// Whether a folder is there or can be made, before work is done for it.
pub fn check_folder(option: &str, path: &Path) -> Result<(), Failure> {
    match path.ancestors().find(|folder| folder.exists()) {
        Some(found) if !found.is_dir() => {
            let (path, found) = (path.display(), found.display());
            let failure = Failure::input(format!("{option} {path}: expected a folder, found the file {found}"));
            Err(failure.with_help("name a folder that is there, or one that can be made"))
        }
        _ => Ok(()),
    }
}

/// Writes a text below a folder, which is made with what it needs.
pub fn write_below(folder: &Path, name: &str, text: String) -> Result<(), Failure> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
    write(&path, Mode::Plain, text)
}

/// A file that is written, but not in its place yet.
pub struct OutputFile {
    path: PathBuf,
    prepared: Prepared,
}

impl OutputFile {
    /// Writes the content beside its place.
    pub fn prepare(path: &Path, mode: Mode, content: impl AsRef<[u8]>) -> Result<OutputFile, Failure> {
        kept::check(path)?;
        let prepared = Prepared::new(path, mode, |out| out.write_all(content.as_ref()));
        let prepared = prepared.map_err(|error| failed(path, &error))?;
        Ok(OutputFile { path: path.to_owned(), prepared })
    }

    /// Puts it in its place.
    pub fn finish(self) -> Result<(), Failure> {
        self.prepared.finish().map_err(|error| failed(&self.path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::file(path, error)
}

/// Named tensors.
pub type Results = Vec<(String, Argument<Arc<Tensor>>)>;

/// The files `DIR/NAME.npy`, for packs `DIR/NAME.0.npy` and so on, of each tensor; `stored` says in which form, by number.
pub fn prepare_tensors(
    folder: &Path,
    results: &Results,
    stored: &[Option<Storage>],
) -> Result<Vec<Vec<OutputFile>>, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let of_item = |(name, tensors): &(String, Argument<Arc<Tensor>>), number: usize, at: usize| {
        let path = match tensors {
            Argument::Pack(_) => folder.join(format!("{name}.{at}.npy")),
            _ => folder.join(format!("{name}.npy")),
        };
        kept::check(&path)?;
        let view = View::from(&*tensors.items()[at]);
        let form = stored.get(number).copied().flatten().unwrap_or(view.storage());
        let stored =
            Stored::of(form, &view).map_err(|reason| Failure::input(format!("{}: {reason}", path.display())))?;
        let prepared = prepare_npy(&path, stored.view()).map_err(Failure::input)?;
        Ok(OutputFile { path, prepared })
    };
    let of_each = results.iter().enumerate().map(|(number, result)| {
        let count = result.1.items().len();
        (0..count).map(|at| of_item(result, number, at)).collect()
    });
    of_each.collect()
}

/// Puts files in their places. Returns these.
pub fn finish_all(files: Vec<Vec<OutputFile>>) -> Result<Vec<Vec<PathBuf>>, Failure> {
    let finish = |file: OutputFile| {
        let path = file.path.clone();
        file.finish().map(|()| path)
    };
    files.into_iter().map(|files| files.into_iter().map(finish).collect()).collect()
}
