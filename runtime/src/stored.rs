//! Tensors in memory of this crate, in the form in which a model takes or gives them.

use crate::error::ModelError;
use crate::storage::Storage;
use crate::tensor::{ElementType, Tensor, TensorData, volume};
use crate::view::{View, ViewMut};
use std::ffi::c_void;

/// A tensor whose elements lie as a storage says, aligned for all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    storage: Storage,
    shape: Vec<usize>,
    words: Vec<u64>,
}

impl Stored {
    /// A tensor of zeros.
    pub fn zeros(storage: Storage, shape: Vec<usize>) -> Stored {
        let bytes = volume(&shape).unwrap_or(0) * storage.size();
        Stored { storage, shape, words: vec![0; bytes.div_ceil(8)] }
    }

    /// The elements of a view, which has this form already or that of what is computed with.
    ///
    /// # Errors
    /// The first one that can't be stored so.
    pub fn of(storage: Storage, view: &View<'_>) -> Result<Stored, String> {
        let mut stored = Stored::zeros(storage, Vec::new());
        stored.take(view)?;
        Ok(stored)
    }

    /// Takes the elements of a view, as [`Stored::of`] does, in the memory that there is.
    ///
    /// # Errors
    /// The first one that can't be stored so.
    pub fn take(&mut self, view: &View<'_>) -> Result<(), String> {
        let storage = self.storage;
        self.shape.clear();
        self.shape.extend(view.shape());
        self.words.clear();
        self.words.reserve((view.count() * storage.size()).div_ceil(8));
        if view.storage() == storage {
            let words = view.bytes().chunks(8).map(|bytes| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_ne_bytes(word)
            });
            self.words.extend(words);
            return Ok(());
        }
        match view.storage() {
            Storage::F32 => self.pack(view.reals().iter().map(|value| storage.real(*value))),
            Storage::I64 => self.pack(view.ints().iter().map(|value| storage.int(*value))),
            other => Err(format!("elements of type {other} are not stored as {storage}")),
        }
    }

    fn pack(&mut self, mut elements: impl Iterator<Item = Result<i64, String>>) -> Result<(), String> {
        let size = self.storage.size();
        loop {
            let mut word = [0; 8];
            let mut filled = 0;
            while filled < 8 {
                let Some(element) = elements.next() else { break };
                let bytes = (element? as u64).to_le_bytes();
                word[filled..filled + size].copy_from_slice(&bytes[..size]);
                filled += size;
            }
            if filled > 0 {
                self.words.push(u64::from_ne_bytes(word));
            }
            if filled < 8 {
                return Ok(());
            }
        }
    }

    /// Extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Gives it another shape of zeros.
    ///
    /// # Errors
    /// Where there is not enough memory.
    pub fn resize(&mut self, shape: &[usize]) -> Result<(), ModelError> {
        let bytes = volume(shape).unwrap_or(usize::MAX).saturating_mul(self.storage.size());
        self.words.clear();
        self.words.try_reserve_exact(bytes.div_ceil(8)).map_err(|_| ModelError::Memory(bytes))?;
        self.words.resize(bytes.div_ceil(8), 0);
        self.shape.clear();
        self.shape.extend(shape);
        Ok(())
    }

    /// The tensor where it lies.
    pub fn view(&self) -> View<'_> {
        // SAFETY: there are as many bytes as the shape asks for, aligned to 8; what was taken as truth values are 0 or 1.
        unsafe { View::from_raw(self.storage, &self.shape, self.words.as_ptr().cast()) }
    }

    /// The memory, to be written to.
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        let capacity = self.view().size_in_bytes();
        // SAFETY: there are as many bytes, aligned to 8, and the borrow is exclusive.
        unsafe { ViewMut::from_raw(self.storage, self.words.as_mut_ptr().cast(), capacity) }
    }

    /// The elements as they are computed with.
    pub fn to_tensor(&self, element_type: ElementType) -> Tensor {
        let data = decoded(self.storage, element_type, self.view().bytes());
        Tensor { shape: self.shape.clone(), data }
    }
}

/// Elements as they are computed with, of bytes that have the form of a storage, the least significant one first.
pub fn decoded(storage: Storage, element_type: ElementType, bytes: &[u8]) -> TensorData {
    let bits = bits_of(storage, bytes);
    match element_type {
        ElementType::F32 => TensorData::F32(bits.map(|bits| storage.to_real(bits)).collect()),
        ElementType::I64 => TensorData::I64(bits.map(|bits| storage.to_int(bits)).collect()),
        ElementType::Bool => TensorData::Bool(bits.map(|bits| bits != 0).collect()),
    }
}

/// The same, written to memory of some bytes, as far as that goes.
///
/// # Safety
/// The memory must be aligned for the elements that are written, and apart from those that are read.
pub(crate) unsafe fn decode(
    (storage, element_type): (Storage, ElementType),
    bytes: &[u8],
    (to, capacity): (*mut c_void, usize),
) {
    for (at, bits) in bits_of(storage, bytes).take(capacity / element_type.size()).enumerate() {
        // SAFETY: there is memory for this one; for the rest vouches the caller.
        unsafe {
            match element_type {
                ElementType::F32 => to.cast::<f32>().add(at).write(storage.to_real(bits)),
                ElementType::I64 => to.cast::<i64>().add(at).write(storage.to_int(bits)),
                ElementType::Bool => to.cast::<bool>().add(at).write(bits != 0),
            }
        }
    }
}

/// The bits of each element.
fn bits_of(storage: Storage, bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(storage.size()).map(|bytes| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(storage: Storage, data: TensorData) -> Result<Vec<u8>, String> {
        let tensor = Tensor { shape: vec![data.len()], data };
        Stored::of(storage, &View::from(&tensor)).map(|stored| stored.view().bytes().to_vec())
    }

    #[test]
    fn elements_are_as_wide_as_their_names_say() {
        let ints = || TensorData::I64(vec![-1, 127, -128, 3, 0, 1, 2, 3, 4]);
        assert_eq!(stored(Storage::I8, ints()), Ok(vec![255, 127, 128, 3, 0, 1, 2, 3, 4]));
        assert_eq!(stored(Storage::I16, TensorData::I64(vec![-2, 256])), Ok(vec![254, 255, 0, 1]));
        assert_eq!(stored(Storage::U8, TensorData::F32(vec![255.0, 0.0])), Ok(vec![255, 0]));
        assert_eq!(stored(Storage::BF16, TensorData::F32(vec![1.0])), Ok(vec![0x80, 0x3F]));
        assert_eq!(stored(Storage::F16, TensorData::F32(Vec::new())), Ok(Vec::new()));
        assert_eq!(stored(Storage::F64, TensorData::F32(vec![1.0])), Ok(vec![0, 0, 0, 0, 0, 0, 0xF0, 0x3F]));
        assert_eq!(stored(Storage::U32, TensorData::I64(vec![0xFFFF_FFFF])), Ok(vec![255; 4]));
        assert_eq!(stored(Storage::U64, TensorData::I64(vec![-1])), Ok(vec![255; 8]));
        assert_eq!(stored(Storage::Bool, TensorData::Bool(vec![true, false])), Ok(vec![1, 0]));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |storage, data| stored(storage, data).unwrap_err();
        assert_eq!(refused(Storage::U8, TensorData::I64(vec![1, -1])), "-1 is no u8: those go from 0 to 255");
        assert_eq!(refused(Storage::I8, TensorData::F32(vec![0.5])), "0.5 is no i8: those are whole numbers");
        assert!(refused(Storage::I8, TensorData::F32(vec![f32::NAN])).starts_with("NaN is no i8"));
        assert!(refused(Storage::I16, TensorData::F32(vec![f32::INFINITY])).starts_with("inf is no i16"));
    }

    #[test]
    fn elements_come_back() {
        let tensor = Tensor { shape: vec![3], data: TensorData::I64(vec![1, 200, 255]) };
        let bytes = Stored::of(Storage::U8, &View::from(&tensor)).unwrap();
        assert_eq!(bytes.to_tensor(ElementType::I64), tensor);
        assert_eq!(Stored::of(Storage::U8, &bytes.view()).unwrap(), bytes);
        let real = Tensor { shape: vec![1, 3], data: TensorData::F32(vec![0.5, -2.0, 3.0]) };
        for storage in [Storage::F16, Storage::BF16, Storage::F32, Storage::F64] {
            assert_eq!(Stored::of(storage, &View::from(&real)).unwrap().to_tensor(ElementType::F32), real);
        }
    }
}
