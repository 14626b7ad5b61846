//! What is wrong with extents, told when composing or, where only the run knows them, at run time.

use super::extent::SymExpr;
use super::value::{Symbolic, Value};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::{Code, Diagnostic, Frame};

/// A message in which extents may stand.
#[derive(Debug, Clone)]
pub struct Violation {
    /// What kind of error it is.
    pub code: Code,
    /// A string, into which extents may be formatted.
    pub message: Value,
    /// What to show besides: labels and values.
    pub values: Vec<(String, Value)>,
    /// The invocation or declaration that is wrong.
    pub span: Span,
    /// Where the rule comes from, and what stands there.
    pub related: Option<(Span, String)>,
    /// What to do about it.
    pub help: Option<&'static str>,
    /// The invocations around, innermost first.
    pub chain: Vec<Frame>,
}

impl Violation {
    pub(crate) fn new(code: Code, span: Span, message: Value) -> Self {
        Violation { code, message, values: Vec::new(), span, related: None, help: None, chain: Vec::new() }
    }

    /// Whether the extent of a result is negative.
    pub fn is_negative_extent(&self) -> bool {
        self.code == Code::NegativeExtent
    }

    pub(crate) fn with_related(self, span: Span, text: impl Into<String>) -> Self {
        Violation { related: Some((span, text.into())), ..self }
    }

    pub(crate) fn with_help(self, help: &'static str) -> Self {
        Violation { help: Some(help), ..self }
    }

    pub(crate) fn with_value(mut self, label: impl Into<String>, value: Value) -> Self {
        self.values.push((label.into(), value));
        self
    }

    /// The error, where `resolve` gives the values that extents have.
    pub fn diagnostic(&self, resolve: &dyn Fn(&Value) -> Option<Value>) -> Diagnostic {
        let text = |value: &Value| resolve(value).unwrap_or_else(|| value.clone()).to_string();
        let mut diagnostic = Diagnostic::error(self.code, self.span, text(&self.message));
        if let Some((span, label)) = &self.related {
            diagnostic = diagnostic.with_related(*span, label.clone());
        }
        for (label, value) in &self.values {
            diagnostic = diagnostic.with_note(format!("{label} = {}", text(value)));
        }
        diagnostic.chain.clone_from(&self.chain);
        match self.help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }
    }
}

impl From<Violation> for Diagnostic {
    fn from(violation: Violation) -> Self {
        violation.diagnostic(&|value| Some(value.clone()))
    }
}

/// A check that could not be decided when composing (section 3.1).
#[derive(Debug, Clone)]
pub struct RuntimeAssert {
    /// Must be non-zero for the extents of a run.
    pub condition: SymExpr,
    /// What is wrong otherwise.
    pub violation: Violation,
}

/// A message out of pieces.
pub(crate) fn message(pieces: Vec<Value>) -> Value {
    Value::Symbolic(Symbolic::Str(pieces))
}

/// A piece of a message.
pub(crate) fn words(text: impl AsRef<str>) -> Value {
    Value::Str(text.as_ref().into())
}

/// An extent in a message.
pub(crate) fn extent(expr: &SymExpr) -> Value {
    match expr {
        SymExpr::Const(value) => Value::Int(*value),
        expr => Value::Symbolic(Symbolic::Int(expr.clone())),
    }
}
