//! The NumPy file format, versions 1 to 3: magic, version, length of the header, the header (a Python dictionary with
//! the keys `descr`, `fortran_order` and `shape`), data.

use super::{Encoding, Fault, FileError, Layout, checked_length};
use crate::atomic::{Mode, Prepared};
use crate::storage::Storage;
use crate::stored::decoded;
use crate::tensor::{ElementType, Tensor};
use crate::view::View;
use std::path::Path;

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
const MAX_HEADER: usize = 1 << 16;
const MAX_RANK: usize = 32;

/// Checks the header against itself and against the length of the file.
pub(super) fn layout(bytes: &[u8]) -> Result<Layout, Fault> {
    let (start, length) = match bytes.get(6..) {
        Some([1, 0, low, high, ..]) => (10, usize::from(u16::from_le_bytes([*low, *high]))),
        Some([2 | 3, 0, a, b, c, d, ..]) => (12, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
        Some([major, minor, _, _, ..]) => {
            return Err(Fault::new(6, format!("expected version 1.0, 2.0 or 3.0, found {major}.{minor}")));
        }
        _ => return Err(Fault::cut_off(bytes.len(), "the file ends within the header")),
    };
    if length > MAX_HEADER {
        return Err(Fault::new(8, format!("a header of {length} bytes; at most {MAX_HEADER} are expected")));
    }
    let Some(text) = bytes.get(start..start + length) else {
        return Err(Fault::cut_off(bytes.len(), format!("the file ends within the header of {length} bytes")));
    };
    let mut reader = HeaderReader { text, at: 0 };
    let header = reader.dictionary().map_err(|fault| Fault { offset: start + fault.offset, ..fault })?;
    let (encoding, big_endian) = encoding(&header.descr).map_err(|message| {
        Fault::new(start, message).with_help("convert the array, e.g. `array.astype(\"float32\")`, and save it again")
    })?;
    let data = start + length..bytes.len();
    let expected = checked_length(&header.shape, encoding, start)?;
    if data.len() != expected {
        return Err(Fault::length(data.start, expected, data.len(), &header.shape));
    }
    Ok(Layout { shape: header.shape, encoding, big_endian, column_major: header.column_major, data })
}

fn encoding(descr: &str) -> Result<(Encoding, bool), String> {
    let unknown =
        || format!("type `{descr}` is not supported; expected float16/32/64, int8 to int64, uint8 to uint64 or bool");
    let mut letters = descr.chars();
    let big_endian = match letters.next() {
        Some('<' | '|') => false,
        Some('=') => cfg!(target_endian = "big"),
        Some('>') => true,
        _ => return Err(unknown()),
    };
    let encoding = match letters.as_str() {
        "f2" => Encoding::Float { bytes: 2 },
        "f4" => Encoding::Float { bytes: 4 },
        "f8" => Encoding::Float { bytes: 8 },
        "i1" => Encoding::Signed { bytes: 1 },
        "i2" => Encoding::Signed { bytes: 2 },
        "i4" => Encoding::Signed { bytes: 4 },
        "i8" => Encoding::Signed { bytes: 8 },
        "u1" => Encoding::Unsigned { bytes: 1 },
        "u2" => Encoding::Unsigned { bytes: 2 },
        "u4" => Encoding::Unsigned { bytes: 4 },
        "u8" => Encoding::Unsigned { bytes: 8 },
        "b1" => Encoding::Bool,
        _ => return Err(unknown()),
    };
    Ok((encoding, big_endian))
}

struct Header {
    descr: String,
    column_major: bool,
    shape: Vec<usize>,
}

/// Reads the few forms of Python literals that a header consists of.
struct HeaderReader<'a> {
    text: &'a [u8],
    at: usize,
}

impl HeaderReader<'_> {
    fn dictionary(&mut self) -> Result<Header, Fault> {
        let (mut descr, mut column_major, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.take(b'}') {
            let start = self.at;
            let key = self.string()?;
            let repeated = match key.as_str() {
                "descr" => descr.is_some(),
                "fortran_order" => column_major.is_some(),
                _ => shape.is_some() && key == "shape",
            };
            if repeated {
                return Err(Fault::new(start, format!("the key `{key}` stands twice in the header")));
            }
            self.expect(b':')?;
            match key.as_str() {
                "descr" => descr = Some(self.string()?),
                "fortran_order" => column_major = Some(self.boolean()?),
                "shape" => shape = Some(self.tuple()?),
                _ => return Err(Fault::new(start, format!("unknown key `{key}` in the header"))),
            }
            if !self.take(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        self.skip_space();
        if self.at < self.text.len() {
            return Err(self.fault("the end of the header"));
        }
        let missing = |key: &str| Fault::new(0, format!("the header has no `{key}`"));
        Ok(Header {
            descr: descr.ok_or_else(|| missing("descr"))?,
            column_major: column_major.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.skip_space();
        let quote = match self.text.get(self.at) {
            Some(&quote @ (b'\'' | b'"')) => quote,
            _ => return Err(self.fault("a string; records and other types are not supported")),
        };
        let rest = &self.text[self.at + 1..];
        let Some(length) = rest.iter().position(|&byte| byte == quote) else {
            return Err(self.fault("a string that ends"));
        };
        self.at += length + 2;
        Ok(String::from_utf8_lossy(&rest[..length]).into_owned())
    }

    fn boolean(&mut self) -> Result<bool, Fault> {
        self.skip_space();
        for (word, value) in [(&b"True"[..], true), (b"False", false)] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.fault("True or False"))
    }

    fn tuple(&mut self) -> Result<Vec<usize>, Fault> {
        let mut items = Vec::new();
        self.expect(b'(')?;
        while !self.take(b')') {
            if items.len() == MAX_RANK {
                return Err(self.fault("at most 32 extents"));
            }
            items.push(self.integer()?);
            if !self.take(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(items)
    }

    fn integer(&mut self) -> Result<usize, Fault> {
        self.skip_space();
        let digits = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.text[self.at..self.at + digits]).unwrap_or("");
        let Ok(value) = text.parse() else { return Err(self.fault("an extent")) };
        self.at += digits;
        // Files from Python 2 have long integers.
        if self.text.get(self.at) == Some(&b'L') {
            self.at += 1;
        }
        Ok(value)
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.take(byte) { Ok(()) } else { Err(self.fault(&format!("`{}`", char::from(byte)))) }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn fault(&self, expected: &str) -> Fault {
        Fault::new(self.at, format!("expected {expected} in the header"))
            .with_help("`numpy.save(\"x.npy\", array)` writes such a header, of an array of numbers or truth values")
    }
}

/// Writes a tensor, its elements as they lie. NumPy has no bf16; such numbers are written as float32.
///
/// # Errors
/// Where the file can't be written.
pub fn write<'v>(path: &Path, tensor: impl Into<View<'v>>) -> Result<(), FileError> {
    let failed = |source| FileError::Io { path: path.to_owned(), source };
    prepare(path, tensor)?.finish().map_err(failed)
}

/// The same file, not in its place yet.
///
/// # Errors
/// As [`write`] has.
pub fn prepare<'v>(path: &Path, tensor: impl Into<View<'v>>) -> Result<Prepared, FileError> {
    let view = tensor.into();
    if view.storage() == Storage::BF16 {
        let data = decoded(Storage::BF16, ElementType::F32, view.bytes());
        return prepare(path, &Tensor { shape: view.shape().to_vec(), data });
    }
    let header = header(&view);
    Prepared::new(path, Mode::Plain, |out| {
        out.write_all(&header)?;
        out.write_all(view.bytes())
    })
    .map_err(|source| FileError::Io { path: path.to_owned(), source })
}

/// The bytes of the same file.
pub fn encode<'v>(tensor: impl Into<View<'v>>) -> Vec<u8> {
    let view = tensor.into();
    if view.storage() == Storage::BF16 {
        let data = decoded(Storage::BF16, ElementType::F32, view.bytes());
        return encode(&Tensor { shape: view.shape().to_vec(), data });
    }
    [&header(&view), view.bytes()].concat()
}

/// What NumPy calls a type, in the machine's byte order.
fn descr(storage: Storage) -> &'static str {
    match storage {
        Storage::I8 => "|i1",
        Storage::U8 => "|u1",
        Storage::I16 => "<i2",
        Storage::U16 => "<u2",
        Storage::I32 => "<i4",
        Storage::U32 => "<u4",
        Storage::I64 => "<i8",
        Storage::U64 => "<u8",
        Storage::F16 => "<f2",
        Storage::F32 | Storage::BF16 => "<f4",
        Storage::F64 => "<f8",
        Storage::Bool => "|b1",
    }
}

/// Magic, version 1.0 and the dictionary, padded so that the data begins at a multiple of 64 bytes.
fn header(view: &View<'_>) -> Vec<u8> {
    let descr = descr(view.storage());
    let extents: String = view.shape().iter().map(|extent| format!("{extent},")).collect();
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({extents}), }}");
    let unpadded = MAGIC.len() + 4 + text.len() + 1;
    text.push_str(&" ".repeat(unpadded.next_multiple_of(64) - unpadded));
    text.push('\n');
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    [MAGIC, &[1, 0], &length.to_le_bytes(), text.as_bytes()].concat()
}
