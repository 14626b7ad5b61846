//! Sessions: what the runs of a model need that follow one another.

mod guarded;

use crate::error::ModelError;
use crate::fault::{Failed, RECORD_WORDS};
use crate::intrinsic::random::{Generator, entropy};
use crate::library::RunArguments;
use crate::memory::Memory;
use crate::metadata::{Metadata, TensorInfo};
use crate::model::{Model, check_count};
use crate::pool::Threads;
use crate::shapes::{Found, follow, take_shapes};
use crate::state::States;
use crate::status::Status;
use crate::stored::{Stored, decoded};
use crate::tensor::Tensor;
use crate::view::{View, ViewMut};
use guarded::Guards;
use std::ffi::c_void;
use std::path::Path;

/// One user of a model: a workspace, and values of the variables that runs change. Sessions of one model run at the same time.
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

    /// Runs the model once and gives the outputs. Variables keep what the run gives them for the next one.
    ///
    /// # Errors
    /// Where an input is not what the model takes, or the run fails; then variables keep what they had.
    pub fn run(&mut self, inputs: &[Tensor]) -> Result<Vec<Tensor>, ModelError> {
        let empty = |info: &TensorInfo| info.zeros(vec![0]);
        let mut outputs: Vec<Tensor> = self.metadata().outputs.iter().map(empty).collect();
        self.run_into(inputs, &mut outputs)?;
        Ok(outputs)
    }

    /// Runs the model once, into tensors that are there already and take the shapes of the outputs. Where they have them,
    /// nothing is allocated but short lists of pointers.
    ///
    /// # Errors
    /// As [`Session::run`] has.
    pub fn run_into(&mut self, inputs: &[Tensor], outputs: &mut [Tensor]) -> Result<(), ModelError> {
        let inputs: Vec<View<'_>> = inputs.iter().map(View::from).collect();
        let shapes = self.output_shapes(&inputs)?;
        check_count("output", shapes.len(), outputs.len())?;
        let infos = &self.model.metadata().outputs;
        for ((tensor, shape), info) in outputs.iter_mut().zip(shapes).zip(infos) {
            tensor.resize(shape).map_err(|bytes| ModelError::Memory(bytes).of_output(&info.name))?;
        }
        let mut views: Vec<ViewMut<'_>> = outputs.iter_mut().map(ViewMut::from).collect();
        self.run_views(&inputs, &mut views)?;
        let shapes: Vec<Vec<usize>> = views.into_iter().map(|view| view.shape).collect();
        let mut found = outputs.iter_mut().zip(shapes).filter(|(tensor, shape)| tensor.shape != *shape);
        found.try_for_each(|(tensor, shape)| tensor.resize(shape).map_err(ModelError::Memory))
    }

    /// Runs the model once on tensors where they lie. The shapes of the outputs are written to them, also where one has not
    /// enough memory.
    ///
    /// # Errors
    /// As [`Session::run`] has, and where an output has not enough memory.
    pub fn run_views(&mut self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>]) -> Result<(), ModelError> {
        check_count("output", self.metadata().outputs.len(), outputs.len())?;
        let mut found = self.find(inputs)?.clone();
        let (of_outputs, of_states) = found.shapes[inputs.len()..].split_at(outputs.len());
        let too_small = take_shapes(&self.metadata().outputs, of_outputs, outputs)?;
        too_small.map_or(Ok(()), Err)?;
        self.states.check(of_states)?;
        if found.workspace > self.workspace.size() {
            self.workspace = Memory::new(found.workspace, self.guards.is_some())?.named(WORKSPACE);
        }
        if self.metadata().takes_seed {
            found.extents.push(self.seeds.bits() as i64);
        }
        self.model.check_files()?;
        let mut told = vec![0i64; self.metadata().found_words()];
        let mut record = [0i64; RECORD_WORDS];
        self.store(inputs)?;
        self.make_room(outputs, &found)?;
        let status = match self.guards {
            Some(_) => self.call_guarded(inputs, outputs, &found, (&mut told, &mut record))?,
            None => self.call_here(inputs, outputs, &found, (&mut told, &mut record)),
        };
        // What was computed, a fault too, may come of zeros in the place of weights.
        self.model.check_files()?;
        if status != 0 {
            let failed = Failed::of(&self.metadata().faults, &record).filter(|_| status > 0);
            let unknown = || ModelError::Status(Status(status));
            return Err(failed.map_or_else(unknown, |failed| ModelError::Failed(Box::new(failed))));
        }
        let shapes = self.metadata().found_shapes(&told, &found.shapes[inputs.len()..])?;
        for (output, shape) in outputs.iter_mut().zip(shapes) {
            output.shape = shape;
        }
        self.convert(outputs);
        self.states.advance();
        Ok(())
    }

    /// Stores the inputs that the model takes in another form than they have so, in memory of runs before.
    fn store(&mut self, inputs: &[View<'_>]) -> Result<(), ModelError> {
        self.stored.resize_with(inputs.len(), || None);
        for ((info, view), stored) in self.model.metadata().inputs.iter().zip(inputs).zip(&mut self.stored) {
            let failed = |message| ModelError::Tensor { role: "input", name: info.name.clone(), message };
            if view.storage() == info.storage {
                *stored = None;
            } else {
                stored.get_or_insert_with(|| Stored::zeros(info.storage, Vec::new())).take(view).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Memory for the outputs that are wanted in another form than the model gives.
    fn make_room(&mut self, outputs: &[ViewMut<'_>], found: &Found) -> Result<(), ModelError> {
        let metadata = self.model.metadata();
        self.given.resize_with(outputs.len(), || None);
        let shapes = &found.shapes[metadata.inputs.len()..];
        for (((info, output), shape), given) in metadata.outputs.iter().zip(outputs).zip(shapes).zip(&mut self.given) {
            if output.storage() == info.storage {
                *given = None;
            } else {
                let room = given.get_or_insert_with(|| Stored::zeros(info.storage, Vec::new()));
                room.resize(shape).map_err(|short| short.of_output(&info.name))?;
            }
        }
        Ok(())
    }

    /// Gives the outputs that are wanted in another form than the model gives what the run wrote.
    fn convert(&self, outputs: &mut [ViewMut<'_>]) {
        for ((info, output), given) in self.metadata().outputs.iter().zip(outputs).zip(&self.given) {
            let Some(given) = given else { continue };
            let bytes = &given.view().bytes()[..info.size(&output.shape)];
            let tensor = Tensor { shape: Vec::new(), data: decoded(info.storage, info.element_type, bytes) };
            let length = tensor.size_in_bytes().min(output.capacity());
            let from = View::from(&tensor).pointer().cast::<u8>();
            // SAFETY: both have so many bytes, and are apart from each other.
            unsafe { std::ptr::copy_nonoverlapping(from, output.pointer().cast(), length) };
        }
    }

    /// Where a run writes the outputs.
    fn output_pointers(&mut self, outputs: &mut [ViewMut<'_>]) -> Vec<*mut c_void> {
        let pointer = |(output, given): (&mut ViewMut<'_>, &mut Option<Stored>)| match given {
            Some(given) => given.view_mut().pointer(),
            None => output.pointer(),
        };
        outputs.iter_mut().zip(&mut self.given).map(pointer).collect()
    }

    /// Runs on the tensors themselves; gives the status.
    fn call_here(
        &mut self,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
        found: &Found,
        left: (&mut [i64], &mut [i64; RECORD_WORDS]),
    ) -> i32 {
        let pointer = |(view, stored): (&View<'_>, &Option<Stored>)| {
            stored.as_ref().map_or_else(|| view.pointer(), |stored| stored.view().pointer())
        };
        let inputs: Vec<_> = inputs.iter().zip(&self.stored).map(pointer).collect();
        let mut variables = self.model.variable_pointers();
        for (number, current) in self.states.current() {
            variables[number] = current.view().pointer();
        }
        let mut outputs = self.output_pointers(outputs);
        outputs.extend(self.states.next().map(|next| next.view_mut().pointer()));
        let prepared = self.model.prepared().pointer();
        // SAFETY: types and extents of all tensors were checked against the metadata and what the library computes of the
        // extents, the outputs are exclusive, and memory has the sizes that these ask for. Truth values are written as 0 or 1.
        unsafe { self.call((&inputs, &variables, prepared, &outputs), &found.extents, left) }
    }

    /// Calls the function.
    ///
    /// # Safety
    /// The pointers must be to what the metadata say of a run with these extents.
    unsafe fn call(
        &mut self,
        (inputs, variables, prepared, outputs): Pointers<'_>,
        extents: &[i64],
        (told, record): (&mut [i64], &mut [i64; RECORD_WORDS]),
    ) -> i32 {
        let arguments = RunArguments {
            inputs: inputs.as_ptr(),
            variables: variables.as_ptr(),
            prepared,
            outputs: outputs.as_ptr(),
            extents: extents.as_ptr(),
            shapes: told.as_mut_ptr(),
            workspace: self.workspace.pointer_mut(),
            record: record.as_mut_ptr(),
        };
        let pool = if self.metadata().parallel_loops > 0 { self.threads.functions() } else { None };
        // SAFETY: the caller vouches for the tensors; the workspace has the size that the extents ask for, the record and the
        // shapes have as many words as the header says; the pool is there as long as the session.
        unsafe { self.model.library().run(arguments, pool.as_ref()) }
    }

    /// What follows from the extents that the inputs have; found again only where they change.
    fn find(&mut self, inputs: &[View<'_>]) -> Result<&Found, ModelError> {
        let metadata = self.model.metadata();
        check_count("input", metadata.inputs.len(), inputs.len())?;
        for (info, tensor) in metadata.inputs.iter().zip(inputs) {
            info.check("input", tensor.storage(), tensor.shape())?;
        }
        let mut extents = Vec::with_capacity(metadata.extents.len());
        for open in &metadata.extents {
            let wrong = |message| {
                let name = metadata.inputs[open.input].name.clone();
                ModelError::Tensor { role: "input", name, message }
            };
            extents.push(open.solve(inputs[open.input].shape()[open.dimension]).map_err(wrong)?);
        }
        if self.found.as_ref().is_none_or(|found| found.extents != extents) {
            self.found = Some(follow(self.model.library(), extents)?);
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

/// Inputs, variables, prepared memory, outputs.
type Pointers<'p> = (&'p [*const c_void], &'p [*const c_void], *const c_void, &'p [*mut c_void]);
