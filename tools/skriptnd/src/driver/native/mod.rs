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
use session::Session;
use skriptnd_codegen::{CompileReport, Target};
use skriptnd_compiler::tensors::flat_inputs;
use skriptnd_compiler::{Built, Error, Request};
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::{Tensor, atomic};
use std::io::Write;
use std::time::{Duration, Instant};

/// Compiles.
fn build(request: Request, progress: &Progress) -> Result<Built, Failure> {
    let registry = registry()?;
    let context = registry.context();
    let built = skriptnd_compiler::build(&context, request, &|step| progress.step(step)).map_err(failure)?;
    built.diagnostics.iter().for_each(|diagnostic| print_message(format_args!("{diagnostic}\n")));
    Ok(built)
}

/// A failure of the compiler's as one of the command's; prints which part of the model can't be compiled.
fn failure(error: Error) -> Failure {
    match error {
        Error::Codegen(skriptnd_codegen::Error::Refused(diagnostic)) => {
            print_message(format_args!("{diagnostic}\n"));
            Failure::Reported
        }
        Error::FileName(_) | Error::MissingInput(_) => Failure::usage(error),
        other => Failure::input(other),
    }
}

/// Compiles a model for this machine and loads it.
fn load(composed: &Composed, progress: &Progress) -> Result<Session, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::input(format!("no temporary folder: {error}")))?;
    let library = folder.path().join("model.so");
    build(composed.request(Target::host(), skriptnd_codegen::Emit::SharedLibrary, &library), progress)?;
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
    let inputs = flat_inputs(&composed.graph, inputs).map_err(failure)?;
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
    let inputs = flat_inputs(&composed.graph, inputs).map_err(failure)?;
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
        let module = skriptnd_compiler::import(&context, &composed.definitions, &composed.graph).map_err(failure)?;
        let text = module.as_operation().to_string();
        return atomic::write_file(&options.output, |out| out.write_all(text.as_bytes()))
            .map_err(|error| Failure::input(format!("{}: {error}", options.output.display())));
    }
    let target = Target::named(Some(&options.target), options.cpu.as_deref());
    let form = match emit {
        Emit::So => skriptnd_codegen::Emit::SharedLibrary,
        Emit::Obj => skriptnd_codegen::Emit::Object,
        Emit::Asm => skriptnd_codegen::Emit::Assembly,
        Emit::Llvm => skriptnd_codegen::Emit::LlvmIr,
        Emit::Mlir => skriptnd_codegen::Emit::Mlir,
        Emit::Exe => skriptnd_codegen::Emit::Executable,
    };
    let request = Request {
        fast_math: options.fast_math,
        htp_rules: &options.htp_rules,
        ..composed.request(target, form, &options.output)
    };
    let Built { report, steps, .. } = build(request, &progress)?;
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
