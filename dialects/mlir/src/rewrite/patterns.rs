//! Sets of patterns.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::Arc;

use mlir_sys::*;

use super::greedy::{GreedyOptions, Report};
use super::pdl::PdlPatterns;
use super::recording::{Recording, fail, has_failed, stopped};
use super::{Rewriter, native::BoundFunction};
use crate::Error;
use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::{Context, Module, OperationRef, Root, capture, guard, report};

/// Rewrites an operation; false if it does not match. After false or a failure nothing may have been changed.
pub type RewriteOperation =
    dyn for<'c, 'a> Fn(OperationRef<'c, 'a>, &Rewriter<'c, 'a>) -> Result<bool, Failure> + Send + Sync;

/// A pattern in Rust.
#[derive(Clone)]
pub struct OperationPattern {
    name: String,
    root: String,
    benefit: u16,
    rewrite: Arc<RewriteOperation>,
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
        self.benefit = benefit.min(MAX_BENEFIT);
        self
    }
}

/// MLIR keeps one value of its 16 bits to say that a pattern cannot match.
const MAX_BENEFIT: u16 = u16::MAX - 1;

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustRewriteOperation(
    pattern: *const c_void,
    operation: MlirOperation,
    rewriter: MlirRewriterBase,
) -> bool {
    if has_failed() {
        return false;
    }
    // SAFETY: the set of patterns keeps the pattern; the operation and the rewriter are valid during the call.
    let (pattern, operation) = unsafe { (&*pattern.cast::<OperationPattern>(), OperationRef::from_raw(operation)) };
    // SAFETY: as above; the pattern cannot keep references to what it was given.
    guard(|| unsafe { Rewriter::scope(rewriter, |rewriter| (pattern.rewrite)(operation, rewriter)) }).unwrap_or_else(
        |failure| {
            if let Err(failure) = fail(failure) {
                report(operation, &failure);
            }
            false
        },
    )
}

/// Adds patterns to a set of MLIR's.
///
/// # Safety
///
/// The set must be valid, and the patterns must outlive it and what it is frozen to.
pub(crate) unsafe fn add_to_raw_set(
    context: &Context,
    set: MlirRewritePatternSet,
    operations: &[OperationPattern],
    pdl: &[PdlPatterns],
) -> Result<(), Error> {
    for patterns in pdl {
        let module = patterns.prepare(context)?;
        // SAFETY: as the caller promises.
        unsafe { add_module(set, module, patterns) };
    }
    // SAFETY: as the caller promises.
    operations.iter().for_each(|pattern| unsafe { add_operation(set, pattern) });
    Ok(())
}

/// # Safety
///
/// As for [`add_to_raw_set`].
unsafe fn add_operation(set: MlirRewritePatternSet, pattern: &OperationPattern) {
    let (name, root) = (ffi::text(&pattern.name), ffi::text(&pattern.root));
    // SAFETY: as the caller promises; the names stand in the pattern.
    unsafe { ffi::skndAddOperationPattern(set, (&raw const *pattern).cast(), name, root, pattern.benefit) }
}

/// # Safety
///
/// As for [`add_to_raw_set`].
unsafe fn add_module(set: MlirRewritePatternSet, module: Module<'_>, patterns: &PdlPatterns) {
    let native = |function: &BoundFunction| ffi::Native {
        name: ffi::text(&function.unique_name),
        function: (&raw const *function).cast(),
    };
    let constraints: Vec<_> = patterns.functions().constraints.iter().map(native).collect();
    let rewrites: Vec<_> = patterns.functions().rewrites.iter().map(native).collect();
    let raw = module.to_raw();
    std::mem::forget(module);
    // SAFETY: the set takes the module; the functions outlive it, as the caller promises.
    unsafe {
        let (constraint_count, rewrite_count) = (constraints.len(), rewrites.len());
        ffi::skndAddPdlPatterns(set, raw, constraints.as_ptr(), constraint_count, rewrites.as_ptr(), rewrite_count);
    }
}

/// Patterns being collected for a context.
pub struct PatternSet<'c> {
    context: &'c Context,
    operations: Vec<OperationPattern>,
    pdl: Vec<(PdlPatterns, Module<'c>)>,
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
    /// same kinds of results.
    pub fn add_pdl(&mut self, patterns: PdlPatterns) -> Result<&mut Self, Error> {
        let module = patterns.prepare(self.context)?;
        self.pdl.push((patterns, module));
        Ok(self)
    }

    /// Compiles the patterns.
    pub fn freeze(self) -> FrozenPatterns<'c> {
        let operations = self.operations.into_boxed_slice();
        let mut pdl = Vec::new();
        // SAFETY: the context is valid; the patterns are kept beside the frozen set, at the addresses that they have here.
        let raw = unsafe {
            let set = mlirRewritePatternSetCreate(self.context.to_raw());
            for (patterns, module) in self.pdl {
                add_module(set, module, &patterns);
                pdl.push(patterns);
            }
            operations.iter().for_each(|pattern| add_operation(set, pattern));
            ffi::skndFreeze(set)
        };
        FrozenPatterns { raw, _operations: operations, _pdl: pdl, _context: PhantomData }
    }
}

/// Patterns ready to be applied, as often as needed.
pub struct FrozenPatterns<'c> {
    raw: MlirFrozenRewritePatternSet,
    _operations: Box<[OperationPattern]>,
    _pdl: Vec<PdlPatterns>,
    _context: PhantomData<&'c Context>,
}

impl Drop for FrozenPatterns<'_> {
    fn drop(&mut self) {
        // SAFETY: the set is owned, and not used after this.
        unsafe { mlirFrozenRewritePatternSetDestroy(self.raw) }
    }
}

impl<'c> FrozenPatterns<'c> {
    /// Applies the patterns to what an operation contains, until none matches or a limit is reached. The operation must be
    /// isolated from above, as modules and functions are.
    pub fn apply_greedily(&self, root: &mut Root<'c, '_>, options: &GreedyOptions) -> Result<Report, Error> {
        let operation = root.operation();
        // SAFETY: the operation is valid.
        if !unsafe { ffi::skndIsIsolatedFromAbove(operation.to_raw()) } {
            let name = operation.full_name();
            return Err(Error::Invalid(format!(
                "patterns cannot be applied to `{name}`: it is not isolated from above"
            )));
        }
        let options = options.to_raw();
        self.run(operation, |sink, changed| {
            let operation = operation.to_raw();
            // SAFETY: the operation and the patterns are valid, and the sink is what the callback expects.
            unsafe { ffi::skndApplyGreedily(operation, self.raw, &options, stopped, sink, changed) }
        })
    }

    /// Visits each operation inside once, in post-order, and applies the first pattern that matches.
    pub fn walk_and_apply(&self, root: &mut Root<'c, '_>) -> Result<Report, Error> {
        let operation = root.operation();
        self.run(operation, |sink, _| {
            // SAFETY: the operation and the patterns are valid.
            unsafe { ffi::skndWalkAndApply(operation.to_raw(), self.raw, sink) };
            true
        })
    }

    fn run(
        &self,
        operation: OperationRef<'c, '_>,
        driver: impl FnOnce(*mut c_void, &mut bool) -> bool,
    ) -> Result<Report, Error> {
        let mut recording = Recording::default();
        let mut changed = false;
        let (converged, diagnostics) =
            capture(operation.context(), || recording.run(|sink| driver(sink, &mut changed)));
        if let Some(failure) = recording.failure {
            return Err(Error::Reported { what: format!("rewriting failed: {failure}"), diagnostics });
        }
        let applications = recording.applications;
        Ok(Report { converged, changed: changed || !applications.is_empty(), applications, diagnostics })
    }
}
