//! Tensor files: NNEF `.dat`, NumPy `.npy`, and the tensors of safetensors files. A [`TensorFile`] checks the header, which may lie in every field, and
//! maps the elements of large files, so that looking at a type or a shape never reads the data.

pub mod bytes;
mod dat;
mod decode;
mod npy;
mod safetensors;
mod watch;

pub use dat::{Items, write as write_dat, write_items};
pub use npy::{encode as encode_npy, prepare as prepare_npy, write as write_npy};
pub use safetensors::{Raw, Safetensors};

use crate::kind::FileKind;
use crate::storage::Storage;
use crate::stored::decoded;
use crate::tensor::{ElementType, Tensor, volume};
use crate::view::View;
use bytes::{Bytes, Shrunk};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is wrong with a tensor file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no tensor.
    #[error(
        "{}: expected a NumPy array (.npy) or an NNEF tensor (.dat), found {}",
        path.display(),
        kind.map_or("another file", FileKind::phrase)
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is, if that is known.
        kind: Option<FileKind>,
    },
    /// The bytes are not what the format says.
    #[error("{}: at byte {offset}: {message}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        offset: usize,
        /// Expected and found.
        message: String,
        /// What to do about it.
        help: Option<&'static str>,
    },
    /// Elements that were not read yet are gone, or can't be read any more.
    #[error("{}: the file was cut off while it was in use: it had {opened} bytes when it was opened{}", path.display(), now_has(*now))]
    Shrunk {
        /// The file.
        path: PathBuf,
        /// Its length when it was opened.
        opened: u64,
        /// Its length now, if it is known.
        now: Option<u64>,
    },
}

fn now_has(now: Option<u64>) -> String {
    now.map(|now| format!(" and has {now} now")).unwrap_or_default()
}

impl FileError {
    /// What to do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            FileError::Io { path, source } if source.kind() == io::ErrorKind::NotFound => Some(beside(path)),
            FileError::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                Some("its permissions don't let you read it: `ls -l` shows them".into())
            }
            FileError::Io { path, .. } if path.is_dir() => Some("give a .npy or .dat file in it".into()),
            FileError::Io { .. } => None,
            FileError::Foreign { kind, .. } => Some(kind.map_or(WRITE_NPY, FileKind::help_for_tensor).into()),
            FileError::Malformed { help, .. } => help.map(str::to_owned),
            FileError::Shrunk { .. } => Some("what writes it should write a new file and rename it".into()),
        }
    }
}

/// What tensors there are where one is missing.
fn beside(path: &Path) -> String {
    const LISTED: usize = 5;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = folder.read_dir() else { return format!("there is no folder {}", folder.display()) };
    let is_tensor = |file: &Path| file.extension().is_some_and(|ending| ending == "npy" || ending == "dat");
    let files = entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|file| is_tensor(file));
    let mut names: Vec<_> = files.filter_map(|file| Some(file.file_name()?.to_string_lossy().into_owned())).collect();
    names.sort_unstable();
    let more = if names.len() > LISTED { ", ..." } else { "" };
    names.truncate(LISTED);
    let folder = folder.display();
    match names.as_slice() {
        [] => format!("there are no .npy or .dat files in {folder}"),
        names => format!("the tensors in {folder} are {}{more}", names.join(", ")),
    }
}

/// What writes a tensor.
const WRITE_NPY: &str = "`numpy.save(\"x.npy\", array)` writes a file that can be read";

/// A fault found while a header is read; the caller knows the file's name.
#[derive(Debug, PartialEq)]
struct Fault {
    offset: usize,
    message: String,
    help: Option<&'static str>,
}

impl Fault {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Fault { offset, message: message.into(), help: None }
    }

    fn with_help(self, help: &'static str) -> Self {
        Fault { help: Some(help), ..self }
    }

    /// Of a file that is too short.
    fn cut_off(offset: usize, message: impl Into<String>) -> Self {
        Fault::new(offset, message).with_help("the file is damaged or was not written to its end: write it again")
    }

    /// Of a file in which the data, which begin at a byte of it, have another length than the header says.
    fn length(begin: usize, expected: usize, found: usize, shape: &[usize]) -> Self {
        let message = format!("expected {expected} bytes of data for shape {shape:?}, found {found}");
        if found < expected {
            return Fault::cut_off(begin + found, message);
        }
        Fault::new(begin + expected, message)
            .with_help("the file is longer than its header says: it is damaged or was added to; write it again")
    }

    fn of_file(self, path: &Path, begin: usize) -> FileError {
        let Fault { offset, message, help } = self;
        FileError::Malformed { path: path.to_owned(), offset: begin + offset, message, help }
    }
}

/// How elements are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// IEEE binary16, 32 or 64.
    Float { bytes: usize },
    /// The upper half of binary32 (bfloat16).
    Brain,
    /// Two's complement.
    Signed { bytes: usize },
    /// Without sign.
    Unsigned { bytes: usize },
    /// One byte each.
    Bool,
    /// One bit each, the most significant bit of a byte first.
    PackedBool,
}

impl Encoding {
    fn element_type(self) -> ElementType {
        match self {
            Encoding::Float { .. } | Encoding::Brain => ElementType::F32,
            Encoding::Signed { .. } | Encoding::Unsigned { .. } => ElementType::I64,
            Encoding::Bool | Encoding::PackedBool => ElementType::Bool,
        }
    }

    /// The form in memory that is the same; none if there is none.
    fn storage(self) -> Option<Storage> {
        match self {
            Encoding::Float { bytes: 2 } => Some(Storage::F16),
            Encoding::Brain => Some(Storage::BF16),
            Encoding::Float { bytes: 4 } => Some(Storage::F32),
            Encoding::Float { bytes: 8 } => Some(Storage::F64),
            Encoding::Signed { bytes: 1 } => Some(Storage::I8),
            Encoding::Signed { bytes: 2 } => Some(Storage::I16),
            Encoding::Signed { bytes: 4 } => Some(Storage::I32),
            Encoding::Signed { bytes: 8 } => Some(Storage::I64),
            Encoding::Unsigned { bytes: 1 } => Some(Storage::U8),
            Encoding::Unsigned { bytes: 2 } => Some(Storage::U16),
            Encoding::Unsigned { bytes: 4 } => Some(Storage::U32),
            Encoding::Unsigned { bytes: 8 } => Some(Storage::U64),
            // Bytes of a file may be other than 0 and 1.
            _ => None,
        }
    }

    /// Bytes that `count` elements take; none if that does not fit.
    fn data_length(self, count: usize) -> Option<usize> {
        match self {
            Encoding::Float { bytes } | Encoding::Signed { bytes } | Encoding::Unsigned { bytes } => {
                count.checked_mul(bytes)
            }
            Encoding::Brain => count.checked_mul(2),
            Encoding::Bool => Some(count),
            Encoding::PackedBool => Some(count.div_ceil(8)),
        }
    }
}

/// What a header says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Layout {
    shape: Vec<usize>,
    encoding: Encoding,
    big_endian: bool,
    column_major: bool,
    data: Range<usize>,
}

/// Maps a file, which is to be what is expected.
fn open_regular(path: &Path, expected: &str) -> io::Result<Bytes> {
    // Opening a pipe waits for its writer.
    let found = path.metadata()?;
    if !found.is_file() {
        let what = if found.is_dir() { "a folder" } else { "a device or a pipe" };
        return Err(io::Error::other(format!("expected {expected}, found {what}")));
    }
    File::open(path).and_then(Bytes::of)
}

/// A tensor file, its header checked. Who uses elements where they lie asks [`TensorFile::check`] afterwards.
#[derive(Debug)]
pub struct TensorFile {
    path: PathBuf,
    /// Those of the whole file, which others may look at as well.
    bytes: Arc<Bytes>,
    layout: Layout,
}

impl TensorFile {
    /// Opens a file. Its first bytes say which format it is, whatever its name.
    pub fn open(path: &Path) -> Result<TensorFile, FileError> {
        let io_error = |source| FileError::Io { path: path.to_owned(), source };
        let bytes = open_regular(path, "a tensor file").map_err(io_error)?;
        let Some(layout) = layout_of(&bytes) else {
            let kind = FileKind::recognize(path, &bytes).filter(|kind| !matches!(kind, FileKind::Npy | FileKind::Dat));
            return Err(FileError::Foreign { path: path.to_owned(), kind });
        };
        let layout = layout.map_err(|fault| fault.of_file(path, 0))?;
        Ok(TensorFile { path: path.to_owned(), bytes: Arc::new(bytes), layout })
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Extents.
    pub fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    /// The type that elements have once read.
    pub fn element_type(&self) -> ElementType {
        self.layout.encoding.element_type()
    }

    /// The form in memory that the elements of the file have; none if they have to be converted in any case.
    pub fn storage(&self) -> Option<Storage> {
        self.layout.encoding.storage()
    }

    /// The elements where they lie in the file, if they have this form, row-major, in the machine's byte order, aligned.
    pub fn view(&self, storage: Storage) -> Option<View<'_>> {
        let bytes = &self.bytes[self.layout.data.clone()];
        let is_aligned = bytes.as_ptr() as usize % storage.size() == 0;
        if self.storage() != Some(storage) || self.needs_rearranging() || !is_aligned {
            return None;
        }
        // SAFETY: the header was checked against the length; every bit pattern is an element of these types.
        Some(unsafe { View::from_raw(storage, self.shape(), bytes.as_ptr().cast()) })
    }

    /// Copies the elements as those of a type that is stored in some form: in a file, they have that form, or are numbers that
    /// can be read as the type. Only so, whole numbers may be real ones or beyond 64 bits with sign.
    ///
    /// # Errors
    /// As [`TensorFile::read`] has.
    pub fn read_as(&self, element_type: ElementType, storage: Storage) -> Result<Tensor, FileError> {
        if self.storage() != Some(storage) || storage.element_type().is_some() || self.needs_rearranging() {
            return self.read();
        }
        let data = decoded(storage, element_type, &self.bytes[self.layout.data.clone()]);
        self.check()?;
        Ok(Tensor { shape: self.shape().to_vec(), data })
    }

    /// Copies the elements, converted: floating-point numbers to f32, integers to i64.
    pub fn read(&self) -> Result<Tensor, FileError> {
        let read = decode::decode(&self.layout, &self.bytes[self.layout.data.clone()]);
        self.check()?;
        read.map_err(|fault| fault.of_file(&self.path, self.layout.data.start))
    }

    /// Refuses what came of the elements if some were gone from the file when they were used.
    ///
    /// # Errors
    /// Where the file has become shorter since it was opened, or can't be read.
    pub fn check(&self) -> Result<(), FileError> {
        let shrunk = |Shrunk { opened, now }| FileError::Shrunk { path: self.path.clone(), opened, now };
        self.bytes.check().map_err(shrunk)
    }

    fn needs_rearranging(&self) -> bool {
        self.layout.column_major || self.layout.big_endian != cfg!(target_endian = "big")
    }
}

/// Reads a whole file.
pub fn read_tensor(path: &Path) -> Result<Tensor, FileError> {
    TensorFile::open(path)?.read()
}

/// None if the file is no tensor.
fn layout_of(bytes: &[u8]) -> Option<Result<Layout, Fault>> {
    if bytes.starts_with(npy::MAGIC) {
        Some(npy::layout(bytes))
    } else {
        bytes.starts_with(dat::MAGIC).then(|| dat::layout(bytes))
    }
}

/// Elements of the shape and bytes they take, both within what the machine can address.
fn checked_length(shape: &[usize], encoding: Encoding, offset: usize) -> Result<usize, Fault> {
    volume(shape)
        .and_then(|count| encoding.data_length(count))
        .filter(|&length| isize::try_from(length).is_ok())
        .ok_or_else(|| Fault::new(offset, format!("extents {shape:?} are too large")))
}

#[cfg(test)]
mod tests;
