//! Tensors as callers describe them.

use crate::call::{aligned, items, items_mut};
use crate::status::{Failure, SKRIPTND_EXTENT, SKRIPTND_MISALIGNED, SKRIPTND_OVERLAP, SKRIPTND_SHAPE, SKRIPTND_TYPE};
use crate::{SKRIPTND_CAPACITY, SKRIPTND_VALUE};
use skriptnd_runtime::tensor::volume;
use skriptnd_runtime::{ElementType, Tensor, TensorData, View, ViewMut};
use std::ffi::c_void;

/// Elements are float.
pub const SKRIPTND_REAL: i32 = 1;
/// Elements are int64_t.
pub const SKRIPTND_INT: i32 = 2;
/// Elements are one byte each, 0 or 1.
pub const SKRIPTND_BOOL: i32 = 3;

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
    /// SKRIPTND_REAL, SKRIPTND_INT or SKRIPTND_BOOL.
    pub dtype: i32,
    /// Bytes of memory at `data`. At least as many as the elements of an input take.
    pub capacity: usize,
    /// Written for outputs: bytes that its elements take or, where `capacity` is too small, would take.
    pub bytes: usize,
}

pub(crate) fn dtype_of(element_type: ElementType) -> i32 {
    match element_type {
        ElementType::F32 => SKRIPTND_REAL,
        ElementType::I64 => SKRIPTND_INT,
        ElementType::Bool => SKRIPTND_BOOL,
    }
}

impl skriptnd_tensor {
    fn element_type(&self, what: &str) -> Result<ElementType, Failure> {
        match self.dtype {
            SKRIPTND_REAL => Ok(ElementType::F32),
            SKRIPTND_INT => Ok(ElementType::I64),
            SKRIPTND_BOOL => Ok(ElementType::Bool),
            other => Err(Failure::new(SKRIPTND_TYPE, format!("the dtype {other} of {what} is none"))),
        }
    }

    fn rank(&self, what: &str) -> Result<usize, Failure> {
        let wrong = || Failure::new(SKRIPTND_SHAPE, format!("the rank of {what} is {}", self.rank));
        usize::try_from(self.rank).map_err(|_| wrong())
    }

    fn check_data(&self, element_type: ElementType, what: &str) -> Result<(), Failure> {
        aligned(self.data.cast_const().cast::<u8>(), what)?;
        if self.data as usize % element_type.size() != 0 {
            return Err(Failure::new(SKRIPTND_MISALIGNED, format!("the elements of {what} are not aligned")));
        }
        if isize::try_from(self.capacity).is_err() {
            return Err(Failure::new(SKRIPTND_CAPACITY, format!("{what} has {} bytes", self.capacity)));
        }
        Ok(())
    }

    /// The extents of a tensor that is read.
    ///
    /// # Safety
    /// As many extents as the rank says must be there.
    pub(crate) unsafe fn extents(&self, what: &str) -> Result<Vec<usize>, Failure> {
        // SAFETY: the caller vouches for them.
        let shape = unsafe { items(self.shape.cast_const(), self.rank(what)?, "a shape") }?;
        let extent = |extent: &i64| {
            let negative = || Failure::new(SKRIPTND_EXTENT, format!("an extent of {what} is {extent}"));
            usize::try_from(*extent).map_err(|_| negative())
        };
        shape.iter().map(extent).collect()
    }

    /// The tensor to be read, whose extents were taken out.
    ///
    /// # Safety
    /// As many bytes as the capacity says must be there, and nobody may change them meanwhile.
    pub(crate) unsafe fn view<'a>(&self, extents: &'a [usize], what: &str) -> Result<View<'a>, Failure> {
        let element_type = self.element_type(what)?;
        self.check_data(element_type, what)?;
        let needed = volume(extents).and_then(|count| count.checked_mul(element_type.size()));
        let Some(needed) = needed.filter(|needed| *needed <= self.capacity) else {
            let text = format!("the elements of {what} take more than its {} bytes", self.capacity);
            return Err(Failure::new(SKRIPTND_CAPACITY, text));
        };
        if element_type == ElementType::Bool {
            // SAFETY: the capacity is at least as large.
            let bytes = unsafe { std::slice::from_raw_parts(self.data.cast_const().cast::<u8>(), needed) };
            if bytes.iter().any(|byte| *byte > 1) {
                return Err(Failure::new(SKRIPTND_VALUE, format!("a truth value of {what} is neither 0 nor 1")));
            }
        }
        // SAFETY: alignment, size and truth values were checked; for the rest vouches the caller.
        Ok(unsafe { View::from_raw(element_type, extents, self.data) })
    }

    /// Memory to be written to.
    ///
    /// # Safety
    /// As many bytes as the capacity says must be there, which nobody else uses meanwhile.
    pub(crate) unsafe fn view_mut<'a>(&mut self, what: &str) -> Result<ViewMut<'a>, Failure> {
        let element_type = self.element_type(what)?;
        self.check_data(element_type, what)?;
        // SAFETY: alignment was checked; for the rest vouches the caller.
        Ok(unsafe { ViewMut::from_raw(element_type, self.data, self.capacity) })
    }

    /// Says what shape the tensor has, and how many bytes it takes.
    ///
    /// # Safety
    /// As many extents as the rank says must have a place.
    pub(crate) unsafe fn tell(&mut self, shape: &[usize], what: &str) -> Result<(), Failure> {
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
        self.bytes = count.saturating_mul(self.element_type(what)?.size());
        Ok(())
    }
}

/// A tensor that is copied out of what a caller describes.
///
/// # Safety
/// Its extents and elements must be there.
pub(crate) unsafe fn copied(tensor: &skriptnd_tensor, what: &str) -> Result<Tensor, Failure> {
    // SAFETY: the caller vouches for them.
    let (extents, view);
    unsafe {
        extents = tensor.extents(what)?;
        view = tensor.view(&extents, what)?;
    }
    let count = volume(&extents).unwrap_or(0);
    // SAFETY: a view is aligned and has as many elements of its type; truth values are 0 or 1.
    let data = unsafe {
        match view.element_type() {
            ElementType::F32 => TensorData::F32(std::slice::from_raw_parts(view.pointer().cast(), count).to_vec()),
            ElementType::I64 => TensorData::I64(std::slice::from_raw_parts(view.pointer().cast(), count).to_vec()),
            ElementType::Bool => TensorData::Bool(std::slice::from_raw_parts(view.pointer().cast(), count).to_vec()),
        }
    };
    Ok(Tensor { shape: extents.clone(), data })
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
