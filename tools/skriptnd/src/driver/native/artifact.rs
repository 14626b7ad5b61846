//! Compiled models on disk: a shared library, and beside it a note of where the variables' files are.

use super::fault;
use super::session::Session;
use crate::driver::model::{Composed, Model};
use crate::driver::output::Results;
use crate::driver::run::{Finished, Options};
use crate::driver::variables;
use crate::failure::Failure;
use serde_json::Value as Json;
use skriptnd_compiler::tensors::stem;
use skriptnd_language::compose::graph::Argument;
use skriptnd_runtime::model::{TensorInfo, Variable};
use skriptnd_runtime::{Tensor, TensorFile, atomic, read_tensor};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Whether a path is that of a compiled model.
pub fn is_artifact(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "so") && path.is_file()
}

/// What names the graph in the note; stems of files have a `.` in them.
const GRAPH: &str = "graph";

/// `model.so` has its note in `model.variables.json`: the graph, and from the stem of each variable's file to the file.
fn note_of(library: &Path) -> PathBuf {
    library.with_extension("variables.json")
}

/// Notes where the files of the variables are; those without a file must be given when the artifact is run.
pub fn note_variables(library: &Path, model: &Model, composed: &Composed) -> Result<(), Failure> {
    let options = variables::VariableOptions::default();
    let source = variables::Source::new(&options, model, &composed.graph)?;
    let mut note = serde_json::Map::new();
    note.insert(GRAPH.to_string(), Json::String(composed.graph.name.clone()));
    for &id in &composed.graph.variables {
        let declared = composed.graph.tensor(id);
        let file = source.file(declared).ok().flatten().and_then(|file| file.canonicalize().ok());
        if let (Some(stem), Some(file)) = (stem(declared), file) {
            note.insert(stem.to_string(), Json::String(file.to_string_lossy().into_owned()));
        }
    }
    let path = note_of(library);
    let text = format!("{:#}\n", Json::Object(note));
    atomic::write_file(&path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

/// Runs a compiled model.
pub fn run_artifact(options: &Options) -> Result<Finished, Failure> {
    let started = Instant::now();
    let mut session = Session::load(&options.model)?;
    let note = read_note(&options.model)?;
    let files = session.model().variables().iter().map(|info| variable(options, &note, info));
    let variables: Vec<_> = files.collect::<Result<_, _>>()?;
    session.prepare_with(variables)?;
    let inputs = inputs(session.model().inputs(), &options.inputs)?;
    let compile = started.elapsed();
    let started = Instant::now();
    let mut results = session.model().run(&inputs).map_err(fault::failure_without_sources)?;
    let run = started.elapsed();
    let model = session.model();
    let states = results.split_off(model.outputs().len().min(results.len()));
    let outputs = grouped(model.outputs(), results);
    let names = model.states().iter().map(|info| names_of(&note, info).shortest());
    let new = names.zip(states).map(|(name, tensor)| (name, Argument::Single(Arc::new(tensor))));
    Ok(Finished { outputs, variables: new.collect(), compile, run, peak_bytes: model.peak_bytes() })
}

fn read_note(library: &Path) -> Result<Json, Failure> {
    let path = note_of(library);
    match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| Failure::input(format!("{}: {error}", path.display()))),
        Err(_) => Ok(Json::Null),
    }
}

fn names_of(note: &Json, info: &TensorInfo) -> variables::VariableNames {
    variables::VariableNames::new(&info.name, note[GRAPH].as_str())
}

fn variable(options: &Options, note: &Json, info: &TensorInfo) -> Result<Variable, Failure> {
    let folder = options.model.parent().unwrap_or(Path::new("")).to_owned();
    let noted = note[&info.name].as_str().map(PathBuf::from).filter(|file| file.is_file());
    let file = options
        .variables
        .file_by_name(&names_of(note, info), noted.as_deref(), &folder)
        .map_err(|reason| Failure::input(format!("variable `{}`: {reason}", info.name)))?;
    match file {
        Some(file) => Ok(Variable::Mapped(TensorFile::open(&file).map_err(Failure::input)?)),
        None => {
            let random = options.variables.random(&info.name, info.element_type, &info.shape);
            random.map(Variable::Owned).map_err(|reason| Failure::input(format!("variable `{}`: {reason}", info.name)))
        }
    }
}

/// The inputs one by one; items of packs have their number behind the name.
fn inputs(infos: &[TensorInfo], given: &[String]) -> Result<Vec<Tensor>, Failure> {
    let mut files: Vec<Option<PathBuf>> = vec![None; infos.len()];
    for text in given {
        let name = text.split_once('=').filter(|(name, _)| infos.iter().any(|info| port(&info.name) == *name));
        let (mut at, list) = match name {
            Some((name, list)) => (infos.iter().position(|info| port(&info.name) == name), list),
            None => (files.iter().position(Option::is_none), text.as_str()),
        };
        for file in list.split(',') {
            let place = at.filter(|&at| at < files.len());
            let place = place.ok_or_else(|| Failure::usage(format!("--input {text}: the model has no more inputs")))?;
            files[place] = Some(file.into());
            at = Some(place + 1);
        }
    }
    let read = |(info, file): (&TensorInfo, Option<PathBuf>)| match file {
        Some(file) => read_tensor(&file).map_err(Failure::input),
        None => Err(Failure::usage(format!("no value is given for input `{}`", info.name))),
    };
    infos.iter().zip(files).map(read).collect()
}

/// `xs` of `xs.1`
fn port(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((port, item)) if item.bytes().all(|byte| byte.is_ascii_digit()) => port,
        _ => name,
    }
}

/// Outputs by declared names, packs put together.
fn grouped(infos: &[TensorInfo], results: Vec<Tensor>) -> Results {
    let mut outputs = Results::new();
    for (info, tensor) in infos.iter().zip(results) {
        let (name, tensor) = (port(&info.name), Arc::new(tensor));
        match outputs.last_mut() {
            _ if name == info.name => outputs.push((name.to_string(), Argument::Single(tensor))),
            Some((last, Argument::Pack(items))) if last == name => items.push(tensor),
            _ => outputs.push((name.to_string(), Argument::Pack(vec![tensor]))),
        }
    }
    outputs
}
