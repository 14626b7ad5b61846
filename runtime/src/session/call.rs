//! What a run hands over to the compiled function, in memory of the session.

use super::Session;
use crate::fault::RECORD_WORDS;
use crate::library::RunArguments;
use crate::model::Model;
use crate::storage::Storage;
use crate::stored::Stored;
use crate::view::{View, ViewMut};
use std::ffi::c_void;

/// Lists of a run that the next one writes anew, so that it allocates none.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// Views of inputs, while they are run on.
    pub views: Vec<View<'static>>,
    /// Where the caller wants the outputs.
    pub places: Vec<Place>,
    pub inputs: Vec<*const c_void>,
    /// Those of the model, but where a run changes one.
    pub variables: Vec<*const c_void>,
    /// Of outputs, and of new values of variables.
    pub outputs: Vec<*mut c_void>,
    /// The extents that the inputs have, and the seed.
    pub extents: Vec<i64>,
    /// The words of shapes that the run tells.
    pub told: Vec<i64>,
    /// The shapes that these are.
    pub shapes: Vec<Vec<usize>>,
    pub record: [i64; RECORD_WORDS],
}

// SAFETY: the pointers are those of one run, which has the session exclusively; nobody follows them after it.
unsafe impl Send for Room {}
// SAFETY: likewise.
unsafe impl Sync for Room {}

impl Room {
    pub fn new(model: &Model) -> Room {
        Room { variables: model.variable_pointers(), ..Room::default() }
    }

    /// Makes what the run tells zeros.
    pub fn clear_told(&mut self, words: usize) {
        self.told.clear();
        self.told.resize(words, 0);
        self.record.fill(0);
    }
}

/// Memory that takes an output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub storage: Storage,
    pub data: *mut c_void,
    /// Bytes.
    pub capacity: usize,
}

impl Place {
    pub fn of(output: &mut ViewMut<'_>) -> Place {
        Place { storage: output.storage(), data: output.pointer(), capacity: output.capacity() }
    }
}

impl Session {
    /// Runs on the tensors themselves; gives the status.
    pub(super) fn call_here(&mut self, inputs: &[View<'_>]) -> i32 {
        let input = |(view, stored): (&View<'_>, &Option<Stored>)| {
            stored.as_ref().map_or_else(|| view.pointer(), |stored| stored.view().pointer())
        };
        let output = |(place, given): (&Place, &mut Option<Stored>)| {
            given.as_mut().map_or(place.data, |given| given.view_mut().pointer())
        };
        let room = &mut self.room;
        room.inputs.clear();
        room.inputs.extend(inputs.iter().zip(&self.stored).map(input));
        for (number, current) in self.states.current() {
            room.variables[number] = current.view().pointer();
        }
        room.outputs.clear();
        room.outputs.extend(room.places.iter().zip(&mut self.given).map(output));
        room.outputs.extend(self.states.next().map(|next| next.view_mut().pointer()));
        let prepared = self.model.prepared().pointer();
        // SAFETY: types and extents of all tensors were checked against the metadata and what the library computes of the
        // extents, the outputs are exclusive, and memory has the sizes that these ask for. Truth values are written as 0 or 1.
        unsafe { self.call(prepared) }
    }

    /// Calls the function with the pointers and extents in the session's lists.
    ///
    /// # Safety
    /// They and the prepared memory must be what the metadata say of a run with these extents.
    pub(super) unsafe fn call(&mut self, prepared: *const c_void) -> i32 {
        let room = &mut self.room;
        let arguments = RunArguments {
            inputs: room.inputs.as_ptr(),
            variables: room.variables.as_ptr(),
            prepared,
            outputs: room.outputs.as_ptr(),
            extents: room.extents.as_ptr(),
            shapes: room.told.as_mut_ptr(),
            workspace: self.workspace.pointer_mut(),
            record: room.record.as_mut_ptr(),
        };
        let pool = if self.model.metadata().parallel_loops > 0 { self.threads.functions() } else { None };
        // SAFETY: the caller vouches for the tensors; the workspace has the size that the extents ask for, the record and the
        // shapes have as many words as the header says; the pool is there as long as the session.
        unsafe { self.model.library().run(arguments, pool.as_ref()) }
    }
}
