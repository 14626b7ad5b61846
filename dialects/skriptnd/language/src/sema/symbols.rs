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
    pub(super) span: Span,
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
    pub(super) fn new(kind: SymbolKind, ty: Type, span: Span) -> Self {
        Symbol { kind, ty, span, rank: None, used: false, assigned: kind != SymbolKind::Output, assignment: None }
    }
}

/// Names by scope, innermost last.
#[derive(Debug)]
pub(super) struct Scopes {
    levels: Vec<HashMap<Arc<str>, Symbol>>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Scopes { levels: vec![HashMap::new()] }
    }

    pub(super) fn enter(&mut self) {
        self.levels.push(HashMap::new());
    }

    pub(super) fn leave(&mut self) -> HashMap<Arc<str>, Symbol> {
        self.levels.pop().unwrap_or_default()
    }

    /// Adds a name to the innermost scope; the one that is there already, if any, stays.
    pub(super) fn declare(&mut self, name: &Name, symbol: Symbol) -> Result<(), Symbol> {
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        match level.get(&name.text) {
            Some(known) => Err(known.clone()),
            None => {
                level.insert(name.text.clone(), symbol);
                Ok(())
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Symbol> {
        self.levels.iter().rev().find_map(|level| level.get(name))
    }

    /// The name if the innermost scope has it.
    pub(super) fn innermost(&mut self, name: &str) -> Option<&mut Symbol> {
        self.levels.last_mut()?.get_mut(name)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Symbol> {
        self.levels.iter_mut().rev().find_map(|level| level.get_mut(name))
    }

    /// A known name that was probably meant.
    pub(super) fn nearest(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = self.levels.iter().flat_map(|level| level.keys().map(|name| &**name)).collect();
        names.sort_unstable();
        nearest(name, names).map(str::to_owned)
    }
}
