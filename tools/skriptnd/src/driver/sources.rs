//! The files that sources of models are in, and what is wrong with those that are given for them.

use super::onnx::is_onnx;
use crate::failure::Failure;
use skriptnd_runtime::FileKind;
use skriptnd_source::diagnostics::nearest;
#[cfg(feature = "mlir")]
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The largest text that is taken for a module.
const MAX_MODULE: u64 = 256 << 20;

/// How many names are listed.
const LISTED: usize = 10;

/// Whether a path is that of a compiled model: of a shared library, by its name or its first bytes.
pub fn is_artifact(path: &Path) -> bool {
    let is_named = path.extension().is_some_and(|ending| ending == "so");
    path.is_file() && (is_named || matches!(FileKind::of(path), Ok(Some(FileKind::Library | FileKind::Object))))
}

/// That a model is not there, with what may have been meant.
pub fn missing(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::file(path, error);
    if error.kind() != ErrorKind::NotFound {
        return failure;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return failure.with_help(format!("there is no folder {}", folder.display()));
    }
    let with_ending = path.with_extension("sknd");
    let models = names_in(folder, |entry| is_source(entry) || entry.join("main.sknd").is_file());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let near = nearest(&name, models.iter().map(String::as_str)).map(|near| path.with_file_name(near));
    match near.or_else(|| with_ending.is_file().then_some(with_ending)) {
        Some(near) => failure.with_help(format!("did you mean {}?", near.display())),
        None => failure.with_help("MODEL is a folder with `main.sknd`, a .sknd file, or an .onnx file"),
    }
}

/// That a folder is no model, with what there is in it.
pub fn no_main(folder: &Path) -> Failure {
    let failure = Failure::input(format!("{}: the folder has no main.sknd", folder.display()));
    let mut sources = names_in(folder, is_source);
    sources.truncate(LISTED);
    if let Some(first) = sources.first() {
        let help =
            format!("its sources are {}: give one of them, as {}", sources.join(", "), folder.join(first).display());
        return failure.with_help(help);
    }
    let foreign = names_in(folder, |entry| model_kind(entry).is_some());
    match foreign.first().and_then(|name| Some((name, model_kind(&folder.join(name))?))) {
        Some((name, kind)) => {
            failure.with_help(format!("{name} in it is {}; {}", kind.phrase(), kind.help_for_model()))
        }
        None => failure.with_help("a model is a folder with `main.sknd` in it, a .sknd file, or an .onnx file"),
    }
}

/// The kind of a file that is a model in another format.
fn model_kind(file: &Path) -> Option<FileKind> {
    use FileKind::{CoreMl, Hdf5, Keras, Nnef1, Onnx, Ort, PyTorch, TensorFlow, TfLite};
    let kind = FileKind::of(file).ok()??;
    matches!(kind, CoreMl | Hdf5 | Keras | Nnef1 | Onnx | Ort | PyTorch | TensorFlow | TfLite).then_some(kind)
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "sknd") && path.is_file()
}

/// What to do about a file that is no source.
fn help_of(kind: FileKind, file: &Path) -> String {
    if kind == FileKind::Onnx && is_onnx(file) {
        return format!("write it as SkriptND: `skriptnd import {} -o DIR` makes DIR/main.sknd", file.display());
    }
    kind.help_for_model().to_owned()
}

/// Names of what is in a folder, in alphabetical order.
fn names_in(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let wanted = entries.filter(|entry| wanted(&entry.path()));
    let mut names: Vec<_> = wanted.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// Whether a file can be a source: of another kind of file, its kind is told rather than what a parser makes of it.
pub fn check_source(file: &Path) -> Result<(), Failure> {
    let kind = FileKind::of(file).map_err(|error| Failure::file(file, &error))?;
    match kind {
        // What is wrong with a source without a word is told with its place.
        None | Some(FileKind::SkriptNd | FileKind::Text) => {}
        Some(FileKind::Empty) if is_source(file) => {}
        Some(kind) => {
            let message = format!("{}: expected a SkriptND source, found {}", file.display(), kind.phrase());
            return Err(Failure::input(message).with_help(help_of(kind, file)));
        }
    }
    match read(file) {
        Ok(_) => Ok(()),
        Err(unreadable) => Err(unreadable.into()),
    }
}

/// None if there is no such file.
pub fn read_text(file: &Path) -> Result<Option<String>, String> {
    read(file).map_err(|Unreadable { message, cure }| match cure {
        Some(cure) => format!("{message}; {cure}"),
        None => message,
    })
}

/// Reads a source that must be there.
pub fn read_source(file: &Path) -> Result<String, Failure> {
    check_source(file)?;
    read(file)?.ok_or_else(|| Failure::input(format!("{}: no such file", file.display())))
}

/// Why a text can't be read, and what to do about it.
struct Unreadable {
    message: String,
    cure: Option<String>,
}

impl From<Unreadable> for Failure {
    fn from(Unreadable { message, cure }: Unreadable) -> Failure {
        match cure {
            Some(cure) => Failure::input(message).with_help(cure),
            None => Failure::input(message),
        }
    }
}

fn read(file: &Path) -> Result<Option<String>, Unreadable> {
    let name = file.display();
    let plain = |message| Unreadable { message, cure: None };
    let failed = |error: io::Error| plain(format!("{name}: {error}"));
    // Opening a pipe waits for its writer, and devices may never end.
    match fs::metadata(file) {
        Ok(found) if found.is_dir() => return Err(plain(format!("{name}: is a folder, not a file"))),
        Ok(found) if !found.is_file() => return Err(plain(format!("{name}: not a regular file"))),
        Ok(found) if found.len() > MAX_MODULE => {
            return Err(plain(format!("{name}: the file has {} bytes; the limit is {MAX_MODULE}", found.len())));
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).map_err(failed)?;
    opened.take(MAX_MODULE).read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|error| not_utf8(file, error.as_bytes(), error.utf8_error().valid_up_to()))
}

/// That a text is in another encoding, where and probably which.
fn not_utf8(file: &Path, bytes: &[u8], at: usize) -> Unreadable {
    let name = file.display();
    if let Some(kind) = FileKind::recognize(file, bytes).filter(|kind| *kind != FileKind::SkriptNd) {
        let cure = Some(kind.help_for_model().to_owned());
        return Unreadable { message: format!("{name}: expected a text in UTF-8, found {}", kind.phrase()), cure };
    }
    if bytes.contains(&0) {
        let cure = Some("a source is a text, which any editor writes".to_owned());
        return Unreadable { message: format!("{name}: expected a text in UTF-8, found bytes that are no text"), cure };
    }
    let before = &bytes[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[begin..]).chars().count() + 1;
    let found = bytes.get(at).copied().unwrap_or_default();
    Unreadable {
        message: format!("{name}:{line}:{column}: expected a text in UTF-8, found the byte {found:02X}"),
        cure: Some(format!("if it is in Latin-1, `iconv -f LATIN1 -t UTF-8 {name}` converts it")),
    }
}

/// Whether the files on the command line of one of MLIR's tools can be texts: others are told as what they are, before they
/// are taken for one.
#[cfg(feature = "mlir")]
pub fn check_files(arguments: &[OsString]) -> Result<(), Failure> {
    use FileKind::{Archive, Dat, Gguf, Library, Npy, Npz, Object, Safetensors};
    let outputs = ["-o", "--o"].map(OsString::from);
    let given = arguments.iter().enumerate().skip(1).filter(|(at, _)| !outputs.contains(&arguments[at - 1]));
    for file in given.map(|(_, argument)| Path::new(argument)) {
        let tensor =
            |kind: &FileKind| matches!(kind, Archive | Dat | Gguf | Library | Npy | Npz | Object | Safetensors);
        let other = || FileKind::of(file).ok().flatten().filter(tensor);
        if let Some(kind) = model_kind(file).or_else(other) {
            let message = format!("{}: expected a SkriptND source or MLIR, found {}", file.display(), kind.phrase());
            return Err(Failure::input(message).with_help(help_of(kind, file)));
        }
    }
    Ok(())
}

/// Whether a file can have rules: of another kind of file, and of a folder, it is told that it has none.
#[cfg(feature = "mlir")]
pub fn check_rules(file: &Path) -> Result<(), Failure> {
    let is_rules = |entry: &Path| entry.is_file() && matches!(FileKind::of(entry), Ok(Some(FileKind::HtpRules)));
    let help = match names_in(file, is_rules).first() {
        Some(name) => &format!("give a file in it, as {}", file.join(name).display()),
        None => "rules are in C++ sources of op packages, or in .htp files",
    };
    check_text(file, "a file of HTP rules", help)
}

/// Whether a file that rules are read with can be what is expected, a text.
#[cfg(feature = "mlir")]
pub fn check_text(file: &Path, expected: &str, help: &str) -> Result<(), Failure> {
    let found = match FileKind::of(file) {
        _ if file.is_dir() => "a folder",
        Err(_) | Ok(None | Some(FileKind::HtpRules | FileKind::Text | FileKind::Empty)) => return Ok(()),
        Ok(Some(kind)) => kind.phrase(),
    };
    Err(Failure::input(format!("{}: expected {expected}, found {found}", file.display())).with_help(help))
}
