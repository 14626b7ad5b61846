//! Tensors that are given or wanted in another form than the model takes or gives.

use super::Session;
use crate::error::ModelError;
use crate::shapes::Found;
use crate::stored::{Stored, decode};
use crate::view::View;

impl Session {
    /// Stores the inputs that the model takes in another form than they have so, in memory of runs before.
    pub(super) fn store(&mut self, inputs: &[View<'_>]) -> Result<(), ModelError> {
        self.stored.resize_with(inputs.len(), || None);
        for ((info, view), stored) in self.model.metadata().inputs.iter().zip(inputs).zip(&mut self.stored) {
            let failed = |message| ModelError::of_input(info.called(), message);
            if view.storage() == info.storage {
                *stored = None;
            } else {
                stored.get_or_insert_with(|| Stored::zeros(info.storage, Vec::new())).take(view).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Memory for the outputs that are wanted in another form than the model gives.
    pub(super) fn make_room(&mut self, found: &Found) -> Result<(), ModelError> {
        let (metadata, places) = (self.model.metadata(), &self.room.places);
        self.given.resize_with(places.len(), || None);
        let shapes = &found.shapes[metadata.inputs.len()..];
        for (((info, place), shape), given) in metadata.outputs.iter().zip(places).zip(shapes).zip(&mut self.given) {
            if place.storage == info.storage {
                *given = None;
            } else {
                let room = given.get_or_insert_with(|| Stored::zeros(info.storage, Vec::new()));
                room.resize(shape).map_err(|short| short.of_output(info.called()))?;
            }
        }
        Ok(())
    }

    /// Gives the outputs that are wanted in another form than the model gives what the run wrote.
    pub(super) fn convert(&self) {
        let outputs = self.metadata().outputs.iter().zip(&self.room.places).zip(&self.room.shapes);
        for (((info, place), shape), given) in outputs.zip(&self.given) {
            let Some(given) = given else { continue };
            let bytes = &given.view().bytes()[..info.size(shape)];
            // SAFETY: the place has so many bytes, aligned for what is computed with, and is apart from what the session has.
            unsafe { decode((info.storage, info.element_type), bytes, (place.data, place.capacity)) };
        }
    }
}
