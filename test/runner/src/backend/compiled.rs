//! Compiled code as backends: for this machine, loaded into the process, and for others, on emulators.

use super::{Backend, Failure, Finished, GivenVariables, Run};
use crate::case::Case;
use skriptnd_codegen::{CompileReport, Emit, Schedules, Target};
use skriptnd_compiler::hexagon;
use skriptnd_compiler::tensors::{assigned, variable};
use skriptnd_compiler::{Error, Request, Rules, fault, registry};
use skriptnd_htp::passes::Told;
use skriptnd_htp::settings::Settings;
use skriptnd_interpret::{Variables, flat_inputs};
use skriptnd_language::compose::Definitions;
use skriptnd_language::compose::graph::{self, Argument, Encoding, Graph, TensorId};
use skriptnd_language::library::Library;
use skriptnd_mlir::Registry;
use skriptnd_mlir::ir::Context;
use skriptnd_runtime::atomic::{Mode, Prepared};
use skriptnd_runtime::intrinsic::random::{Generator, entropy};
use skriptnd_runtime::metadata::Metadata;
use skriptnd_runtime::pool::Threads;
use skriptnd_runtime::{Failed, Model, ModelError, Tensor, Values, Variable};
use skriptnd_source::diagnostics::Diagnostics;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What both compiled backends keep from one graph to the next.
struct Compiler {
    context: Context,
    /// The context uses what is registered here.
    _registry: Registry,
    folder: tempfile::TempDir,
    schedules: Schedules,
    /// Whether numbers are rounded where the formulas round them.
    exact: bool,
    /// The way through the `htp` dialect, if graphs take it.
    rules: Option<Rules>,
    /// What was compiled last: one artifact is for inputs of all sizes.
    last: RefCell<Option<Last>>,
    /// The rules that were applied to what was compiled, each with its places.
    applied: Cell<usize>,
}

/// A graph that was compiled, with its case.
struct Last {
    definitions: Definitions,
    case: Case,
    /// What the code relies on.
    encodings: BTreeMap<TensorId, Encoding>,
    code: Code,
}

impl Last {
    /// Whether a case has the same graph.
    fn is_of(&self, case: &Case, (definitions, graph): (&Definitions, &Graph)) -> bool {
        if self.encodings != graph.encodings {
            return false;
        }
        let Case { graph, attributes, bindings, storage, quantization, .. } = &self.case;
        let composed = (&case.graph, &case.attributes, &case.bindings, &case.storage, &case.quantization);
        self.definitions.is(definitions) && composed == (graph, attributes, bindings, storage, quantization)
    }
}

impl Compiler {
    fn new() -> Result<Compiler, String> {
        let registry = registry().map_err(|error| error.to_string())?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let schedules = Schedules::default();
        let last = RefCell::default();
        let applied = Cell::default();
        let context = registry.context();
        Ok(Compiler { context, _registry: registry, folder, schedules, exact: false, rules: None, last, applied })
    }

    /// Compiles for whatever extents the inputs have, unless the case before had the same graph.
    fn compile(&self, run: Run, target: Target, emit: Emit) -> Result<Compiled, Failure> {
        let Run { case, model, mut graph, inputs } = run;
        graph.note_values(|declared, _| values(case, declared));
        skriptnd_interpret::check_inputs(&graph, &inputs).map_err(Failure::Diagnostics)?;
        let mut last = self.last.borrow_mut();
        let code = match last.take().filter(|last| last.is_of(case, (&model.definitions, &graph))) {
            Some(known) => known.code,
            None => self.build(&model.definitions, &graph, target, emit)?,
        };
        *last = Some(Last {
            definitions: model.definitions.clone(),
            case: case.clone(),
            encodings: graph.encodings.clone(),
            code: code.clone(),
        });
        let inputs = flat_inputs(&graph, inputs).map_err(Failure::Diagnostics)?;
        Ok(Compiled { code, graph, inputs })
    }

    fn build(&self, definitions: &Definitions, graph: &Graph, target: Target, emit: Emit) -> Result<Code, Failure> {
        let output = self.folder.path().join("model");
        let schedules = self.schedules.clone();
        let rules = self.rules.as_ref();
        let exact = self.exact;
        let request = Request { schedules, rules, exact, ..Request::new(definitions, graph, target, emit) };
        let built = skriptnd_compiler::build(&self.context, request, &|_| {}).map_err(refused)?;
        let of_rules = built.diagnostics.iter().filter(|said| said.to_string().contains(" applied "));
        self.applied.set(self.applied.get() + of_rules.count());
        let written = Prepared::new(&output, Mode::Executable, |out| out.write_all(&built.code));
        let written = written.and_then(Prepared::finish);
        written.map_err(|error| Failure::Refused(format!("{}: {error}", output.display())))?;
        Ok(Code { report: built.report, file: output })
    }
}

/// A graph as it was compiled, and its inputs one by one.
struct Compiled {
    code: Code,
    graph: Graph,
    inputs: Vec<Tensor>,
}

/// A compiled graph.
#[derive(Clone)]
struct Code {
    report: CompileReport,
    file: PathBuf,
}

fn refused(error: Error) -> Failure {
    Failure::Refused(match error {
        Error::Codegen(skriptnd_codegen::Error::Refused(refused)) => {
            refused.into_iter().next().map(|first| first.message).unwrap_or_default()
        }
        other => other.to_string(),
    })
}

/// A fault of a run, as the language says it.
fn failed(failed: &Failed, library: &Library) -> Failure {
    match fault::diagnostic(failed, &library.sources) {
        Some(diagnostic) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(diagnostic);
            Failure::Diagnostics(diagnostics)
        }
        None => Failure::Stopped(failed.to_string()),
    }
}

fn stopped(error: impl std::fmt::Display) -> Failure {
    Failure::Stopped(error.to_string())
}

/// The variables of a compiled graph, which are named by their files.
fn variables<'a>(case: &Case, graph: &Graph, names: impl Iterator<Item = &'a str>) -> Result<Vec<Tensor>, Failure> {
    let read = |name: &str| {
        let declared = variable(graph, name).map_err(stopped)?;
        GivenVariables(case).read(name, declared).map_err(stopped)
    };
    names.map(read).collect()
}

/// The least and the greatest of a variable of integers that a case gives.
fn values(case: &Case, declared: &graph::Tensor) -> Option<Values> {
    let graph::Origin::Variable { file } = &declared.origin else { return None };
    Values::of(&(&GivenVariables(case).read(file, declared).ok()?).into())
}

/// Results by name; variables that the run did not change are as the case gives them.
fn finished(case: &Case, graph: &Graph, interface: &Metadata, results: Vec<Tensor>) -> Result<Finished, Failure> {
    check_values(interface, &results)?;
    let (outputs, new) = assigned(graph, interface, results);
    let new = new.into_iter().filter_map(|(name, value)| match value {
        Argument::Single(tensor) => Some((name, tensor)),
        _ => None,
    });
    let given = case.variables.iter().map(|(name, tensor)| (name.clone(), Arc::new(tensor.clone())));
    Ok(Finished { outputs, variables: new.chain(given).collect() })
}

/// Whether results lie between the numbers that the interface says.
fn check_values(interface: &Metadata, results: &[Tensor]) -> Result<(), Failure> {
    for (info, result) in interface.outputs.iter().chain(&interface.states).zip(results) {
        if let Some((values, (element, found))) =
            info.values.and_then(|known| Some((known, known.outside(&result.into())?)))
        {
            let name = &info.name;
            return Err(stopped(format!("element {element} of `{name}` is {found}, and the interface says {values}")));
        }
    }
    Ok(())
}

/// Code for this machine. Every run is a guarded one: what touches other memory than its tensors and its workspace ends the
/// process, or fails.
pub struct Native {
    compiler: Compiler,
    threads: Threads,
}

impl Native {
    /// # Errors
    /// Where MLIR can't be set up.
    pub fn new() -> Result<Native, String> {
        Ok(Native::of(Compiler::new()?))
    }

    fn of(compiler: Compiler) -> Native {
        Native { compiler, threads: Threads::all() }
    }

    /// With loops that stand at random, differently for each number, and are shared among three threads however short they are.
    ///
    /// # Errors
    /// Where MLIR can't be set up.
    pub fn with_random_schedules(seed: u64) -> Result<Native, String> {
        let schedules = Schedules { random: Some(seed), ..Schedules::default() };
        let compiler = Compiler { schedules, ..Compiler::new()? };
        Ok(Native { compiler, threads: Threads::count(3) })
    }

    /// Rounded where the formulas are.
    ///
    /// # Errors
    /// Where MLIR can't be set up.
    pub fn exact() -> Result<Native, String> {
        Ok(Native::of(Compiler { exact: true, ..Compiler::new()? }))
    }

    /// Of graphs that were converted to the `htp` dialect and back.
    ///
    /// # Errors
    /// Where MLIR can't be set up.
    pub fn through_htp() -> Result<Native, String> {
        Ok(Native::of(Compiler { rules: Some(Rules::default()), ..Compiler::new()? }))
    }

    /// The same, with rules of a file applied between.
    ///
    /// # Errors
    /// Where MLIR can't be set up.
    pub fn through_rules(file: PathBuf) -> Result<Native, String> {
        let settings = Settings { mode: skriptnd_htp::grammar::Mode::Sdk, ..Settings::default() };
        let rules = Rules { files: vec![file], settings, told: Told { firings: true, misses: false } };
        Ok(Native::of(Compiler { rules: Some(rules), ..Compiler::new()? }))
    }

    /// How many rules were applied to the graphs that were compiled, each counted once for a graph.
    pub fn rules_applied(&self) -> usize {
        self.compiler.applied.get()
    }
}

impl Backend for Native {
    fn run(&self, run: Run) -> Result<Finished, Failure> {
        let (case, model) = (run.case, run.model);
        let Compiled { code, graph, inputs } = self.compiler.compile(run, Target::host(), Emit::SharedLibrary)?;
        let library = skriptnd_runtime::Library::load(&code.file).map_err(stopped)?;
        let names = library.metadata().variables.iter().map(|info| info.name.as_str());
        let variables = variables(case, &graph, names)?.into_iter().map(Variable::Owned).collect();
        let loaded = Model::new(library, variables).map_err(stopped)?;
        let mut session =
            loaded.session_builder().guarded(true).threads(self.threads.clone()).build().map_err(stopped)?;
        let mut results = session.run(&inputs).map_err(|error| match error {
            ModelError::Failed(fault) => failed(&fault, &model.definitions),
            other => stopped(other),
        })?;
        results.extend(session.states().map(|(_, value)| value));
        finished(case, &graph, loaded.metadata(), results)
    }
}

/// Code for another machine, which is emulated.
pub struct Emulated(Compiler, Target);

impl Emulated {
    /// Hexagon.
    ///
    /// # Errors
    /// Where MLIR can't be set up.
    pub fn hexagon() -> Result<Emulated, String> {
        Emulated::of(Target::named(Some(skriptnd_hexagon::target::TRIPLE), None))
    }

    /// Others by the names of what they are to show.
    ///
    /// # Errors
    /// Where there is none of the name, or MLIR can't be set up.
    pub fn named(name: &str) -> Result<Emulated, String> {
        let (triple, cpu) = match name {
            "neon" => ("aarch64-unknown-linux-gnu", "+dotprod,+i8mm"),
            "sve" => ("aarch64-unknown-linux-gnu", "+sve"),
            "rvv" => ("riscv64-unknown-linux-gnu", "+v"),
            "hvx" => (skriptnd_hexagon::target::TRIPLE, "+hvxv67+hvx-length128b"),
            other => return Err(format!("`{other}` is no backend")),
        };
        Emulated::of(Target::named(Some(triple), Some(cpu)))
    }

    fn of(target: Target) -> Result<Emulated, String> {
        Ok(Emulated(Compiler::new()?, target))
    }
}

impl Backend for Emulated {
    fn run(&self, run: Run) -> Result<Finished, Failure> {
        let (case, model) = (run.case, run.model);
        let Compiled { code, graph, inputs } = self.0.compile(run, self.1.clone(), Emit::Runner)?;
        let interface = code.report.metadata.clone();
        let variables = variables(case, &graph, interface.variables.iter().map(|info| info.name.as_str()))?;
        let outcome = hexagon::run(&code.file, &interface, &inputs, &variables, &mut Generator::new(entropy()));
        let (results, _) = outcome.map_err(|error| match error {
            Error::Failed(fault) => failed(&fault, &model.definitions),
            other => stopped(other),
        })?;
        finished(case, &graph, &interface, results)
    }
}
