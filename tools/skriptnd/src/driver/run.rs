//! `skriptnd run`

use super::backend::Backend;
use super::finished::{Finished, forms};
use super::inputs::{fill_randomly, read_graph_inputs};
use super::model::{Composed, Model};
use super::output::{
    Results, check_folder, finish_all, json_name, milliseconds, prepare_tensors, print_json, print_line,
};
use super::progress::Progress;
use super::run_options::Options;
#[cfg(feature = "mlir")]
use super::sources::is_artifact;
use super::variables;
use crate::failure::{Failure, print_message};
use serde_json::json;
use skriptnd_interpret::Limits;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::Tensor;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// MiB that the interpreter's tensors may take unless something else is said.
const MEMORY_LIMIT: u32 = 8192;

pub fn run(options: &Options) -> Result<(), Failure> {
    options.check_backend()?;
    options.threads.warn_alone(options.backend);
    options.tuned.warn_beside(options.backend == Backend::Native, &options.model);
    if let (true, Some(folder)) = (options.json, &options.output_dir) {
        json_name(folder)?;
    }
    for (option, folder) in [("--output-dir", &options.output_dir), ("--save-state", &options.save_state)] {
        folder.iter().try_for_each(|folder| check_folder(option, folder))?;
    }
    let finished = execute(options)?;
    if options.seed.is_some() && !finished.draws {
        print_message("skriptnd: warning: --seed: nothing is drawn that the model has no seed for\n");
    }
    let prepared = |folder: &Option<PathBuf>, tensors, stored| match folder {
        Some(folder) => prepare_tensors(folder, tensors, stored),
        None => Ok(Vec::new()),
    };
    let files = prepared(&options.output_dir, &finished.outputs, &finished.stored)?;
    let states = prepared(&options.save_state, &finished.variables, &[])?;
    let files = finish_all(files)?;
    finish_all(states)?;
    if options.json {
        let outputs = finished.outputs.iter().enumerate().map(|(at, (name, _))| {
            let files: Vec<_> = files.get(at).into_iter().flatten().map(|file| file.to_string_lossy()).collect();
            json!({ "name": name, "files": files })
        });
        print_json(&json!({
            "outputs": outputs.collect::<Vec<_>>(),
            "compile_ms": milliseconds(finished.compile),
            "run_ms": milliseconds(finished.run),
            "peak_bytes": finished.peak_bytes,
        }));
    } else if finished.outputs.is_empty() && options.save_state.is_none() {
        print_summaries(&finished.variables);
    } else if files.is_empty() {
        print_summaries(&finished.outputs);
    } else {
        files.iter().flatten().for_each(|file| print_line(file.display()));
    }
    Ok(())
}

fn print_summaries(outputs: &Results) {
    for (name, tensors) in outputs {
        for (at, tensor) in tensors.items().iter().enumerate() {
            match tensors {
                Argument::Pack(_) => print_line(tensor.summary(&format!("{name}[{at}]"))),
                _ => print_line(tensor.summary(name)),
            }
        }
    }
}

/// Runs the model on the backend that the options name.
pub fn execute(options: &Options) -> Result<Finished, Failure> {
    #[cfg(feature = "mlir")]
    if is_artifact(&options.model) {
        options.cpu.check_fixed()?;
        return super::native::run_artifact(options);
    }
    execute_model(options, &Model::find(&options.model, &options.graph)?)
}

/// The same of a model that was found.
pub fn execute_model(options: &Options, model: &Model) -> Result<Finished, Failure> {
    let progress = Progress::new();
    let started = Instant::now();
    progress.step("composing");
    let mut composed = model.compose(&options.graph)?;
    // Names that there are not are wrong usage, which is told first.
    variables::Source::new(&options.variables, model, &composed.graph)?.note_values(&mut composed.graph);
    let inputs = inputs(options, &composed)?;
    Ok(match options.backend {
        Backend::Interpret => {
            let compile = started.elapsed();
            progress.step("interpreting");
            Finished { compile, ..interpret(options, model, &composed, inputs)? }
        }
        #[cfg(feature = "mlir")]
        Backend::Native => super::native::run(options, model, &composed, inputs, &progress)?,
        #[cfg(feature = "mlir")]
        Backend::Hexagon => super::native::run_hexagon(options, model, &composed, inputs, &progress)?,
        #[cfg(not(feature = "mlir"))]
        _ => return Err(Failure::usage("this executable was built without MLIR and has no backend but `interpret`")),
    })
}

/// What the options give the inputs of a graph, which it takes.
pub fn inputs(options: &Options, composed: &Composed) -> Result<Vec<Option<Argument<Tensor>>>, Failure> {
    let mut inputs = read_graph_inputs(composed, &options.inputs)?;
    if let Some(seed) = options.random_inputs {
        fill_randomly(&composed.graph, &mut inputs.values, seed.into())?;
    }
    inputs.checked(composed)
}

fn interpret(
    options: &Options,
    model: &Model,
    composed: &Composed,
    inputs: Vec<Option<Argument<Tensor>>>,
) -> Result<Finished, Failure> {
    let graph = &composed.graph;
    let variables = variables::Source::new(&options.variables, model, graph)?;
    let memory = usize::try_from(u64::from(options.memory_limit.unwrap_or(MEMORY_LIMIT)) << 20).ok();
    let limits = Limits { time: options.time_limit.map(Duration::from_secs), memory, seed: options.seed };
    let started = Instant::now();
    let outcome = skriptnd_interpret::run(&composed.definitions, graph, inputs, &variables, &limits)
        .map_err(|diagnostics| composed.fail(&diagnostics))?;
    let variables = outcome.variables.into_iter();
    let variables = variables.map(|(id, value)| (graph.tensor(id).name.clone(), Argument::Single(value))).collect();
    Ok(Finished {
        outputs: outcome.outputs,
        stored: forms(graph),
        variables,
        compile: Duration::ZERO,
        run: started.elapsed(),
        peak_bytes: outcome.peak_bytes,
        draws: outcome.draws,
    })
}
