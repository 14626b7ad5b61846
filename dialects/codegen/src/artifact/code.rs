//! Code of a module: how it is asked for, lowering to the LLVM dialect, and the objects that are linked.

use crate::emit::{Folders, Scheduled};
use crate::interface::{Planned, export};
use crate::pipeline::{Exported, Settings};
use crate::views::structured::computes_elements;
use crate::{Error, Target, notes, passes, pipeline};
use skriptnd_mlir::Diagnostic;
use skriptnd_mlir::ir::{Module, OperationRef};
use skriptnd_mlir::llvm::{Emission, LlvmModule, OptimizationOptions, Part};
use skriptnd_mlir::pass::{self, Invariant, PipelineOptions};
use skriptnd_runtime::metadata::Metadata;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Emit {
    /// A shared library.
    #[default]
    SharedLibrary,
    /// A relocatable object.
    Object,
    /// Assembly text.
    Assembly,
    /// LLVM IR as text.
    LlvmIr,
    /// The LLVM dialect as text.
    LlvmDialect,
    /// What emulators run: an executable without libraries that reads tensors from standard input and writes them to
    /// standard output, as `runtime/bare/runner.c` does.
    Runner,
}

/// How a module is compiled.
#[derive(Debug, Clone)]
pub struct CompileOptions {
    /// For what.
    pub target: Target,
    /// Processors that have all that this target has, and more, from the least to the best: for each there is a version of the code
    /// as well.
    pub better: Vec<Target>,
    /// Into which form.
    pub emit: Emit,
    /// Whether sums may be reordered and special values ignored in what LLVM compiles.
    pub fast_math: bool,
    /// Whether numbers are combined in the order of the formulas, and rounded where these are, though other ways are faster.
    pub exact: bool,
    /// What the names of the exported functions begin with; `skriptnd` if nothing is said. With a prefix several models can be
    /// linked into one program.
    pub prefix: Option<String>,
    /// Folders that schedules are read from and written to.
    pub schedules: Folders,
    /// Whether standard error is told how long each pass took.
    pub timing: bool,
}

impl CompileOptions {
    /// With the arithmetic, the names and the schedules that a model has if nothing else is asked for.
    pub fn new(target: Target, emit: Emit) -> Self {
        CompileOptions {
            target,
            better: Vec::new(),
            emit,
            fast_math: false,
            exact: false,
            prefix: None,
            schedules: Folders::default(),
            timing: false,
        }
    }
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The bytes of the file.
    pub code: Vec<u8>,
    /// What there is to say about it.
    pub report: CompileReport,
    /// What passes said on the way.
    pub diagnostics: Vec<Diagnostic>,
}

/// About a compiled model.
#[derive(Debug, Clone, Default)]
pub struct CompileReport {
    /// The metadata that the library has as well: inputs, variables, outputs, sizes.
    pub metadata: Metadata,
    /// Bytes of the workspace that a run uses.
    pub peak_bytes: i64,
    /// Bytes of what is prepared from variables.
    pub prepared_bytes: i64,
    /// The declarations of the functions for C, if their names have a prefix.
    pub header: Option<String>,
    /// Number of different kernels.
    pub kernels: usize,
    /// The kernels with their schedules, where such were asked for that were measured, or alternatives; of several versions, those of
    /// all.
    pub scheduled: Vec<Scheduled>,
    /// How long each phase took.
    pub timing: Vec<(&'static str, Duration)>,
}

impl CompileReport {
    /// Of what passes noted.
    pub(crate) fn of(planned: &Planned) -> CompileReport {
        CompileReport {
            metadata: planned.metadata(),
            peak_bytes: planned.memory.run_bytes,
            prepared_bytes: planned.memory.prepared_bytes,
            ..CompileReport::default()
        }
    }
}

/// How pipelines are run: with all checks behind each pass in builds for tests, without them in those for users.
pub fn checked_in_tests() -> PipelineOptions {
    let invariant: Option<Invariant> = if cfg!(debug_assertions) { Some(computes_elements) } else { None };
    PipelineOptions { verify: cfg!(debug_assertions), invariant, ..PipelineOptions::default() }
}

/// Parts of a library that are compiled beside each other, at most. It must not depend on the machine.
const MOST_PARTS: u32 = 16;

/// A module of the LLVM dialect.
pub(crate) struct Lowered {
    /// What earlier passes noted.
    pub planned: Planned,
    /// Number of different kernels.
    pub kernels: usize,
    /// The kernels with their schedules, where that was asked for.
    pub scheduled: Vec<Scheduled>,
    /// What passes said on the way.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers a module to the LLVM dialect; it may be one of several versions.
pub(crate) fn lower(
    module: &mut Module<'_>,
    options: &CompileOptions,
    is_version: bool,
    clock: &mut Clock,
) -> Result<Lowered, Error> {
    passes::register()?;
    let settings = Settings {
        target: options.target.clone(),
        schedules: options.schedules.note(module.as_operation())?,
        exact: options.exact,
    };
    let exported = Exported { prefix: options.prefix.as_deref(), is_version };
    let pipeline = format!("builtin.module({})", pipeline::linalg_to_llvm(&settings, exported)?);
    // What users write was verified before; verification would take a sixth of the time.
    let checked = PipelineOptions { timing: options.timing, ..checked_in_tests() };
    let diagnostics = pass::run(module, &pipeline, &checked)?;
    let planned = Planned::noted(module.as_operation())?;
    clock.lap("lower");
    let kernels = module.as_operation().get_integer(notes::KERNELS).and_then(|count| usize::try_from(count).ok());
    let scheduled = take_scheduled(module.as_operation())?;
    Ok(Lowered { planned, kernels: kernels.unwrap_or_default(), scheduled, diagnostics })
}

/// The kernels with their schedules as they were noted. The note goes: it is not part of what is compiled.
fn take_scheduled(module: OperationRef<'_, '_>) -> Result<Vec<Scheduled>, Error> {
    let Some(text) = module.get_string(notes::SCHEDULED) else { return Ok(Vec::new()) };
    let read = serde_json::from_str(text).map_err(|error| Error::malformed(error.to_string()));
    module.unset(notes::SCHEDULED);
    read
}

/// What is linked: any number of objects, or one text.
pub(crate) fn generate(
    module: &Module<'_>,
    name: &str,
    options: &CompileOptions,
    clock: &mut Clock,
) -> Result<Vec<Vec<u8>>, Error> {
    let llvm = LlvmModule::translate(module, name)?;
    clock.lap("translate");
    let is_linked = match options.emit {
        Emit::SharedLibrary | Emit::Runner => true,
        Emit::Object => options.target.has_elf_files(),
        _ => false,
    };
    let objects = match is_linked {
        true => {
            let prefix = options.prefix.as_deref().unwrap_or(export::PREFIX);
            compile_parts(&llvm.into_parts(MOST_PARTS, prefix), options)?
        }
        false => vec![compile_part(llvm, options)?],
    };
    clock.lap("generate");
    Ok(objects)
}

/// Compiles each part on some thread. What comes of it depends on the parts alone, not on the threads.
fn compile_parts(parts: &[Part], options: &CompileOptions) -> Result<Vec<Vec<u8>>, Error> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(parts.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut objects = Vec::new();
        while let Some((number, part)) = Some(next.fetch_add(1, Relaxed)).and_then(|at| Some((at, parts.get(at)?))) {
            objects.push((
                number,
                LlvmModule::read(part).map_err(Error::from).and_then(|llvm| compile_part(llvm, options)),
            ));
        }
        objects
    };
    let mut objects = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others = others.into_iter().flat_map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        others.chain(own).collect::<Vec<_>>()
    });
    objects.sort_by_key(|(number, _)| *number);
    objects.into_iter().map(|(_, object)| object).collect()
}

/// Optimizes a module and writes it.
fn compile_part(mut llvm: LlvmModule, options: &CompileOptions) -> Result<Vec<u8>, Error> {
    let spec = &options.target.spec;
    let mut function_attributes = options.target.function_attributes();
    if options.fast_math {
        let fast = ["unsafe-fp-math", "no-nans-fp-math", "no-infs-fp-math", "no-signed-zeros-fp-math"];
        function_attributes.extend(fast.map(|name| (name.to_string(), "true".to_string())));
    }
    llvm.optimize(
        spec,
        &OptimizationOptions { function_attributes, loop_vectorization: options.target.isa.lanes() > 1 },
    )?;
    let emission = match options.emit {
        Emit::LlvmIr => Emission::Ir,
        Emit::Assembly => Emission::Assembly,
        _ => Emission::Object,
    };
    Ok(llvm.emit(spec, emission)?)
}

/// How long each phase takes.
pub(crate) struct Clock {
    last: Instant,
    /// The phases with their times.
    pub laps: Vec<(&'static str, Duration)>,
}

impl Clock {
    pub fn start() -> Self {
        Clock { last: Instant::now(), laps: Vec::new() }
    }

    /// Ends a phase.
    pub fn lap(&mut self, name: &'static str) {
        self.laps.push((name, self.last.elapsed()));
        self.last = Instant::now();
    }

    /// The phases, those of the same name together.
    pub fn summed(self) -> Vec<(&'static str, Duration)> {
        let mut summed = Vec::<(&str, Duration)>::new();
        for (name, time) in self.laps {
            match summed.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += time,
                None => summed.push((name, time)),
            }
        }
        summed
    }
}
