//! Values of variables within a compiled model.

use crate::library::Library;
use crate::view::View;
use std::ffi::c_void;
use std::sync::Arc;

/// Where a compiled model has the values of its variables: a pointer to each, in their order (`skriptnd_weights`).
#[derive(Debug, Clone, Copy)]
pub struct Weights(*const *const c_void);

// SAFETY: it leads to constants, which nobody writes.
unsafe impl Send for Weights {}
// SAFETY: likewise.
unsafe impl Sync for Weights {}

impl Weights {
    /// Those that lie somewhere; none if that is NULL.
    ///
    /// # Safety
    /// They must be those of a compiled model, and stay where they are as long as it does.
    pub unsafe fn at(pointers: *const *const c_void) -> Option<Weights> {
        (!pointers.is_null()).then_some(Weights(pointers))
    }
}

/// The value of one variable, in the form in which the model takes it.
#[derive(Debug, Clone)]
pub struct Embedded {
    /// Keeps it where it is.
    library: Arc<Library>,
    weights: Weights,
    number: usize,
    shape: Vec<usize>,
}

impl Embedded {
    /// The value of a variable by its number.
    ///
    /// # Safety
    /// The weights must be those of the library.
    pub(crate) unsafe fn new(library: &Arc<Library>, weights: Weights, number: usize) -> Option<Embedded> {
        let shape = library.metadata().variables.get(number)?.shape()?;
        Some(Embedded { library: library.clone(), weights, number, shape })
    }

    /// Where it lies.
    pub fn view(&self) -> View<'_> {
        let storage = self.library.metadata().variables[self.number].storage;
        // SAFETY: there is a pointer for each variable of the library, to as many elements as it says, which are constants.
        unsafe { View::from_raw(storage, &self.shape, *self.weights.0.add(self.number)) }
    }
}
