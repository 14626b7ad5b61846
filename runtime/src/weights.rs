//! Values of variables within compiled models.

use std::ffi::c_void;

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

    /// Where the value of a variable begins, by its number.
    ///
    /// # Safety
    /// The compiled model must have so many variables.
    pub(crate) unsafe fn of(self, number: usize) -> *const c_void {
        // SAFETY: what the caller promises.
        unsafe { *self.0.add(number) }
    }
}
