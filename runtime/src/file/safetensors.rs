//! The safetensors format: the length of the header in 8 bytes, the header (JSON: each tensor with its type, shape and place), then the
//! tensors. Every field may lie: a file is taken only if its tensors fill it without a gap, and none lies in another one.

use super::bytes::Bytes;
use super::{Encoding, Fault, FileError, Layout, TensorFile, checked_length, open_regular};
use crate::kind::FileKind;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt::{self, Formatter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longer headers are refused, as by the format's own library.
const MAX_HEADER: u64 = 100_000_000;

/// What is no tensor in the header.
const METADATA: &str = "__metadata__";

const WRITE: &str = "`safetensors.numpy.save_file(tensors, \"weights.safetensors\")` writes a file that can be read";

/// A file of tensors by name, mapped; a tensor takes no memory before its elements are used.
#[derive(Debug, Clone)]
pub struct Safetensors {
    path: PathBuf,
    bytes: Arc<Bytes>,
    tensors: BTreeMap<String, Stored>,
}

/// A tensor of a file.
#[derive(Debug, Clone)]
struct Stored {
    shape: Vec<usize>,
    /// The type by the format's name.
    dtype: String,
    begin: usize,
    end: usize,
}

impl Safetensors {
    /// Opens a file and checks its header.
    ///
    /// # Errors
    /// Where it can't be read, or is no such file.
    pub fn open(path: &Path) -> Result<Safetensors, FileError> {
        let io_error = |source| FileError::Io { path: path.to_owned(), source };
        let bytes = open_regular(path, "a safetensors file").map_err(io_error)?;
        let tensors = tensors_of(&bytes).map_err(|fault| match FileKind::recognize(path, &bytes) {
            Some(kind) if kind != FileKind::Safetensors => {
                let message = format!("expected a safetensors file, found {}", kind.phrase());
                Fault::new(0, message).with_help(WRITE).of_file(path, 0)
            }
            _ => fault.of_file(path, 0),
        })?;
        Ok(Safetensors { path: path.to_owned(), bytes: Arc::new(bytes), tensors })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the tensors.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// The name of a tensor, if there is one of this name.
    pub fn name(&self, name: &str) -> Option<&str> {
        self.tensors.get_key_value(name).map(|(name, _)| name.as_str())
    }

    /// A tensor, where it lies; none if there is none of the name.
    ///
    /// # Errors
    /// Where its elements have a type that no variable has.
    pub fn tensor(&self, name: &str) -> Option<Result<TensorFile, FileError>> {
        let Stored { shape, dtype, begin, end } = self.tensors.get(name)?;
        let Some(encoding) = encoding(dtype) else {
            let fault = Fault::new(*begin, format!("`{name}` has elements of type {dtype}, which no variable has"));
            return Some(Err(fault.of_file(&self.path, 0)));
        };
        let layout =
            Layout { shape: shape.clone(), encoding, big_endian: false, column_major: false, data: *begin..*end };
        Some(Ok(TensorFile { path: self.path.clone(), bytes: self.bytes.clone(), layout }))
    }

    /// A tensor's type by the format's name, its shape, and its bytes, little-endian; they keep the file.
    pub fn raw(&self, name: &str) -> Option<(&str, &[usize], Raw)> {
        let Stored { shape, dtype, begin, end } = self.tensors.get(name)?;
        Some((dtype, shape, Raw { bytes: self.bytes.clone(), begin: *begin, end: *end }))
    }
}

/// The bytes of a tensor, in its file.
#[derive(Debug)]
pub struct Raw {
    bytes: Arc<Bytes>,
    begin: usize,
    end: usize,
}

impl AsRef<[u8]> for Raw {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.begin..self.end]
    }
}

/// The elements of a type by its name; none of types that variables have not.
fn encoding(dtype: &str) -> Option<Encoding> {
    Some(match dtype {
        "F16" => Encoding::Float { bytes: 2 },
        "F32" => Encoding::Float { bytes: 4 },
        "F64" => Encoding::Float { bytes: 8 },
        "BF16" => Encoding::Brain,
        "I8" => Encoding::Signed { bytes: 1 },
        "I16" => Encoding::Signed { bytes: 2 },
        "I32" => Encoding::Signed { bytes: 4 },
        "I64" => Encoding::Signed { bytes: 8 },
        "U8" => Encoding::Unsigned { bytes: 1 },
        "U16" => Encoding::Unsigned { bytes: 2 },
        "U32" => Encoding::Unsigned { bytes: 4 },
        "U64" => Encoding::Unsigned { bytes: 8 },
        "BOOL" => Encoding::Bool,
        _ => return None,
    })
}

/// How many bytes elements have, of types too that variables have not.
fn stored_as(dtype: &str) -> Option<Encoding> {
    encoding(dtype).or_else(|| dtype.starts_with("F8_").then_some(Encoding::Unsigned { bytes: 1 }))
}

/// The tensors that a header declares, checked against each other and the length of the file.
fn tensors_of(bytes: &[u8]) -> Result<BTreeMap<String, Stored>, Fault> {
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        return Err(Fault::cut_off(bytes.len(), "the file ends within the length of its header"));
    };
    let length = u64::from_le_bytes(*length);
    if length > MAX_HEADER {
        let message = format!("a header of {length} bytes; at most {MAX_HEADER} are expected");
        return Err(Fault::new(0, message).with_help(WRITE));
    }
    let Some(header) = rest.get(..length as usize) else {
        return Err(Fault::cut_off(bytes.len(), format!("the file ends within the header of {length} bytes")));
    };
    let Header(entries) = serde_json::from_slice(header)
        .map_err(|error| Fault::new(8, format!("the header is none: {error}")).with_help(WRITE))?;
    let begin = 8 + header.len();
    let mut tensors = BTreeMap::new();
    for (name, entry) in entries {
        let stored = entry.stored(&name, begin, bytes.len())?;
        if tensors.insert(name.clone(), stored).is_some() {
            return Err(Fault::new(8, format!("two tensors have the name `{name}`")).with_help(WRITE));
        }
    }
    check_places(&tensors, begin, bytes.len())?;
    Ok(tensors)
}

/// Whether tensors lie one behind the other, from the header to the end of the file.
fn check_places(tensors: &BTreeMap<String, Stored>, begin: usize, end: usize) -> Result<(), Fault> {
    let mut places: Vec<(usize, usize, &str)> =
        tensors.iter().map(|(name, stored)| (stored.begin, stored.end, name.as_str())).collect();
    places.sort_unstable();
    let mut at = begin;
    for (first, last, name) in places {
        if first < at {
            return Err(Fault::new(first, format!("`{name}` lies within another tensor")).with_help(WRITE));
        }
        if first > at {
            let message = format!("there are {} bytes of no tensor before `{name}`", first - at);
            return Err(Fault::new(at, message).with_help(WRITE));
        }
        at = last;
    }
    match end - at {
        0 => Ok(()),
        more => Err(Fault::new(at, format!("there are {more} bytes behind the last tensor")).with_help(WRITE)),
    }
}

/// What the header says of a tensor.
#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Entry {
    /// The tensor, whose place is within a file of which so many bytes are before the data.
    fn stored(self, name: &str, before: usize, length: usize) -> Result<Stored, Fault> {
        let (first, last) = self.data_offsets;
        let place = first.checked_add(before).zip(last.checked_add(before)).filter(|(first, last)| first <= last);
        let Some((begin, end)) = place else {
            return Err(Fault::new(8, format!("`{name}` lies from byte {first} to {last}")).with_help(WRITE));
        };
        if end > length {
            let message =
                format!("`{name}` lies from byte {first} to {last} of the data, which are {}", length - before);
            return Err(Fault::cut_off(length, message));
        }
        if let Some(encoding) = stored_as(&self.dtype) {
            let expected = checked_length(&self.shape, encoding, 8)?;
            if expected != end - begin {
                let (shape, dtype, found) = (&self.shape, &self.dtype, end - begin);
                let message = format!("`{name}` has {found} bytes; {dtype} of shape {shape:?} needs {expected}");
                return Err(Fault::new(begin, message).with_help(WRITE));
            }
        }
        Ok(Stored { shape: self.shape, dtype: self.dtype, begin, end })
    }
}

/// The entries of a header in their order, also those whose name is there twice.
struct Header(Vec<(String, Entry)>);

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Header, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Header;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object with a tensor for each name")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Header, M::Error> {
        let mut entries = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == METADATA {
                map.next_value::<IgnoredAny>()?;
            } else {
                entries.push((name, map.next_value()?));
            }
        }
        Ok(Header(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Storage;
    use crate::tensor::TensorData;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
    }

    fn open(bytes: &[u8]) -> Result<Safetensors, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w");
        std::fs::write(&path, bytes).unwrap();
        Safetensors::open(&path).map_err(|error| error.to_string())
    }

    fn entry(name: &str, dtype: &str, shape: &[usize], place: [usize; 2]) -> String {
        format!(r#""{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":{place:?}}}"#)
    }

    #[test]
    fn tensors_are_read_by_name() {
        let header = format!(
            r#"{{"__metadata__":{{"format":"pt"}},{},{},{}}}"#,
            entry("a.w", "F32", &[2], [0, 8]),
            entry("b", "BF16", &[1, 2], [8, 12]),
            entry("n", "I8", &[], [12, 13])
        );
        let data = [&1.5f32.to_le_bytes()[..], &(-2f32).to_le_bytes(), &[0x80, 0x3F, 0x20, 0xC0], &[0xFF]].concat();
        let opened = open(&file(&header, &data)).unwrap();
        assert_eq!(opened.names().collect::<Vec<_>>(), ["a.w", "b", "n"]);
        let read = |name: &str| opened.tensor(name).unwrap().unwrap().read().unwrap();
        assert_eq!(read("a.w").data, TensorData::F32(vec![1.5, -2.0]));
        assert_eq!((read("b").shape, read("b").data), (vec![1, 2], TensorData::F32(vec![1.0, -2.5])));
        assert_eq!(read("n").data, TensorData::I64(vec![-1]));
        assert_eq!(opened.tensor("b").unwrap().unwrap().storage(), Some(Storage::BF16));
        assert!(opened.tensor("c").is_none());
    }

    #[test]
    fn headers_that_lie_are_refused() {
        let refused = |header: &str, data: &[u8], says: &str| {
            let error = open(&file(header, data)).unwrap_err();
            assert!(error.contains(says), "{header}: {error}");
        };
        let one = |dtype: &str, shape: &[usize], place| format!("{{{}}}", entry("w", dtype, shape, place));
        refused(&one("F32", &[3], [0, 8]), &[0; 8], "`w` has 8 bytes; F32 of shape [3] needs 12");
        refused(&one("F32", &[2], [0, 8]), &[0; 4], "lies from byte 0 to 8 of the data, which are 4");
        refused(&one("F32", &[2], [8, 0]), &[0; 8], "`w` lies from byte 8 to 0");
        refused(&one("F32", &[usize::MAX, 4], [0, 8]), &[0; 8], "too large");
        refused(&one("F32", &[1], [usize::MAX - 3, usize::MAX]), &[0; 8], "`w` lies from byte");
        refused(&one("F32", &[1], [4, 8]), &[0; 8], "4 bytes of no tensor before `w`");
        refused(&one("F32", &[1], [0, 4]), &[0; 8], "4 bytes behind the last tensor");
        let two = |first: [usize; 2], second| {
            format!("{{{},{}}}", entry("v", "U8", &[4], first), entry("w", "U8", &[4], second))
        };
        refused(&two([0, 4], [2, 6]), &[0; 6], "`w` lies within another tensor");
        let twice = format!("{{{},{}}}", entry("w", "U8", &[4], [0, 4]), entry("w", "U8", &[4], [4, 8]));
        refused(&twice, &[0; 8], "two tensors have the name `w`");
        refused("[]", &[], "the header is none");
        refused(&one("F8_E4M3", &[3, 4], [0, 3]), &[0; 3], "`w` has 3 bytes; F8_E4M3 of shape [3, 4] needs 12");
        refused(r#"{"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#, &[0; 4], "the header is none");
        assert!(open(&u64::MAX.to_le_bytes()).unwrap_err().contains("at most 100000000"));
        assert!(open(&[40, 0, 0, 0, 0, 0, 0, 0, b'{']).unwrap_err().contains("within the header of 40 bytes"));
        assert!(open(&[1, 2]).unwrap_err().contains("within the length"));
        let odd = open(&file(&one("F8_E4M3", &[2], [0, 2]), &[0; 2])).unwrap();
        assert!(odd.tensor("w").unwrap().unwrap_err().to_string().contains("F8_E4M3"));
    }
}
