//! The NNEF tensor file format: a header of 128 bytes, then row-major data, all little endian.
//!
//! | offset | field |
//! |---|---|
//! | 0 | bytes 4E EF, version major and minor |
//! | 4 | u32 length of the data in bytes |
//! | 8 | u32 rank, at most 8 |
//! | 12 | 8 x u32 extents, unused ones 0 |
//! | 44 | u32 bits per item |
//! | 48 | u32 item type |
//! | 52 | 19 x u32 reserved |

use super::{Encoding, Fault, FileError, Layout, checked_length};
use crate::atomic;
use crate::tensor::{Tensor, TensorData};
use std::io;
use std::path::Path;

pub(super) const MAGIC: &[u8] = &[0x4E, 0xEF];
const HEADER: usize = 128;
const MAX_RANK: usize = 8;

mod at {
    pub const VERSION: usize = 2;
    pub const LENGTH: usize = 4;
    pub const RANK: usize = 8;
    pub const EXTENTS: usize = 12;
    pub const BITS: usize = 44;
    pub const TYPE: usize = 48;
    pub const RESERVED: usize = 52;
}

/// Item types of the format.
mod item {
    pub const FLOAT: u32 = 0;
    pub const UNSIGNED: u32 = 1;
    pub const QUANTIZED_UNSIGNED: u32 = 2;
    pub const QUANTIZED_SIGNED: u32 = 3;
    pub const SIGNED: u32 = 4;
    pub const BOOL: u32 = 5;
}

/// Checks the header against itself and against the length of the file.
pub(super) fn layout(bytes: &[u8]) -> Result<Layout, Fault> {
    if bytes.len() < HEADER {
        return Err(Fault::cut_off(bytes.len(), format!("the file ends within the header of {HEADER} bytes")));
    }
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let (major, minor) = (bytes[at::VERSION], bytes[at::VERSION + 1]);
    if (major, minor) != (1, 0) {
        return Err(Fault::new(at::VERSION, format!("expected version 1.0, found {major}.{minor}")));
    }
    let shape = shape(&word)?;
    let encoding = encoding(word(at::TYPE), word(at::BITS), word(at::RESERVED))?;
    let length = checked_length(&shape, encoding, at::EXTENTS)?;
    let stated = word(at::LENGTH) as usize;
    if stated != length {
        let message = format!("the length is {stated} bytes, but extents {shape:?} take {length}");
        return Err(Fault::new(at::LENGTH, message));
    }
    let found = bytes.len() - HEADER;
    if found != length {
        return Err(Fault::length(HEADER, length, found, &shape));
    }
    Ok(Layout { shape, encoding, big_endian: false, column_major: false, data: HEADER..bytes.len() })
}

fn shape(word: &impl Fn(usize) -> u32) -> Result<Vec<usize>, Fault> {
    let rank = word(at::RANK) as usize;
    if rank > MAX_RANK {
        return Err(Fault::new(at::RANK, format!("the rank is {rank}, at most {MAX_RANK} is possible")));
    }
    let extent = |dimension: usize| word(at::EXTENTS + 4 * dimension);
    if let Some(unused) = (rank..MAX_RANK).find(|&dimension| extent(dimension) != 0) {
        let message = format!("extent {unused} is {}, but the rank is {rank}", extent(unused));
        return Err(Fault::new(at::EXTENTS + 4 * unused, message));
    }
    Ok((0..rank).map(|dimension| extent(dimension) as usize).collect())
}

/// `reserved`, the first reserved word, meant "signed" in files of type 1 before there was a type for that.
fn encoding(kind: u32, bits: u32, reserved: u32) -> Result<Encoding, Fault> {
    let bytes = (bits / 8) as usize;
    let encoding = match (kind, bits) {
        (item::FLOAT, 16 | 32 | 64) => Encoding::Float { bytes },
        (item::UNSIGNED, 8 | 16 | 32 | 64) if reserved != 0 => Encoding::Signed { bytes },
        (item::UNSIGNED | item::QUANTIZED_UNSIGNED, 8 | 16 | 32 | 64) => Encoding::Unsigned { bytes },
        (item::SIGNED | item::QUANTIZED_SIGNED, 8 | 16 | 32 | 64) => Encoding::Signed { bytes },
        (item::BOOL, 1) => Encoding::PackedBool,
        (item::BOOL, 8) => Encoding::Bool,
        (item::FLOAT..=item::BOOL, _) => {
            return Err(Fault::new(at::BITS, format!("items of type {kind} can't have {bits} bits")));
        }
        _ => return Err(Fault::new(at::TYPE, format!("item type {kind} is not known; 0 to 5 are"))),
    };
    Ok(encoding)
}

/// What the items of a file are, whatever their bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Items {
    /// Floating-point numbers of 16, 32 or 64 bits.
    Float,
    /// Whole numbers without sign, of 8 to 64 bits.
    Unsigned,
    /// Whole numbers with sign, of 8 to 64 bits.
    Signed,
    /// Truth values, a byte each.
    Bool,
}

/// Writes elements that lie in memory as the file has them, little-endian in row-major order: what is mapped elsewhere is
/// copied, not gathered.
///
/// # Errors
/// Where the format has no such tensor, or the file can't be written.
pub fn write_items(path: &Path, shape: &[usize], items: Items, bits: usize, bytes: &[u8]) -> io::Result<()> {
    let kind = match items {
        Items::Float => item::FLOAT,
        Items::Unsigned => item::UNSIGNED,
        Items::Signed => item::SIGNED,
        Items::Bool => item::BOOL,
    };
    let header = header_of(shape, kind, bits as u32, bytes.len())?;
    atomic::write_file(path, |out| {
        out.write_all(&header)?;
        out.write_all(bytes)
    })
}

/// Writes a tensor: reals as float32, integers with 64 bits, truth values as one bit each.
pub fn write(path: &Path, tensor: &Tensor) -> Result<(), FileError> {
    let io_error = |source| FileError::Io { path: path.to_owned(), source };
    let header = header(tensor).map_err(io_error)?;
    atomic::write_file(path, |out| {
        out.write_all(&header)?;
        match &tensor.data {
            TensorData::F32(items) => items.iter().try_for_each(|item| out.write_all(&item.to_le_bytes())),
            TensorData::I64(items) => items.iter().try_for_each(|item| out.write_all(&item.to_le_bytes())),
            TensorData::Bool(items) => items.chunks(8).try_for_each(|bits| out.write_all(&[pack(bits)])),
        }
    })
    .map_err(io_error)
}

fn pack(bits: &[bool]) -> u8 {
    bits.iter().enumerate().fold(0, |byte, (at, &bit)| byte | (u8::from(bit) << (7 - at)))
}

fn header(tensor: &Tensor) -> io::Result<[u8; HEADER]> {
    let (kind, bits, encoding) = match &tensor.data {
        TensorData::F32(_) => (item::FLOAT, 32, Encoding::Float { bytes: 4 }),
        TensorData::I64(_) => (item::SIGNED, 64, Encoding::Signed { bytes: 8 }),
        TensorData::Bool(_) => (item::BOOL, 1, Encoding::PackedBool),
    };
    header_of(&tensor.shape, kind, bits, encoding.data_length(tensor.data.len()).unwrap_or(usize::MAX))
}

fn header_of(shape: &[usize], kind: u32, bits: u32, length: usize) -> io::Result<[u8; HEADER]> {
    if shape.len() > MAX_RANK {
        return Err(io::Error::other(format!("the format allows {MAX_RANK} dimensions, not {}", shape.len())));
    }
    let word = |value: usize| {
        u32::try_from(value).map_err(|_| io::Error::other("the format allows no tensor of 4 GiB or more"))
    };
    let length = word(length)?;
    let mut header = [0; HEADER];
    let mut put = |at: usize, value: u32| header[at..at + 4].copy_from_slice(&value.to_le_bytes());
    put(0, u32::from_le_bytes([MAGIC[0], MAGIC[1], 1, 0]));
    put(at::LENGTH, length);
    put(at::RANK, word(shape.len())?);
    for (dimension, &extent) in shape.iter().enumerate() {
        put(at::EXTENTS + 4 * dimension, word(extent)?);
    }
    put(at::BITS, bits);
    put(at::TYPE, kind);
    Ok(header)
}
