//! The file of a model: mapped, decoded without a copy of its raw data, with the files that hold what is not in it.

use crate::constant::Constant;
use crate::problem::Problem;
use crate::proto::{ModelProto, StringStringEntryProto, TensorProto};
use bytes::Bytes;
use prost::Message;
use skriptnd_runtime::file::bytes::Bytes as FileBytes;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Component, Path, PathBuf};

/// A model with what lies beside it.
#[derive(Debug)]
pub struct ModelFile {
    /// The decoded messages.
    pub model: ModelProto,
    /// Where files with external data lie: beside the path that was given, which may be a link into a cache.
    folder: PathBuf,
    /// Those that have been opened.
    external: RefCell<HashMap<String, Bytes>>,
}

/// Bytes of a file that others may share.
struct Shared(FileBytes);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Maps a file. Opening a pipe would wait for who writes to it.
fn map(path: &Path) -> std::io::Result<Bytes> {
    if !path.metadata()?.is_file() {
        return Err(std::io::Error::other("it is no regular file"));
    }
    Ok(Bytes::from_owner(Shared(FileBytes::of(File::open(path)?)?)))
}

impl ModelFile {
    /// Reads a model.
    ///
    /// # Errors
    /// Where the file can't be read, or is no model.
    pub fn open(path: &Path) -> Result<ModelFile, Problem> {
        let failed = |error: std::io::Error| Problem::of_file(format!("can't be read: {error}"));
        let bytes = map(path).map_err(failed)?;
        ModelFile::decode(bytes, path.parent().unwrap_or(Path::new("")))
    }

    /// Decodes a model whose external data lie in a folder.
    ///
    /// # Errors
    /// Where the bytes are no model.
    pub fn decode(bytes: Bytes, folder: &Path) -> Result<ModelFile, Problem> {
        let length = bytes.len();
        let model = ModelProto::decode(bytes)
            .map_err(|error| Problem::of_file(format!("is no ONNX model, or is cut off ({length} bytes): {error}")))?;
        if model.graph.is_none() {
            return Err(Problem::of_file("is no ONNX model: it has no graph"));
        }
        Ok(ModelFile { model, folder: folder.to_owned(), external: RefCell::default() })
    }

    /// A tensor of the model with its elements.
    ///
    /// # Errors
    /// Where they can't be read, or its sizes lie; the reason.
    pub fn constant(&self, tensor: &TensorProto) -> Result<Constant, String> {
        let external = match tensor.data_location {
            1 => Some(self.external_data(&tensor.external_data)?),
            _ => None,
        };
        Constant::read(tensor, external)
    }

    fn external_data(&self, entries: &[StringStringEntryProto]) -> Result<Bytes, String> {
        let entry = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| entry.value.as_str());
        let number = |key: &str| {
            let text = entry(key);
            let read =
                |text: &str| text.parse::<usize>().map_err(|_| format!("its external data have the {key} `{text}`"));
            text.map(read).transpose()
        };
        let location = entry("location").ok_or("its external data have no location")?;
        let bytes = self.external_file(location)?;
        let begin = number("offset")?.unwrap_or(0);
        let length = number("length")?.unwrap_or(bytes.len().saturating_sub(begin));
        let end = begin.checked_add(length).filter(|end| *end <= bytes.len()).ok_or_else(|| {
            format!("`{location}` has {} bytes, but {length} from byte {begin} on are asked for", bytes.len())
        })?;
        Ok(bytes.slice(begin..end))
    }

    /// A file beside the model. Names that leave the folder are refused; links are followed, since caches are made of them.
    fn external_file(&self, location: &str) -> Result<Bytes, String> {
        if let Some(bytes) = self.external.borrow().get(location) {
            return Ok(bytes.clone());
        }
        let path = Path::new(location);
        let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(is_inside) {
            return Err(format!("its external data lie at `{location}`, outside of the model's folder"));
        }
        let path = self.folder.join(path);
        let bytes =
            map(&path).map_err(|error| format!("its external data in {} can't be read: {error}", path.display()))?;
        self.external.borrow_mut().insert(location.to_owned(), bytes.clone());
        Ok(bytes)
    }
}
