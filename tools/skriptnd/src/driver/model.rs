//! Models on disk.

use super::graph_options::{GraphOptions, declaration, options_for};
use super::kept::keep;
use super::onnx::{self, is_onnx};
use super::sources::{check_source, missing, no_main, read_text};
use super::storage::Stored;
use super::weights::Weights;
use crate::failure::Failure;
use crate::report;
use skriptnd_ide::lint;
use skriptnd_language::compose::graph::{Graph, Port};
use skriptnd_language::compose::{ComposeOptions, Definitions};
use skriptnd_language::model::CheckedModel;
use skriptnd_onnx::export::Names;
use skriptnd_onnx::{Imported, Port as OnnxPort};
use skriptnd_runtime::Storage;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics};
use skriptnd_source::origins::Origins;
use skriptnd_source::{FileProvider, shown};
use skriptnd_syntax::ast::Operator;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// Where the modules and variables of a model lie.
#[derive(Debug, Clone)]
pub struct Model {
    /// The text of the main module.
    pub main: PathBuf,
    /// The folder with the modules.
    pub folder: PathBuf,
    /// Values of variables that come before those in the folder.
    pub weights: Option<Arc<Weights>>,
    /// What outputs are called that have other names in the text.
    output_names: HashMap<String, String>,
    /// Of a model of another format, what was made of it.
    imported: Option<FromOnnx>,
}

/// What a text was made of.
#[derive(Debug, Clone)]
struct FromOnnx {
    /// The model, as it was given.
    file: PathBuf,
    origins: Arc<Origins>,
    /// What it takes and gives.
    inputs: Vec<OnnxPort>,
    outputs: Vec<OnnxPort>,
    /// What is computed otherwise than the model has it.
    #[cfg(feature = "mlir")]
    warnings: Vec<skriptnd_onnx::Problem>,
    /// Where text and weights are, as long as the model is used.
    _folder: Option<Arc<TempDir>>,
}

impl Model {
    /// A folder with `main.sknd`, one file, or an ONNX model, which is imported.
    pub fn find(path: &Path, options: &GraphOptions) -> Result<Model, Failure> {
        if is_onnx(path) {
            return Model::of_imported(&options.import.import(path)?, path);
        }
        if let Some(option) = options.import.first_given() {
            return Err(Failure::usage(format!("{option} is for ONNX models; {} is none", path.display())));
        }
        let found = fs::metadata(path).map_err(|error| missing(path, &error))?;
        let model = if found.is_dir() {
            let main = path.join("main.sknd");
            if !main.is_file() {
                return Err(no_main(path));
            }
            Model::of_text(main, path.to_owned())
        } else if found.is_file() {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            Model::of_text(path.to_owned(), folder)
        } else {
            return Err(Failure::input(format!("{}: neither a folder nor a regular file", path.display())));
        };
        check_source(&model.main)?;
        let weights = options.import.open_weights()?.map(Arc::new);
        Ok(Model { weights, ..model })
    }

    /// An ONNX model, whose text and weights are written to a folder.
    #[cfg(feature = "mlir")]
    pub fn imported(path: &Path, options: &GraphOptions, folder: &Path) -> Result<Model, Failure> {
        Model::written(&options.import.import(path)?, path, folder, None)
    }

    /// What was made of an ONNX model.
    pub fn of_imported(imported: &Imported, path: &Path) -> Result<Model, Failure> {
        let kept = tempfile::tempdir().map_err(|error| Failure::file(&std::env::temp_dir(), &error))?;
        let folder = kept.path().to_owned();
        Model::written(imported, path, &folder, Some(Arc::new(kept)))
    }

    fn written(imported: &Imported, path: &Path, folder: &Path, kept: Option<Arc<TempDir>>) -> Result<Model, Failure> {
        onnx::write(imported, folder)?;
        let origins = Arc::new(imported.origins.clone());
        let made = FromOnnx {
            file: path.to_owned(),
            origins,
            inputs: imported.inputs.clone(),
            outputs: imported.outputs.clone(),
            #[cfg(feature = "mlir")]
            warnings: imported.warnings.clone(),
            _folder: kept,
        };
        let output_names = onnx::names_of_outputs(imported);
        let model = Model::of_text(folder.join("main.sknd"), folder.to_owned());
        Ok(Model { output_names, imported: Some(made), ..model })
    }

    fn of_text(main: PathBuf, folder: PathBuf) -> Model {
        Model { main, folder, weights: None, output_names: HashMap::new(), imported: None }
    }

    /// What a model of another format takes and gives, with the names that these have in the graph and there, and what is
    /// computed otherwise than it says.
    #[cfg(feature = "mlir")]
    pub fn interface(&self) -> Option<serde_json::Value> {
        let FromOnnx { inputs, outputs, warnings, .. } = self.imported.as_ref()?;
        let own = |port: &OnnxPort| {
            let name = self.output_names.get(&port.name).unwrap_or(&port.name).clone();
            OnnxPort { name, ..port.clone() }
        };
        let outputs: Vec<OnnxPort> = outputs.iter().map(own).collect();
        Some(serde_json::json!({ "inputs": inputs, "outputs": outputs, "warnings": warnings }))
    }

    /// What the model calls inputs and outputs that have other names in the graph.
    fn labels(&self) -> Labels {
        let Some(made) = &self.imported else { return Labels::default() };
        let label = |name: &str, port: &OnnxPort| {
            let label = shown(&port.tensor()).into_owned();
            (*name != *label).then(|| (name.to_owned(), label))
        };
        #[cfg(feature = "mlir")]
        let name = |port: &OnnxPort| self.output_names.get(&port.name).unwrap_or(&port.name).clone();
        Labels {
            inputs: made.inputs.iter().filter_map(|port| label(&port.name, port)).collect(),
            #[cfg(feature = "mlir")]
            outputs: made.outputs.iter().filter_map(|port| label(&name(port), port)).collect(),
        }
    }

    /// The names of inputs and outputs in the model that it was made of, by those in the graph.
    fn names(&self) -> Names {
        let Some(made) = &self.imported else { return Names::default() };
        let own = |port: &OnnxPort| self.output_names.get(&port.name).unwrap_or(&port.name).clone();
        Names {
            inputs: made.inputs.iter().map(|port| (port.name.clone(), port.tensor())).collect(),
            outputs: made.outputs.iter().map(|port| (own(port), port.tensor())).collect(),
        }
    }

    /// The names in the text of what is called as in the model that it was made of.
    fn own_names(&self, forms: &[(String, Storage)]) -> Vec<(String, Storage)> {
        let ports = || self.imported.iter().flat_map(|made| made.inputs.iter().chain(&made.outputs));
        let own = |name: &String| {
            let is_text = ports().any(|port| port.name == *name);
            let port = ports().find(|port| !is_text && port.tensor() == *name);
            port.map_or_else(|| name.clone(), |port| port.name.clone())
        };
        forms.iter().map(|(name, storage)| (own(name), *storage)).collect()
    }

    /// Calls outputs as the model does.
    fn name_outputs(&self, graph: &mut Graph) {
        for port in &mut graph.outputs {
            if let Some(own) = self.output_names.get(&port.name) {
                port.name.clone_from(own);
            }
        }
    }

    /// Reads, checks and composes the model. What is wrong is printed.
    pub fn compose(&self, options: &GraphOptions) -> Result<Composed, Failure> {
        let (Attempt { definitions, graphs }, diagnostics) = self.try_compose(options, Which::One)?;
        match graphs.into_iter().next() {
            Some(mut graph) => {
                self.name_outputs(&mut graph);
                if options.keeps_results {
                    keep_results(&mut graph);
                }
                Ok(Composed { definitions, graph, labels: self.labels(), names: self.names(), exact: options.exact })
            }
            // `skriptnd check` tells of what is probably not meant.
            None => Err(report::fail(&diagnostics.errors(), &definitions.sources)),
        }
    }

    /// Composes a graph. That of a model of another format, where extents have names that its operators leave one value, has this
    /// value there: each run has to have it.
    fn compose_determined(&self, model: &CheckedModel, given: &ComposeOptions) -> (Option<Graph>, Diagnostics) {
        let (graph, found) = model.compose(given);
        let determined =
            graph.iter().filter(|_| self.imported.is_some()).flat_map(Graph::determined).collect::<Vec<_>>();
        if determined.is_empty() {
            return (graph, found);
        }
        let bindings = given.bindings.iter().cloned().chain(determined).collect();
        match model.compose(&ComposeOptions { bindings, ..given.clone() }) {
            (Some(graph), found) => (Some(graph), found),
            (None, _) => (graph, found),
        }
    }

    /// Reads, checks and composes the model as far as possible.
    pub fn try_compose(&self, options: &GraphOptions, which: Which) -> Result<(Attempt, Diagnostics), Failure> {
        let model = options.load(self);
        let given = match options.compose_options(&model.definitions) {
            // Attributes that can't be set because of an error are no error of their own.
            Err(_) if model.diagnostics.has_errors() => ComposeOptions::default(),
            options => options?,
        };
        // What else lies beside a main module is about the model.
        let is_folder = self.main.file_name().is_some_and(|name| name == "main.sknd");
        let forms = self.own_names(&options.storage);
        let stored = Stored::read(is_folder.then_some(self.folder.as_path()), &forms)?;
        let given = ComposeOptions { storage: stored.forms(), ..given };
        let (mut graphs, found) = match which == Which::All && given.graph.is_none() {
            true => compose_all(&model, &given),
            false => {
                let (graph, found) = self.compose_determined(&model, &given);
                (graph.into_iter().collect(), found)
            }
        };
        if !model.diagnostics.has_errors() {
            stored.note(&model, &mut graphs)?;
        }
        let unused = lint(&model);
        let CheckedModel { definitions, mut diagnostics, .. } = model;
        diagnostics.extend(found);
        if !diagnostics.has_errors() {
            diagnostics.extend(unused);
        }
        Ok((Attempt { definitions, graphs }, diagnostics))
    }
}

/// What was given but for what other graphs declare and the first one does not.
fn options_for_first(model: &CheckedModel, given: &ComposeOptions) -> ComposeOptions {
    let graphs = || model.graphs().filter_map(|name| declaration(&model.definitions, Some(name)));
    let is_first =
        |declares: &dyn Fn(&Operator) -> bool| graphs().next().is_none_or(declares) || !graphs().any(declares);
    let mut options = given.clone();
    options
        .attributes
        .retain(|(name, _)| is_first(&|graph| graph.attributes.iter().any(|param| *param.name.text == **name)));
    options
        .dtypes
        .retain(|(name, _)| is_first(&|graph| graph.dtypes.iter().any(|generic| *generic.name.text == **name)));
    options
}

/// Composes all graphs, each with what it declares of the options. Those that need more than is given are left to the
/// graphs that invoke them, unless there is no other.
fn compose_all(model: &CheckedModel, given: &ComposeOptions) -> (Vec<Graph>, Diagnostics) {
    let (mut graphs, mut found, mut lacking) = (Vec::new(), Diagnostics::default(), None);
    let mut is_first = true;
    for (at, name) in model.graphs().enumerate() {
        let mut options = match at {
            0 => options_for_first(model, given),
            _ => options_for(name, &model.definitions, given),
        };
        if is_first {
            options.bindings.clone_from(&given.bindings);
        }
        let (graph, further) = model.compose(&options);
        let declared = declaration(&model.definitions, Some(name));
        if let Some(declared) = declared.filter(|graph| further.iter().any(|told| lacks_values(graph, told))) {
            // Options that no graph has are told of the first one.
            let about = further.iter().filter(|told| at == 0 && is_about_options(declared, told));
            about.for_each(|told| found.push(told.clone()));
            lacking = lacking.or(Some(further));
            continue;
        }
        is_first = false;
        graphs.extend(graph);
        found.extend(further);
    }
    match lacking.filter(|_| is_first) {
        Some(lacking) => (graphs, lacking),
        None if is_first => {
            let (graph, found) = model.compose(given);
            (graph.into_iter().collect(), found)
        }
        None => (graphs, once_each(&found)),
    }
}

/// The diagnostics, those that several graphs have once.
fn once_each(found: &Diagnostics) -> Diagnostics {
    let mut known = HashSet::new();
    let mut once = Diagnostics::default();
    let new = found.iter().filter(|told| known.insert((told.span, told.message.clone())));
    new.for_each(|told| once.push(told.clone()));
    once
}

/// Whether a diagnostic is about options that are given for a graph.
fn is_about_options(graph: &Operator, diagnostic: &Diagnostic) -> bool {
    let codes = [Code::UnknownAttribute, Code::UnknownType, Code::UnknownExtent, Code::AttributeType];
    let (declared, found) = (graph.span, diagnostic.span);
    let is_inside = declared.file == found.file && declared.start <= found.start && found.end <= declared.end;
    is_inside && codes.contains(&diagnostic.code)
}

/// Whether a diagnostic is about what a graph lacks where nobody invokes it.
fn lacks_values(graph: &Operator, diagnostic: &Diagnostic) -> bool {
    let params = graph.inputs.iter().chain(&graph.attributes).map(|param| param.span);
    let mut declared = params.chain(graph.dtypes.iter().map(|generic| generic.span));
    let found = diagnostic.span;
    FROM_OUTSIDE.contains(&diagnostic.code)
        && declared.any(|span| span.file == found.file && span.start <= found.start && found.end <= span.end)
}

/// Codes of diagnostics about what a graph may lack.
const FROM_OUTSIDE: &[Code] = &[
    Code::MissingAttribute,
    Code::GraphTypeMissing,
    Code::ShapeMissing,
    Code::RankMissing,
    Code::PackLengthMissing,
    Code::ExtentBound,
];

/// Makes outputs of what the operations of a graph give, behind its own.
fn keep_results(graph: &mut Graph) {
    for argument in graph.body.operations.iter().flat_map(|operation| &operation.outputs) {
        let Some(first) = argument.items().first() else { continue };
        if graph.outputs.iter().all(|port| port.tensors != *argument) {
            let name = graph.tensors[first.0 as usize].name.clone();
            graph.outputs.push(Port { name, tensors: argument.clone() });
        }
    }
    graph.body.results = graph.outputs.iter().map(|port| port.tensors.clone()).collect();
}

/// The graphs to compose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The one that the options name, or the first one.
    One,
    /// All, unless the options name one.
    All,
}

/// What could be made of a model: the graphs without errors.
pub struct Attempt {
    pub definitions: Definitions,
    pub graphs: Vec<Graph>,
}

/// What a model of another format calls inputs and outputs, by names in the graph that are others.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    pub inputs: Vec<(String, String)>,
    /// Those of compiled models.
    #[cfg(feature = "mlir")]
    pub outputs: Vec<(String, String)>,
}

/// A model without errors.
pub struct Composed {
    pub definitions: Definitions,
    pub graph: Graph,
    /// What the model calls inputs and outputs that have other names in the graph, by these.
    pub labels: Labels,
    /// The names of inputs and outputs in a model of another format, as they are.
    #[cfg_attr(not(feature = "mlir"), allow(dead_code))]
    pub names: Names,
    /// Whether it is compiled to what the formulas say.
    #[cfg_attr(not(feature = "mlir"), allow(dead_code))]
    pub exact: bool,
}

impl Composed {
    /// To compile it with the arithmetic and the rules that a model has if nothing else is asked for.
    #[cfg(feature = "mlir")]
    pub fn request<'a>(
        &'a self,
        target: skriptnd_codegen::Target,
        emit: skriptnd_codegen::Emit,
    ) -> skriptnd_compiler::Request<'a> {
        let request = skriptnd_compiler::Request::new(&self.definitions, &self.graph, target, emit);
        let Labels { inputs, outputs } = self.labels.clone();
        let labels = skriptnd_codegen::interface::Labels { inputs, outputs };
        skriptnd_compiler::Request { labels, exact: self.exact, ..request }
    }

    /// File, line and column of the graph.
    #[cfg(feature = "mlir")]
    pub fn place(&self) -> Option<(String, usize, usize)> {
        let span = declaration(&self.definitions, Some(&self.graph.name))?.name.span;
        let (line, column) = self.definitions.sources.position(span);
        Some((self.definitions.sources.file(span.file)?.name.clone(), line, column))
    }

    /// The failure to compile or to write the graph; prints it with the graph's place.
    #[cfg(feature = "mlir")]
    pub fn refuse(&self, what: &str) -> Failure {
        let Some(declared) = declaration(&self.definitions, Some(&self.graph.name)) else {
            return Failure::input(what);
        };
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::error(Code::NotCompiled, declared.name.span, what));
        self.fail(&diagnostics)
    }

    /// The failure that these diagnostics are; prints them.
    pub fn fail(&self, diagnostics: &Diagnostics) -> Failure {
        report::fail(diagnostics, &self.definitions.sources)
    }
}

impl FileProvider for Model {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let file = match path {
            ["main"] => self.main.clone(),
            _ => self.folder.join(path.iter().collect::<PathBuf>()).with_extension("sknd"),
        };
        let text = match read_text(&file) {
            Ok(text) => text?,
            Err(reason) => return Some(Err(reason)),
        };
        keep(&file, "a text of the model");
        let shown = self.imported.as_ref().filter(|_| path == ["main"]).map_or(&file, |made| &made.file);
        Some(Ok((shown.display().to_string(), text)))
    }

    fn origins(&self) -> Option<Arc<Origins>> {
        self.imported.as_ref().map(|made| made.origins.clone())
    }
}
