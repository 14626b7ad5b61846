//! What the user is told about a text. Each kind of message has one constructor, in the `diagnostics` module of the room
//! that finds it.

mod code;
mod nearest;
mod render;

use crate::Span;
pub use code::Code;
pub use nearest::nearest;
pub use render::{clipped, place, render};
use std::collections::HashSet;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The model is wrong.
    Error,
    /// The model is legal and probably not what was meant.
    Warning,
}

/// One invocation on the way from the graph to the place of a message.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The operator that was invoked.
    pub operator: String,
    /// The invocation.
    pub span: Span,
}

/// One message.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What kind of message it is.
    pub code: Code,
    /// One sentence: expected and found, with values.
    pub message: String,
    /// The place.
    pub span: Span,
    /// What the place is, under the excerpt's underline; may be empty.
    pub label: String,
    /// Other places that matter.
    pub related: Vec<(Span, String)>,
    /// Further facts, e.g. `stride = [0, 1]`.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// Innermost invocation first.
    pub chain: Vec<Frame>,
}

impl Diagnostic {
    /// An error; further parts are added by the `with_` methods.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            chain: Vec::new(),
        }
    }

    /// A warning.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the text under the underline.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds another place.
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push((span, label.into()));
        self
    }

    /// Adds a fact.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

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
