//! Compiled models: the way through MLIR.

mod artifact;
mod fault;
mod hexagon;
mod session;

use super::bench::{self, Engine};
use super::compile::{self, Emit};
use super::model::{Composed, Model};
use super::output::{print_json, print_line};
use super::progress::Progress;
use super::run::{Finished, Options, milliseconds};
use super::variables;
use crate::failure::{Failure, print_message};
use crate::registry::registry;
pub use artifact::{is_artifact, run_artifact};
pub use hexagon::run_hexagon;
use serde_json::json;
use session::{Session, flat_inputs};
use skriptnd_codegen::{CompileOptions, CompileReport, Target};
use skriptnd_dialect::import_model;
use skriptnd_language::compose::graph::Argument;
use skriptnd_mlir::ir::Module;
use skriptnd_mlir::pass::{self, PipelineOptions};
use skriptnd_runtime::{Tensor, atomic};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// From whole operators to linalg on tensors.
pub const LOWER: &str = "builtin.module(skriptnd-rewrite,convert-skriptnd-to-linalg,canonicalize,cse)";

/// How a model is compiled.
struct Request<'a> {
    composed: &'a Composed,
    target: Target,
    emit: skriptnd_codegen::Emit,
    output: &'a Path,
    fast_math: bool,
    htp_rules: &'a [PathBuf],
}

impl<'a> Request<'a> {
    /// With the arithmetic and the rules that a model has if nothing else is asked for.
    fn new(composed: &'a Composed, target: Target, emit: skriptnd_codegen::Emit, output: &'a Path) -> Self {
        Request { composed, target, emit, output, fast_math: false, htp_rules: &[] }
    }
}

/// What came of it, and how long each step took.
struct Built {
    report: CompileReport,
    steps: Vec<(&'static str, Duration)>,
}

/// Compiles.
fn build(request: Request, progress: &Progress) -> Result<Built, Failure> {
    let registry = registry()?;
    let context = registry.context();
    let started = Instant::now();
    progress.step("importing");
    let mut module = import(&context, request.composed)?;
    let imported = started.elapsed();
    progress.step("lowering");
    lower(&mut module, request.htp_rules)?;
    let lowered = started.elapsed();
    progress.step("compiling");
    let options = CompileOptions {
        target: request.target,
        emit: request.emit,
        output: request.output.to_owned(),
        fast_math: request.fast_math,
    };
    let report = skriptnd_codegen::compile(module, &options).map_err(compile_failure)?;
    let mut steps = vec![("import", imported), ("linalg", lowered - imported)];
    steps.extend(report.timing.iter().copied());
    Ok(Built { report, steps })
}

fn import<'c>(context: &'c skriptnd_mlir::ir::Context, composed: &Composed) -> Result<Module<'c>, Failure> {
    import_model(context, &composed.definitions, &composed.graph).map_err(Failure::input)
}

fn lower(module: &mut Module<'_>, htp_rules: &[PathBuf]) -> Result<(), Failure> {
    let options = PipelineOptions::default();
    for pipeline in htp_pipelines(htp_rules)?.iter().map(String::as_str).chain([LOWER]) {
        for diagnostic in pass::run(module, pipeline, &options).map_err(|error| compile_failure(error.into()))? {
            print_message(format_args!("{diagnostic}\n"));
        }
    }
    Ok(())
}

/// The way through the `htp` dialect, if rules are to be applied.
fn htp_pipelines(rules: &[PathBuf]) -> Result<Option<String>, Failure> {
    if rules.is_empty() {
        return Ok(None);
    }
    let apply = rules.iter().map(|file| {
        let name = file.to_str().filter(|name| !name.contains(['{', '}', '"', ' ']));
        let name = name.ok_or_else(|| Failure::usage(format!("{}: no name for a pass option", file.display())))?;
        Ok(format!("apply-htp-rules{{file={name}}}"))
    });
    let apply: Vec<String> = apply.collect::<Result<_, Failure>>()?;
    let rewrite = "skriptnd-rewrite,convert-skriptnd-to-htp";
    Ok(Some(format!("builtin.module({rewrite},{},convert-htp-to-linalg)", apply.join(","))))
}

/// Prints which part of the model can't be compiled.
fn compile_failure(error: skriptnd_codegen::Error) -> Failure {
    match skriptnd_codegen::diagnostics::about_model(error) {
        skriptnd_codegen::Error::Refused(diagnostic) => {
            print_message(format_args!("{diagnostic}\n"));
            Failure::Reported
        }
        other => Failure::input(other),
    }
}

/// Compiles a model for this machine and loads it.
fn load(composed: &Composed, progress: &Progress) -> Result<Session, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::input(format!("no temporary folder: {error}")))?;
    let library = folder.path().join("model.so");
    build(Request::new(composed, Target::host(), skriptnd_codegen::Emit::SharedLibrary, &library), progress)?;
    Session::load(&library)
}

/// Compiles a model for this machine and runs it.
pub fn run(
    options: &Options,
    model: &Model,
    composed: &Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
    progress: &Progress,
) -> Result<Finished, Failure> {
    let started = Instant::now();
    skriptnd_interpret::check_inputs(&composed.graph, &inputs).map_err(|found| composed.fail(&found))?;
    let bound = model.bind_open_extents(&options.graph, composed, &inputs)?;
    let composed = bound.as_ref().unwrap_or(composed);
    let inputs = flat_inputs(&composed.graph, inputs)?;
    let variables = variables::Source::new(&options.variables, model, &composed.graph)?;
    let mut session = load(composed, progress)?;
    session.prepare(composed, &variables)?;
    let compile = started.elapsed();
    progress.step("running");
    let mut finished = session.run(composed, &inputs, compile)?;
    if options.save_state.is_some() {
        session::add_unchanged(&composed.graph, &variables, &mut finished)?;
    }
    Ok(finished)
}

/// A compiled model that can be measured.
pub fn engine<'a>(
    options: &'a bench::Options,
    model: &'a Model,
    composed: &'a Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
) -> Result<Box<dyn Engine + 'a>, Failure> {
    skriptnd_interpret::check_inputs(&composed.graph, &inputs).map_err(|found| composed.fail(&found))?;
    let variables = variables::Source::new(&options.variables, model, &composed.graph)?;
    let inputs = flat_inputs(&composed.graph, inputs)?;
    let mut session = load(composed, &Progress::new())?;
    session.prepare(composed, &variables)?;
    Ok(Box::new(session.into_engine(inputs)))
}

/// Compiles a model to a file.
pub fn compile(options: &compile::Options, emit: Emit) -> Result<(), Failure> {
    let progress = Progress::new();
    let model = Model::find(&options.model)?;
    let started = Instant::now();
    let composed = model.compose(&options.graph)?;
    let front = started.elapsed();
    if emit == Emit::Mlir {
        let registry = registry()?;
        let context = registry.context();
        let text = import(&context, &composed)?.as_operation().to_string();
        return atomic::write_file(&options.output, |out| out.write_all(text.as_bytes()))
            .map_err(|error| Failure::input(format!("{}: {error}", options.output.display())));
    }
    let request = Request {
        composed: &composed,
        target: Target::named(Some(&options.target), options.cpu.as_deref()),
        emit: match emit {
            Emit::So => skriptnd_codegen::Emit::SharedLibrary,
            Emit::Obj => skriptnd_codegen::Emit::Object,
            Emit::Asm => skriptnd_codegen::Emit::Assembly,
            Emit::Llvm => skriptnd_codegen::Emit::LlvmIr,
            Emit::Mlir => skriptnd_codegen::Emit::Mlir,
            Emit::Exe => skriptnd_codegen::Emit::Executable,
        },
        output: &options.output,
        fast_math: options.fast_math,
        htp_rules: &options.htp_rules,
    };
    let Built { report, steps } = build(request, &progress)?;
    if emit == Emit::So {
        artifact::note_variables(&options.output, &model, &composed)?;
    }
    drop(progress);
    say(options, &report, &[&[("front end", front)], &steps[..]].concat(), started.elapsed());
    Ok(())
}

fn say(options: &compile::Options, report: &CompileReport, steps: &[(&str, Duration)], whole: Duration) {
    if options.json {
        let times: serde_json::Map<_, _> =
            steps.iter().map(|(name, time)| (name.replace(' ', "_"), json!(milliseconds(*time)))).collect();
        print_json(&json!({
            "output": options.output.to_string_lossy(),
            "compile_ms": milliseconds(whole),
            "peak_bytes": report.peak_bytes,
            "prepared_bytes": report.prepared_bytes,
            "kernels": report.kernels,
            "steps_ms": times,
        }));
    } else if options.time {
        for (name, time) in steps {
            print_line(format_args!("{name:<12} {:>10.3} ms", milliseconds(*time)));
        }
    }
}
