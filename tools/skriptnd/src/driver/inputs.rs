//! `--input [NAME=]FILE[,FILE...]`

use crate::failure::Failure;
use skriptnd_language::compose::graph::{Argument, Graph};
use skriptnd_runtime::{Tensor, read_tensor};
use std::path::Path;

/// Reads the files; one entry per input of the graph. Those without a name stand for the inputs without a value, in
/// order.
pub fn read_inputs(graph: &Graph, given: &[String]) -> Result<Vec<Option<Argument<Tensor>>>, Failure> {
    let mut inputs: Vec<Option<Argument<Tensor>>> = vec![None; graph.inputs.len()];
    let mut unnamed = Vec::new();
    for text in given {
        match named(graph, text)? {
            Some((at, files)) if inputs[at].is_none() => inputs[at] = Some(read(files, is_pack(graph, at))?),
            Some((at, _)) => {
                return Err(Failure::usage(format!("input `{}` is given twice", graph.inputs[at].name)));
            }
            None => unnamed.push(text.as_str()),
        }
    }
    for files in unnamed {
        let Some(at) = inputs.iter().position(Option::is_none) else {
            let count = graph.inputs.len();
            return Err(Failure::usage(format!("--input {files}: graph {} has only {count} inputs", graph.name)));
        };
        inputs[at] = Some(read(files, is_pack(graph, at))?);
    }
    Ok(inputs)
}

fn is_pack(graph: &Graph, at: usize) -> bool {
    matches!(graph.inputs[at].tensors, Argument::Pack(_))
}

/// The input that a name before `=` means, and the files.
fn named<'a>(graph: &Graph, text: &'a str) -> Result<Option<(usize, &'a str)>, Failure> {
    let Some((name, files)) = text.split_once('=') else { return Ok(None) };
    if let Some(at) = graph.inputs.iter().position(|port| port.name == name) {
        return Ok(Some((at, files)));
    }
    let is_identifier = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_identifier && !Path::new(text).exists() {
        let known: Vec<_> = graph.inputs.iter().map(|port| port.name.as_str()).collect();
        return Err(Failure::usage(format!(
            "graph {} has no input `{name}`; its inputs are: {}",
            graph.name,
            known.join(", ")
        )));
    }
    Ok(None)
}

fn read(files: &str, pack: bool) -> Result<Argument<Tensor>, Failure> {
    let read = |file: &str| read_tensor(Path::new(file)).map_err(Failure::input);
    if pack {
        let files = files.split(',').filter(|file| !file.is_empty());
        return Ok(Argument::Pack(files.map(read).collect::<Result<_, _>>()?));
    }
    if files.contains(',') && !Path::new(files).exists() {
        return Err(Failure::usage(format!("--input {files}: several files, but the input is no tensor pack")));
    }
    read(files).map(Argument::Single)
}
