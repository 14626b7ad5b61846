//! A compiled model that runs again and again, to be measured.

use super::fault;
use crate::driver::engine::Engine;
use crate::failure::Failure;
use skriptnd_runtime::operation::Operation;
use skriptnd_runtime::session::profile::Event;
use skriptnd_runtime::{ModelError, Session, Stored, Tensor, View, ViewMut};

/// A session with its inputs; every run begins with the same variables.
pub struct Repeated {
    session: Session,
    inputs: Vec<Tensor>,
    outputs: Vec<Tensor>,
    stored: Option<InForms>,
}

impl Repeated {
    /// Runs of a session on the same inputs.
    ///
    /// # Errors
    /// Where an input is not what the model takes.
    pub fn new(mut session: Session, inputs: Vec<Tensor>) -> Result<Repeated, Failure> {
        let infos = &session.model().metadata().outputs;
        let outputs = infos.iter().map(|info| info.zeros(vec![0])).collect();
        let stored = InForms::of(&mut session, &inputs).map_err(fault::failure_without_sources)?;
        Ok(Repeated { session, inputs, outputs, stored })
    }
}

/// Inputs and outputs in the forms that the model has them in, where these are not those of computation: what converts them is no part
/// of a run.
struct InForms {
    inputs: Vec<Stored>,
    outputs: Vec<Stored>,
}

impl InForms {
    fn of(session: &mut Session, inputs: &[Tensor]) -> Result<Option<InForms>, ModelError> {
        let metadata = session.model().metadata();
        let (taken, given) = (&metadata.inputs, metadata.outputs.iter().map(|info| info.storage).collect::<Vec<_>>());
        let mut forms = taken.iter().chain(&metadata.outputs);
        if taken.len() != inputs.len() || forms.all(|info| info.storage == info.element_type.into()) {
            return Ok(None);
        }
        let stored = taken.iter().zip(inputs).map(|(info, input)| {
            let stored = Stored::of(info.storage, &View::from(input));
            stored.map_err(|message| ModelError::of_input(info.called(), message))
        });
        let inputs = stored.collect::<Result<Vec<_>, _>>()?;
        let shapes = session.output_shapes(&inputs.iter().map(Stored::view).collect::<Vec<_>>())?;
        let outputs = given.into_iter().zip(shapes).map(|(storage, shape)| Stored::zeros(storage, shape)).collect();
        Ok(Some(InForms { inputs, outputs }))
    }

    fn run(&mut self, session: &mut Session) -> Result<(), ModelError> {
        let inputs: Vec<_> = self.inputs.iter().map(Stored::view).collect();
        let mut outputs: Vec<ViewMut<'_>> = self.outputs.iter_mut().map(Stored::view_mut).collect();
        session.run_views(&inputs, &mut outputs)
    }
}

/// A run on inputs and outputs in the forms of the model, or in those of computation.
fn run(
    inputs: &[Tensor],
    outputs: &mut [Tensor],
    stored: &mut Option<InForms>,
) -> impl FnOnce(&mut Session) -> Result<(), ModelError> {
    move |session| match stored {
        Some(stored) => stored.run(session),
        None => session.run_into(inputs, outputs),
    }
}

impl Engine for Repeated {
    fn run(&mut self) -> Result<(), Failure> {
        let run = run(&self.inputs, &mut self.outputs, &mut self.stored);
        let done = self.session.reset().and_then(|()| run(&mut self.session));
        done.map_err(fault::failure_without_sources)
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, Failure> {
        let Repeated { session, inputs, .. } = self;
        session.reset().and_then(|()| session.run(inputs)).map_err(fault::failure_without_sources)
    }

    fn peak_bytes(&self) -> usize {
        self.session.peak_bytes()
    }

    fn is_marked(&self) -> bool {
        self.session.model().library().is_marked()
    }

    fn operations(&self) -> &[Operation] {
        &self.session.model().metadata().operations
    }

    fn profile(&mut self) -> Result<Vec<Event>, Failure> {
        let run = run(&self.inputs, &mut self.outputs, &mut self.stored);
        let done = self.session.reset().and_then(|()| self.session.profile(run));
        done.map_err(fault::failure_without_sources)
    }
}
