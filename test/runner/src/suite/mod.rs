//! All cases that backends are tried with: conformance cases, settings of operators, models; and those of the folder
//! `../shared`, where it is there.

mod models;
mod shared;

use crate::backend::Backend;
use crate::case::{Case, Expectation, File};
use crate::find;
use crate::model::Model;
use crate::operators::{self, Settings};
use crate::verdict::{Class, Problem};
use skriptnd_interpret::Engine;
use skriptnd_language::model::CheckedModel;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Cases that stand together: a file of them, or the settings of an operator.
#[derive(Debug, Clone)]
pub struct Subject {
    /// `conformance/dynamic/extents`, `operators/nn.conv`.
    pub name: String,
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A file of `test/conformance`.
    Conformance,
    /// A file of `test/operators`.
    Operator,
    /// An entry of the manifest of `../shared/conformance`.
    SharedCase,
    /// A folder with `case.json`.
    SharedModel,
    /// A folder of `test/models`.
    Model,
}

/// A case with what it is told by.
pub struct Entry {
    /// The name of its subject, and its own.
    pub name: String,
    file: usize,
    case: usize,
}

/// The cases of a subject, read.
pub struct Cases {
    /// Each of them.
    pub entries: Vec<Entry>,
    files: Vec<(File, CheckedModel)>,
    /// Whether what the interpreter computes is expected.
    is_interpreted: bool,
}

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All subjects that have cases.
pub fn subjects() -> Vec<Subject> {
    let below = |folder: &Path, prefix: &str, separator: &str, kind| -> Vec<Subject> {
        let name = |path: &Path| {
            let inner = path.strip_prefix(folder).unwrap_or(path).with_extension("");
            let parts: Vec<_> = inner.iter().map(|part| part.to_string_lossy()).collect();
            format!("{prefix}/{}", parts.join(separator))
        };
        find(folder).into_iter().map(|path| Subject { name: name(&path), path, kind }).collect()
    };
    let mut subjects = below(&root().join("test/conformance"), "conformance", "/", Kind::Conformance);
    subjects.extend(below(&operators::folder(), "operators", ".", Kind::Operator));
    subjects.extend(models::subjects(&root().join("test/models")));
    subjects.extend(shared::subjects(&root().join("../shared")));
    subjects
}

impl Subject {
    /// Whether it is a network rather than a few operators.
    pub fn is_large(&self) -> bool {
        let has_variables = || shared::variables(&self.path.join("model")).is_ok_and(|files| !files.is_empty());
        self.kind == Kind::Model || (self.kind == Kind::SharedModel && has_variables())
    }

    /// Reads its cases.
    ///
    /// # Errors
    /// Where a file can't be read or understood.
    pub fn load(&self) -> Result<Cases, String> {
        let files: Vec<(String, File)> = match self.kind {
            Kind::Conformance => vec![(String::new(), File::read(&self.path)?)],
            Kind::Operator => {
                let settings = Settings::load(&self.path)?.graphs.into_iter();
                settings.map(|setting| (setting.name, setting.file)).collect()
            }
            Kind::SharedCase => vec![(String::new(), shared::conformance_case(&self.path, &self.name)?)],
            Kind::Model => {
                let files = models::cases(&self.path)?.into_iter().enumerate();
                files.map(|(number, file)| ((number + 1).to_string(), file)).collect()
            }
            Kind::SharedModel => vec![(String::new(), shared::model_case(&self.path)?)],
        };
        let (mut entries, mut kept) = (Vec::new(), Vec::new());
        for (name, file) in files {
            let mut runs: HashMap<&str, usize> = HashMap::new();
            for (case, Case { graph, .. }) in file.cases.iter().enumerate() {
                let number = runs.entry(graph).or_default();
                *number += 1;
                let own = match (&*name, *number) {
                    ("", 1) => graph.clone(),
                    ("", number) => format!("{graph}#{number}"),
                    (name, _) => name.to_owned(),
                };
                entries.push(Entry { name: format!("{}::{own}", self.name), file: kept.len(), case });
            }
            let model = CheckedModel::load(&file.model);
            kept.push((file, model));
        }
        Ok(Cases { entries, files: kept, is_interpreted: self.kind == Kind::Model })
    }
}

/// Runs a text of a case that expects nothing: what is wrong with the outcome where the oracle's is expected, if anything.
///
/// # Errors
/// Where the text is no case, or its graph can't be composed.
pub fn compare_with_oracle(text: &str, backend: &dyn Backend) -> Result<Option<Problem>, String> {
    let mut file = File::of_model(Model::of_text("main.sknd", text.to_owned()))?;
    let model = CheckedModel::load(&file.model);
    if file.cases.is_empty() {
        return Err("the text runs nothing".into());
    }
    for case in &mut file.cases {
        case.expect_from(Engine::Naive, &model)?;
        if let Some(problem) = case.run_on(&model, backend) {
            return Ok(Some(problem));
        }
    }
    Ok(None)
}

impl Cases {
    /// Runs a case on a backend; what is wrong with the outcome where every bit of the oracle's is expected, if anything.
    pub fn compare_bits(&self, entry: &Entry, backend: &dyn Backend) -> Option<Problem> {
        let (file, model) = &self.files[entry.file];
        let mut case = file.cases[entry.case].clone();
        if matches!(case.expectation, Expectation::Failure(_)) {
            return self.run(entry, backend);
        }
        match case.expect_from(Engine::Naive, model) {
            Ok(()) => {
                case.expect_bits();
                case.run_on(model, backend)
            }
            Err(reason) => Some(Problem::new(Class::Fails, reason)),
        }
    }

    /// Runs a case on a backend; what is wrong with the outcome, if anything.
    pub fn run(&self, entry: &Entry, backend: &dyn Backend) -> Option<Problem> {
        let (file, model) = &self.files[entry.file];
        let case = &file.cases[entry.case];
        if !self.is_interpreted {
            return case.run_on(model, backend);
        }
        let mut case = case.clone();
        match case.expect_from(Engine::Rows, model) {
            Ok(()) => case.run_on(model, backend),
            Err(reason) => Some(Problem::new(Class::Fails, reason)),
        }
    }
}
