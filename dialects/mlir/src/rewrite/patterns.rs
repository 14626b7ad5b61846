//! Sets of patterns.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::Arc;

use mlir_sys::*;

use super::greedy::{GreedyOptions, Report};
use super::pdl::PdlPatterns;
use super::recording::{Failed, Recording, has_failed, is_ours, stopped};
use super::statistics::{Counts, Rule};
use super::{Rewriter, endless, native::BoundFunction, trace, verified};
use crate::Error;
use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::{self, Context, Module, OperationRef, Root, attributes, capture, guard, types};

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
    if !is_ours() && !endless::is_allowed(rewriter, operation) {
        return false;
    }
    // The operation may be gone afterwards.
    let noted = trace::is_on().then(|| (operation.full_name().to_string(), trace::shown(operation)));
    let parent = operation.parent_operation();
    // SAFETY: as above; the pattern cannot keep references to what it was given.
    verified::begin(operation, &pattern.name, "");
    let location = operation.location();
    let outcome = guard(|| unsafe { Rewriter::scope(rewriter, |rewriter| (pattern.rewrite)(operation, rewriter)) });
    let outcome = outcome.map_err(|failure| verified::report(location, verified::blamed(failure, ": ")));
    let changed = verified::finish(rewriter);
    // What has changed must not be tried again, as it may be gone.
    let applied = outcome.unwrap_or(changed);
    if let (true, Some((name, place))) = (applied, noted) {
        trace::print(&pattern.name, "", &name, &place);
    }
    if let (true, false, Some(parent)) = (applied, is_ours(), parent) {
        endless::applied(rewriter, &pattern.name, parent);
    }
    applied
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
    let modules = pdl.iter().map(|patterns| patterns.prepare(context)).collect::<Result<Vec<_>, _>>()?;
    let ranks = rank(&modules, operations)?;
    // SAFETY: as the caller promises.
    unsafe { add_all(set, modules, pdl, operations, &ranks, false) };
    Ok(())
}

/// Orders all patterns of a set by their benefits, and equal ones as they were added: MLIR would forget that order. The
/// benefits by which MLIR is to order them are written to the patterns in PDL, and returned, those of patterns in Rust
/// behind them.
fn rank(modules: &[Module<'_>], operations: &[OperationPattern]) -> Result<Vec<u16>, Error> {
    let pdl = modules.iter().flat_map(|module| ir::operations_named(module.as_operation(), "pdl.pattern"));
    let pdl: Vec<_> = pdl.collect();
    let benefits = pdl.iter().map(|pattern| pattern.get_integer("benefit").unwrap_or_default());
    let benefits: Vec<i64> = benefits.chain(operations.iter().map(|pattern| i64::from(pattern.benefit))).collect();
    let mut order: Vec<usize> = (0..benefits.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(benefits[*index]));
    let mut ranks = vec![0u16; order.len()];
    for (place, index) in order.iter().enumerate() {
        // PDL has 15 bits.
        let rank = i16::try_from(order.len() - place).ok().and_then(|rank| u16::try_from(rank).ok());
        ranks[*index] = rank.ok_or_else(|| Error::Invalid(format!("{} patterns are too many", order.len())))?;
    }
    for (pattern, rank) in pdl.iter().zip(&ranks) {
        let r#type = types::integer(pattern.context(), 16);
        if let Some(benefit) = attributes::typed_integer(r#type, i64::from(*rank)) {
            pattern.set("benefit", benefit);
        }
    }
    Ok(ranks)
}

/// Adds patterns of these ranks to a set of MLIR's, which may be `counted`.
///
/// # Safety
///
/// As for [`add_to_raw_set`].
unsafe fn add_all(
    set: MlirRewritePatternSet,
    modules: Vec<Module<'_>>,
    pdl: &[PdlPatterns],
    operations: &[OperationPattern],
    ranks: &[u16],
    counted: bool,
) {
    let ranks = &ranks[ranks.len() - operations.len()..];
    let other = |(pattern, rank): (&OperationPattern, &u16)| ffi::OtherPattern {
        root: ffi::text(&pattern.root),
        benefit: *rank,
    };
    let others: Vec<_> = operations.iter().zip(ranks).map(other).collect();
    let native = |function: &BoundFunction| ffi::Native {
        name: ffi::text(&function.unique_name),
        function: (&raw const *function).cast(),
    };
    let functions = || pdl.iter().map(PdlPatterns::functions);
    let constraints: Vec<_> = functions().flat_map(|functions| functions.constraints.iter().map(native)).collect();
    let rewrites: Vec<_> = functions().flat_map(|functions| functions.rewrites.iter().map(native)).collect();
    let raw: Vec<_> = modules.iter().map(Module::to_raw).collect();
    modules.into_iter().for_each(std::mem::forget);
    // SAFETY: the set takes the modules; functions and patterns outlive it, as the caller promises.
    unsafe {
        ffi::skndAddPdlPatterns(
            set,
            raw.as_ptr(),
            raw.len(),
            constraints.as_ptr(),
            constraints.len(),
            rewrites.as_ptr(),
            rewrites.len(),
            others.as_ptr(),
            others.len(),
            counted,
        );
        for (pattern, rank) in operations.iter().zip(ranks) {
            let (name, root) = (ffi::text(&pattern.name), ffi::text(&pattern.root));
            ffi::skndAddOperationPattern(set, (&raw const *pattern).cast(), name, root, *rank);
        }
    }
}

/// Patterns being collected for a context.
pub struct PatternSet<'c> {
    context: &'c Context,
    operations: Vec<OperationPattern>,
    pdl: Vec<(PdlPatterns, Module<'c>)>,
    statistics: bool,
}

impl<'c> PatternSet<'c> {
    /// No patterns.
    pub fn new(context: &'c Context) -> Self {
        Self { context, operations: Vec::new(), pdl: Vec::new(), statistics: false }
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

    /// Lets drivers tell what each rule did, which costs some time at each operation.
    pub fn count(&mut self) -> &mut Self {
        self.statistics = true;
        self
    }

    /// Compiles the patterns.
    pub fn freeze(self) -> Result<FrozenPatterns<'c>, Error> {
        let operations = self.operations.into_boxed_slice();
        let (pdl, modules): (Vec<PdlPatterns>, Vec<Module<'c>>) = self.pdl.into_iter().unzip();
        let ranks = rank(&modules, &operations)?;
        // SAFETY: the context is valid; the patterns are kept beside the frozen set, at the addresses that they have here.
        let raw = unsafe {
            let set = mlirRewritePatternSetCreate(self.context.to_raw());
            add_all(set, modules, &pdl, &operations, &ranks, self.statistics);
            ffi::skndFreeze(set)
        };
        let statistics = self.statistics;
        Ok(FrozenPatterns { raw, operations, pdl, ranks, statistics, _context: PhantomData })
    }
}

/// Patterns ready to be applied, as often as needed.
pub struct FrozenPatterns<'c> {
    raw: MlirFrozenRewritePatternSet,
    operations: Box<[OperationPattern]>,
    pdl: Vec<PdlPatterns>,
    /// The benefits by which MLIR orders the patterns, those in PDL first.
    ranks: Vec<u16>,
    statistics: bool,
    _context: PhantomData<&'c Context>,
}

// SAFETY: what is frozen does not change, and what applying it needs beside is made by each driver or behind a lock; the
// functions of the patterns are `Send` and `Sync`.
unsafe impl Send for FrozenPatterns<'_> {}
// SAFETY: as above.
unsafe impl Sync for FrozenPatterns<'_> {}

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
        let options = options.to_raw(operation);
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
        recording.counts = self.statistics.then(Counts::default);
        let mut changed = false;
        let (converged, diagnostics) =
            capture(operation.context(), || recording.run(|sink| driver(sink, &mut changed)));
        if let Some(Failed { failure, position }) = recording.failure {
            return Err(Error::Rewriting { reason: failure.to_string(), position, diagnostics });
        }
        let statistics = recording.counts.map(|counts| counts.finish(&self.rules(), &self.ranks)).unwrap_or_default();
        let applications = recording.applications;
        Ok(Report { converged, changed: changed || !applications.is_empty(), applications, statistics, diagnostics })
    }

    /// The rules, in the order in which they were added.
    fn rules(&self) -> Vec<Rule> {
        let pdl = self.pdl.iter().flat_map(|patterns| patterns.functions().rules.iter().cloned());
        let rule = |pattern: &OperationPattern| Rule {
            name: pattern.name.clone(),
            place: String::new(),
            root: pattern.root.clone(),
        };
        pdl.chain(self.operations.iter().map(rule)).collect()
    }
}
