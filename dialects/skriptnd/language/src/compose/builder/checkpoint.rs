//! Where a builder stood, so that what was composed since is taken back as a whole, to compose a body again.

use super::journal::{Place, Reversible};
use super::{Builder, Tensors};

/// The parts of a builder that a body that is composed again does not keep.
const REVERSIBLE: usize = 16;

/// Where a builder stood.
pub(super) struct Mark([Place; REVERSIBLE]);

impl Builder<'_, '_> {
    pub(super) fn mark(&mut self) -> Mark {
        Mark(self.reversible().map(|part| part.place()))
    }

    /// Forgets what was composed since. What counts towards limits stays, so that nested loops come to their limit.
    pub(super) fn roll_back(&mut self, mark: &Mark) {
        for (part, place) in self.reversible().into_iter().zip(mark.0) {
            part.go_back(place);
        }
    }

    fn reversible(&mut self) -> [&mut dyn Reversible; REVERSIBLE] {
        // All fields are named, so that none is forgotten when it is added.
        let Builder {
            session: _,
            tensors: Tensors { list, lengths },
            operations,
            variables,
            update,
            updates,
            quantizations,
            quantized,
            runtime_asserts,
            symbols,
            alternatives,
            taken,
            scoped,
            private,
            files,
            conflicting,
            operation_count: _,
            inner_operations: _,
            recomposed: _,
            dynamic_depth: _,
            branch_depth: _,
            update_depth: _,
            diagnostics: _,
        } = self;
        [
            list,
            lengths,
            operations,
            variables,
            update,
            updates,
            quantizations,
            quantized,
            runtime_asserts,
            symbols,
            alternatives,
            taken,
            scoped,
            private,
            files,
            conflicting,
        ]
    }
}
