//! The names that an operator definition introduces.

use super::types::Type;
use skriptnd_source::Span;
use skriptnd_source::diagnostics::nearest;
use skriptnd_syntax::ast::Name;
use std::collections::HashMap;
use std::sync::Arc;

/// What introduces a name within a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SymbolKind {
    Dtype,
    Attribute,
    Extent,
    Using,
    Input,
    Output,
    Constant,
    Variable,
    Intermediate,
    /// An index symbol of a formula, or the index of a loop.
    Index,
    /// An intermediate value of a formula.
    Local,
    /// The scope name of an invocation or block.
    Label,
}

impl SymbolKind {
    /// In words, without an article.
    pub fn words(self) -> &'static str {
        match self {
            SymbolKind::Dtype => "generic type",
            SymbolKind::Attribute => "attribute",
            SymbolKind::Extent => "extent",
            SymbolKind::Using => "helper symbol",
            SymbolKind::Input => "input",
            SymbolKind::Output => "output",
            SymbolKind::Constant => "constant",
            SymbolKind::Variable => "variable",
            SymbolKind::Intermediate => "intermediate tensor",
            SymbolKind::Index => "index symbol",
            SymbolKind::Local => "intermediate value",
            SymbolKind::Label => "label",
        }
    }

    /// In words, with the article.
    pub fn phrase(self) -> String {
        let words = self.words();
        format!("{} {words}", if words.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" })
    }

    /// Whether it names tensors.
    pub fn is_tensor(self) -> bool {
        use SymbolKind::{Constant, Input, Intermediate, Output, Variable};
        matches!(self, Input | Output | Constant | Variable | Intermediate)
    }
}

/// A name that is known.
#[derive(Debug, Clone)]
pub(super) struct Symbol {
    pub(super) kind: SymbolKind,
    pub(super) ty: Type,
    /// Where its name stands, and its number among those of the definition, when it is declared.
    pub(super) span: Span,
    pub(super) number: usize,
    /// All of what introduces it.
    pub(super) declaration: Span,
    /// Number of dimensions of a tensor none of whose extents is a pack.
    pub(super) rank: Option<usize>,
    /// Whether anything reads it.
    pub(super) used: bool,
    /// Outputs have a value only after their assignment.
    pub(super) assigned: bool,
    /// Where an output is assigned.
    pub(super) assignment: Option<Span>,
}

impl Symbol {
    pub(super) fn new(kind: SymbolKind, ty: Type, declaration: Span) -> Self {
        Symbol {
            kind,
            ty,
            span: declaration,
            number: 0,
            declaration,
            rank: None,
            used: false,
            assigned: kind != SymbolKind::Output,
            assignment: None,
        }
    }
}

/// One scope: where it reaches, and its names.
type Level = (Span, HashMap<Arc<str>, Symbol>);

/// Names by scope, innermost last.
#[derive(Debug)]
pub(super) struct Scopes {
    definition: Span,
    levels: Vec<Level>,
}

impl Scopes {
    pub(super) fn new(span: Span) -> Self {
        Scopes { definition: span, levels: vec![(span, HashMap::new())] }
    }

    pub(super) fn enter(&mut self, span: Span) {
        self.levels.push((span, HashMap::new()));
    }

    /// Where the innermost scope reaches.
    pub(super) fn span(&self) -> Span {
        self.levels.last().map_or(self.definition, |(span, _)| *span)
    }

    pub(super) fn leave(&mut self) -> HashMap<Arc<str>, Symbol> {
        self.levels.pop().map(|(_, names)| names).unwrap_or_default()
    }

    /// Adds a name to the innermost scope.
    pub(super) fn declare(&mut self, name: &Name, symbol: Symbol) {
        if let Some((_, names)) = self.levels.last_mut() {
            names.insert(name.text.clone(), symbol);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Symbol> {
        self.levels.iter().rev().find_map(|(_, names)| names.get(name))
    }

    /// The name if the innermost scope has it.
    pub(super) fn innermost(&mut self, name: &str) -> Option<&mut Symbol> {
        self.levels.last_mut()?.1.get_mut(name)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Symbol> {
        self.levels.iter_mut().rev().find_map(|(_, names)| names.get_mut(name))
    }

    /// A known name that was probably meant.
    pub(super) fn nearest(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = self.levels.iter().flat_map(|(_, names)| names.keys().map(|name| &**name)).collect();
        names.sort_unstable();
        nearest(name, names).map(str::to_owned)
    }
}
