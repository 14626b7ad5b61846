//! Tensors where they lie: what a session reads from and writes to.

use crate::tensor::{ElementType, Tensor, TensorData, volume};
use std::ffi::c_void;
use std::marker::PhantomData;

/// A tensor that is read.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    element_type: ElementType,
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
    pub unsafe fn from_raw(element_type: ElementType, shape: &'a [usize], data: *const c_void) -> View<'a> {
        View { element_type, shape, data, elements: PhantomData }
    }

    /// Type of the elements.
    pub fn element_type(&self) -> ElementType {
        self.element_type
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
        self.count() * self.element_type.size()
    }

    /// The elements if they are real.
    pub fn reals(&self) -> &'a [f32] {
        match self.element_type {
            // SAFETY: who made the view vouches for so many elements of its type.
            ElementType::F32 if self.count() > 0 => unsafe {
                std::slice::from_raw_parts(self.data.cast(), self.count())
            },
            _ => &[],
        }
    }

    /// The elements if they are integers.
    pub fn ints(&self) -> &'a [i64] {
        match self.element_type {
            // SAFETY: who made the view vouches for so many elements of its type.
            ElementType::I64 if self.count() > 0 => unsafe {
                std::slice::from_raw_parts(self.data.cast(), self.count())
            },
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
        View { element_type: tensor.element_type(), shape: &tensor.shape, data, elements: PhantomData }
    }
}

/// Memory that takes a tensor.
#[derive(Debug)]
pub struct ViewMut<'a> {
    element_type: ElementType,
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
    pub unsafe fn from_raw(element_type: ElementType, data: *mut c_void, capacity: usize) -> ViewMut<'a> {
        ViewMut { element_type, data, capacity, shape: Vec::new(), elements: PhantomData }
    }

    /// Type of the elements.
    pub fn element_type(&self) -> ElementType {
        self.element_type
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
        let (element_type, capacity) = (tensor.element_type(), tensor.size_in_bytes());
        let data = match &mut tensor.data {
            TensorData::F32(items) => items.as_mut_ptr().cast(),
            TensorData::I64(items) => items.as_mut_ptr().cast(),
            TensorData::Bool(items) => items.as_mut_ptr().cast(),
        };
        ViewMut { element_type, data, capacity, shape: Vec::new(), elements: PhantomData }
    }
}
