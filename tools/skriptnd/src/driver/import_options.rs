//! What ONNX models leave open, and what can't be said of them.

use super::once::only_once;
use super::weights::Weights;
use crate::diagnostics::{List, Message};
use crate::failure::{Failure, print_message};
use clap::Args;
use serde_json::Value as Json;
use skriptnd_onnx::constant::Constant;
use skriptnd_onnx::file::ModelFile;
use skriptnd_onnx::{Imported, Problem, import};
use skriptnd_runtime::read_tensor;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What an ONNX model leaves open.
#[derive(Debug, Clone, Default, Args)]
pub struct ImportOptions {
    /// The greatest value of an extent that an ONNX model leaves open, by its name there; without it there is none. Of inputs
    /// that are sequences, how many items they have
    #[arg(long = "bound", value_name = "SYMBOL=N", value_parser = parse_bound)]
    bounds: Vec<(String, i64)>,
    /// An input of an ONNX model that is the same in all runs: `--value sr=16000`, `--value axes=axes.npy`
    #[arg(long = "value", value_name = "INPUT=JSON|FILE", value_parser = parse_value)]
    values: Vec<(String, Constant)>,
    /// Take the values of variables from a safetensors file; of an ONNX model, those of its tensors with these names
    #[arg(long, value_name = "FILE.safetensors")]
    pub weights: Option<PathBuf>,
    /// Whether what is computed otherwise than the model has it was said before.
    #[arg(skip)]
    pub is_quiet: bool,
}

/// What an imported model gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// The model's outputs.
    Outputs,
    /// What all nodes give, too.
    Results,
}

impl ImportOptions {
    /// The first of these options that is given.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [("--bound", !self.bounds.is_empty()), ("--value", !self.values.is_empty())];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// The file of weights, if one is given.
    pub fn open_weights(&self) -> Result<Option<Weights>, Failure> {
        self.weights.as_deref().map(Weights::open).transpose()
    }

    /// What is given for an input.
    pub fn value(&self, input: &str) -> Option<&Constant> {
        self.values.iter().find(|(name, _)| name == input).map(|(_, value)| value)
    }

    /// Translates a model. All that can't be said is printed.
    pub fn import(&self, path: &Path) -> Result<Imported, Failure> {
        self.import_keeping(path, Keeping::Outputs)
    }

    /// Translates a model, whose text may give more than the model does.
    pub fn import_keeping(&self, path: &Path, keeping: Keeping) -> Result<Imported, Failure> {
        only_once("--bound", self.bounds.iter().map(|(name, _)| name))?;
        only_once("--value", self.values.iter().map(|(name, _)| name))?;
        let options = skriptnd_onnx::Options {
            bounds: self.bounds.iter().cloned().collect::<BTreeMap<_, _>>(),
            values: self.values.iter().cloned().collect(),
            weights: self.open_weights()?.map(|weights| weights.constants()).transpose()?,
            keeps_results: keeping == Keeping::Results,
            is_flat: false,
        };
        let read = ModelFile::open(path).map_err(|problem| vec![problem]);
        let imported = read.and_then(|file| import(&file, &options)).map_err(|problems| fail(path, &problems))?;
        for warning in imported.warnings.iter().filter(|_| !self.is_quiet) {
            print_message(format_args!("skriptnd: warning: {}: {warning}\n", path.display()));
        }
        Ok(imported)
    }
}

/// What to do about files that are no models, and options that they don't take.
const OF_FILES: &str =
    "`skriptnd import --help` has examples; a file that `onnx.checker` refuses has to be exported again";

/// So many problems are printed; the others are counted.
const SHOWN: usize = 50;

fn fail(path: &Path, problems: &[Problem]) -> Failure {
    let mut list = List::default();
    for (at, problem) in problems.iter().enumerate() {
        let help = match problem.node {
            Some(_) => None,
            None => Some(OF_FILES.to_owned()),
        };
        let message = Message { help, ..Message::new(format_args!("{}: {problem}", path.display())) };
        list.append(List::of_message(&message));
        if at < SHOWN {
            print_message(format_args!("skriptnd: error: {message}\n"));
        }
    }
    if problems.len() > SHOWN {
        print_message(format_args!("skriptnd: error: {} more nodes can't be said\n", problems.len() - SHOWN));
    }
    Failure::Diagnosed(Box::new(list))
}

fn split(text: &str) -> Result<(&str, &str), String> {
    text.rsplit_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| "expected NAME=VALUE".to_owned())
}

fn parse_bound(text: &str) -> Result<(String, i64), String> {
    let (name, bound) = split(text)?;
    let bound: i64 = bound.parse().map_err(|_| format!("expected a whole number behind `=`, found `{bound}`"))?;
    if bound < 0 {
        return Err(format!("a bound must not be negative, found {bound}"));
    }
    Ok((name.to_owned(), bound))
}

fn parse_value(text: &str) -> Result<(String, Constant), String> {
    let (name, value) = split(text)?;
    let constant = match serde_json::from_str::<Json>(value) {
        Ok(json) => of_json(&json)?,
        Err(_) if Path::new(value).is_file() => of_file(Path::new(value))?,
        Err(_) => return Err(format!("expected JSON or a tensor file behind `=`, found `{value}`")),
    };
    Ok((name.to_owned(), constant))
}

fn of_file(path: &Path) -> Result<Constant, String> {
    read_tensor(path).map(|tensor| Constant::of_tensor(&tensor)).map_err(|error| error.to_string())
}

/// A number, a truth value, or lists of such as deep as there are dimensions.
fn of_json(json: &Json) -> Result<Constant, String> {
    let mut shape = Vec::new();
    let mut level = json;
    while let Json::Array(items) = level {
        shape.push(items.len());
        let Some(first) = items.first() else { break };
        level = first;
    }
    let mut flat = Vec::new();
    flatten(json, &shape, &mut flat)?;
    if flat.iter().all(|value| value.is_boolean()) && !flat.is_empty() {
        let values: Vec<bool> = flat.iter().filter_map(|value| value.as_bool()).collect();
        return Ok(Constant::of_bools(shape, &values));
    }
    if let Some(values) = flat.iter().map(|value| value.as_i64()).collect::<Option<Vec<_>>>() {
        return Ok(Constant { shape, ..Constant::of_ints(&values) });
    }
    let values = flat.iter().map(|value| value.as_f64().map(|value| value as f32)).collect::<Option<Vec<_>>>();
    values.map(|values| Constant::of_reals(shape, &values)).ok_or_else(|| "expected numbers".to_owned())
}

fn flatten<'j>(json: &'j Json, shape: &[usize], flat: &mut Vec<&'j Json>) -> Result<(), String> {
    match (json, shape.split_first()) {
        (Json::Array(items), Some((extent, inner))) if items.len() == *extent => {
            items.iter().try_for_each(|item| flatten(item, inner, flat))
        }
        (Json::Number(_) | Json::Bool(_), None) => {
            flat.push(json);
            Ok(())
        }
        _ => Err("expected a number, or lists of equal lengths".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_json_of_any_depth() {
        let given = |text: &str| {
            parse_value(text).map(|(name, value)| (name, value.shape.clone(), value.reals().collect::<Vec<_>>()))
        };
        assert_eq!(given("sr=16000"), Ok(("sr".into(), vec![], vec![16000.0])));
        assert_eq!(given("a=[[1, 2.5]]"), Ok(("a".into(), vec![1, 2], vec![1.0, 2.5])));
        assert_eq!(given("b=[]"), Ok(("b".into(), vec![0], vec![])));
        assert!(given("b=[[1], [2, 3]]").unwrap_err().contains("equal lengths"));
        assert!(given("b=none.npy").unwrap_err().contains("tensor file"));
        assert_eq!(parse_bound("n=8"), Ok(("n".into(), 8)));
        assert_eq!(parse_bound("n=0"), Ok(("n".into(), 0)));
        assert!(parse_bound("n=-1").is_err() && parse_bound("n").is_err());
    }
}
