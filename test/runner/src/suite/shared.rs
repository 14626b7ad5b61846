//! The cases of `../shared`: a manifest of conformance cases, and folders of models, both with tensors in files.

use super::{Kind, Subject};
use crate::case::{Case, Expectation, File};
use crate::directive::value;
use crate::model::Model;
use crate::tolerance::Tolerance;
use serde_json::Value as Json;
use skriptnd_language::compose::graph::Argument;
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::{Tensor, read_tensor};
use skriptnd_syntax::ast::{Operator, OperatorKind, Param};
use std::path::{Path, PathBuf};

/// Relative to the largest expected value, where a model says nothing else.
const TOLERANCE: f64 = 1e-4;

/// The subjects below the folder; none if it is not there.
pub(super) fn subjects(folder: &Path) -> Vec<Subject> {
    let mut subjects = Vec::new();
    let manifest = folder.join("conformance/manifest.json");
    if let Ok(json) = read_json(&manifest) {
        let names = json["valid"].as_array().into_iter().flatten().filter_map(|case| case["name"].as_str());
        subjects.extend(names.map(|name| Subject {
            name: format!("shared/conformance/{name}"),
            path: manifest.clone(),
            kind: Kind::SharedCase,
        }));
    }
    find_models(&folder.join("models"), "shared/models", &mut subjects);
    subjects
}

fn find_models(folder: &Path, name: &str, found: &mut Vec<Subject>) {
    if folder.join("case.json").is_file() {
        found.push(Subject { name: name.to_owned(), path: folder.to_owned(), kind: Kind::SharedModel });
        return;
    }
    for path in sorted(folder) {
        let part = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        find_models(&path, &format!("{name}/{part}"), found);
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn read_json(path: &Path) -> Result<Json, String> {
    let shown = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| shown(&error))?;
    serde_json::from_str(&text).map_err(|error| shown(&error))
}

/// A case of the manifest; its inputs and outputs are lists of files in order of declaration.
pub(super) fn conformance_case(manifest: &Path, name: &str) -> Result<File, String> {
    let json = read_json(manifest)?;
    let own = |case: &&Json| case["name"].as_str().is_some_and(|own| name.ends_with(&format!("/{own}")));
    let json = json["valid"].as_array().and_then(|list| list.iter().find(own)).ok_or("the case is not there")?;
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let model = Model::read(&folder.join(json["file"].as_str().unwrap_or_default()))?;
    let mut case = Case { attributes: attributes(&json["attribs"])?, ..Case::default() };
    let named = |list: &Json| -> Result<Vec<(String, Tensor)>, String> {
        let files = list.as_object().into_iter().flatten();
        files.map(|(name, file)| Ok((name.clone(), read_file(folder, file)?))).collect()
    };
    case.variables = named(&json["variables"])?;
    let arguments = |list: &Json| -> Result<Vec<Argument<Tensor>>, String> {
        list.as_array().into_iter().flatten().map(|files| argument(folder, files)).collect()
    };
    let graph = Interface::of(&model)?;
    case.graph = graph.name;
    case.inputs = graph.inputs.into_iter().zip(arguments(&json["inputs"])?).collect();
    case.expectation = Expectation::Values {
        outputs: graph.outputs.into_iter().zip(arguments(&json["outputs"])?).collect(),
        state: named(&json["new_state"])?,
        tolerance: Tolerance::OfLargest(json["tolerance"].as_f64().unwrap_or(TOLERANCE)),
    };
    Ok(File { model, cases: vec![case], markers: Vec::new() })
}

fn argument(folder: &Path, files: &Json) -> Result<Argument<Tensor>, String> {
    match files.as_array() {
        Some(files) => files.iter().map(|file| read_file(folder, file)).collect::<Result<_, _>>().map(Argument::Pack),
        None => read_file(folder, files).map(Argument::Single),
    }
}

fn read_file(folder: &Path, file: &Json) -> Result<Tensor, String> {
    read(&folder.join(file.as_str().unwrap_or_default()))
}

fn read(path: &Path) -> Result<Tensor, String> {
    read_tensor(path).map_err(|error| error.to_string())
}

/// A folder with `model`, `inputs` and `expected`; tensors are numbered in order of declaration.
pub(super) fn model_case(folder: &Path) -> Result<File, String> {
    let json = read_json(&folder.join("case.json"))?;
    let model = Model::read(&folder.join("model"))?;
    let graph = Interface::of(&model)?;
    let tolerance = match &json["tolerance"] {
        Json::Object(kinds) => kinds.values().find_map(Json::as_f64),
        number => number.as_f64(),
    };
    let case = Case {
        attributes: attributes(&json["attribs"])?,
        inputs: graph.inputs.into_iter().zip(numbered(&folder.join("inputs"))?).collect(),
        variables: variables(&folder.join("model"))?,
        expectation: Expectation::Values {
            outputs: graph.outputs.into_iter().zip(numbered(&folder.join("expected"))?).collect(),
            state: Vec::new(),
            tolerance: Tolerance::OfLargest(tolerance.unwrap_or(TOLERANCE)),
        },
        graph: graph.name,
        ..Case::default()
    };
    Ok(File { model, cases: vec![case], markers: Vec::new() })
}

fn numbered(folder: &Path) -> Result<Vec<Argument<Tensor>>, String> {
    let number = |path: &PathBuf| path.file_stem()?.to_str()?.parse::<usize>().ok();
    let mut files: Vec<(usize, PathBuf)> =
        sorted(folder).into_iter().filter_map(|path| Some((number(&path)?, path))).collect();
    files.sort();
    files.iter().map(|(_, path)| read(path).map(Argument::Single)).collect()
}

/// The tensor files of a folder by their stems.
pub(super) fn variables(folder: &Path) -> Result<Vec<(String, Tensor)>, String> {
    let is_tensor = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "dat" || kind == "npy");
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    sorted(folder).into_iter().filter(is_tensor).map(|path| Ok((stem(&path), read(&path)?))).collect()
}

fn attributes(json: &Json) -> Result<Vec<(String, skriptnd_language::compose::value::Value)>, String> {
    json.as_object().into_iter().flatten().map(|(name, json)| Ok((name.clone(), value(json)?))).collect()
}

/// The names that the first graph declares.
struct Interface {
    name: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
}

impl Interface {
    fn of(model: &Model) -> Result<Interface, String> {
        let CheckedModel { definitions, .. } = CheckedModel::load(model);
        let main = definitions.modules.get("main").ok_or("there is no main module")?;
        let is_graph = |operator: &&Operator| operator.kind == OperatorKind::Graph;
        let graph = main.operators.iter().find(is_graph).ok_or("there is no graph")?;
        let names = |params: &[Param]| params.iter().map(|param| param.name.text.to_string()).collect();
        Ok(Interface {
            name: graph.name.text.to_string(),
            inputs: names(&graph.inputs),
            outputs: names(&graph.outputs),
        })
    }
}
