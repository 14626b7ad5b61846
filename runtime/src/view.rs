//! Tensors where they lie: what a session reads from and writes to.

use crate::storage::Storage;
use crate::tensor::{Tensor, TensorData, volume};
use std::ffi::c_void;
use std::marker::PhantomData;

/// A tensor that is read.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    storage: Storage,
    shape: &'a [usize],
    data: *const c_void,
    elements: PhantomData<&'a TensorData>,
}

impl<'a> View<'a> {
    /// A tensor where others own its elements.
    ///
    /// # Safety
    /// `data` must be aligned as the elements are and have as many as the shape says, which nobody changes meanwhile; truth
    /// values are 0 or 1.
    pub unsafe fn from_raw(storage: impl Into<Storage>, shape: &'a [usize], data: *const c_void) -> View<'a> {
        View { storage: storage.into(), shape, data, elements: PhantomData }
    }

    /// How the elements lie.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// Extents.
    pub fn shape(&self) -> &'a [usize] {
        self.shape
    }

    /// The first element.
    pub fn pointer(&self) -> *const c_void {
        self.data
    }

    /// How many elements there are.
    pub fn count(&self) -> usize {
        volume(self.shape).unwrap_or(0)
    }

    /// Bytes that the elements take.
    pub fn size_in_bytes(&self) -> usize {
        self.count() * self.storage.size()
    }

    /// The bytes of the elements.
    pub fn bytes(&self) -> &'a [u8] {
        if self.count() == 0 {
            return &[];
        }
        // SAFETY: who made the view vouches for so many elements.
        unsafe { std::slice::from_raw_parts(self.data.cast(), self.size_in_bytes()) }
    }

    /// The elements if they lie as f32.
    pub fn reals(&self) -> &'a [f32] {
        match self.storage {
            // SAFETY: who made the view vouches for so many elements of its type.
            Storage::F32 if self.count() > 0 => unsafe { std::slice::from_raw_parts(self.data.cast(), self.count()) },
            _ => &[],
        }
    }

    /// The elements if they lie as i64.
    pub fn ints(&self) -> &'a [i64] {
        match self.storage {
            // SAFETY: who made the view vouches for so many elements of its type.
            Storage::I64 if self.count() > 0 => unsafe { std::slice::from_raw_parts(self.data.cast(), self.count()) },
            _ => &[],
        }
    }
}

impl<'a> From<&'a Tensor> for View<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        let data = match &tensor.data {
            TensorData::F32(items) => items.as_ptr().cast(),
            TensorData::I64(items) => items.as_ptr().cast(),
            TensorData::Bool(items) => items.as_ptr().cast(),
        };
        View { storage: tensor.element_type().into(), shape: &tensor.shape, data, elements: PhantomData }
    }
}

/// The memory of a list of views, for those of other tensors.
#[expect(clippy::unnecessary_filter_map, reason = "`filter` does not change what the views borrow")]
pub fn emptied<'a>(mut views: Vec<View<'_>>) -> Vec<View<'a>> {
    views.clear();
    // Collected in the place of what is gone.
    views.into_iter().filter_map(|_| None).collect()
}

/// Memory that takes a tensor.
#[derive(Debug)]
pub struct ViewMut<'a> {
    storage: Storage,
    data: *mut c_void,
    capacity: usize,
    /// The extents of what was written, after a run; before, nothing.
    pub shape: Vec<usize>,
    elements: PhantomData<&'a mut TensorData>,
}

impl<'a> ViewMut<'a> {
    /// Memory for a tensor where others own it. `capacity` counts bytes.
    ///
    /// # Safety
    /// `data` must be aligned as the elements are and have so many bytes, which nobody else uses meanwhile.
    pub unsafe fn from_raw(storage: impl Into<Storage>, data: *mut c_void, capacity: usize) -> ViewMut<'a> {
        ViewMut { storage: storage.into(), data, capacity, shape: Vec::new(), elements: PhantomData }
    }

    /// How the elements lie.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// The first element.
    pub fn pointer(&mut self) -> *mut c_void {
        self.data
    }

    /// How many bytes there are.
    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

impl<'a> From<&'a mut Tensor> for ViewMut<'a> {
    fn from(tensor: &'a mut Tensor) -> Self {
        let (storage, capacity) = (tensor.element_type().into(), tensor.size_in_bytes());
        let data = match &mut tensor.data {
            TensorData::F32(items) => items.as_mut_ptr().cast(),
            TensorData::I64(items) => items.as_mut_ptr().cast(),
            TensorData::Bool(items) => items.as_mut_ptr().cast(),
        };
        ViewMut { storage, data, capacity, shape: Vec::new(), elements: PhantomData }
    }
}
