//! `skriptnd export` to ONNX: one file with the weights.

use super::graph_options::{GraphOptions, declaration};
use super::kept;
use super::model::{Composed, Model};
use super::output::{OutputFile, check_place, finish_all, json_name, print_json, print_line};
use super::variables::{self, VariableOptions};
use crate::failure::{Failure, print_message};
use crate::report;
use serde_json::json;
use skriptnd_interpret::Variables;
use skriptnd_language::compose::graph::{Origin, TensorId};
use skriptnd_onnx::constant::Constant;
use skriptnd_onnx::export::{Written, write};
use skriptnd_runtime::atomic::Mode;
use skriptnd_source::diagnostics::{Code, Diagnostic, Diagnostics};
use std::path::Path;

/// What is asked for.
pub struct Asked<'a> {
    pub model: &'a Path,
    pub output: &'a Path,
    pub graph: &'a GraphOptions,
    pub variables: &'a VariableOptions,
    /// Whether one JSON object tells what was written.
    pub json: bool,
}

/// Writes a model, or nothing.
pub fn run(asked: &Asked<'_>) -> Result<(), Failure> {
    let output = asked.output;
    // A folder that is not there is made with the file.
    if output.parent().is_some_and(Path::is_dir) {
        check_place(output)?;
    }
    let model = Model::find(asked.model, asked.graph)?;
    let composed = model.compose(asked.graph)?;
    let written = written(asked.variables, &model, &composed)?;
    let bytes = written.encode().map_err(|why| composed.refuse(&why))?;
    warn(&composed, &written, asked.graph.is_quantized());
    if let Some(folder) = output.parent() {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    }
    kept::check(output)?;
    let files = finish_all(vec![vec![OutputFile::prepare(output, Mode::Plain, bytes)?]])?.concat();
    if asked.json {
        let states: Vec<_> =
            written.states.iter().map(|state| json!({ "input": state.input, "output": state.output })).collect();
        print_json(&json!({ "output": json_name(output)?, "graph": composed.graph.name, "states": states }));
    } else {
        files.iter().for_each(|file| print_line(file.display()));
    }
    Ok(())
}

fn written(given: &VariableOptions, model: &Model, composed: &Composed) -> Result<Written, Failure> {
    let source = variables::Source::new(given, model, &composed.graph)?;
    let mut weight = |id: TensorId| {
        let declared = composed.graph.tensor(id);
        let Origin::Variable { file } = &declared.origin else { return Err("it is no variable".to_owned()) };
        let tensor = source.read(file, declared).map_err(|why| format!("variable `{}`: {why}", declared.name))?;
        let extents = || declared.ty.shape.iter().map(|extent| extent.as_known());
        let fits = extents().eq(tensor.shape.iter().map(|extent| i64::try_from(*extent).ok()));
        match fits && tensor.element_type() == declared.ty.dtype.element_type() {
            true => Ok(Constant::of_tensor(&tensor)),
            false => Err(skriptnd_interpret::variable_fault(declared, tensor.element_type(), &tensor.shape)
                .map_or_else(|| format!("variable `{}` has another shape", declared.name), |fault| fault.message)),
        }
    };
    write(&composed.definitions, &composed.graph, &composed.names, &mut weight)
        .map_err(|problems| composed.fail(&problems))
}

/// What the file does not say as the model does.
fn warn(composed: &Composed, written: &Written, is_quantized: bool) {
    let graph = &composed.graph;
    for state in &written.states {
        let text = format!(
            "variable `{0}` changes from run to run: what it becomes is output `{1}`, to be given as input `{0}` of the next run",
            state.input, state.output
        );
        print_message(format_args!("skriptnd: warning: {text}\n"));
    }
    if !graph.quantizations.is_empty() && !is_quantized {
        let text = "what `@quantize` says is not in the file; with --quantized, the file computes it";
        print_message(format_args!("skriptnd: warning: {text}\n"));
    }
    report::print(&left_out(composed), &composed.definitions.sources);
}

/// Places of asserts that are told, at most.
const TOLD: usize = 5;

/// The asserts that ONNX can't say, by the places of the first ones: those of the graph itself, or what is invoked.
fn left_out(composed: &Composed) -> Diagnostics {
    let graph = declaration(&composed.definitions, Some(&composed.graph.name)).map(|graph| graph.name.span);
    let mut places = Vec::new();
    for violation in composed.graph.runtime_asserts.iter().map(|assertion| &assertion.violation) {
        let own = violation.related.as_ref().filter(|_| Some(violation.span) == graph);
        let span = own.map_or(violation.span, |(span, _)| *span);
        if !places.contains(&span) {
            places.push(span);
        }
    }
    let more = places.len().saturating_sub(TOLD);
    let mut told = Diagnostics::default();
    for (at, span) in places.into_iter().take(TOLD).enumerate() {
        let text = "ONNX has no asserts: what must hold here of extents that only a run knows is not in the file";
        let warning = Diagnostic::warning(Code::NotCompiled, span, text);
        let is_last = at + 1 == TOLD && more > 0;
        told.push(if is_last {
            warning.with_note(format!("there are {more} more places like this one"))
        } else {
            warning
        });
    }
    told
}
