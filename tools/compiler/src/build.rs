//! From a composed graph to code.

use crate::Error;
use skriptnd_codegen::checked_in_tests;
use skriptnd_codegen::diagnostics::refused;
use skriptnd_codegen::interface::{Labels, label};
use skriptnd_codegen::{CompileOptions, CompileReport, Compiled, Emit, Schedules, Target, pipeline};
use skriptnd_dialect::generated::discardable::ExactAttribute;
use skriptnd_dialect::import_model;
use skriptnd_htp::commands::{RuleSet, Settings, explain_on};
use skriptnd_htp::passes::Told;
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::Graph;
use skriptnd_mlir::Registry;
use skriptnd_mlir::diagnostics::Diagnostic;
use skriptnd_mlir::ir::{Context, Module, capture};
use skriptnd_mlir::pass::{self, PipelineOptions};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// From whole operators to linalg on tensors.
pub const LOWER: &str = "builtin.module(skriptnd-to-linalg)";

/// MLIR's own dialects and passes, and ours.
///
/// # Errors
/// Where MLIR refuses one.
pub fn registry() -> Result<Registry, Error> {
    let mut registry = Registry::new();
    skriptnd_dialect::register(&mut registry)?;
    skriptnd_htp::register(&mut registry)?;
    registry.add_dialect(skriptnd_hexagon::dialect::dialect())?;
    skriptnd_codegen::register_passes()?;
    let whole = |options: &str| {
        // Rewrites of whole operators have to know it, too.
        let first = if pipeline::settings(options)?.exact { "skriptnd-rewrite{exact=true}," } else { "" };
        Ok(format!("{first}skriptnd-to-linalg,{}{{{options}}}", pipeline::NAME))
    };
    pass::register_pipeline(
        "skriptnd-to-llvm",
        "From whole operators to the LLVM dialect",
        &skriptnd_codegen::pipeline_options(),
        whole,
    )?;
    Ok(registry)
}

/// From whole operators to the `htp` dialect, and from there on.
const TO_HTP: &str = "builtin.module(skriptnd-rewrite,convert-skriptnd-to-htp)";
const LINALG_FROM_HTP: &str = "builtin.module(convert-skriptnd-to-linalg,skriptnd-to-linalg)";
const FROM_HTP: &str = "builtin.module(place-htp-tensors,convert-htp-to-skriptnd)";

/// Files of rules, and how they are read and applied. Without files a graph takes the way through the `htp` dialect all the
/// same.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// The files of a package: their rules are tried in this order within each pass.
    pub files: Vec<PathBuf>,
    /// How they are read and applied.
    pub settings: Settings,
    /// What is remarked of them.
    pub told: Told,
}

/// How a graph is compiled.
pub struct Request<'a> {
    /// The definitions that the graph was composed of.
    pub definitions: &'a Definitions,
    /// What is compiled.
    pub graph: &'a Graph,
    /// What messages call inputs and outputs that have other names in the model that it was made of.
    pub labels: Labels,
    /// For what.
    pub target: Target,
    /// Better processors, for which there are versions of the code as well.
    pub better: Vec<Target>,
    /// Into which form.
    pub emit: Emit,
    /// Whether sums may be reordered and special values ignored.
    pub fast_math: bool,
    /// Whether numbers are combined in the order of the formulas, and rounded where these are.
    pub exact: bool,
    /// What the names of the exported functions begin with, if not as usual.
    pub prefix: Option<String>,
    /// Rules that rewrite the graph in the `htp` dialect.
    pub rules: Option<&'a Rules>,
    /// Folders that schedules of kernels are read from and written to.
    pub schedules: Schedules,
    /// Whether standard error is told how long each pass took.
    pub timing: bool,
}

impl<'a> Request<'a> {
    /// With the arithmetic and the rules that a model has if nothing else is asked for.
    pub fn new(definitions: &'a Definitions, graph: &'a Graph, target: Target, emit: Emit) -> Self {
        let schedules = Schedules::default();
        Request {
            definitions,
            graph,
            labels: Labels::default(),
            target,
            better: Vec::new(),
            emit,
            fast_math: false,
            exact: false,
            prefix: None,
            rules: None,
            schedules,
            timing: false,
        }
    }
}

/// What came of it.
pub struct Built {
    /// The bytes of the file.
    pub code: Vec<u8>,
    /// What code generation says.
    pub report: CompileReport,
    /// What passes said on the way.
    pub diagnostics: Vec<Diagnostic>,
    /// How long each step took.
    pub steps: Vec<(&'static str, Duration)>,
}

/// Compiles a graph; `progress` is told of each step.
///
/// # Errors
/// Where there is no code for the graph.
pub fn build(context: &Context, request: Request, progress: &dyn Fn(&'static str)) -> Result<Built, Error> {
    let started = Instant::now();
    progress("importing");
    let mut module = import(context, request.definitions, request.graph)?;
    label(module.as_operation(), &request.labels);
    if request.exact {
        keep_rounding(&module);
    }
    let imported = started.elapsed();
    progress("lowering");
    let mut diagnostics = lower(&mut module, request.rules)?;
    let lowered = started.elapsed();
    progress("compiling");
    let Request { target, better, emit, fast_math, exact, prefix, schedules, timing, .. } = request;
    let options =
        CompileOptions { better, fast_math, exact, prefix, schedules, timing, ..CompileOptions::new(target, emit) };
    let Compiled { code, report, diagnostics: said } = skriptnd_codegen::compile(module, &options)?;
    diagnostics.extend(said);
    let mut steps = vec![("import", imported), ("linalg", lowered - imported)];
    steps.extend(report.timing.iter().copied());
    Ok(Built { code, report, diagnostics, steps })
}

/// The graph in the `skriptnd` dialect.
///
/// # Errors
/// Where the dialect has no form for it.
pub fn import<'c>(context: &'c Context, definitions: &Definitions, graph: &Graph) -> Result<Module<'c>, Error> {
    let (imported, reported) = capture(context, || import_model(context, definitions, graph));
    imported.map_err(|_| skriptnd_codegen::Error::Refused(refused("import", &reported)).into())
}

/// Lets nothing be rounded in another way than by the formulas, in whatever becomes of a module.
pub fn keep_rounding(module: &Module<'_>) {
    ExactAttribute::set(module.as_operation());
}

/// From the `skriptnd` dialect to linalg, by way of the `htp` dialect if there are rules.
///
/// # Errors
/// Where a pass fails.
pub fn lower(module: &mut Module<'_>, rules: Option<&Rules>) -> Result<Vec<Diagnostic>, Error> {
    let mut diagnostics = match rules {
        Some(rules) => apply_rules(module, rules)?,
        None => Vec::new(),
    };
    let rest = if rules.is_some() { LINALG_FROM_HTP } else { LOWER };
    diagnostics.extend(pass::run(module, rest, &checked_in_tests())?);
    Ok(diagnostics)
}

/// Applies rules to a graph in the `skriptnd` dialect, by way of the `htp` dialect; it is one of the `skriptnd` dialect again.
///
/// # Errors
/// Where the rules have errors, do not end, or make what the language has not.
pub fn apply_rules(module: &mut Module<'_>, rules: &Rules) -> Result<Vec<Diagnostic>, Error> {
    let Rules { files, settings, told } = rules;
    let functions = settings.environment().map_err(Error::Rules)?.functions;
    let set = RuleSet::load_all(files, settings).map_err(Error::Rules)?.for_application(&functions);
    if set.found.has_errors() {
        return Err(Error::WrongRules(Box::new(set)));
    }
    let mut diagnostics = pass::run(module, TO_HTP, &PipelineOptions::default())?;
    let context = module.context();
    let (applied, reported) =
        capture(context, || skriptnd_htp::passes::apply(&mut module.root(), &set, settings, *told));
    applied.map_err(|failure| Error::Rules(failure.to_string()))?;
    diagnostics.extend(reported);
    diagnostics.extend(pass::run(module, FROM_HTP, &PipelineOptions::default())?);
    Ok(diagnostics)
}

/// What the rules of a set do with a graph, as text: where each is applied, or why not.
///
/// # Errors
/// Where the graph has no form in the `htp` dialect, or the rules do not end.
pub fn explain_rules(
    context: &Context,
    definitions: &Definitions,
    graph: &Graph,
    rules: (&RuleSet, &Settings),
) -> Result<String, Error> {
    let mut module = import(context, definitions, graph)?;
    pass::run(&mut module, TO_HTP, &PipelineOptions::default())?;
    explain_on(&mut module.root(), rules.0, rules.1).map_err(Error::Rules)
}
