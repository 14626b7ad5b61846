//! `skriptnd compare`

mod difference;
mod reproducer;
mod steps;

use super::finished::Finished;
use super::model::Model;
use super::output::{print_json, print_line};
use super::run::{self, execute};
use super::run_options::{Backend, Options as RunOptions};
use super::sources::is_artifact;
use crate::failure::{Failure, print_message};
use crate::report;
use clap::Args;
use difference::ratio;
use reproducer::Reproducer;
use serde_json::{Map, Value as Json, json};
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::Tensor;
use skriptnd_source::diagnostics::Diagnostics;
use std::path::PathBuf;
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
    /// Write the first operation that departs, with what it is given, to this folder, as a model of its own
    #[arg(long, value_name = "DIR")]
    reproducer: Option<PathBuf>,
}

/// Behind the options in the help.
pub const EXAMPLES: &str = "\
Ends with exit code 1 if an output departs from what the interpreter computes, and tells which operation is the first whose
result does.

Examples:
  skriptnd compare model --input image.npy
  skriptnd compare model --random-inputs 1 --random-variables 2 --backend hexagon --tolerance 1e-5
  skriptnd compare model --input image.npy --reproducer departing";

/// NaN is no tolerance: nothing would agree, and nothing depart.
fn parse_tolerance(text: &str) -> Result<f64, String> {
    let tolerance = text.parse().ok().filter(|tolerance: &f64| !tolerance.is_nan());
    tolerance.ok_or_else(|| format!("expected a number, found `{text}`"))
}

/// An output and how far it is from what the interpreter computes.
struct Difference {
    name: String,
    ratio: f64,
}

/// Runs the model on a backend and in the interpreter, and names the outputs that differ.
pub fn run(options: &Options) -> Result<(), Failure> {
    if options.run.backend == Backend::Interpret {
        return Err(Failure::usage("the interpreter is what backends are compared with; give another --backend"));
    }
    if is_artifact(&options.run.model) {
        return Err(Failure::usage("a compiled model has no formulas to compare it with; give the model itself"));
    }
    if let Some(option) = options.run.first_about_results() {
        return Err(Failure::usage(format!("{option}: `compare` keeps no results; `skriptnd run` does")));
    }
    options.run.threads.warn();
    let differences = differences(&options.run)?;
    let agrees = |difference: &Difference| difference.ratio <= options.tolerance;
    if !options.run.json {
        for difference in &differences {
            let verdict = if agrees(difference) { "agrees" } else { "DIFFERS" };
            print_line(format!("{} {verdict}: {:.1e}", difference.name, difference.ratio));
        }
    }
    let first = differences.iter().find(|difference| !agrees(difference));
    if let Some(first) = first {
        print_message(format_args!("skriptnd: error: output `{}` departs from the interpreter's\n", first.name));
    }
    let found = first.map(|_| find_operation(options)).transpose()?.unwrap_or_default();
    if options.run.json {
        let outputs = differences.iter().map(|d| json!({ "name": d.name, "difference": d.ratio, "agrees": agrees(d) }));
        let mut object = Map::from_iter([("outputs".to_string(), outputs.collect())]);
        object.extend(found);
        print_json(&Json::Object(object));
    }
    if first.is_some() { Err(Failure::Reported) } else { Ok(()) }
}

/// The outputs of a run on the backend, each with its distance from the interpreter's.
fn differences(options: &RunOptions) -> Result<Vec<Difference>, Failure> {
    let (computed, expected) = both(options)?;
    let outputs = computed.outputs.into_iter().zip(&expected.outputs);
    Ok(outputs
        .map(|((name, computed), (_, expected))| Difference { name, ratio: distance(&computed, expected) })
        .collect())
}

/// What the backend and the interpreter give.
fn both(options: &RunOptions) -> Result<(Finished, Finished), Failure> {
    let mut oracle = options.clone();
    oracle.backend = Backend::Interpret;
    let (computed, expected) = (execute(options)?, execute(&oracle)?);
    if computed.draws || expected.draws {
        let text =
            "the model draws random numbers without a seed, and each backend draws others: nothing can be compared";
        return Err(Failure::input(format!("{text}; give its operators a `seed`")));
    }
    Ok((computed, expected))
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
fn find_operation(options: &Options) -> Result<Map<String, Json>, Failure> {
    let mut kept = options.run.clone();
    kept.graph.keeps_results = true;
    let model = Model::find(&kept.model, &kept.graph)?;
    let composed = model.compose(&kept.graph)?;
    let (computed, expected) = both(&kept)?;
    let Some(step) = steps::first_departing(&composed.graph, (&computed, &expected), options.tolerance) else {
        print_message(
            "note: with the results of all operations kept, none departs: it matters which are computed together\n",
        );
        return Ok(Map::new());
    };
    let mut diagnostics = Diagnostics::default();
    diagnostics.push(step.diagnostic());
    report::print(&diagnostics, &composed.definitions.sources);
    let mut found = Map::from_iter([("operation".to_string(), step.to_json(&composed.definitions.sources))]);
    if let Some(folder) = &options.reproducer {
        let inputs = run::inputs(&kept, &composed)?;
        let values = steps::Values::new(&composed.graph, &inputs, &expected);
        let written = reproducer::write(folder, (&model, &composed), &kept, (step.operation, &values))?;
        found.insert("reproducer".into(), written.as_ref().map_or(Json::Null, |_| json!(folder.to_string_lossy())));
        tell(&step, written, options)?;
    }
    Ok(found)
}

/// Says how a reproducer is run, and whether its operation departs alone, too.
fn tell(step: &Step, written: Option<Reproducer>, options: &Options) -> Result<(), Failure> {
    let Some(written) = written else {
        let what = step.name();
        print_message(format_args!("note: no reproducer: {what} can't be written as an invocation of its own\n"));
        return Ok(());
    };
    let alone = written.options(&options.run);
    let departs = differences(&alone)?.iter().any(|difference| difference.ratio > options.tolerance);
    let verdict = if departs { "it departs alone, too" } else { "alone, it agrees: what it is computed with matters" };
    print_message(format_args!("note: {verdict}; `{}`\n", written.command(options.run.backend, options.tolerance)));
    Ok(())
}
