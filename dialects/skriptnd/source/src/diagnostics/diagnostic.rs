//! One message.

use super::code::Code;
use crate::span::Span;

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
    /// Where it is invoked.
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
    /// Where it stands.
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

    /// A message about what is legal and probably not meant.
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
