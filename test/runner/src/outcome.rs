//! Checks and runs the cases of a file, and compares what comes of them.

use crate::backend::{Backend, Failure, Finished, Interpreter, Run};
use crate::case::{Case, Expectation, ExpectedError, File};
use crate::directive::Quantization;
use crate::marker::Marker;
use crate::tolerance::Tolerance;
use crate::verdict::{Class, Problem};
use skriptnd_ide::lint;
use skriptnd_interpret::Engine;
use skriptnd_language::compose::graph::Argument;
use skriptnd_language::compose::{ComposeOptions, Definitions, Integers};
use skriptnd_language::library::Library;
use skriptnd_language::model::CheckedModel;
use skriptnd_runtime::{Tensor, TensorData};
use skriptnd_source::diagnostics::{Diagnostic, Diagnostics, Severity, render};
use std::sync::Arc;

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
            found.extend(lint(&model));
        }
        (model.definitions, found)
    }

    fn run_cases(&self, model: &CheckedModel, found: &mut Diagnostics) -> Vec<String> {
        let problems = self.cases.iter().filter_map(|case| {
            let outcome = case.execute(model, &Interpreter::default(), found);
            let problem = case.judge(&model.definitions, outcome)?;
            Some(format!("line {}: run {}: {}", case.line, case.graph, problem.text))
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

impl Case {
    /// Composes and runs the case on a backend; none if it is as it should be.
    pub fn run_on(&self, model: &CheckedModel, backend: &dyn Backend) -> Option<Problem> {
        let outcome = self.execute(model, backend, &mut Diagnostics::default());
        self.judge(&model.definitions, outcome)
    }

    /// Expects what the interpreter computes.
    ///
    /// # Errors
    /// Where the graph can't be composed.
    pub(crate) fn expect_from(&mut self, engine: Engine, model: &CheckedModel) -> Result<(), String> {
        let (graph, found) = model.compose(&self.compose_options());
        if graph.is_none() {
            return Err(all(&model.diagnostics, &model.definitions) + &all(&found, &model.definitions));
        }
        let tolerance = match &self.expectation {
            Expectation::Values { tolerance, .. } => *tolerance,
            Expectation::Failure(_) => Tolerance::OfLargest(0.0),
        };
        self.expectation = match self.execute(model, &Interpreter(engine), &mut Diagnostics::default()) {
            Ok(Finished { outputs, variables }) => {
                let own = |value: Argument<Arc<Tensor>>| value.map(|tensor| (**tensor).clone());
                Expectation::Values {
                    outputs: outputs.into_iter().map(|(name, value)| (name, own(value))).collect(),
                    state: variables.into_iter().map(|(name, value)| (name, (*value).clone())).collect(),
                    tolerance,
                }
            }
            Err(failure) => failure.expected(&model.definitions),
        };
        Ok(())
    }

    /// Expects the bits of the values that are given. Of variables, backends tell those that runs change, by names of their own.
    pub(crate) fn expect_bits(&mut self) {
        if let Expectation::Values { tolerance, state, .. } = &mut self.expectation {
            *tolerance = Tolerance::LastPlaces(0);
            state.clear();
        }
    }

    /// Composes and runs. Warnings of the composition go to `found`.
    fn execute(
        &self,
        model: &CheckedModel,
        backend: &dyn Backend,
        found: &mut Diagnostics,
    ) -> Result<Finished, Failure> {
        let executing = match self.quantization {
            Quantization::Noted => None,
            Quantization::Executed => Some(model.executing_quantization()),
            Quantization::Integers => Some(model.executing_quantization().computing_integers(Integers::Everywhere)),
        };
        let model = executing.as_ref().unwrap_or(model);
        let options = self.compose_options();
        let (graph, composed) = model.compose(&options);
        let Some(mut graph) = graph else { return Err(Failure::Diagnostics(composed)) };
        found.extend(composed);
        graph.store(&self.storage).map_err(|wrong| Failure::Stopped(wrong.to_string()))?;
        let unknown = |name: &str| !graph.inputs.iter().any(|port| port.name == *name);
        assert!(!self.inputs.iter().any(|(name, _)| unknown(name)), "the graph lacks an input that the case gives");
        let given = |name: &str| self.inputs.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let inputs = graph.inputs.iter().map(|port| given(&port.name)).collect();
        backend.run(Run { case: self, model, graph, inputs })
    }

    /// How its graph is composed.
    pub(crate) fn compose_options(&self) -> ComposeOptions {
        ComposeOptions {
            graph: Some(self.graph.clone()),
            attributes: self.attributes.clone(),
            bindings: self.bindings.clone(),
            storage: self.storage.clone(),
            ..ComposeOptions::default()
        }
    }

    /// What is wrong with the outcome, if anything.
    fn judge(&self, library: &Library, outcome: Result<Finished, Failure>) -> Option<Problem> {
        match (&self.expectation, outcome) {
            (_, Err(Failure::Refused(reason))) => Some(Problem::new(Class::Refused, reason)),
            (Expectation::Values { outputs, state, tolerance }, Ok(finished)) => {
                self.compare(outputs, state, *tolerance, &finished).map(|text| Problem::new(Class::Wrong, text))
            }
            (Expectation::Values { .. }, Err(failure)) => {
                Some(Problem::new(Class::Fails, format!("it failed:\n{}", failure.text(library))))
            }
            (Expectation::Failure(errors), Ok(_)) => {
                Some(Problem::new(Class::Silent, format!("it ran; expected the error {}", listed(errors))))
            }
            (Expectation::Failure(errors), Err(failure)) => {
                let shown = || format!("expected {}, found:\n{}", listed(errors), failure.text(library));
                (!failure.has_just(library, errors)).then(|| Problem::new(Class::Message, shown()))
            }
        }
    }

    fn compare(
        &self,
        outputs: &[(String, Argument<Tensor>)],
        state: &[(String, Tensor)],
        tolerance: Tolerance,
        finished: &Finished,
    ) -> Option<String> {
        if finished.outputs.len() != outputs.len() {
            return Some(format!("it has {} outputs, the case gives {}", finished.outputs.len(), outputs.len()));
        }
        let problems = outputs.iter().filter_map(|(name, expected)| {
            let (_, found) = finished.outputs.iter().find(|(known, _)| known == name)?;
            compare(name, expected, &found.map(|tensor| (**tensor).clone()), tolerance)
        });
        let state = state.iter().filter_map(|(name, expected)| {
            let after = finished.variables.iter().find(|(known, _)| known == name);
            let Some((_, after)) = after else { return Some(format!("there is no variable {name}")) };
            difference(expected, after, tolerance).map(|problem| format!("{name}: {problem}"))
        });
        problems.chain(state).next()
    }
}

impl Failure {
    /// As what is expected.
    fn expected(&self, library: &Library) -> Expectation {
        let Failure::Diagnostics(diagnostics) = self else {
            return Expectation::Failure(vec![ExpectedError { place: None, text: self.text(library) }]);
        };
        let in_main = |diagnostic: &&Diagnostic| Some(diagnostic.span.file) == library.main_file();
        let expected = |diagnostic: &Diagnostic| {
            let place = Some(diagnostic).filter(in_main).map(|diagnostic| library.sources.position(diagnostic.span));
            ExpectedError { place, text: diagnostic.message.clone() }
        };
        Expectation::Failure(errors(diagnostics).map(expected).collect())
    }

    /// What it says.
    fn text(&self, library: &Library) -> String {
        match self {
            Failure::Diagnostics(diagnostics) => all(diagnostics, library),
            Failure::Refused(reason) | Failure::Stopped(reason) => reason.clone(),
        }
    }

    /// Whether it is these errors, in this order.
    fn has_just(&self, library: &Library, expected: &[ExpectedError]) -> bool {
        let Failure::Diagnostics(diagnostics) = self else { return false };
        let is_there = |d: &Diagnostic, place: (usize, usize)| {
            Some(d.span.file) == library.main_file() && library.sources.position(d.span) == place
        };
        let fits = |(d, expected): (&Diagnostic, &ExpectedError)| {
            expected.place.is_none_or(|place| is_there(d, place)) && d.message.contains(&expected.text)
        };
        errors(diagnostics).count() == expected.len() && errors(diagnostics).zip(expected).all(fits)
    }
}

fn errors(diagnostics: &Diagnostics) -> impl Iterator<Item = &Diagnostic> {
    diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
}

fn listed(errors: &[ExpectedError]) -> String {
    errors.iter().map(ExpectedError::to_string).collect::<Vec<_>>().join(", then ")
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

fn compare(name: &str, expected: &Argument<Tensor>, found: &Argument<Tensor>, tolerance: Tolerance) -> Option<String> {
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

/// How a tensor departs from the expected one by more than it may, if it does.
pub fn difference(expected: &Tensor, found: &Tensor, tolerance: Tolerance) -> Option<String> {
    let shown = || Some(format!("expected {expected:?}\nfound {found:?}"));
    if expected.shape != found.shape {
        return shown();
    }
    match (&expected.data, &found.data) {
        (TensorData::F32(expected), TensorData::F32(found)) if tolerance.allows(expected, found) => None,
        (expected, found) if expected == found => None,
        _ => shown(),
    }
}

#[cfg(test)]
mod tests {
    use crate::backend::Interpreter;
    use crate::suite::compare_with_oracle;
    use skriptnd_interpret::Engine;

    #[test]
    fn all_errors_of_a_run_are_compared() {
        let graph = "import math;
            graph G {
                @input { a: real[n|4, m|4]; b: real[k|4, m|4]; }
                @output { y: real[~, ~]; z: real[~, ~]; }
                @compose { y = math.max(a, b); z = math.min(b, a); }
            }
            #: run G
            #: input a = real[3, 1] [[1], [2], [3]]
            #: input b = real[2, 1] [[1], [2]]";
        let problem = compare_with_oracle(graph, &Interpreter(Engine::Rows)).unwrap();
        assert!(problem.is_none(), "{problem:?}");
    }
}
