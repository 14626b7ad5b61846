//! Tensors as callers describe them.

use crate::call::{aligned, items, items_mut};
use crate::status::{Failure, SKRIPTND_EXTENT, SKRIPTND_MISALIGNED, SKRIPTND_OVERLAP, SKRIPTND_SHAPE, SKRIPTND_TYPE};
use crate::{SKRIPTND_CAPACITY, SKRIPTND_VALUE};
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{Storage, Stored, View, ViewMut};
use std::ffi::c_void;
use std::fmt::Display;

/// Elements are float: `real` where nothing else is said.
pub const SKRIPTND_F32: i32 = 1;
/// Elements are int64_t: `int` where nothing else is said.
pub const SKRIPTND_I64: i32 = 2;
/// Elements are one byte each, 0 or 1.
pub const SKRIPTND_BOOL: i32 = 3;
/// Elements are floating-point numbers of IEEE 754 with 16 bits.
pub const SKRIPTND_F16: i32 = 4;
/// Elements are the upper halves of float.
pub const SKRIPTND_BF16: i32 = 5;
/// Elements are double.
pub const SKRIPTND_F64: i32 = 6;
/// Elements are int8_t.
pub const SKRIPTND_I8: i32 = 7;
/// Elements are uint8_t.
pub const SKRIPTND_U8: i32 = 8;
/// Elements are int16_t.
pub const SKRIPTND_I16: i32 = 9;
/// Elements are uint16_t.
pub const SKRIPTND_U16: i32 = 10;
/// Elements are int32_t.
pub const SKRIPTND_I32: i32 = 11;
/// Elements are uint32_t.
pub const SKRIPTND_U32: i32 = 12;
/// Elements are uint64_t. Models compute with int64_t of the same bits: what is from 2^63 on is negative there.
pub const SKRIPTND_U64: i32 = 13;

const DTYPES: [(i32, Storage); 13] = [
    (SKRIPTND_F32, Storage::F32),
    (SKRIPTND_I64, Storage::I64),
    (SKRIPTND_BOOL, Storage::Bool),
    (SKRIPTND_F16, Storage::F16),
    (SKRIPTND_BF16, Storage::BF16),
    (SKRIPTND_F64, Storage::F64),
    (SKRIPTND_I8, Storage::I8),
    (SKRIPTND_U8, Storage::U8),
    (SKRIPTND_I16, Storage::I16),
    (SKRIPTND_U16, Storage::U16),
    (SKRIPTND_I32, Storage::I32),
    (SKRIPTND_U32, Storage::U32),
    (SKRIPTND_U64, Storage::U64),
];

/// A tensor in memory of the caller: dense, the last extent is that of elements beside each other.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct skriptnd_tensor {
    /// The elements, aligned as their type. Must not be NULL, not even where there are none.
    pub data: *mut c_void,
    /// Its extents, `rank` of them; for an output the place that takes them. May be NULL where `rank` is 0.
    pub shape: *mut i64,
    /// The number of extents.
    pub rank: i32,
    /// SKRIPTND_F32, SKRIPTND_I64 or another one: that which the model has for the tensor.
    pub dtype: i32,
    /// Bytes of memory at `data`. At least as many as the elements of an input take.
    pub capacity: usize,
    /// Written for outputs: bytes that its elements take or, where `capacity` is too small, would take.
    pub bytes: usize,
}

pub(crate) fn dtype_of(storage: Storage) -> i32 {
    DTYPES.iter().find(|(_, known)| *known == storage).map_or(0, |(dtype, _)| *dtype)
}

impl skriptnd_tensor {
    /// How the elements lie, by `dtype`.
    pub(crate) fn storage(&self, what: impl Display) -> Result<Storage, Failure> {
        let found = DTYPES.iter().find(|(dtype, _)| *dtype == self.dtype).map(|(_, storage)| *storage);
        found.ok_or_else(|| Failure::new(SKRIPTND_TYPE, format!("the dtype {} of {what} is none", self.dtype)))
    }

    fn rank(&self, what: impl Display) -> Result<usize, Failure> {
        let wrong = || Failure::new(SKRIPTND_SHAPE, format!("the rank of {what} is {}", self.rank));
        usize::try_from(self.rank).map_err(|_| wrong())
    }

    fn check_data(&self, storage: Storage, what: impl Display + Copy) -> Result<(), Failure> {
        aligned(self.data.cast_const().cast::<u8>(), what)?;
        // Sizes are powers of two; a division would take as long as all else here.
        if self.data as usize & (storage.size() - 1) != 0 {
            return Err(Failure::new(SKRIPTND_MISALIGNED, format!("the elements of {what} are not aligned")));
        }
        if isize::try_from(self.capacity).is_err() {
            return Err(Failure::new(SKRIPTND_CAPACITY, format!("{what} has {} bytes", self.capacity)));
        }
        Ok(())
    }

    /// The extents of a tensor that is read, in a list that may have had others.
    ///
    /// # Safety
    /// As many extents as the rank says must be there.
    pub(crate) unsafe fn extents(&self, extents: &mut Vec<usize>, what: impl Display + Copy) -> Result<(), Failure> {
        // SAFETY: the caller vouches for them.
        let shape = unsafe { items(self.shape.cast_const(), self.rank(what)?, "a shape") }?;
        extents.clear();
        extents.reserve(shape.len());
        for extent in shape {
            let negative = |_| Failure::new(SKRIPTND_EXTENT, format!("an extent of {what} is {extent}"));
            extents.push(usize::try_from(*extent).map_err(negative)?);
        }
        Ok(())
    }

    /// The tensor to be read, whose extents were taken out.
    ///
    /// # Safety
    /// As many bytes as the capacity says must be there, and nobody may change them meanwhile.
    pub(crate) unsafe fn view<'a>(&self, extents: &'a [usize], what: impl Display + Copy) -> Result<View<'a>, Failure> {
        let storage = self.storage(what)?;
        self.check_data(storage, what)?;
        let needed = volume(extents).and_then(|count| count.checked_mul(storage.size()));
        let Some(needed) = needed.filter(|needed| *needed <= self.capacity) else {
            let text = format!("the elements of {what} take more than its {} bytes", self.capacity);
            return Err(Failure::new(SKRIPTND_CAPACITY, text));
        };
        if storage == Storage::Bool {
            // SAFETY: the capacity is at least as large.
            let bytes = unsafe { std::slice::from_raw_parts(self.data.cast_const().cast::<u8>(), needed) };
            if bytes.iter().any(|byte| *byte > 1) {
                return Err(Failure::new(SKRIPTND_VALUE, format!("a truth value of {what} is neither 0 nor 1")));
            }
        }
        // SAFETY: alignment, size and truth values were checked; for the rest vouches the caller.
        Ok(unsafe { View::from_raw(storage, extents, self.data) })
    }

    /// Memory to be written to.
    ///
    /// # Safety
    /// As many bytes as the capacity says must be there, which nobody else uses meanwhile.
    pub(crate) unsafe fn view_mut<'a>(&mut self, what: impl Display + Copy) -> Result<ViewMut<'a>, Failure> {
        let storage = self.storage(what)?;
        self.check_data(storage, what)?;
        // SAFETY: alignment was checked; for the rest vouches the caller.
        Ok(unsafe { ViewMut::from_raw(storage, self.data, self.capacity) })
    }

    /// Says what shape the tensor has, and how many bytes it takes.
    ///
    /// # Safety
    /// As many extents as the rank says must have a place.
    pub(crate) unsafe fn tell(&mut self, shape: &[usize], what: impl Display + Copy) -> Result<(), Failure> {
        let rank = self.rank(what)?;
        if rank != shape.len() {
            return Err(Failure::new(SKRIPTND_SHAPE, format!("the rank of {what} is {}, not {rank}", shape.len())));
        }
        // SAFETY: the caller vouches for the place.
        let place = unsafe { items_mut(self.shape, rank, "the place of a shape") }?;
        for (place, extent) in place.iter_mut().zip(shape) {
            *place = i64::try_from(*extent).unwrap_or(i64::MAX);
        }
        let count = volume(shape).unwrap_or(usize::MAX);
        self.bytes = count.saturating_mul(self.storage(what)?.size());
        Ok(())
    }
}

/// A tensor that is copied out of what a caller describes.
///
/// # Safety
/// Its extents and elements must be there.
pub(crate) unsafe fn copied(tensor: &skriptnd_tensor, what: impl Display + Copy) -> Result<Stored, Failure> {
    let mut extents = Vec::new();
    // SAFETY: the caller vouches for them.
    unsafe { tensor.extents(&mut extents, what) }?;
    // SAFETY: likewise.
    let view = unsafe { tensor.view(&extents, what) }?;
    Stored::of(view.storage(), &view).map_err(|text| Failure::new(SKRIPTND_VALUE, text))
}

/// Refuses outputs whose memory is also that of another tensor.
pub(crate) fn check_apart(inputs: &[skriptnd_tensor], outputs: &[skriptnd_tensor]) -> Result<(), Failure> {
    let range = |tensor: &skriptnd_tensor| {
        let begin = tensor.data as usize;
        begin..begin.saturating_add(tensor.capacity)
    };
    for (number, output) in outputs.iter().enumerate() {
        let others = inputs.iter().chain(&outputs[..number]).map(range);
        let own = range(output);
        let shared = |other: std::ops::Range<usize>| own.start.max(other.start) < own.end.min(other.end);
        if others.into_iter().any(shared) {
            return Err(Failure::new(SKRIPTND_OVERLAP, format!("memory of output {number} is used twice")));
        }
    }
    Ok(())
}
