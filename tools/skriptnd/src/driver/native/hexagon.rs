//! Models compiled for Hexagon, on an emulator.

use super::session::{add_unchanged, read_variables};
use super::values::{Values, Wanted};
use super::{MadeInput, artifact, build, failure, fault, made_inputs};
use crate::driver::backend::Backend;
use crate::driver::engine::Engine;
use crate::driver::finished::{Finished, forms};
use crate::driver::model::{Composed, Model};
use crate::driver::output;
use crate::driver::progress::Progress;
use crate::driver::run_options::Options;
use crate::driver::variables::{self, VariableOptions};
use crate::failure::{Failure, print_message};
use skriptnd_codegen::{Emit, Schedules, Target};
use skriptnd_compiler::tensors::assigned;
use skriptnd_compiler::{Built, Error, Request, hexagon};
use skriptnd_hexagon::emulator::{Answer, Counts};
use skriptnd_hexagon::processor;
use skriptnd_interpret::flat_inputs;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::atomic::Mode;
use skriptnd_runtime::intrinsic::random::{Generator, entropy};
use skriptnd_runtime::metadata::Metadata;
use skriptnd_runtime::operation::Operation;
use skriptnd_runtime::{ModelError, Tensor};
use std::path::PathBuf;
use std::time::Instant;

/// A program for the emulator, with the variables that its runs begin with.
struct Program {
    file: PathBuf,
    interface: Metadata,
    variables: Vec<Tensor>,
    /// The folder of the file, if it goes with the program.
    _folder: Option<tempfile::TempDir>,
}

impl Program {
    /// Compiles a model.
    fn compiled(
        options: &VariableOptions,
        (model, composed): (&Model, &Composed),
        (target, schedules): (Target, Schedules),
        progress: &Progress,
    ) -> Result<Program, Failure> {
        let request = Request { schedules, ..composed.request(target, Emit::Runner) };
        let Built { code, report, .. } = build(composed, request, progress)?;
        let folder = skriptnd_mlir::link::temporary_folder().map_err(Failure::input)?;
        let file = folder.path().join("model");
        output::write(&file, Mode::Executable, code)?;
        let interface = report.metadata;
        let source = variables::Source::new(options, model, &composed.graph)?;
        let stems = interface.variables.iter().map(|info| info.name.as_str());
        let variables = interface.variables.iter().zip(read_variables(composed, &source, stems)?);
        let variables = variables.map(|(info, variable)| variable.into_tensor(info).map_err(Failure::input));
        let variables = variables.collect::<Result<_, _>>()?;
        Ok(Program { file, variables, interface, _folder: Some(folder) })
    }

    /// One that was compiled before.
    fn opened(wanted: Wanted<'_>, values: &Values, interface: Metadata) -> Result<Program, Failure> {
        let features = interface.features.iter().map(String::as_str);
        processor::check_features(features).map_err(Failure::input)?;
        let variables = interface.variables.iter().zip(values.all()?);
        let variables = variables.map(|(info, variable)| variable.into_tensor(info).map_err(Failure::input));
        Ok(Program {
            file: wanted.file.canonicalize().map_err(|error| Failure::file(wanted.file, &error))?,
            variables: variables.collect::<Result<_, _>>()?,
            interface,
            _folder: None,
        })
    }

    fn run(&self, inputs: &[Tensor], seed: Option<u64>) -> Result<(Vec<Tensor>, Answer), Error> {
        let mut seeds = Generator::new(seed.unwrap_or_else(entropy));
        hexagon::run(&self.file, &self.interface, inputs, &self.variables, &mut seeds)
    }

    /// Bytes of workspace that a run took.
    fn peak_bytes(&self, answer: &Answer) -> usize {
        self.interface.used_workspace(usize::try_from(answer.workspace).unwrap_or(0))
    }
}

/// Says what the emulator counted.
fn tell(Counts { packets, instructions, vector_instructions }: Counts) {
    let vectors = match vector_instructions {
        0 => String::new(),
        count => format!(", {count} of HVX"),
    };
    print_message(format_args!("{packets} packets, {instructions} instructions{vectors}\n"));
}

/// Compiles a model for Hexagon and runs it; the packets that the emulator counted are printed.
pub fn run_hexagon(
    options: &Options,
    model: &Model,
    composed: &Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
    progress: &Progress,
) -> Result<Finished, Failure> {
    let started = Instant::now();
    let target = options.cpu.target(Backend::Hexagon)?;
    let schedules = Schedules { vtcm: options.cpu.vtcm(&target)?, ..Schedules::default() };
    let program = Program::compiled(&options.variables, (model, composed), (target, schedules), progress)?;
    let inputs = flat_inputs(&composed.graph, inputs).map_err(|found| composed.fail(&found))?;
    let compile = started.elapsed();
    progress.step("running on the emulator");
    let started = Instant::now();
    let (results, answer) = program.run(&inputs, options.seed).map_err(|error| of_model(error, composed))?;
    let run = started.elapsed();
    tell(answer.counts);
    let (outputs, variables) = assigned(&composed.graph, &program.interface, results);
    let (peak_bytes, draws) = (program.peak_bytes(&answer), program.interface.takes_seed);
    let stored = forms(&composed.graph);
    let mut finished = Finished { outputs, stored, variables, compile, run, peak_bytes, draws };
    if options.save_state.is_some() {
        let source = variables::Source::new(&options.variables, model, &composed.graph)?;
        add_unchanged(&composed.graph, &source, &mut finished)?;
    }
    Ok(finished)
}

/// Why a model that was just compiled did not run.
fn of_model(error: Error, composed: &Composed) -> Failure {
    match error {
        Error::Failed(failed) => fault::fault(&failed, composed),
        other => failure(composed, other),
    }
}

/// Why a program did not run of which there are no sources.
fn of_program(error: Error) -> Failure {
    match error {
        Error::Failed(failed) => fault::failure_without_sources(ModelError::Failed(failed)),
        other => Failure::input(other),
    }
}

/// Runs a program that was compiled for Hexagon.
pub fn run_artifact(options: &Options, wanted: Wanted<'_>, interface: Metadata) -> Result<Finished, Failure> {
    let started = Instant::now();
    check_backend(options.backend)?;
    artifact::check_fixed(wanted.graph)?;
    let values = Values::of_program(wanted, interface.clone())?;
    let program = Program::opened(wanted, &values, interface)?;
    let interface = &program.interface;
    let (inputs, _) = artifact::inputs(interface, wanted)?;
    let compile = started.elapsed();
    let started = Instant::now();
    let (mut results, answer) = program.run(&inputs, options.seed).map_err(of_program)?;
    let run = started.elapsed();
    tell(answer.counts);
    let states = results.split_off(interface.outputs.len().min(results.len()));
    let outputs = artifact::grouped(&interface.outputs, results);
    let variables = artifact::after(options, interface, &values, states.into_iter())?;
    let (peak_bytes, draws) = (program.peak_bytes(&answer), interface.takes_seed);
    Ok(Finished { outputs, stored: artifact::forms(&interface.outputs), variables, compile, run, peak_bytes, draws })
}

/// A program for Hexagon runs on its emulator whether that is said or not.
fn check_backend(backend: Backend) -> Result<(), Failure> {
    match backend {
        Backend::Interpret => {
            Err(Failure::usage("a program for Hexagon runs on the emulator; give the model itself for other backends"))
        }
        Backend::Native | Backend::Hexagon => Ok(()),
    }
}

/// A model compiled for Hexagon whose packets can be counted.
pub fn hexagon_engine<'a>(
    options: &'a VariableOptions,
    (model, composed): (&'a Model, &'a Composed),
    inputs: Vec<Option<Argument<Tensor>>>,
    how: (Target, Schedules),
) -> Result<Box<dyn Engine + 'a>, Failure> {
    let program = Program::compiled(options, (model, composed), how, &Progress::new())?;
    let inputs = flat_inputs(&composed.graph, inputs).map_err(|found| composed.fail(&found))?;
    Ok(Box::new(Counting { program, inputs, last: None, failure: Box::new(|error| of_model(error, composed)) }))
}

/// The same of a program that was compiled before.
pub fn artifact_engine(
    wanted: Wanted<'_>,
    interface: Metadata,
    made: Option<MadeInput<'_>>,
) -> Result<Box<dyn Engine>, Failure> {
    let values = Values::of_program(wanted, interface.clone())?;
    let program = Program::opened(wanted, &values, interface)?;
    let inputs = made_inputs(&program.interface, wanted, made)?;
    Ok(Box::new(Counting { program, inputs, last: None, failure: Box::new(of_program) }))
}

/// A program on the emulator, on the same inputs again and again.
struct Counting<'a> {
    program: Program,
    inputs: Vec<Tensor>,
    last: Option<(Vec<Tensor>, Answer)>,
    failure: Box<dyn Fn(Error) -> Failure + 'a>,
}

impl Engine for Counting<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        let Counting { program, inputs, last, failure } = self;
        *last = Some(program.run(inputs, None).map_err(failure)?);
        Ok(())
    }

    fn outputs(&mut self) -> Result<Vec<Tensor>, Failure> {
        self.run()?;
        let count = self.program.interface.outputs.len();
        Ok(self.last.iter().flat_map(|(results, _)| results.iter().take(count).cloned()).collect())
    }

    fn peak_bytes(&self) -> usize {
        self.counted().map_or(0, |answer| self.program.peak_bytes(answer))
    }

    fn is_marked(&self) -> bool {
        !self.program.interface.operations.is_empty()
    }

    fn counted(&self) -> Option<&Answer> {
        self.last.as_ref().map(|(_, answer)| answer)
    }

    fn operations(&self) -> &[Operation] {
        &self.program.interface.operations
    }
}
