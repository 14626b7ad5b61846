//! The outline of a file: its definitions and what they declare.

use crate::snapshot::Snapshot;
use skriptnd_source::{FileId, Span};
use skriptnd_syntax::ast::{Operator, OperatorKind, Param};

/// What an entry of the outline is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum OutlineKind {
    Operator,
    Graph,
    Attribute,
    Tensor,
    Symbol,
}

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineItem {
    /// The name that is declared.
    pub name: String,
    /// The type of a parameter, the first line of what is said about a definition.
    pub detail: String,
    /// What it is.
    pub kind: OutlineKind,
    /// All of it.
    pub span: Span,
    /// Where the name stands.
    pub name_span: Span,
    /// What it declares.
    pub children: Vec<OutlineItem>,
}

impl Snapshot {
    /// The outline of a file.
    pub fn outline(&self, file: FileId) -> Vec<OutlineItem> {
        let Some((_, module)) = self.module(file) else { return Vec::new() };
        module.operators.iter().map(|operator| self.entry(operator)).collect()
    }

    fn entry(&self, operator: &Operator) -> OutlineItem {
        let mut children = Vec::new();
        let lists = [
            ("attribute", &operator.attributes, OutlineKind::Attribute),
            ("input", &operator.inputs, OutlineKind::Tensor),
            ("output", &operator.outputs, OutlineKind::Tensor),
            ("constant", &operator.constants, OutlineKind::Tensor),
            ("variable", &operator.variables, OutlineKind::Tensor),
        ];
        for (what, params, kind) in lists {
            children.extend(params.iter().map(|param| self.declared_entry(what, param, kind)));
        }
        children.sort_by_key(|child| child.span.start);
        OutlineItem {
            name: operator.name.text.to_string(),
            detail: operator.documentation.lines().next().unwrap_or_default().to_owned(),
            kind: match operator.kind {
                OperatorKind::Operator => OutlineKind::Operator,
                OperatorKind::Graph => OutlineKind::Graph,
            },
            span: operator.span,
            name_span: operator.name.span,
            children,
        }
    }

    fn declared_entry(&self, what: &str, param: &Param, kind: OutlineKind) -> OutlineItem {
        OutlineItem {
            name: param.name.text.to_string(),
            detail: format!("{what} {}", self.parameter_detail(param)),
            kind,
            span: param.span,
            name_span: param.name.span,
            children: Vec::new(),
        }
    }
}
