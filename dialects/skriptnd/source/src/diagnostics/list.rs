//! The messages of a run.

use super::code::Code;
use super::diagnostic::{Diagnostic, Severity};
use crate::span::Span;
use std::collections::HashSet;

/// Everything that was found in one run.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// What was said of which place.
    known: HashSet<(Span, Code, String)>,
}

impl Diagnostics {
    /// Adds a message; one that says the same of the same place is dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.known.insert((diagnostic.span, diagnostic.code, diagnostic.message.clone())) {
            self.list.push(diagnostic);
        }
    }

    /// Takes over all of another list.
    pub fn extend(&mut self, other: Diagnostics) {
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// The errors among them.
    pub fn errors(&self) -> Diagnostics {
        let mut errors = Diagnostics::default();
        self.list.iter().filter(|d| d.severity == Severity::Error).for_each(|d| errors.push(d.clone()));
        errors
    }

    /// In the order found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
