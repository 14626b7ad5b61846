//! `skriptnd compare`

mod difference;
mod dump;
mod node_model;
mod nodes;
mod ran;
mod reference;
mod reproducer;
mod steps;

use super::backend::Backend;
use super::model::Model;
use super::onnx::is_onnx;
use super::output::{check_folder, print_json, print_line};
use super::run::{self, execute};
use super::run_options::Options as RunOptions;
use super::sources::is_artifact;
use crate::failure::{Failure, print_message};
use crate::report;
use clap::Args;
use difference::ratio;
use dump::Dump;
use reference::{Expected, Reference, note_missing};
use reproducer::Reproducer;
use serde_json::{Map, Value as Json, json};
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::Tensor;
use skriptnd_source::diagnostics::Diagnostics;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use steps::Step;

// Named, because clap names groups of options after their types, and the flattened one is called `Options` too.
#[derive(Debug, Args)]
#[group(id = "compare")]
pub struct Options {
    #[command(flatten)]
    pub run: RunOptions,
    /// The largest difference that is allowed, relative to the largest element that is expected
    #[arg(long, value_name = "RATIO", default_value_t = 1e-4, value_parser = parse_tolerance)]
    tolerance: f64,
    /// Compare with tensors that another runtime computed in place of the interpreter: a folder of .npy files or a .npz archive,
    /// named as values of the model are, its inputs among them
    #[arg(long, value_name = "DIR|FILE.npz")]
    against: Option<PathBuf>,
    /// Write the first operation that departs, with what it is given, to this folder, as a model of its own; the same as
    /// --output-dir
    #[arg(long, value_name = "DIR")]
    reproducer: Option<PathBuf>,
}

/// Behind the options in the help.
pub const EXAMPLES: &str = "\
Ends with exit code 1 if an output departs from what the interpreter computes, and tells which operation is the first whose
result does. With --against, an ONNX model is compared node by node with what another runtime gave.

Examples:
  skriptnd compare model --input image.npy
  skriptnd compare model --random-inputs 1 --random-variables 2 --backend hexagon --tolerance 1e-5
  skriptnd compare model --input image.npy --output-dir departing
  skriptnd compare resnet.onnx --against dump.npz --output-dir departing";

/// NaN is no tolerance: nothing would agree, and nothing depart.
fn parse_tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse().ok().filter(|tolerance: &f64| !tolerance.is_nan());
    tolerance.ok_or_else(|| format!("expected a number, found `{text}`"))
}

/// An output and how far it is from what is expected.
struct Difference {
    name: String,
    ratio: f64,
}

/// Compares a model with what is expected of it.
pub fn run(options: &Options) -> Result<(), Failure> {
    check(options)?;
    options.run.check_backend()?;
    options.run.threads.warn_alone(options.run.backend);
    match &options.against {
        None => run_graph(options, &Reference::Interpreter),
        Some(path) if is_onnx(&options.run.model) => nodes::run(options, &Dump::open(path)?),
        Some(path) => run_graph(options, &Reference::Dump(Dump::open(path)?)),
    }
}

/// Whether the options go together.
fn check(options: &Options) -> Result<(), Failure> {
    let run = &options.run;
    if options.against.is_none() && run.backend == Backend::Interpret {
        return Err(Failure::usage("the interpreter is what backends are compared with; give another --backend"));
    }
    if is_artifact(&run.model) {
        return Err(Failure::usage("a compiled model has no nodes to compare; give the model itself"));
    }
    if run.save_state.is_some() {
        return Err(Failure::usage("--save-state: `compare` keeps no results; `skriptnd run` does"));
    }
    if options.against.is_some() && run.random_inputs.is_some() {
        return Err(Failure::usage("--random-inputs: the inputs are those that --against has the results of"));
    }
    options.folder().map(|_| ())
}

impl Options {
    /// The folder for what departs, which must be empty or not be there.
    fn folder(&self) -> Result<Option<&Path>, Failure> {
        let (option, folder) = match (&self.run.output_dir, &self.reproducer) {
            (Some(_), Some(_)) => {
                return Err(Failure::usage("--output-dir and --reproducer are the same: give one of them"));
            }
            (Some(folder), None) => ("--output-dir", folder),
            (None, Some(folder)) => ("--reproducer", folder),
            (None, None) => return Ok(None),
        };
        check_folder(option, folder)?;
        if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(Failure::usage(format!("{option} {}: the folder is not empty", folder.display())));
        }
        Ok(Some(folder))
    }
}

/// Runs the model on a backend, and names the outputs that differ from what is expected.
fn run_graph(options: &Options, reference: &Reference) -> Result<(), Failure> {
    let inner = with_inputs(&options.run, reference)?;
    let differences = differences(&inner, reference)?;
    let agrees = |difference: &Difference| difference.ratio <= options.tolerance;
    if !options.run.json {
        for difference in &differences {
            let verdict = if agrees(difference) { "agrees" } else { "DIFFERS" };
            print_line(format!("{} {verdict}: {:.1e}", difference.name, difference.ratio));
        }
    }
    let first = differences.iter().find(|difference| !agrees(difference));
    if let Some(first) = first {
        print_message(format_args!("skriptnd: error: output `{}` departs from {}\n", first.name, reference.own()));
    }
    let found = first.map(|_| find_operation(options, &inner, reference)).transpose()?.unwrap_or_default();
    if options.run.json {
        let outputs = differences.iter().map(|d| json!({ "name": d.name, "difference": d.ratio, "agrees": agrees(d) }));
        let mut object = Map::from_iter([("outputs".to_string(), outputs.collect())]);
        object.extend(found);
        print_json(&Json::Object(object));
    }
    if first.is_some() { Err(Failure::Reported) } else { Ok(()) }
}

/// The options with the inputs that the reference has.
fn with_inputs(options: &RunOptions, reference: &Reference) -> Result<RunOptions, Failure> {
    match reference {
        Reference::Interpreter => Ok(options.clone()),
        Reference::Dump(_) => {
            let composed = Model::find(&options.model, &options.graph)?.compose(&options.graph)?;
            reference.given(options, &composed)
        }
    }
}

/// The outputs of a run on the backend that are known, each with its distance from what is expected.
fn differences(options: &RunOptions, reference: &Reference) -> Result<Vec<Difference>, Failure> {
    let computed = execute(options)?;
    let Expected { finished, missing } = reference.expected(options, &computed)?;
    note_missing(reference, &missing);
    let outputs = computed.outputs.into_iter().zip(&finished.outputs);
    let known = outputs.filter(|((name, _), _)| !missing.contains(name));
    Ok(known
        .map(|((name, computed), (_, expected))| Difference { name, ratio: distance(&computed, expected) })
        .collect())
}

/// Numbers that each run draws anew can't be compared.
fn random() -> Failure {
    let text = "the model draws random numbers without a seed, and each backend draws others: nothing can be compared";
    Failure::input(format!("{text}; give its operators a `seed`"))
}

/// The largest of the ratios of tensors; infinite where packs have other lengths.
fn distance(computed: &Argument<Arc<Tensor>>, expected: &Argument<Arc<Tensor>>) -> f64 {
    if computed.items().len() != expected.items().len() {
        return f64::INFINITY;
    }
    let items = computed.items().iter().zip(expected.items());
    items.map(|(computed, expected)| ratio(computed, expected)).fold(0.0, f64::max)
}

/// Tells which operation is the first whose result departs, and writes it as a model if that is asked for. Returns what
/// there is to say for programs.
fn find_operation(options: &Options, inner: &RunOptions, reference: &Reference) -> Result<Map<String, Json>, Failure> {
    let mut kept = inner.clone();
    kept.graph.keeps_results = true;
    let model = Model::find(&kept.model, &kept.graph)?;
    let composed = model.compose(&kept.graph)?;
    let computed = execute(&kept)?;
    let Expected { finished: expected, .. } = reference.expected(&kept, &computed)?;
    let Some(step) = steps::first_departing(&composed.graph, (&computed, &expected), options.tolerance) else {
        print_message(
            "note: with the results of all operations kept, none departs: it matters which are computed together\n",
        );
        return Ok(Map::new());
    };
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(step.diagnostic(&reference.name()));
    report::print(&diagnostics, &composed.definitions.sources);
    let mut found = Map::from_iter([("operation".to_string(), step.to_json(&composed.definitions.sources))]);
    if let Some(folder) = options.folder()? {
        let inputs = run::inputs(&kept, &composed)?;
        let values = steps::Values::new(&composed.graph, &inputs, &expected);
        let has_results = matches!(reference, Reference::Dump(_));
        let written = reproducer::write(folder, (&model, &composed), &kept, (step.operation, &values, has_results))?;
        found.insert("reproducer".into(), written.as_ref().map_or(Json::Null, |_| json!(folder.to_string_lossy())));
        tell(&step, written, options, folder)?;
    }
    Ok(found)
}

/// Says how a reproducer is run, and whether its operation departs alone, too.
fn tell(step: &Step, written: Option<Reproducer>, options: &Options, folder: &Path) -> Result<(), Failure> {
    let Some(written) = written else {
        let what = step.name();
        print_message(format_args!("note: no reproducer: {what} can't be written as an invocation of its own\n"));
        return Ok(());
    };
    let alone = written.options(&options.run);
    let reference = match options.against {
        Some(_) => Reference::Dump(Dump::open(folder)?),
        None => Reference::Interpreter,
    };
    let departs = differences(&alone, &reference)?.iter().any(|difference| difference.ratio > options.tolerance);
    let verdict = if departs { "it departs alone, too" } else { "alone, it agrees: what it is computed with matters" };
    print_message(format_args!("note: {verdict}; `{}`\n", written.command(&options.run, options.tolerance)));
    Ok(())
}
