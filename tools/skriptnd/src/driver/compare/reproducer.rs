//! One invocation as a model of its own, with files of what it is given.

use super::steps::Values;
use crate::driver::model::{Composed, Model};
use crate::driver::output;
use crate::driver::run_options::Options;
use crate::driver::variables::{self, VariableOptions};
use crate::failure::Failure;
use skriptnd_interpret::Variables;
use skriptnd_language::compose::graph::{Argument, Operation, OperationKind, OperatorCall, Origin, TensorId};
use skriptnd_language::compose::value::Value;
use skriptnd_language::written::literal;
use skriptnd_runtime::Tensor;
use skriptnd_source::FileProvider;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the graph is called, unless the model has one of that name.
const NAME: &str = "Departing";
/// The label of the invocation, which its variables' files have in their names.
const LABEL: &str = "step";

/// A model that was written.
pub struct Reproducer {
    folder: PathBuf,
    graph: String,
    /// Names of its inputs.
    inputs: Vec<String>,
    /// Whether what it shall give lies beside it.
    has_results: bool,
}

impl Reproducer {
    /// To run it as another model was run.
    pub fn options(&self, like: &Options) -> Options {
        let file = |name: &String| format!("{name}={}", self.file(name).display()).into();
        let mut options = like.clone();
        options.model = self.folder.clone();
        options.graph = like.graph.of_graph(&self.graph);
        options.inputs = self.inputs.iter().map(file).collect();
        options.output_dir = None;
        options.random_inputs = None;
        options.variables = VariableOptions::default();
        options
    }

    /// The command that compares it.
    pub fn command(&self, like: &Options, tolerance: f64) -> String {
        let (folder, graph, backend, cpu) =
            (self.folder.display(), &self.graph, like.backend.option(), like.cpu.option());
        let mut command = format!("skriptnd compare {folder} --graph {graph}{backend}{cpu} --tolerance={tolerance:e}");
        if self.has_results {
            let _ = write!(command, " --against {folder}");
            return command;
        }
        for name in &self.inputs {
            let _ = write!(command, " --input {name}={}", self.file(name).display());
        }
        command
    }

    fn file(&self, input: &str) -> PathBuf {
        self.folder.join(format!("{input}.npy"))
    }
}

/// Writes an operation of a model's graph as another graph of that model to a folder, which must be empty or not be there;
/// none if it can't be written as an invocation.
pub fn write(
    folder: &Path,
    (model, composed): (&Model, &Composed),
    options: &Options,
    (operation, values, has_results): (&Operation, &Values, bool),
) -> Result<Option<Reproducer>, Failure> {
    let OperationKind::Operator(call) = &operation.kind else { return Ok(None) };
    let source = variables::Source::new(&options.variables, model, &composed.graph)?;
    let graph = unused_name(composed);
    let mut writer =
        Writer { composed, values, source: &source, graph: &graph, names: HashMap::new(), files: Vec::new() };
    let Some(text) = writer.graph(operation, call) else { return Ok(None) };
    if has_results {
        writer.add_results(operation);
    }
    let Writer { names, files, .. } = writer;
    for (name, module) in modules((model, composed), &call.operator, &text)? {
        output::write_below(folder, &name, module)?;
    }
    let files = files.into_iter().map(|(name, tensor)| (name, Argument::Single(tensor))).collect();
    output::finish_all(output::prepare_tensors(folder, &files, &[])?)?;
    let mut inputs: Vec<String> = names.into_values().collect();
    inputs.sort();
    Ok(Some(Reproducer { folder: folder.to_owned(), graph, inputs, has_results }))
}

/// A name that no definition of the main module has.
fn unused_name(composed: &Composed) -> String {
    let main = composed.definitions.modules.get("main");
    let taken = |name: &str| main.is_some_and(|main| main.operators.names().any(|known| known == name));
    let numbered = (1..).map(|number| format!("{NAME}{number}"));
    std::iter::once(NAME.to_string()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

/// The model's own modules with the files of their names; the main one has the graph, and imports the operator's module.
fn modules(
    (model, composed): (&Model, &Composed),
    operator: &str,
    graph: &str,
) -> Result<Vec<(String, String)>, Failure> {
    let mut texts = Vec::new();
    for path in composed.definitions.modules.keys() {
        let parts: Vec<&str> = path.split('.').collect();
        let Some(text) = model.module(&parts) else { continue };
        let (_, text) = text.map_err(Failure::input)?;
        let text = if path == "main" { with_graph(&text, operator, graph) } else { text };
        texts.push((format!("{}.sknd", parts.join("/")), text));
    }
    Ok(texts)
}

fn with_graph(main: &str, operator: &str, graph: &str) -> String {
    let module = operator.rsplit_once('.').map_or("main", |(module, _)| module);
    let import = if module == "main" { String::new() } else { format!("import {module};\n") };
    format!("{import}{main}\n{graph}")
}

/// Writes an invocation as a graph, whose inputs are what it is given.
struct Writer<'w> {
    composed: &'w Composed,
    values: &'w Values<'w>,
    source: &'w variables::Source<'w>,
    graph: &'w str,
    names: HashMap<TensorId, String>,
    /// Inputs and variables, by the names of their files.
    files: Vec<(String, Arc<Tensor>)>,
}

impl Writer<'_> {
    fn graph(&mut self, operation: &Operation, call: &OperatorCall) -> Option<String> {
        let definition = self.composed.definitions.operator(&call.operator)?;
        let count = operation.inputs.len().min(definition.inputs.len());
        let (given, own) = operation.inputs.split_at(count);
        let arguments = given.iter().map(|argument| self.argument(argument)).collect::<Option<Vec<_>>>()?.join(", ");
        let inputs: String = self.files.iter().map(|(name, tensor)| declaration(name, tensor)).collect();
        for (param, argument) in definition.variables.iter().zip(own) {
            let [id] = argument.items() else { return None };
            let value = self.value(*id)?;
            self.files.push((format!("main.{}.{LABEL}.{}", self.graph, param.name.text), value));
        }
        let (results, outputs) = self.results(operation)?;
        let (name, types, attributes) = (call.operator.strip_prefix("main."), types(call), attributes(operation)?);
        let name = name.unwrap_or(&call.operator);
        let graph = self.graph;
        Some(format!(
            "graph {graph} {{\n    @input {{ {inputs}}}\n    @output {{ {outputs}}}\n    \
             @compose {{ {results} = {LABEL}: {name}{types}{attributes}({arguments}); }}\n}}\n"
        ))
    }

    /// The names of the results, and their declarations.
    fn results(&self, operation: &Operation) -> Option<(String, String)> {
        let (mut names, mut declared) = (Vec::new(), String::new());
        let mut count = 0;
        for argument in &operation.outputs {
            let mut items = Vec::new();
            for id in argument.items() {
                let name = format!("y{count}");
                declared += &declaration(&name, self.values.get(*id)?);
                items.push(name);
                count += 1;
            }
            names.push(in_form_of(argument, &items));
        }
        Some((names.join(", "), declared))
    }

    /// Adds what the invocation shall give, by the names of its results.
    fn add_results(&mut self, operation: &Operation) {
        let values = operation.outputs.iter().flat_map(|argument| argument.items());
        let values = values.enumerate().filter_map(|(at, id)| Some((format!("y{at}"), self.values.get(*id)?.clone())));
        self.files.extend(values);
    }

    fn argument(&mut self, argument: &Argument) -> Option<String> {
        let items = argument.items().iter().map(|id| self.operand(*id)).collect::<Option<Vec<_>>>()?;
        Some(in_form_of(argument, &items))
    }

    /// Constants of rank 0 as they are written, others by the name of an input.
    fn operand(&mut self, id: TensorId) -> Option<String> {
        if let Some(constant) = self.values.constant(id) {
            return literal(constant).map(|literal| literal.to_string());
        }
        if let Some(known) = self.names.get(&id) {
            return Some(known.clone());
        }
        let name = format!("x{}", self.names.len());
        self.files.push((name.clone(), self.value(id)?));
        self.names.insert(id, name.clone());
        Some(name)
    }

    fn value(&self, id: TensorId) -> Option<Arc<Tensor>> {
        let tensor = self.composed.graph.tensor(id);
        match &tensor.origin {
            Origin::Variable { file } => self.source.read(file, tensor).ok().map(Arc::new),
            _ => self.values.get(id).cloned(),
        }
    }
}

fn in_form_of(argument: &Argument, items: &[String]) -> String {
    match argument {
        Argument::Null => "~".to_string(),
        Argument::Single(_) => items.concat(),
        Argument::Pack(_) => format!("[{}]", items.join(", ")),
    }
}

fn declaration(name: &str, tensor: &Tensor) -> String {
    let extents: Vec<String> = tensor.shape.iter().map(ToString::to_string).collect();
    format!("{name}: {}[{}]; ", tensor.element_type(), extents.join(","))
}

/// Generic types, all of them.
fn types(call: &OperatorCall) -> String {
    let types: Vec<&str> = call.dtypes.values().map(|dtype| dtype.keyword()).collect();
    if types.is_empty() { String::new() } else { format!("<{}>", types.join(",")) }
}

/// Attributes, all of them; none if one depends on extents.
fn attributes(operation: &Operation) -> Option<String> {
    let attributes = operation.instance.as_ref()?.call.attributes.iter();
    let given = attributes.filter(|(_, value)| **value != Value::Null);
    let written = given.map(|(name, value)| Some(format!("{name}={}", literal(value)?))).collect::<Option<Vec<_>>>()?;
    Some(if written.is_empty() { String::new() } else { format!("{{{}}}", written.join(", ")) })
}
