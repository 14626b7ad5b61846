//! `skriptnd quantize`

mod batches;
mod folder;
mod measure;
mod plot;
mod ranges;
mod report;
mod runner;

use super::graph_options::GraphOptions;
use super::model::{Composed, Model};
use super::output::{OutputFile, check_folder, check_place, json_name, print, print_json, print_line};
use super::progress::Progress;
use super::run_options::Threads;
use super::variables::{Source, VariableOptions};
use crate::failure::{Failure, print_message};
use batches::Batches;
use clap::{Args, ValueEnum};
use folder::Place;
use report::Report;
use skriptnd_compiler::quantize::{
    self, Fixed, Form, Grouping, Method, Parameters, Plan, Quantized, Written, flatten, fold,
};
use skriptnd_language::compose::graph::{Graph, TensorId};
use skriptnd_language::written::Unwritable;
use skriptnd_runtime::atomic::Mode;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The model: a folder with `main.sknd`, a .sknd file, or an .onnx file
    pub model: PathBuf,
    #[command(flatten)]
    graph: GraphOptions,
    /// The folder with sample inputs: NAME.npy for each input, or a folder with such files for each batch, or NAME.0.npy,
    /// NAME.1.npy and so on
    #[arg(long, value_name = "DIR", required_unless_present = "weight_only")]
    calibrate: Option<PathBuf>,
    /// The folder for the quantized model
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// How ranges follow from what tensors hold in the runs on the samples
    #[arg(long, value_enum, default_value = "minmax")]
    method: MethodName,
    /// How many of a hundred values are within the range, with --method percentile [default: 99.99]
    #[arg(long, value_name = "PERCENT", value_parser = parse_percentile)]
    percentile: Option<f64>,
    /// The whole numbers of what a run computes
    #[arg(long, value_enum, default_value = "u8", conflicts_with = "weight_only")]
    activations: Activations,
    /// Quantize the weights of matrix products alone; what a run computes stays real
    #[arg(long)]
    weight_only: bool,
    /// How many weights in a row have one scale, with --weight-only; without it, all of a channel
    #[arg(long, value_name = "32|64|128", requires = "weight_only", value_parser = parse_group)]
    group: Option<usize>,
    #[command(flatten)]
    threads: Threads,
    /// Draw how far each layer is from what it gives with reals to a file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print one JSON object about what was quantized and how far it is from reals
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Runs the model on the samples, and writes it with whole numbers of 8 bits: weights as variables of whole numbers, what products take
and give by `quant.zero_point_linear_quantize`. Prints how far each layer is from what it gives with reals; docs/quantize.md says more.

Examples:
  skriptnd quantize model --calibrate samples -o model-i8
  skriptnd quantize resnet.onnx --calibrate samples -o resnet-i8 --method mse --plot errors.svg
  skriptnd quantize model --calibrate samples -o model-i8 --activations i16 --weights i4 --json
  skriptnd quantize llama.onnx --weight-only --weights i4 --group 32 -o llama-i4";

/// How ranges are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// From the least to the greatest value
    Minmax,
    /// Without the values that are farthest out
    Percentile,
    /// With the least mean square error
    Mse,
}

/// Whole numbers of activations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Activations {
    /// 8 bits from 0 on, one of them for 0
    U8,
    /// 8 bits around 0
    I8,
    /// 16 bits around 0
    I16,
}

fn parse_percentile(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent: &f64| *percent > 50.0 && *percent <= 100.0);
    percent.ok_or_else(|| format!("expected a number above 50 and at most 100, found `{text}`"))
}

fn parse_group(text: &str) -> Result<usize, String> {
    let length = text.parse().ok().filter(|length| [32, 64, 128].contains(length));
    length.ok_or_else(|| format!("expected 32, 64 or 128, found `{text}`"))
}

/// The command with what `--weights` says here: it is a form, or the file that it is for all commands.
pub fn describe(command: clap::Command) -> clap::Command {
    let help = "The whole numbers of weights, i8 or i4, one scale for each channel [default: i8]; or a safetensors file to take the \
                values of variables from";
    let describe = |arg: clap::Arg| arg.value_name("i8|i4|FILE.safetensors").help(help).action(clap::ArgAction::Set);
    command.mut_subcommand("quantize", |quantize| quantize.mut_arg("weights", describe))
}

/// How many of a hundred values are within a range, unless something else is said.
const PERCENTILE: f64 = 99.99;

/// What is asked for.
struct Settings {
    method: Method,
    activations: Form,
    weight_bits: u32,
    graph: GraphOptions,
}

impl Settings {
    fn of(options: &Options) -> Result<Settings, Failure> {
        if options.percentile.is_some() && options.method != MethodName::Percentile {
            return Err(Failure::usage("--percentile is for --method percentile"));
        }
        let method = match options.method {
            MethodName::Minmax => Method::MinMax,
            MethodName::Percentile => Method::Percentile(options.percentile.unwrap_or(PERCENTILE)),
            MethodName::Mse => Method::Mse,
        };
        let activations = match options.activations {
            Activations::U8 => Form::U8,
            Activations::I8 => Form::I8,
            Activations::I16 => Form::I16,
        };
        let mut graph = options.graph.clone();
        let bits = match graph.import.weights.as_deref().and_then(|weights| weights.to_str()) {
            Some("i8") => Some(8),
            Some("i4") => Some(4),
            _ => None,
        };
        if bits.is_some() {
            graph.import.weights = None;
        }
        Ok(Settings { method, activations, weight_bits: bits.unwrap_or(8), graph })
    }
}

pub fn run(options: &Options) -> Result<(), Failure> {
    if options.json {
        json_name(&options.output)?;
    }
    check_folder("-o", &options.output)?;
    options.plot.iter().try_for_each(|file| check_place(file))?;
    let place = Place::find(&options.output)?;
    let settings = Settings::of(options)?;
    let progress = Progress::new();
    progress.step("composing");
    let model = Model::find(&options.model, &settings.graph)?;
    let mut composed = model.compose(&settings.graph)?;
    let given = options.calibrate.as_ref().map(|folder| Batches::find(&composed, folder)).transpose()?;
    let apart = flatten(&composed.graph);
    composed.graph = if options.weight_only { apart.clone() } else { fold(&apart, &composed.definitions) };
    let job = Job { options, settings: &settings, model: &model, composed: &composed, progress: &progress };
    let is_finite = ranges::is_finite(&job)?;
    if !is_finite {
        composed.graph = apart;
    }
    let job = Job { options, settings: &settings, model: &model, composed: &composed, progress: &progress };
    let (written, mut report) = job.run(given.as_ref())?;
    if !is_finite {
        report.warnings.push("norms stay as they are: with them, weights or biases would be no finite numbers".into());
    }
    let folder = place.write(&model, &job.source()?, &composed, &written)?;
    // Whether it can be read shows before anything takes its place, also where nothing is measured.
    Model::find(folder.path(), &GraphOptions::default())?.compose(&GraphOptions::default())?;
    let report = match &given {
        Some(given) => measure::measure(&job, given, (folder.path(), &written), report)?,
        None => report,
    };
    let plot = options.plot.as_ref().map(|file| OutputFile::prepare(file, Mode::Plain, plot::svg(&report)));
    let plot = plot.transpose()?;
    folder.finish()?;
    plot.map_or(Ok(()), OutputFile::finish)?;
    drop(progress);
    tell(options, &report)
}

/// Prints what came of it.
fn tell(options: &Options, report: &Report) -> Result<(), Failure> {
    report.warnings.iter().for_each(|warning| print_message(format_args!("skriptnd: warning: {warning}\n")));
    if options.json {
        print_json(&report.json(json_name(&options.output)?));
    } else {
        print(report.table());
        print_line(options.output.join("main.sknd").display());
    }
    Ok(())
}

/// What all steps look at.
struct Job<'j> {
    options: &'j Options,
    settings: &'j Settings,
    model: &'j Model,
    composed: &'j Composed,
    progress: &'j Progress,
}

impl Job<'_> {
    fn graph(&self) -> &Graph {
        &self.composed.graph
    }

    fn source(&self) -> Result<Source<'_>, Failure> {
        static NONE: std::sync::LazyLock<VariableOptions> = std::sync::LazyLock::new(VariableOptions::default);
        Source::new(&NONE, self.model, self.graph())
    }

    /// Quantizes; what is told of it has no deviations yet.
    fn run(&self, given: Option<&Batches>) -> Result<(Written, Report), Failure> {
        let plan = match self.options.weight_only {
            true => Plan::weights_only(self.graph()),
            false => Plan::of(self.graph()),
        };
        if plan.weights.is_empty() && plan.activations.is_empty() {
            let failure = self
                .composed
                .refuse("the graph has no convolution, no matrix product and no recurrent network: nothing of it can be quantized");
            return Err(failure);
        }
        let mut report = Report::of(self.options, given.map_or(0, Batches::count));
        report.warn_of_graph(self.composed);
        let seen = ranges::see(self, &plan, given)?;
        let mut activations = BTreeMap::new();
        for (id, seen) in &seen.activations {
            let name = &self.graph().tensor(*id).name;
            report.warn_of_values(name, seen)?;
            activations.insert(*id, Parameters::of(seen, self.settings.method, self.settings.activations));
        }
        let fixed = Fixed { weights: self.weights(&plan, &seen.weights, &mut report)?, biases: seen.biases };
        let written = quantize::write(&self.composed.definitions, self.graph(), &plan, &activations, &fixed);
        let written = written.map_err(|unwritable| self.refuse(&unwritable))?;
        report.warn_of_asserts(self.composed, &written.left_out);
        report.note(self.graph(), &written, (&seen.activations, &activations), (&seen.weights, &fixed.weights));
        Ok((written, report))
    }

    fn weights(
        &self,
        plan: &Plan,
        values: &BTreeMap<TensorId, skriptnd_runtime::Tensor>,
        report: &mut Report,
    ) -> Result<BTreeMap<TensorId, Quantized>, Failure> {
        let mut weights = BTreeMap::new();
        for (id, value) in values {
            let name = &self.graph().tensor(*id).name;
            let grouping = self.grouping(plan.weights[id], (name, &value.shape), report);
            let quantized = Quantized::of(value, grouping, self.settings.weight_bits, self.settings.method);
            weights.insert(*id, quantized.map_err(|reason| Failure::input(format!("weight `{name}`: {reason}")))?);
        }
        Ok(weights)
    }

    fn grouping(&self, channels: Option<usize>, (name, shape): (&str, &[usize]), report: &mut Report) -> Grouping {
        match (channels, self.options.group) {
            (Some(channels), Some(length)) if shape.len() == 2 => {
                let along = 1 - channels;
                if shape[along] % length == 0 {
                    return Grouping::Groups { along, length };
                }
                report.warnings.push(format!(
                    "weight `{name}`: its {} elements in a row are no groups of {length}; each channel has one scale",
                    shape[along]
                ));
                Grouping::Channels(channels)
            }
            (Some(channels), _) => Grouping::Channels(channels),
            (None, _) => Grouping::All,
        }
    }

    /// What of a graph can't be written.
    fn refuse(&self, unwritable: &Unwritable) -> Failure {
        let mut diagnostics = Diagnostics::default();
        let text = format!("{} can't be written yet, and a quantized model is written anew", unwritable.what);
        diagnostics.push(Diagnostic::error(Code::NotCompiled, unwritable.span, text));
        self.composed.fail(&diagnostics)
    }
}
