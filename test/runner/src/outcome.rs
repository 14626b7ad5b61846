//! Checks and runs the cases of a file, and compares what comes of them.

use crate::case::{Case, Expectation, File};
use crate::marker::Marker;
use skriptnd_ide::lint;
use skriptnd_interpret::{Limits, Outcome, Variables};
use skriptnd_language::compose::graph::{self, Argument, Graph};
use skriptnd_language::compose::{ComposeOptions, Definitions};
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity, render};
use std::time::Duration;

/// A case that takes longer hangs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

impl File {
    /// Checks the file's diagnostics and runs its cases; what is not as it should be, one entry each.
    pub fn run(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let (definitions, found) = self.diagnose(&mut problems);
        problems.extend(self.compare_markers(&definitions, &found));
        problems
    }

    /// The file's diagnostics.
    pub fn diagnostics(&self) -> Diagnostics {
        self.diagnose(&mut Vec::new()).1
    }

    fn diagnose(&self, problems: &mut Vec<String>) -> (Definitions, Diagnostics) {
        let model = CheckedModel::load(&self.model);
        let mut found = model.diagnostics.clone();
        match (model.diagnostics.has_errors(), self.cases.is_empty()) {
            (true, true) => found.extend(model.compose(&ComposeOptions::default()).1),
            (true, false) => problems.push("a file with cases to run must be valid".to_string()),
            (false, true) => compose_all(&model, &mut found),
            (false, false) => problems.extend(self.run_cases(&model, &mut found)),
        }
        if !found.has_errors() {
            found.extend(lint(&model.definitions));
        }
        (model.definitions, found)
    }

    fn run_cases(&self, model: &CheckedModel, found: &mut Diagnostics) -> Vec<String> {
        let problems = self.cases.iter().filter_map(|case| {
            let outcome = case.execute(model, found);
            let problem = case.judge(&model.definitions, outcome)?;
            Some(format!("line {}: run {}: {problem}", case.line, case.graph))
        });
        problems.collect()
    }

    /// Every diagnostic needs a marker and every marker a diagnostic.
    fn compare_markers(&self, library: &Library, found: &Diagnostics) -> Vec<String> {
        let mut problems = Vec::new();
        let mut left: Vec<&Marker> = self.markers.iter().collect();
        for diagnostic in found.iter() {
            let (line, column) = library.sources.position(diagnostic.span);
            let file = library.sources.file(diagnostic.span.file).map_or("", |file| file.name.as_str());
            let fits = |marker: &&Marker| {
                marker.file == file
                    && marker.line == line
                    && marker.column.is_none_or(|expected| expected == column)
                    && marker.severity == diagnostic.severity
                    && diagnostic.message.contains(&marker.text)
            };
            match left.iter().position(fits) {
                Some(at) => drop(left.remove(at)),
                None => problems.push(format!("unexpected:\n{}", render(diagnostic, &library.sources))),
            }
        }
        let missing = left.iter().map(|marker| format!("{}:{}: missing: {}", marker.file, marker.line, marker.text));
        problems.extend(missing);
        problems
    }
}

/// Variables by scoped name.
struct Given<'a>(&'a Case);

impl Variables for Given<'_> {
    fn read(&self, file: &str, declared: &graph::Tensor) -> Result<Tensor, String> {
        let known = |name: &str| {
            name == declared.name
                || name == file
                || file == format!("main.{}.{name}", self.0.graph)
                || file == format!("main.{name}")
        };
        let found = self.0.variables.iter().find(|(name, _)| known(name));
        found.map(|(_, tensor)| tensor.clone()).ok_or_else(|| format!("the case gives no variable {}", declared.name))
    }
}

impl Case {
    /// Composes and runs. Warnings of the composition, and errors where values are expected, go to `found`.
    fn execute(&self, model: &CheckedModel, found: &mut Diagnostics) -> Result<(Graph, Outcome), Diagnostics> {
        let options = ComposeOptions {
            graph: Some(self.graph.clone()),
            attributes: self.attributes.clone(),
            bindings: self.bindings.clone(),
        };
        let (graph, composed) = model.compose(&options);
        let Some(graph) = graph else { return Err(composed) };
        found.extend(composed);
        let unknown = |name: &str| !graph.inputs.iter().any(|port| port.name == *name);
        assert!(!self.inputs.iter().any(|(name, _)| unknown(name)), "the graph lacks an input that the case gives");
        let given = |name: &str| self.inputs.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let inputs = graph.inputs.iter().map(|port| given(&port.name)).collect();
        let outcome = skriptnd_interpret::run(
            &model.definitions,
            &graph,
            inputs,
            &Given(self),
            &Limits { time: Some(TIME_LIMIT), memory: None },
        )?;
        Ok((graph, outcome))
    }

    /// What is wrong with the outcome, if anything.
    fn judge(&self, library: &Library, outcome: Result<(Graph, Outcome), Diagnostics>) -> Option<String> {
        match (&self.expectation, outcome) {
            (Expectation::Values { outputs, state, tolerance }, Ok((graph, outcome))) => {
                let found = outcome.outputs.iter().map(|(name, value)| (name.as_str(), value.map(|t| (**t).clone())));
                let found: Vec<_> = found.collect();
                if found.len() != outputs.len() {
                    return Some(format!("it has {} outputs, the case gives {}", found.len(), outputs.len()));
                }
                let problems = outputs.iter().filter_map(|(name, expected)| {
                    let found = found.iter().find(|(known, _)| known == name).map(|(_, value)| value);
                    compare(name, expected, found?, *tolerance)
                });
                let state = state.iter().filter_map(|(name, expected)| {
                    let after = outcome.variables.iter().find(|(id, _)| graph.tensor(*id).name == *name);
                    let Some((_, after)) = after else { return Some(format!("there is no variable {name}")) };
                    difference(expected, after, *tolerance).map(|problem| format!("{name}: {problem}"))
                });
                problems.chain(state).next()
            }
            (Expectation::Values { .. }, Err(diagnostics)) => {
                Some(format!("it failed:\n{}", all(&diagnostics, library)))
            }
            (Expectation::Failure { text, .. }, Ok(_)) => Some(format!("it ran; expected the error `{text}`")),
            (Expectation::Failure { place, text }, Err(diagnostics)) => {
                let is_there = |d: &Diagnostic, place: (usize, usize)| {
                    Some(d.span.file) == library.main_file() && library.sources.position(d.span) == place
                };
                let fits = |d: &Diagnostic| place.is_none_or(|place| is_there(d, place)) && d.message.contains(text);
                let errors: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
                let as_expected = errors.len() == 1 && fits(errors[0]);
                let at = place.map(|(line, column)| format!(" at {line}:{column}")).unwrap_or_default();
                let shown = || format!("expected `{text}`{at}, found:\n{}", all(&diagnostics, library));
                (!as_expected).then(shown)
            }
        }
    }
}

/// Composes every graph of the model.
fn compose_all(model: &CheckedModel, found: &mut Diagnostics) {
    for name in model.graphs() {
        let options = ComposeOptions { graph: Some(name.to_owned()), ..ComposeOptions::default() };
        found.extend(model.compose(&options).1);
    }
}

fn all(diagnostics: &Diagnostics, library: &Library) -> String {
    diagnostics.iter().map(|diagnostic| render(diagnostic, &library.sources)).collect()
}

fn compare(name: &str, expected: &Argument<Tensor>, found: &Argument<Tensor>, tolerance: f64) -> Option<String> {
    match (expected, found) {
        (Argument::Single(expected), Argument::Single(found)) => {
            difference(expected, found, tolerance).map(|problem| format!("{name}: {problem}"))
        }
        (Argument::Pack(expected), Argument::Pack(found)) if expected.len() == found.len() => {
            let items = expected.iter().zip(found).enumerate();
            let mut problems = items.filter_map(|(at, (expected, found))| {
                difference(expected, found, tolerance).map(|problem| format!("{name}.{at}: {problem}"))
            });
            problems.next()
        }
        _ => Some(format!("{name}: expected {expected:?}\nfound {found:?}")),
    }
}

/// How a tensor departs from the expected one by more than `tolerance` times the largest finite expected value, if it
/// does. NaN agrees with NaN.
pub fn difference(expected: &Tensor, found: &Tensor, tolerance: f64) -> Option<String> {
    let shown = || Some(format!("expected {expected:?}\nfound {found:?}"));
    if expected.shape != found.shape {
        return shown();
    }
    match (&expected.data, &found.data) {
        (TensorData::F32(expected), TensorData::F32(found)) => {
            let finite = expected.iter().filter(|value| value.is_finite());
            let scale = finite.fold(0f64, |most, value| most.max(f64::from(value.abs())));
            let agrees = |(a, b): (&f32, &f32)| {
                a == b || (a.is_nan() && b.is_nan()) || (f64::from(*a) - f64::from(*b)).abs() <= tolerance * scale
            };
            if expected.iter().zip(found).all(agrees) { None } else { shown() }
        }
        (expected, found) if expected == found => None,
        _ => shown(),
    }
}
