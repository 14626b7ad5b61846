//! How the tensors of a model are stored: what `--storage` says and, where it says nothing, the file `storage.json` beside
//! `main.sknd`, `{"NAME": "TYPE"}`.

use super::graph_options::declaration;
use super::kept::keep;
use super::once::only_once;
use crate::failure::Failure;
use serde_json::{Map, Value as Json};
use skriptnd_language::compose::graph::Graph;
use skriptnd_language::compose::storage::Unstorable;
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::Storage;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const FILE: &str = "storage.json";

/// Names of tensors with forms.
type Forms = Vec<(String, Storage)>;

/// What is said about the tensors of a model.
pub struct Stored<'o> {
    options: &'o [(String, Storage)],
    file: PathBuf,
    of_file: Forms,
}

impl<'o> Stored<'o> {
    /// What options and, if the model is a folder, its file say.
    pub fn read(folder: Option<&Path>, options: &'o [(String, Storage)]) -> Result<Stored<'o>, Failure> {
        only_once("--storage", options.iter().map(|(name, _)| name))?;
        let file = folder.map(|folder| folder.join(FILE)).unwrap_or_default();
        let mut of_file = if folder.is_some() { forms_of(&file)? } else { Forms::new() };
        of_file.retain(|(name, _)| !options.iter().any(|(given, _)| given == name));
        Ok(Stored { options, file, of_file })
    }

    /// All that is said, of whatever graphs.
    pub fn forms(&self) -> Forms {
        [self.of_file.as_slice(), self.options].concat()
    }

    /// Notes it in graphs. What the file says of other graphs of the model is not about these.
    pub fn note(&self, model: &CheckedModel, graphs: &mut [Graph]) -> Result<(), Failure> {
        for graph in graphs {
            let of_others = |name: &str| is_of_others(model, graph, name);
            let of_file: Forms = self.of_file.iter().filter(|(name, _)| !of_others(name)).cloned().collect();
            graph.store(&[of_file.as_slice(), self.options].concat()).map_err(|wrong| self.failure(&wrong))?;
        }
        Ok(())
    }

    fn failure(&self, wrong: &Unstorable) -> Failure {
        match self.of_file.iter().any(|(name, _)| *name == wrong.name) {
            true => Failure::input(format!("{}: \"{}\": {wrong}", self.file.display(), wrong.name)),
            false => Failure::usage(format!("--storage: {wrong}")),
        }
    }
}

/// What a file says; nothing if there is none.
fn forms_of(file: &Path) -> Result<Forms, Failure> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Forms::new()),
        Err(error) => return Err(Failure::file(file, &error)),
    };
    keep(file, "the file that says how tensors are stored");
    let wrong = |reason: String| Failure::input(format!("{}: {reason}", file.display()));
    let entries: Map<String, Json> = serde_json::from_str(&text).map_err(|error| {
        wrong(error.to_string()).with_help("expected names of tensors with types: {\"x\": \"i32\", \"y\": \"f16\"}")
    })?;
    let form = |(name, value): (String, Json)| match value.as_str().map(str::parse) {
        Some(Ok(storage)) => Ok((name, storage)),
        Some(Err(reason)) => Err(wrong(format!("\"{name}\": {reason}"))),
        None => Err(wrong(format!("\"{name}\": expected the name of a type, found {value}"))),
    };
    entries.into_iter().map(form).collect()
}

/// Whether other graphs of a model have a tensor of this name, and this one has none.
fn is_of_others(model: &CheckedModel, graph: &Graph, name: &str) -> bool {
    let declares = |graph: &str| {
        declaration(&model.definitions, Some(graph)).is_some_and(|declared| {
            let params = declared.inputs.iter().chain(&declared.outputs).chain(&declared.variables);
            params.into_iter().any(|param| *param.name.text == *name)
        })
    };
    !declares(&graph.name) && model.graphs().any(|other| *other != *graph.name && declares(other))
}
