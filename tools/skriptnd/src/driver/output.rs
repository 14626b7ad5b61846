//! Results: on standard output and in files.

use crate::failure::Failure;
use serde_json::Value as Json;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::{Tensor, TensorData, write_npy};
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Why something printed did not arrive.
static LOST: OnceLock<std::io::Error> = OnceLock::new();

/// Prints a line.
pub fn print_line(line: impl Display) {
    print(format_args!("{line}\n"));
}

/// Prints a text. A reader that has gone away is no error; what else goes wrong is said by [`finish`].
pub fn print(text: impl Display) {
    let mut out = std::io::stdout();
    match write!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => drop(LOST.set(error)),
        _ => {}
    }
}

/// Whether all that was printed arrived.
pub fn finish() -> Result<(), Failure> {
    LOST.get().map_or(Ok(()), |error| Err(Failure::input(format!("standard output: {error}"))))
}

/// Prints one JSON object on one line.
pub fn print_json(json: &Json) {
    print_line(json);
}

/// Named tensors.
pub type Results = Vec<(String, Argument<Arc<Tensor>>)>;

/// Writes `DIR/NAME.npy`, for packs `DIR/NAME.0.npy` and so on. Returns the files of each.
pub fn write_tensors(folder: &Path, results: &Results) -> Result<Vec<Vec<PathBuf>>, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    let mut written = Vec::new();
    for (name, tensors) in results {
        let mut files = Vec::new();
        for (at, tensor) in tensors.items().iter().enumerate() {
            let file = match tensors {
                Argument::Pack(_) => folder.join(format!("{name}.{at}.npy")),
                _ => folder.join(format!("{name}.npy")),
            };
            write_npy(&file, tensor).map_err(Failure::input)?;
            files.push(file);
        }
        written.push(files);
    }
    Ok(written)
}

/// A tensor on one line, as much of it as fits.
pub fn summary(name: &str, tensor: &Tensor) -> String {
    const SHOWN: usize = 8;
    let first: Vec<String> = match &tensor.data {
        TensorData::F32(items) => items.iter().take(SHOWN).map(|item| format!("{item:?}")).collect(),
        TensorData::I64(items) => items.iter().take(SHOWN).map(|item| item.to_string()).collect(),
        TensorData::Bool(items) => items.iter().take(SHOWN).map(|item| item.to_string()).collect(),
    };
    let rest = if tensor.data.len() > SHOWN { ", ..." } else { "" };
    format!("{name}: {}{:?} = {}{rest}", tensor.element_type(), tensor.shape, first.join(", "))
}
