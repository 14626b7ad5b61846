//! The interpreter as what computes the `reference` of operations that are declared in TableGen.

use skriptnd_interpret::{Limits, run_operator};
use skriptnd_language::compose::graph::OperatorCall;
use skriptnd_language::compose::value::Value;
use skriptnd_language::model::CheckedModel;
use skriptnd_ods::{Evaluator, Formula};
use skriptnd_runtime::Tensor;
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::{Diagnostics, Severity, render};

/// A graph that computes nothing of interest: a model has one.
const MAIN: &str = "import math; import reference; \
                    graph none { @input { x: real[1]; } @output { y: real[1]; } @compose { y = math.iden(x); } }";

/// The module `reference` of a model that has no other.
struct Reference<'t>(&'t str);

impl FileProvider for Reference<'_> {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let text = match path {
            ["main"] => MAIN,
            ["reference"] => self.0,
            _ => return None,
        };
        Some(Ok((path.concat(), text.into())))
    }
}

/// The errors of a reference, with the bytes where they stand.
pub fn errors(text: &str) -> Vec<(usize, String)> {
    let model = CheckedModel::load(&Reference(text));
    let main = model.definitions.main_file();
    let errors = model.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    let own = errors.filter(|error| Some(error.span.file) != main);
    own.map(|error| (error.span.start as usize, error.message.clone())).collect()
}

/// The interpreter, with what a run may take. It gives the results, or what is wrong in words.
#[derive(Debug, Default)]
pub struct Interpreter {
    /// Bounds of time and memory.
    pub limits: Limits,
}

impl Evaluator for Interpreter {
    type Value = Tensor;
    type Attribute = Value;
    type Fault = String;

    fn evaluate(
        &self,
        formula: Formula<'_>,
        operands: Vec<Tensor>,
        attributes: Vec<(String, Value)>,
    ) -> Result<Vec<Tensor>, String> {
        let model = CheckedModel::load(&Reference(formula.text));
        let sources = &model.definitions.sources;
        let shown = |found: &Diagnostics| found.iter().map(|one| render(one, sources)).collect::<String>();
        if model.diagnostics.has_errors() {
            return Err(shown(&model.diagnostics));
        }
        let call = OperatorCall {
            operator: format!("reference.{}", formula.operator).into(),
            dtypes: Default::default(),
            attributes: attributes.into_iter().collect(),
        };
        run_operator(&model.definitions, &call, operands, &self.limits).map_err(|found| shown(&found))
    }
}
