//! Guarded runs: on copies of all tensors between pages that nothing may touch, in memory that is poisoned before.

use super::call::Room;
use super::{Session, WORKSPACE};
use crate::error::ModelError;
use crate::memory::{Guarded, Memory};
use crate::metadata::TensorInfo;
use crate::model::{Model, prepare};
use crate::shapes::Found;
use crate::stored::Stored;
use crate::tensor::ElementType;
use crate::view::View;
use std::ffi::c_void;

/// What variables lead to, in guarded memory.
#[derive(Debug)]
pub struct Guards {
    variables: Vec<Guarded>,
    prepared: Memory,
}

impl Guards {
    /// Copies of the variables, and what is prepared from these.
    ///
    /// # Errors
    /// Where memory is short, or a variable can't be read.
    pub fn new(model: &Model) -> Result<Guards, ModelError> {
        let infos = model.metadata().variables.iter();
        let copy = |(number, info): (usize, &TensorInfo)| {
            let view = model.variable_view(number).ok_or(ModelError::Memory(0))?;
            Ok(guarded_copy(&view)?.named(&format!("variable `{}`", info.name)))
        };
        let variables = infos.enumerate().map(copy).collect::<Result<Vec<_>, ModelError>>()?;
        model.check_files()?;
        let pointers: Vec<_> = variables.iter().map(|copy| copy.data().cast_const().cast()).collect();
        // SAFETY: these are copies of the variables, which the model has checked.
        let mut prepared = unsafe { prepare(model.library(), &pointers, true) }?;
        if let Memory::Guarded(memory) = &mut prepared {
            memory.protect()?;
        }
        Ok(Guards { variables, prepared })
    }
}

fn guarded_copy(view: &View<'_>) -> Result<Guarded, ModelError> {
    Guarded::copy(view.bytes(), view.storage().size())
}

/// Copies of the tensors of a run.
struct Copies {
    inputs: Vec<Guarded>,
    /// Of the variables that change, with their numbers.
    states: Vec<(usize, Guarded)>,
    /// What is written: outputs, and new values of variables.
    written: Vec<(TensorInfo, Guarded)>,
}

impl Copies {
    fn of(session: &Session, inputs: &[View<'_>], found: &Found) -> Result<Copies, ModelError> {
        let metadata = session.metadata();
        let given = inputs.iter().zip(&session.stored).zip(&metadata.inputs).map(|((view, stored), info)| {
            let copy = stored.as_ref().map_or_else(|| guarded_copy(view), |stored| guarded_copy(&stored.view()))?;
            Ok(copy.named(&format!("input `{}`", info.name)))
        });
        let states = session.states.current().map(|(number, tensor)| Ok((number, guarded_copy(&tensor.view())?)));
        let written = metadata.written().zip(&found.shapes[inputs.len()..]).map(|(info, shape)| {
            let memory = Guarded::new(info.size(shape), info.storage.size())?;
            Ok((info.clone(), memory.named(&format!("output `{}`", info.name))))
        });
        Ok(Copies {
            inputs: given.collect::<Result<_, ModelError>>()?,
            states: states.collect::<Result<_, ModelError>>()?,
            written: written.collect::<Result<_, ModelError>>()?,
        })
    }

    /// Whether nothing was written beside the memory of a tensor, or to an input.
    fn check(&self, session: &Session) -> Result<(), ModelError> {
        let written = self.written.iter().map(|(info, memory)| (&info.name, memory));
        let inputs = session.metadata().inputs.iter().map(|info| &info.name).zip(&self.inputs);
        match written.chain(inputs).find(|(_, memory)| !memory.is_intact()) {
            Some((name, _)) => Err(ModelError::Overrun(format!("`{name}`"))),
            None if !session.workspace.is_intact() => Err(ModelError::Overrun(WORKSPACE.into())),
            None => Ok(()),
        }
    }
}

impl Session {
    /// Runs on guarded copies, which are allocated; gives the status.
    pub(super) fn call_guarded(&mut self, inputs: &[View<'_>], found: &Found) -> Result<i32, ModelError> {
        let copies = Copies::of(self, inputs, found)?;
        let Some(guards) = &self.guards else { return Err(ModelError::Memory(0)) };
        let room = &mut self.room;
        room.variables = guards.variables.iter().map(address).collect();
        copies.states.iter().for_each(|(number, copy)| room.variables[*number] = address(copy));
        room.inputs = copies.inputs.iter().map(address).collect();
        room.outputs = copies.written.iter().map(|(_, memory)| memory.data().cast()).collect();
        let prepared = guards.prepared.pointer();
        self.workspace.poison();
        // SAFETY: as in `call_here`; these are copies.
        let status = unsafe { self.call(prepared) };
        copies.check(self)?;
        if status == 0 {
            let Room { told, shapes, .. } = &mut self.room;
            self.model.metadata().take_found_shapes(told, &found.shapes[inputs.len()..], shapes)?;
            self.take_written(&copies.written)?;
        }
        Ok(status)
    }

    /// Copies what a guarded run wrote, of which the shapes are known now.
    fn take_written(&mut self, written: &[(TensorInfo, Guarded)]) -> Result<(), ModelError> {
        let room = |given: &mut Stored| {
            let mut view = given.view_mut();
            (view.pointer(), view.capacity())
        };
        let targets = self.room.places.iter().zip(&mut self.given).map(|(place, given)| match given {
            Some(given) => room(given),
            None => (place.data, place.capacity),
        });
        let next = self.states.next().map(room);
        for (((info, memory), shape), (target, capacity)) in
            written.iter().zip(&self.room.shapes).zip(targets.chain(next))
        {
            let bytes = &memory.bytes()[..info.size(shape)];
            if info.element_type == ElementType::Bool && bytes.iter().any(|byte| *byte > 1) {
                return Err(ModelError::Overrun(format!("`{}`, which has no truth value somewhere", info.name)));
            }
            // SAFETY: as many bytes are there; both are apart from each other.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target.cast(), bytes.len().min(capacity)) };
        }
        Ok(())
    }
}

fn address(memory: &Guarded) -> *const c_void {
    memory.data().cast_const().cast()
}
