//! A graph that was written as ONNX: what the importer makes of it must compute the same.

use super::{Backend, Failure, Finished, GivenVariables, Run};
use skriptnd_interpret::{Engine, Limits, Variables, run_with};
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::compose::graph::{self, Argument, Graph, Origin, TensorId};
use skriptnd_language::compose::value::ScalarType;
use skriptnd_language::model::CheckedModel;
use skriptnd_onnx::constant::Constant;
use skriptnd_onnx::export::{Names, Written, write};
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::{Imported, Options, import};
use skriptnd_runtime::{Tensor, TensorData, encode_npy};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Diagnostics, Severity, render};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder to which models are written with what they are given and what they must give, for other programs that run them.
const FOLDER: &str = "SKRIPTND_ONNX";

/// Writes graphs as ONNX, imports them again, and interprets what was imported.
#[derive(Debug, Clone, Copy, Default)]
pub struct Onnx;

impl Backend for Onnx {
    fn run(&self, run: Run) -> Result<Finished, Failure> {
        let written = written(&run)?;
        let bytes = written.encode().map_err(Failure::Refused)?;
        let given = given(&run.graph, &run.inputs);
        keep(&run, &bytes, &given)?;
        let file =
            ModelFile::decode(bytes.into(), Path::new("")).map_err(|error| Failure::Stopped(error.to_string()))?;
        let values = given.iter().filter(|(_, (_, has_default))| *has_default);
        let values = values.map(|(name, (tensor, _))| (name.clone(), Constant::of_tensor(tensor))).collect();
        let imported = import(&file, &Options { values, ..Options::default() });
        let imported = imported.map_err(|problems| {
            let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Failure::Stopped(format!("it is not imported again: {}", told.join("; ")))
        })?;
        again(&run, &imported, &given, &written)
    }
}

fn written(run: &Run) -> Result<Written, Failure> {
    let variables = GivenVariables(run.case);
    let mut weight = |id: TensorId| {
        let declared = run.graph.tensor(id);
        let Origin::Variable { file } = &declared.origin else { return Err("it is no variable".to_owned()) };
        variables.read(file, declared).map(|tensor| Constant::of_tensor(&tensor))
    };
    write(&run.model.definitions, &run.graph, &Names::default(), &mut weight).map_err(|problems| {
        let first = problems.iter().next().map(|problem| problem.message.clone());
        Failure::Refused(first.unwrap_or_default())
    })
}

/// By name, what inputs are given, and whether they have a default.
type Given = HashMap<String, (Tensor, bool)>;

fn given(graph: &Graph, inputs: &[Option<Argument<Tensor>>]) -> Given {
    let mut named = HashMap::new();
    for (port, value) in graph.inputs.iter().zip(inputs) {
        let Some(value) = value else { continue };
        for (at, (id, tensor)) in port.tensors.items().iter().zip(value.items()).enumerate() {
            let has_default = matches!(graph.tensor(*id).origin, Origin::Input { default: Some(_) });
            named.insert(name(port, at), (tensor.clone(), has_default));
        }
    }
    named
}

fn name(port: &graph::Port, at: usize) -> String {
    match port.tensors {
        Argument::Pack(_) => format!("{}.{at}", port.name),
        _ => port.name.clone(),
    }
}

/// Runs what was imported.
fn again(run: &Run, imported: &Imported, given: &Given, written: &Written) -> Result<Finished, Failure> {
    let model = CheckedModel::load(&Text(&imported.text));
    let (graph, found) = model.compose(&ComposeOptions::default());
    let errors = model.diagnostics.iter().chain(found.iter()).filter(|told| told.severity == Severity::Error);
    let errors: String = errors.map(|told| render(told, &model.definitions.sources)).collect();
    let graph = graph.ok_or_else(|| Failure::Stopped(format!("what is imported is no model: {errors}")))?;
    let inputs = imported.inputs.iter().zip(&graph.inputs).map(|(port, own)| {
        let (tensor, _) = given.get(&port.onnx)?;
        let id = own.tensors.items().first()?;
        Some(Argument::Single(converted(tensor.clone(), graph.tensor(*id).ty.dtype)))
    });
    let limits = Limits { time: None, memory: None, seed: None };
    let outcome = run_with(Engine::Rows, &model.definitions, &graph, inputs.collect(), &Weights(imported), &limits);
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(found) => return Err(failure(run, &found, &model)),
    };
    let values: Vec<Arc<Tensor>> = outcome.outputs.iter().flat_map(|(_, values)| values.items()).cloned().collect();
    let mut values = values.into_iter();
    let mut outputs = Vec::new();
    for port in &run.graph.outputs {
        let argument = port.tensors.map(|id| {
            let value = values.next().unwrap_or_else(|| Arc::new(Tensor::scalar(0.0f32)));
            Arc::new(converted((*value).clone(), run.graph.tensor(*id).ty.dtype))
        });
        outputs.push((port.name.clone(), argument));
    }
    let mut variables: Vec<_> =
        written.states.iter().zip(values).map(|(state, value)| (state.input.clone(), value)).collect();
    // The others stay as they are.
    let is_kept = |name: &str| written.states.iter().all(|state| state.input != name);
    let kept = run.graph.variables.iter().map(|id| run.graph.tensor(*id)).filter(|tensor| is_kept(&tensor.name));
    for declared in kept {
        let Origin::Variable { file } = &declared.origin else { continue };
        variables
            .extend(GivenVariables(run.case).read(file, declared).ok().map(|it| (declared.name.clone(), Arc::new(it))));
    }
    Ok(Finished { outputs, variables })
}

/// A run that fails does so in the words of the language only where the graph itself does.
fn failure(run: &Run, found: &Diagnostics, model: &CheckedModel) -> Failure {
    let limits = Limits { time: None, memory: None, seed: None };
    let own = run_with(
        Engine::Rows,
        &run.model.definitions,
        &run.graph,
        run.inputs.clone(),
        &GivenVariables(run.case),
        &limits,
    );
    match own {
        Err(own) => Failure::Diagnostics(own),
        Ok(_) => {
            let told: String = found.iter().map(|told| render(told, &model.definitions.sources)).collect();
            Failure::Stopped(format!("what is imported fails: {told}"))
        }
    }
}

fn converted(tensor: Tensor, dtype: ScalarType) -> Tensor {
    let data = match (tensor.data, dtype) {
        (TensorData::F32(items), ScalarType::Int) => TensorData::I64(items.iter().map(|item| *item as i64).collect()),
        (TensorData::I64(items), ScalarType::Real) => TensorData::F32(items.iter().map(|item| *item as f32).collect()),
        (data, _) => data,
    };
    Tensor { shape: tensor.shape, data }
}

/// A text without other modules.
struct Text<'a>(&'a str);

impl FileProvider for Text<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        (path == ["main"]).then(|| Ok(("main.sknd".to_owned(), self.0.to_owned())))
    }
}

struct Weights<'a>(&'a Imported);

impl Variables for Weights<'_> {
    fn read(&self, file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
        let own = |name: &String| *name == declared.name || file.ends_with(&format!(".{name}"));
        let found = self.0.weights.iter().find(|(name, _)| own(name)).map(|(_, constant)| constant);
        let constant = found.ok_or_else(|| format!("there is no weight `{file}`"))?;
        let data = match declared.ty.dtype {
            ScalarType::Real => TensorData::F32(constant.reals().map(|real| real as f32).collect()),
            ScalarType::Int => TensorData::I64(constant.ints().collect()),
            _ => TensorData::Bool(constant.ints().map(|truth| truth != 0).collect()),
        };
        Ok(Tensor { shape: constant.shape.clone(), data })
    }
}

/// Writes the model with what it is given and what it must give to the folder that the environment names.
fn keep(run: &Run, bytes: &[u8], given: &Given) -> Result<(), Failure> {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return Ok(()) };
    let limits = Limits { time: None, memory: None, seed: None };
    let variables = GivenVariables(run.case);
    let own = run_with(Engine::Rows, &run.model.definitions, &run.graph, run.inputs.clone(), &variables, &limits);
    let Ok(own) = own else { return Ok(()) };
    let stem = (0..).map(|number| folder.join(format!("{}-{}-{number}", std::process::id(), run.graph.name)));
    let stem = stem.into_iter().find(|stem| std::fs::create_dir(stem).is_ok());
    let Some(stem) = stem else { return Ok(()) };
    let mut files = vec![("model.onnx".to_owned(), bytes.to_vec())];
    files.extend(given.iter().map(|(name, (tensor, _))| (format!("input.{name}.npy"), encode_npy(tensor))));
    for (port, (_, values)) in run.graph.outputs.iter().zip(&own.outputs) {
        let values = values.items().iter().enumerate();
        files.extend(values.map(|(at, value)| (format!("output.{}.npy", name(port, at)), encode_npy(&**value))));
    }
    let place = format!("{}:{}", run.case.graph, run.case.line);
    files.push(("case.txt".to_owned(), place.into_bytes()));
    for (name, content) in files {
        std::fs::write(stem.join(name), content).map_err(|error| Failure::Stopped(error.to_string()))?;
    }
    Ok(())
}
