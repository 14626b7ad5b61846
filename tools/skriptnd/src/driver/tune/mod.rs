//! `skriptnd tune`

mod report;
mod search;
#[cfg(test)]
mod tests;

use super::bench::random_inputs;
use super::graph_options::GraphOptions;
use super::model::Model;
use super::native::trials::{Subject, Trials};
use super::output::{check_folder, json_name, print, print_json};
use super::progress::Progress;
use super::run_options::Threads;
use super::sources::is_artifact;
use super::tuned::default_folder;
use super::variables::{self, VariableOptions};
use crate::failure::Failure;
use clap::Args;
use report::Report;
use search::Outcome;
pub use search::{Kernel, Machine, Pairs, Trial};
use skriptnd_codegen::Target;
use skriptnd_codegen::tuned::{Cache, Entry, Limits};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd file, or an .onnx file
    pub model: PathBuf,
    #[command(flatten)]
    pub graph: GraphOptions,
    /// A tensor file for an input; inputs without one get random values
    #[arg(long = "input", value_name = "[NAME=]FILE[,FILE...]")]
    inputs: Vec<OsString>,
    #[command(flatten)]
    variables: VariableOptions,
    #[command(flatten)]
    threads: Threads,
    /// How long it may take; what can't be tried by then is left
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: u32,
    /// Where to keep what is faster [default: $SKRIPTND_TUNED, else `schedules` in $SKRIPTND_CACHE or ~/.cache/skriptnd]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Measures how fast the kernels of the model are on this machine with other loops than those that are chosen, and keeps what is
faster by more than runs differ: first kernel by kernel, beside the default, then all together. `skriptnd compile`, `run`, `bench` and
the package for Python take it from there for this machine, in all models that have the same kernels; --tuned says from where, or
`--tuned none` that they don't. Results stay within the bounds of docs/semantics.md; docs/performance.md says more.

Examples:
  skriptnd tune model
  skriptnd tune model --threads 1 --seconds 300
  skriptnd tune resnet.onnx --cache schedules && skriptnd compile resnet.onnx --tuned schedules -o resnet.so";

pub fn run(options: &Options) -> Result<(), Failure> {
    let started = Instant::now();
    if is_artifact(&options.model) {
        return Err(Failure::usage("a compiled model has its schedules; give the model itself, and compile it again"));
    }
    let folder = folder(options)?;
    check_folder("--cache", &folder)?;
    if options.json {
        json_name(&folder)?;
    }
    let progress = Progress::new();
    progress.step("composing");
    let model = Model::find(&options.model, &options.graph)?;
    let mut composed = model.compose(&options.graph)?;
    variables::Source::new(&options.variables, &model, &composed.graph)?.note_values(&mut composed.graph);
    let inputs = random_inputs(&composed, &options.inputs)?;
    let end = started + Duration::from_secs(options.seconds.into());
    let mut trials = Trials::new((&model, &composed), &options.variables, inputs, (&options.threads, end), &progress)?;
    let cache = Cache::new(&folder, &Target::host());
    let Subject { scheduled, mut kernels } = trials.subject();
    kernels.iter_mut().for_each(|kernel| try_first(&cache, kernel));
    let outcome = search::tune(&kernels, &mut trials)?;
    drop(trials);
    drop(progress);
    let threads = options.threads.number();
    keep(&cache, (&outcome, &kernels), threads)?;
    let report = Report { outcome: &outcome, kernels: &scheduled, folder: &folder, threads };
    if options.json {
        print_json(&report.json())
    } else {
        print(report.table())
    }
    Ok(())
}

/// Where to keep what is found.
fn folder(options: &Options) -> Result<PathBuf, Failure> {
    let none = || {
        let failure =
            Failure::usage("there is no folder to keep schedules in: SKRIPTND_TUNED is `none`, or HOME is not set");
        failure.with_help("name one: `skriptnd tune MODEL --cache DIR`")
    };
    let default = || default_folder(&|name| env::var_os(name));
    options.cache.clone().or_else(default).ok_or_else(none)
}

/// Lets a schedule that is kept already be the first to be tried.
fn try_first(cache: &Cache, kernel: &mut Kernel) {
    let Some(known) = cache.text(&kernel.key) else { return };
    let loops = report::loops(&known);
    kernel.alternatives.retain(|other| report::loops(other) != loops);
    kernel.alternatives.insert(0, known);
}

/// Keeps schedules that are better, and forgets those of before that are not any more.
fn keep(cache: &Cache, (outcome, kernels): (&Outcome, &[Kernel]), threads: usize) -> Result<(), Failure> {
    for (Kernel { key, .. }, found) in outcome.of(kernels).filter(|(_, found)| found.tried > 0) {
        let [chosen_us, us] = found.us;
        let done = match found.schedule.clone() {
            Some(text) => cache.keep(key, &Entry { text, us, chosen_us, threads }),
            None => cache.forget(key),
        };
        done.map_err(|error| Failure::file(&cache.file(key), &error))?;
    }
    cache.trim(Limits::default());
    Ok(())
}

#[cfg(test)]
mod kept {
    use super::search::Found;
    use super::*;

    #[test]
    fn what_is_kept_is_tried_first_and_forgotten_where_it_is_not_better_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path(), &Target::host());
        let text = |key: &str, step: usize| format!("// It.\nkernel {key} {{\n  loop d0 by {step};\n}}\n");
        let key = |number: usize| format!("{number:016x}");
        let kernel = |number: usize| {
            let alternatives = [1, 2, 3].map(|step| text(&key(number), step)).to_vec();
            Kernel { key: key(number), alternatives, operations: vec![number] }
        };
        let mut kernels: Vec<Kernel> = (0..3).map(kernel).collect();
        let found = |kernel: usize, schedule: Option<String>, tried| Found { kernel, us: [2.0, 1.0], schedule, tried };
        let outcome = |kernels| Outcome { kernels, us: [1.0; 2], rounds: 1, is_complete: true };
        let all = [0, 1, 2].map(|number| found(number, Some(text(&key(number), 3)), 3));
        keep(&cache, (&outcome(all.to_vec()), &kernels), 1).unwrap();
        kernels.iter_mut().for_each(|kernel| try_first(&cache, kernel));
        let steps: Vec<String> = kernels[1].alternatives.iter().map(|text| report::loops(text)).collect();
        assert_eq!(steps, ["loop d0 by 3;", "loop d0 by 1;", "loop d0 by 2;"]);
        let again = [found(0, Some(text(&key(0), 2)), 3), found(1, None, 3), found(2, None, 0)];
        keep(&cache, (&outcome(again.to_vec()), &kernels), 1).unwrap();
        let left: Vec<Option<String>> = (0..3).map(|number| Some(report::loops(&cache.text(&key(number))?))).collect();
        assert_eq!(left, [Some("loop d0 by 2;".to_string()), None, Some("loop d0 by 3;".to_string())]);
    }
}
