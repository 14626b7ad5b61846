//! A model compiled with one set of schedules and another, and run side by side.

use super::engine;
use crate::driver::engine::{Engine, time_once};
use crate::driver::model::{Composed, Model};
use crate::driver::profile::times;
use crate::driver::progress::Progress;
use crate::driver::run_options::Threads;
use crate::driver::tune::{Kernel, Machine, Pairs, Trial};
use crate::driver::variables::VariableOptions;
use crate::failure::Failure;
use skriptnd_codegen::{Scheduled, Schedules, Target};
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::Tensor;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Alternatives of a kernel at most.
const ALTERNATIVES: usize = 32;
/// Pairs of runs, at least and at most.
const LEAST_PAIRS: usize = 9;
const MOST_PAIRS: usize = 201;
/// How long runs are measured for, if they are short.
const MEASURED: Duration = Duration::from_millis(500);

/// The kernels of a model.
pub struct Subject {
    /// As code generation names them.
    pub scheduled: Vec<Scheduled>,
    /// The same with the operations that run them.
    pub kernels: Vec<Kernel>,
}

/// A model that is compiled again and again.
pub struct Trials<'m> {
    model: (&'m Model, &'m Composed),
    variables: &'m VariableOptions,
    inputs: Vec<Option<Argument<Tensor>>>,
    threads: &'m Threads,
    end: Instant,
    progress: &'m Progress,
    /// With the schedules that are chosen, marked.
    chosen: Box<dyn Engine + 'm>,
    scheduled: Vec<Scheduled>,
}

impl<'m> Trials<'m> {
    /// Compiles the model as it is.
    ///
    /// # Errors
    /// Where it can't be compiled.
    pub fn new(
        model: (&'m Model, &'m Composed),
        variables: &'m VariableOptions,
        inputs: Vec<Option<Argument<Tensor>>>,
        (threads, end): (&'m Threads, Instant),
        progress: &'m Progress,
    ) -> Result<Trials<'m>, Failure> {
        progress.step("compiling");
        let schedules = Schedules { profile: true, alternatives: ALTERNATIVES, ..Schedules::default() };
        let (chosen, mut scheduled) = engine(variables, model, inputs.clone(), (threads, Target::host(), schedules))?;
        // What is computed when a model is loaded may have the kernels of runs as well.
        scheduled.sort_by(|a, b| a.key.cmp(&b.key));
        scheduled.dedup_by(|a, b| a.key == b.key);
        let chosen: Box<dyn Engine + 'm> = chosen;
        Ok(Trials { model, variables, inputs, threads, end, progress, chosen, scheduled })
    }

    /// The kernels that runs have.
    pub fn subject(&self) -> Subject {
        let operations = self.chosen.operations();
        let runs = |key: &String| {
            let own = operations.iter().enumerate().filter(|(_, operation)| operation.kernels.contains(key));
            own.map(|(number, _)| number).collect::<Vec<_>>()
        };
        let (mut scheduled, mut kernels) = (Vec::new(), Vec::new());
        for own in &self.scheduled {
            let operations = runs(&own.key);
            if !operations.is_empty() {
                kernels.push(Kernel { key: own.key.clone(), alternatives: own.alternatives.clone(), operations });
                scheduled.push(own.clone());
            }
        }
        Subject { scheduled, kernels }
    }

    /// The model with other schedules.
    fn with(&self, trial: &Trial, is_marked: bool) -> Result<Box<dyn Engine + 'm>, Failure> {
        let folder = (!trial.is_empty()).then(|| written(trial)).transpose()?;
        let given = folder.as_ref().map(|folder| folder.path().to_owned());
        let schedules = Schedules { given, profile: is_marked, ..Schedules::default() };
        Ok(engine(self.variables, self.model, self.inputs.clone(), (self.threads, Target::host(), schedules))?.0)
    }
}

/// The files of schedules, as long as they are needed.
fn written(trial: &Trial) -> Result<TempDir, Failure> {
    let failed = |path: &Path, error: &std::io::Error| Failure::file(path, error);
    let folder = tempfile::tempdir().map_err(|error| failed(&std::env::temp_dir(), &error))?;
    for (key, text) in trial {
        let file = folder.path().join(key).with_extension("schedule");
        std::fs::write(&file, text).map_err(|error| failed(&file, &error))?;
    }
    Ok(folder)
}

impl Machine for Trials<'_> {
    fn operations(&mut self, trial: &Trial) -> Result<Vec<Pairs>, Failure> {
        let mut other = self.with(trial, true)?;
        let count = self.chosen.operations().len();
        let mut all = vec![Pairs::default(); count];
        side_by_side(&mut *self.chosen, &mut *other, |engine, pair, is_other| {
            let found = times(count, &engine.profile()?);
            if pair > 0 {
                let places = all.iter_mut().map(|pairs| if is_other { &mut pairs.other } else { &mut pairs.chosen });
                places.zip(found).for_each(|(runs, us)| runs.push(us));
            }
            Ok(())
        })?;
        Ok(all)
    }

    fn whole(&mut self, trial: &Trial) -> Result<Pairs, Failure> {
        let (mut chosen, mut other) = (self.with(&Trial::new(), false)?, self.with(trial, false)?);
        let mut pairs = Pairs::default();
        side_by_side(&mut *chosen, &mut *other, |engine, pair, is_other| {
            let us = time_once(engine)?;
            if pair > 0 {
                if is_other { pairs.other.push(us) } else { pairs.chosen.push(us) }
            }
            Ok(())
        })?;
        Ok(pairs)
    }

    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    fn progress(&self, what: &str) {
        self.progress.step(&format!("{what}, {} s left", self.left().as_secs()));
    }
}

/// Runs two engines in turn, each first as often as the other; the first pair is no measurement.
fn side_by_side(
    chosen: &mut dyn Engine,
    other: &mut dyn Engine,
    mut run: impl FnMut(&mut dyn Engine, usize, bool) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let started = Instant::now();
    for pair in 0..=MOST_PAIRS {
        if pair > LEAST_PAIRS && started.elapsed() > MEASURED {
            break;
        }
        let is_other_first = pair % 2 == 1;
        for is_other in [is_other_first, !is_other_first] {
            run(if is_other { &mut *other } else { &mut *chosen }, pair, is_other)?;
        }
    }
    Ok(())
}
