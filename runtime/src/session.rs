//! Sessions: what the runs of a model need that follow one another.

mod call;
mod forms;
mod guarded;
pub mod profile;

use crate::error::ModelError;
use crate::fault::Failed;
use crate::intrinsic::random::{Generator, entropy};
use crate::memory::Memory;
use crate::metadata::{Metadata, TensorInfo};
use crate::model::{Model, check_count};
use crate::pool::Threads;
use crate::shapes::{Found, follow};
use crate::state::States;
use crate::status::Status;
use crate::stored::Stored;
use crate::tensor::{Tensor, volume};
use crate::view::{View, ViewMut, emptied};
use call::{Place, Room};
use guarded::Guards;
use std::path::Path;

/// One user of a model: a workspace, and values of the variables that runs change. Sessions of one model run at the same time.
///
/// A run like the one before, with the same extents and into memory that is there ([`Session::run_into`], or
/// [`Session::run_views`] with the views of the run before), allocates nothing and takes no lock.
#[derive(Debug)]
pub struct Session {
    model: Model,
    workspace: Memory,
    states: States,
    /// The last extents, with what follows from them.
    found: Option<Found>,
    /// What random numbers without a seed are drawn from: one word for each run.
    seeds: Generator,
    guards: Option<Guards>,
    threads: Threads,
    /// Inputs that are given in another form than the model takes, as a run takes them.
    stored: Vec<Option<Stored>>,
    /// Outputs that are wanted in another form than the model gives, as a run gives them.
    given: Vec<Option<Stored>>,
    room: Room,
}

/// What messages call the workspace.
const WORKSPACE: &str = "the workspace";

/// How a session is made.
#[derive(Debug, Clone)]
pub struct SessionBuilder<'m> {
    model: &'m Model,
    guarded: bool,
    threads: Threads,
}

impl Model {
    /// A session in which variables begin with the values that the model was given.
    ///
    /// # Errors
    /// Where memory is short, or a variable can't be read.
    pub fn session(&self) -> Result<Session, ModelError> {
        self.session_builder().build()
    }

    /// A session that is made otherwise.
    pub fn session_builder(&self) -> SessionBuilder<'_> {
        SessionBuilder { model: self, guarded: false, threads: Threads::all() }
    }
}

impl SessionBuilder<'_> {
    /// For tests of compiled code: every run works on copies of all tensors between pages that nothing may touch, in memory
    /// that is poisoned before. A run that touches other memory ends the process by a signal or fails.
    pub fn guarded(mut self, guarded: bool) -> Self {
        self.guarded = guarded;
        self
    }

    /// Which threads share the work of its runs; without it, as many as the processor has for this process.
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// Makes it.
    ///
    /// # Errors
    /// Where memory is short, or a variable can't be read.
    pub fn build(self) -> Result<Session, ModelError> {
        let SessionBuilder { model, guarded, threads } = self;
        Ok(Session {
            workspace: Memory::new(model.metadata().workspace_bytes, guarded)?.named(WORKSPACE),
            states: States::new(model)?,
            found: None,
            seeds: Generator::new(entropy()),
            guards: if guarded { Some(Guards::new(model)?) } else { None },
            threads,
            stored: Vec::new(),
            given: Vec::new(),
            room: Room::new(model),
            model: model.clone(),
        })
    }
}

impl Session {
    /// The model that is run.
    pub fn model(&self) -> &Model {
        &self.model
    }

    fn metadata(&self) -> &Metadata {
        self.model.metadata()
    }

    /// Lets other threads share the work of its runs. What is computed does not depend on them.
    pub fn set_threads(&mut self, threads: Threads) {
        self.threads = threads;
    }

    /// Bytes of workspace that a run uses: for the extents of the last one, as the plan of memory has them. Buffers of which data
    /// determine the extents count with the largest ones.
    pub fn peak_bytes(&self) -> usize {
        let workspace = self.found.as_ref().map_or(0, |found| found.workspace);
        self.metadata().used_workspace(workspace)
    }

    /// The shapes that the outputs have for these inputs; where data determine one, the largest that it may have.
    ///
    /// # Errors
    /// Where an input is not what the model takes.
    pub fn output_shapes(&mut self, inputs: &[View<'_>]) -> Result<Vec<Vec<usize>>, ModelError> {
        let count = self.metadata().outputs.len();
        let found = self.find(inputs)?;
        Ok(found.shapes[inputs.len()..][..count].to_vec())
    }

    /// Runs the model once and gives the outputs, which are allocated; [`Session::run_into`] takes them from the caller. Variables
    /// keep what the run gives them for the next one.
    ///
    /// # Errors
    /// Where an input is not what the model takes, or the run fails; then variables keep what they had.
    pub fn run(&mut self, inputs: &[Tensor]) -> Result<Vec<Tensor>, ModelError> {
        let empty = |info: &TensorInfo| info.zeros(vec![0]);
        let mut outputs: Vec<Tensor> = self.metadata().outputs.iter().map(empty).collect();
        self.run_into(inputs, &mut outputs)?;
        Ok(outputs)
    }

    /// Runs the model once, into tensors that are there already and take the shapes of the outputs. Where they have had such shapes,
    /// and the extents are those of the run before, nothing is allocated.
    ///
    /// # Errors
    /// As [`Session::run`] has.
    pub fn run_into(&mut self, inputs: &[Tensor], outputs: &mut [Tensor]) -> Result<(), ModelError> {
        let mut views = emptied(std::mem::take(&mut self.room.views));
        views.extend(inputs.iter().map(View::from));
        let done = self.run_tensors(&views, outputs);
        self.room.views = emptied(views);
        done
    }

    fn run_tensors(&mut self, inputs: &[View<'_>], outputs: &mut [Tensor]) -> Result<(), ModelError> {
        check_count("output", self.metadata().outputs.len(), outputs.len())?;
        self.find(inputs)?;
        let largest = self.found.iter().flat_map(|found| &found.shapes[inputs.len()..]);
        for (tensor, (info, shape)) in outputs.iter_mut().zip(self.model.metadata().outputs.iter().zip(largest)) {
            tensor.resize(shape).map_err(|bytes| ModelError::Memory(bytes).of_output(info.called()))?;
        }
        self.run_at(inputs, outputs.iter_mut().map(|tensor| Place::of(&mut tensor.into())))?;
        let mut found = outputs.iter_mut().zip(&self.room.shapes);
        found.try_for_each(|(tensor, shape)| tensor.resize(shape).map_err(ModelError::Memory))
    }

    /// Runs the model once on tensors where they lie. The shapes of the outputs are written to them, also where one has not
    /// enough memory. Views of outputs that are kept for the next run have the memory that their shapes take then.
    ///
    /// # Errors
    /// As [`Session::run`] has, and where an output has not enough memory.
    pub fn run_views(&mut self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>]) -> Result<(), ModelError> {
        check_count("output", self.metadata().outputs.len(), outputs.len())?;
        let largest = &self.find(inputs)?.shapes[inputs.len()..];
        outputs.iter_mut().zip(largest).for_each(|(output, shape)| output.shape.clone_from(shape));
        self.run_at(inputs, outputs.iter_mut().map(Place::of))?;
        outputs.iter_mut().zip(&self.room.shapes).for_each(|(output, shape)| output.shape.clone_from(shape));
        Ok(())
    }

    /// Runs the model once on inputs that [`Session::find`] has looked at; the shapes of what it wrote are in the session's lists.
    fn run_at(&mut self, inputs: &[View<'_>], outputs: impl Iterator<Item = Place>) -> Result<(), ModelError> {
        self.room.places.clear();
        self.room.places.extend(outputs);
        let Some(found) = self.found.take() else { return Err(ModelError::Memory(0)) };
        let done = self.run_found(inputs, &found);
        self.found = Some(found);
        done
    }

    fn run_found(&mut self, inputs: &[View<'_>], found: &Found) -> Result<(), ModelError> {
        self.make_ready(inputs, found)?;
        self.model.check_files()?;
        let status = match self.guards {
            Some(_) => self.call_guarded(inputs, found)?,
            None => self.call_here(inputs),
        };
        // What was computed, a fault too, may come of zeros in the place of weights.
        self.model.check_files()?;
        if status != 0 {
            return Err(self.failure(status));
        }
        let Room { told, shapes, .. } = &mut self.room;
        self.model.metadata().take_found_shapes(told, &found.shapes[inputs.len()..], shapes)?;
        self.convert();
        self.states.advance();
        Ok(())
    }

    /// Checks where the run writes to, and makes ready what it reads and writes besides the tensors of the caller.
    fn make_ready(&mut self, inputs: &[View<'_>], found: &Found) -> Result<(), ModelError> {
        let metadata = self.model.metadata();
        let (of_outputs, of_states) = found.shapes[inputs.len()..].split_at(self.room.places.len());
        check_places(&metadata.outputs, of_outputs, &self.room.places)?;
        self.states.check(of_states)?;
        if found.workspace > self.workspace.size() {
            self.workspace = Memory::new(found.workspace, self.guards.is_some())?.named(WORKSPACE);
        }
        if metadata.takes_seed {
            self.room.extents.push(self.seeds.bits() as i64);
        }
        self.room.clear_told(metadata.found_words());
        self.store(inputs)?;
        self.make_room(found)
    }

    /// Why a run failed, by its status and its record.
    fn failure(&self, status: i32) -> ModelError {
        let failed = Failed::of(&self.metadata().faults, &self.room.record).filter(|_| status > 0);
        failed.map_or_else(|| ModelError::Status(Status(status)), |failed| ModelError::Failed(Box::new(failed)))
    }

    /// What follows from the extents that the inputs have; found again only where they change.
    fn find(&mut self, inputs: &[View<'_>]) -> Result<&Found, ModelError> {
        let metadata = self.model.metadata();
        check_count("input", metadata.inputs.len(), inputs.len())?;
        for (info, tensor) in metadata.inputs.iter().zip(inputs) {
            info.check("input", tensor.storage(), tensor.shape())?;
        }
        let extents = &mut self.room.extents;
        extents.clear();
        for open in &metadata.extents {
            let wrong = |message| ModelError::of_input(metadata.inputs[open.input].called(), message);
            extents.push(open.solve(inputs[open.input].shape()[open.dimension]).map_err(wrong)?);
        }
        if self.found.as_ref().is_none_or(|found| found.extents.iter().ne(&*extents)) {
            self.found = Some(follow(self.model.library(), extents.clone())?);
        }
        let found = self.found.as_ref().ok_or(ModelError::Memory(0))?;
        for ((info, tensor), shape) in metadata.inputs.iter().zip(inputs).zip(&found.shapes) {
            info.check_shape("input", shape, tensor.shape())?;
        }
        Ok(found)
    }

    /// What random numbers are drawn from that have no seed in the model. Runs that follow draw the same numbers as those of
    /// another session with this seed; without one, a session takes a number that nobody knows.
    pub fn set_seed(&mut self, seed: u64) {
        self.seeds = Generator::new(seed);
    }

    /// The variables that runs change, by name, with their values.
    pub fn states(&self) -> impl Iterator<Item = (&str, Tensor)> {
        let value = |(info, value): (&'_ TensorInfo, &Stored)| value.to_tensor(info.element_type);
        let infos = self.metadata().states.iter();
        infos.clone().map(|info| info.name.as_str()).zip(infos.zip(self.states.values()).map(value))
    }

    /// The value of a variable that runs change. Its name is that of the metadata or, shorter, that in its graph.
    ///
    /// # Errors
    /// Where no run changes such a variable.
    pub fn state(&self, name: &str) -> Result<Tensor, ModelError> {
        let (info, value) = self.states.get(self.metadata(), name)?;
        Ok(value.to_tensor(info.element_type))
    }

    /// The same where it lies, in the form in which the model takes it.
    ///
    /// # Errors
    /// As [`Session::state`] has.
    pub fn state_view(&self, name: &str) -> Result<View<'_>, ModelError> {
        Ok(self.states.get(self.metadata(), name)?.1.view())
    }

    /// Gives such a variable another value.
    ///
    /// # Errors
    /// Where no run changes such a variable, or the value is not what it takes.
    pub fn set_state<'v>(&mut self, name: &str, value: impl Into<View<'v>>) -> Result<(), ModelError> {
        self.states.set(self.model.metadata(), name, &value.into())
    }

    /// Gives such variables the values that the model was given.
    ///
    /// # Errors
    /// Where a file can't be read any more.
    pub fn reset(&mut self) -> Result<(), ModelError> {
        self.states = States::new(&self.model)?;
        Ok(())
    }

    /// Writes such variables to a folder, each to NAME.npy.
    ///
    /// # Errors
    /// Where a file can't be written.
    pub fn save_states(&self, folder: &Path) -> Result<(), ModelError> {
        self.states.save(self.metadata(), folder)
    }

    /// Takes such variables from a folder that [`Session::save_states`] wrote. All must be there.
    ///
    /// # Errors
    /// Where one is missing or not what the model takes; then all keep what they had.
    pub fn load_states(&mut self, folder: &Path) -> Result<(), ModelError> {
        self.states.load(self.model.metadata(), folder)
    }
}

/// Refuses outputs of another type, or with less memory than their shapes take.
fn check_places(infos: &[TensorInfo], shapes: &[Vec<usize>], places: &[Place]) -> Result<(), ModelError> {
    infos.iter().zip(places).try_for_each(|(info, place)| info.check_type("output", place.storage))?;
    for ((info, shape), &Place { storage, capacity, .. }) in infos.iter().zip(shapes).zip(places) {
        let needed = volume(shape).unwrap_or(0) * storage.size();
        if needed > capacity {
            return Err(ModelError::Capacity { name: info.called().to_owned(), needed, capacity });
        }
    }
    Ok(())
}
