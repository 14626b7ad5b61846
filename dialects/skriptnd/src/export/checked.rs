//! What a written text says when it is read again: whether it is a model, and what it requires of extents by itself.

use super::{Exported, Variable};
use crate::generated::operations::{AssertOp, GraphOp, VariableOp};
use crate::import_model;
use skriptnd_language::compose::ComposeOptions;
use skriptnd_language::compose::extent::{SymExpr, SymOp};
use skriptnd_language::model::CheckedModel;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Context, OperationRef, attributes, operations_named};
use skriptnd_source::FileProvider;
use skriptnd_source::diagnostics::Severity;

/// A requirement of extents that only a run knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Requirement {
    pub condition: String,
    pub message: String,
    pub values: Vec<String>,
}

/// What a text says when it is read.
pub(super) struct Read {
    /// What it requires of extents by itself.
    pub requirements: Vec<Requirement>,
    /// Names of tensors that have those of blocks before them.
    pub names: Vec<String>,
    /// Names of the files of variables.
    pub files: Vec<String>,
}

/// What an output is declared as at one dimension.
pub(super) enum Declared {
    Extent(SymExpr),
    Bound(i64),
}

impl Requirement {
    /// Whether both say the same of extents, as far as it matters: values of what has none are written otherwise.
    pub fn is_like(&self, other: &Requirement) -> bool {
        let begin = |message: &str| message.split('\n').next().unwrap_or_default().to_owned();
        let condition = |text: &str| text.parse().map_or_else(|()| text.to_owned(), |expr| plain(&expr).to_string());
        self == other
            || begin(&self.message) == begin(&other.message)
                && condition(&self.condition) == condition(&other.condition)
    }

    /// What an output is declared as at a dimension where it has this extent, if that is what is required.
    pub fn of_output(&self, name: &str, at: usize, own: &SymExpr) -> Option<Declared> {
        // Outputs that share an extent among them are no expressions of it.
        let rest = self.message.strip_prefix(&format!("dimension {at} of `{name}` is "))?;
        if rest.contains("declared as `") {
            return None;
        }
        match self.condition.parse().ok()? {
            SymExpr::Apply(SymOp::Eq, sides) => match sides.as_slice() {
                [left, right] if left == own => Some(Declared::Extent(right.clone())),
                [left, right] if right == own => Some(Declared::Extent(left.clone())),
                _ => None,
            },
            SymExpr::Apply(SymOp::Le, sides) => match sides.as_slice() {
                [left, SymExpr::Const(bound)] if left == own => Some(Declared::Bound(*bound)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The expression where a division by the condition of a choice stands for what has no value.
fn plain(expr: &SymExpr) -> SymExpr {
    let inside = |parts: &[SymExpr]| parts.iter().map(plain).collect();
    match expr {
        SymExpr::Sum(terms) => SymExpr::Sum(inside(terms)),
        SymExpr::Product(factors) => SymExpr::Product(inside(factors)),
        SymExpr::Apply(SymOp::Select, parts) => match parts.as_slice() {
            [decided, then, SymExpr::Apply(SymOp::FloorDiv, divided)]
                if divided.first() == Some(&SymExpr::Const(1)) && divided.get(1) == Some(decided) =>
            {
                let nothing = SymExpr::Apply(SymOp::FloorDiv, vec![SymExpr::Const(1), SymExpr::Const(0)]);
                SymExpr::Apply(SymOp::Select, vec![plain(decided), plain(then), nothing])
            }
            parts => SymExpr::Apply(SymOp::Select, inside(parts)),
        },
        SymExpr::Apply(op, parts) => SymExpr::Apply(*op, inside(parts)),
        other => other.clone(),
    }
}

impl FileProvider for Exported {
    fn module(&self, path: &[&str]) -> Option<Result<(String, String), String>> {
        let path = path.join(".");
        if path == "main" {
            return Some(Ok(("main.sknd".into(), self.main.clone())));
        }
        let (_, text) = self.modules.iter().find(|(known, _)| *known == path)?;
        Some(Ok((format!("{}.sknd", path.replace('.', "/")), text.clone())))
    }
}

impl Exported {
    /// What the text says.
    pub(super) fn read(&self, context: &Context) -> Result<Read, Failure> {
        let model = CheckedModel::load(self);
        let options = ComposeOptions { graph: Some(self.graph.clone()), ..ComposeOptions::default() };
        let (graph, found) = model.compose(&options);
        let Some(graph) = graph else {
            let mut errors = model.diagnostics.iter().chain(found.iter());
            let first = errors.find(|diagnostic| diagnostic.severity == Severity::Error);
            let first = first.map_or("it has no such graph", |diagnostic| diagnostic.message.as_str());
            return Err(format!("has no form in the language that means the same: {first}").into());
        };
        let module = import_model(context, &model.definitions, &graph)?;
        let variables =
            operations_named(module.as_operation(), VariableOp::NAME).into_iter().filter_map(VariableOp::new);
        let names = graph.tensors.iter().map(|tensor| tensor.name.clone());
        Ok(Read {
            requirements: requirements(module.as_operation())?,
            names: names.filter(|name| name.contains('.')).collect(),
            files: variables.map(|variable| variable.label().map(str::to_owned)).collect::<Result<_, _>>()?,
        })
    }

    /// Takes the names of variables that operators have from the text as it was read: labels within blocks have those of the
    /// blocks before them.
    pub(super) fn find_variables(&mut self, read: &Read) {
        let graph = format!("main.{}.", self.graph);
        for label in &read.files {
            let scoped = label.strip_prefix(&graph).unwrap_or(label);
            let is_it = |own: &&mut Variable| {
                own.name.contains('.') && scoped.strip_suffix(&own.name).is_some_and(|scope| scope.ends_with('.'))
            };
            if let Some(own) = self.variables.iter_mut().find(is_it) {
                scoped.clone_into(&mut own.name);
            }
        }
    }
}

/// What is required of extents in a module, each once; what a graph asserts itself without its name, which is said with it.
pub(super) fn requirements<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<Vec<Requirement>, Failure> {
    let graph = operations_named(module, GraphOp::NAME).into_iter().next().and_then(GraphOp::new);
    let name = graph.and_then(|graph| graph.sym_name().ok()).unwrap_or_default();
    let (own, mut found) = (format!("invalid use of `main.{name}`: "), Vec::new());
    for required in operations_named(module, AssertOp::NAME).into_iter().filter_map(AssertOp::new) {
        let values = required.values()?.into_iter().filter_map(attributes::as_string).map(str::to_owned).collect();
        let message = required.message()?;
        let message = message.strip_prefix(&own).unwrap_or(message).to_owned();
        let requirement = Requirement { condition: required.condition()?.into(), message, values };
        if !found.contains(&requirement) {
            found.push(requirement);
        }
    }
    Ok(found)
}
