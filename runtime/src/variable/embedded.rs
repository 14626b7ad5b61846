//! Values of variables within a compiled model.

use crate::library::Library;
use crate::view::View;
use crate::weights::Weights;
use std::sync::Arc;

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
    /// The value of a variable by its number, if the library has it.
    pub(crate) fn of(library: &Arc<Library>, number: usize) -> Option<Embedded> {
        let (weights, shape) = (library.weights()?, library.metadata().variables.get(number)?.shape()?);
        Some(Embedded { library: library.clone(), weights, number, shape })
    }

    /// Where it lies.
    pub fn view(&self) -> View<'_> {
        let storage = self.library.metadata().variables[self.number].storage;
        // SAFETY: there is a pointer for each variable of the library, to as many elements as it says, which are constants.
        unsafe { View::from_raw(storage, &self.shape, self.weights.of(self.number)) }
    }
}
