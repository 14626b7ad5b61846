//! Where a program has the values of its model's variables from.

use super::{Failure, Options};
use crate::error::ModelError;
use crate::library::Library;
use crate::metadata::{Metadata, TensorInfo};
use crate::variable::note::{Note, folder_of};
use crate::variable::{Variable, files};
use std::path::Path;
use std::sync::Arc;

/// What to do where a variable has no file.
const GIVE: &str = "give it with --variable or --variables";

/// The values of variables: from options, a folder, the program itself, or where they were when the model was compiled.
pub fn variables(library: &Arc<Library>, options: &Options, note: &Note) -> Result<Vec<Variable>, Failure> {
    let metadata = library.metadata();
    check_names(metadata, options, note)?;
    // Files below the program's folder may have been moved with it.
    let program = std::env::current_exe().unwrap_or_default();
    let variable = |(number, info): (usize, &TensorInfo)| {
        let names = names(metadata, &info.name);
        if let Some((_, file)) = options.variables.iter().find(|(name, _)| names.contains(name)) {
            return Variable::open(file, info);
        }
        if let Some(folder) = &options.folder {
            return Variable::find(folder, &names, info);
        }
        if let Some(value) = Variable::embedded(library, number) {
            return Ok(value);
        }
        match note.file(&info.name, folder_of(&program)) {
            Some(file) => Variable::open(&file, info),
            // A run does not look at what a state replaces.
            None if options.load_state.is_some() && is_state(metadata, info) => {
                Ok(Variable::Owned(info.zeros(info.shape().unwrap_or_default())))
            }
            None => Err(without_file(info, note.noted(&info.name).as_deref())),
        }
    };
    Ok(Variable::all(metadata.variables.iter().enumerate().map(variable))?)
}

/// All names of the variable whose file has a stem.
fn names(metadata: &Metadata, stem: &str) -> Vec<String> {
    files::names(stem, Some(&metadata.graph))
}

/// Refuses values of variables that there are not, and warns of those that the code does not read.
fn check_names(metadata: &Metadata, options: &Options, note: &Note) -> Result<(), Failure> {
    let is_read = |name: &String| metadata.variables.iter().any(|info| names(metadata, &info.name).contains(name));
    // The note has those, too, that the model has and its code does not read.
    let is_noted = |name: &String| note.stems().any(|stem| names(metadata, stem).contains(name));
    for (name, _) in options.variables.iter().filter(|(name, _)| !is_read(name)) {
        if !is_noted(name) {
            let all = metadata.variables.iter().map(|info| metadata.short_name(&info.name)).collect::<Vec<_>>();
            let all = if all.is_empty() { "none".into() } else { all.join(", ") };
            return Err(Failure::Usage(format!("the model has no variable `{name}`; it has: {all}")));
        }
        eprintln!("warning: --variable {name}: makes no difference: no output and no variable depends on it");
    }
    Ok(())
}

fn without_file(info: &TensorInfo, noted: Option<&Path>) -> ModelError {
    let message = match noted {
        Some(file) => {
            let file = file.display();
            format!("{file}, where it was when the model was compiled, is no file any more; {GIVE}")
        }
        None => format!("no file is known; {GIVE}"),
    };
    ModelError::Tensor { role: "variable", name: info.name.clone(), message }
}

/// Whether runs change a variable.
fn is_state(metadata: &Metadata, info: &TensorInfo) -> bool {
    metadata.states.iter().any(|state| state.name == info.name)
}
