//! From stored bytes to tensors.

use super::{Encoding, Fault, Layout};
use crate::tensor::{Tensor, TensorData, volume};
use half::{bf16, f16};

/// The elements of `bytes`, which have the length that the layout wants.
pub(super) fn decode(layout: &Layout, bytes: &[u8]) -> Result<Tensor, Fault> {
    let count = volume(&layout.shape).unwrap_or(0);
    let data = match layout.encoding {
        Encoding::Float { bytes: size } => TensorData::F32(floats(bytes, size, layout.big_endian)?),
        Encoding::Brain => TensorData::F32(collect(words::<2>(bytes, layout.big_endian).map(brain))?),
        Encoding::Signed { bytes: size } => TensorData::I64(signed(bytes, size, layout.big_endian)?),
        Encoding::Unsigned { bytes: size } => TensorData::I64(unsigned(bytes, size, layout.big_endian)?),
        Encoding::Bool => TensorData::Bool(collect(bytes.iter().map(|&byte| byte != 0))?),
        Encoding::PackedBool => {
            let bit = |at: usize| bytes[at / 8] & (0x80 >> (at % 8)) != 0;
            TensorData::Bool(collect((0..count).map(bit))?)
        }
    };
    let data = if layout.column_major { from_column_major(data, &layout.shape)? } else { data };
    Ok(Tensor { shape: layout.shape.clone(), data })
}

/// Like `collect`, but without memory it is an error rather than the end of the process.
fn collect<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Fault> {
    let mut list = Vec::new();
    let count = items.len();
    list.try_reserve_exact(count).map_err(|_| Fault::new(0, format!("no memory for {count} elements")))?;
    list.extend(items);
    Ok(list)
}

fn floats(bytes: &[u8], size: usize, big_endian: bool) -> Result<Vec<f32>, Fault> {
    match size {
        2 => collect(words::<2>(bytes, big_endian).map(|word| f16::from_le_bytes(word).to_f32())),
        4 => collect(words::<4>(bytes, big_endian).map(f32::from_le_bytes)),
        _ => collect(words::<8>(bytes, big_endian).map(|word| f64::from_le_bytes(word) as f32)),
    }
}

fn brain(word: [u8; 2]) -> f32 {
    bf16::from_le_bytes(word).to_f32()
}

fn signed(bytes: &[u8], size: usize, big_endian: bool) -> Result<Vec<i64>, Fault> {
    match size {
        1 => collect(words::<1>(bytes, big_endian).map(|word| i64::from(i8::from_le_bytes(word)))),
        2 => collect(words::<2>(bytes, big_endian).map(|word| i64::from(i16::from_le_bytes(word)))),
        4 => collect(words::<4>(bytes, big_endian).map(|word| i64::from(i32::from_le_bytes(word)))),
        _ => collect(words::<8>(bytes, big_endian).map(i64::from_le_bytes)),
    }
}

fn unsigned(bytes: &[u8], size: usize, big_endian: bool) -> Result<Vec<i64>, Fault> {
    match size {
        1 => collect(words::<1>(bytes, big_endian).map(|word| i64::from(u8::from_le_bytes(word)))),
        2 => collect(words::<2>(bytes, big_endian).map(|word| i64::from(u16::from_le_bytes(word)))),
        4 => collect(words::<4>(bytes, big_endian).map(|word| i64::from(u32::from_le_bytes(word)))),
        _ => {
            let all = words::<8>(bytes, big_endian).map(u64::from_le_bytes);
            if let Some((at, value)) = all.clone().enumerate().find(|(_, value)| i64::try_from(*value).is_err()) {
                return Err(Fault::new(at * 8, format!("{value} does not fit into 64 bits with sign")));
            }
            collect(all.map(|value| value as i64))
        }
    }
}

/// The words of `bytes`, each with its least significant byte first.
fn words<const SIZE: usize>(bytes: &[u8], big_endian: bool) -> impl ExactSizeIterator<Item = [u8; SIZE]> + Clone {
    bytes.chunks_exact(SIZE).map(move |chunk| {
        let mut word = [0; SIZE];
        word.copy_from_slice(chunk);
        if big_endian {
            word.reverse();
        }
        word
    })
}

fn from_column_major(data: TensorData, shape: &[usize]) -> Result<TensorData, Fault> {
    Ok(match data {
        TensorData::F32(items) => TensorData::F32(transpose(&items, shape)?),
        TensorData::I64(items) => TensorData::I64(transpose(&items, shape)?),
        TensorData::Bool(items) => TensorData::Bool(transpose(&items, shape)?),
    })
}

fn transpose<T: Copy>(items: &[T], shape: &[usize]) -> Result<Vec<T>, Fault> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1;
    for &extent in shape {
        strides.push(stride);
        stride *= extent.max(1);
    }
    let mut position = vec![0; shape.len()];
    let mut offset = 0;
    collect((0..items.len()).map(|_| {
        let item = items[offset];
        for dimension in (0..shape.len()).rev() {
            position[dimension] += 1;
            offset += strides[dimension];
            if position[dimension] < shape[dimension] {
                break;
            }
            offset -= position[dimension] * strides[dimension];
            position[dimension] = 0;
        }
        item
    }))
}
