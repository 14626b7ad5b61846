//! Sets of patterns.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::Error;
use crate::diagnostics::Failure;
use crate::ir::{Context, OperationRef};

use super::greedy::{GreedyOptions, Report};
use super::{Natives, Rewriter};

/// Rewrites an operation; false if it does not match. After false or a failure nothing may have been changed.
pub type RewriteOperation =
    dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, &Rewriter<'c, 'a>) -> Result<bool, Failure> + Send + Sync;

/// A pattern in Rust.
#[derive(Clone)]
pub struct OperationPattern {
    pub(crate) name: String,
    pub(crate) root: String,
    pub(crate) benefit: u16,
    pub(crate) rewrite: Arc<RewriteOperation>,
}

impl OperationPattern {
    /// A pattern for operations of one name, with benefit 1.
    pub fn new(
        name: impl Into<String>,
        root: impl Into<String>,
        rewrite: impl for<'c, 'a> Fn(OperationRef<'c, 'a>, &Rewriter<'c, 'a>) -> Result<bool, Failure>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self { name: name.into(), root: root.into(), benefit: 1, rewrite: Arc::new(rewrite) }
    }

    /// Sets the benefit: of patterns for an operation, the greater goes first.
    pub fn benefit(mut self, benefit: u16) -> Self {
        self.benefit = benefit;
        self
    }
}

/// Patterns in PDL: the text of a module of `pdl.pattern` operations, and the native functions that they call.
#[derive(Clone)]
pub struct PdlPatterns {
    pub(crate) text: Arc<str>,
    pub(crate) file_name: Arc<str>,
    pub(crate) natives: Arc<Natives>,
}

impl PdlPatterns {
    /// Patterns from text; the file name appears in diagnostics.
    pub fn new(text: impl Into<Arc<str>>, file_name: impl Into<Arc<str>>, natives: Natives) -> Self {
        Self { text: text.into(), file_name: file_name.into(), natives: Arc::new(natives) }
    }
}

/// Patterns being collected for a context.
pub struct PatternSet<'c> {
    context: &'c Context,
    operations: Vec<OperationPattern>,
    pdl: Vec<PdlPatterns>,
}

impl<'c> PatternSet<'c> {
    /// No patterns.
    pub fn new(context: &'c Context) -> Self {
        Self { context, operations: Vec::new(), pdl: Vec::new() }
    }

    /// Adds a pattern in Rust.
    pub fn add(&mut self, pattern: OperationPattern) -> &mut Self {
        self.operations.push(pattern);
        self
    }

    /// Adds patterns in PDL, once they parse, verify, and name only native functions that exist, each always with the
    /// same kinds of arguments and results.
    pub fn add_pdl(&mut self, patterns: PdlPatterns) -> Result<&mut Self, Error> {
        todo!()
    }

    /// Compiles the patterns.
    pub fn freeze(self) -> Result<FrozenPatterns<'c>, Error> {
        todo!()
    }
}

/// Patterns ready to be applied, as often as needed.
pub struct FrozenPatterns<'c> {
    _context: PhantomData<&'c Context>,
}

impl<'c> FrozenPatterns<'c> {
    /// Applies the patterns to what an operation contains, until none matches or a limit is reached.
    pub fn apply_greedily(&self, operation: OperationRef<'c, '_>, options: &GreedyOptions) -> Result<Report, Error> {
        todo!()
    }

    /// Visits each operation inside once, and applies the first pattern that matches.
    pub fn walk_and_apply(&self, operation: OperationRef<'c, '_>) -> Result<Report, Error> {
        todo!()
    }
}
