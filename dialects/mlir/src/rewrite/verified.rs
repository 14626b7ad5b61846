//! What rules make is verified when they are done, before anything looks at it: MLIR folds new operations, asks them for
//! their effects and matches them, all of which takes for granted that they are valid.

use std::collections::HashSet;

use mlir_sys::{MlirOperation, MlirRewriterBase, mlirRewriterBaseEraseOp};

use super::outside::report_outside;
use super::recording::fail;
use crate::diagnostics::Failure;
use crate::ffi;
use crate::ir::changes::{Changes, begin_changes, end_changes, with_changes};
use crate::ir::{Location, OperationRef, capture, walk};

/// Begins a rule, of which is known where it is written unless that is empty.
pub(super) fn begin(root: OperationRef<'_, '_>, name: &str, place: &str) {
    let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
    begin_changes(root, format!("pattern `{name}`{at}"));
}

/// A failure of the rule at work, which it names, with what stands before the message.
pub(super) fn blamed(failure: Failure, before: &str) -> Failure {
    let Some(message) = failure.message() else { return failure };
    let blamed = with_changes(|changes| Failure::new(format!("{}{before}{message}", changes.rule)));
    let noted = |blamed: Failure| failure.notes().iter().cloned().fold(blamed, Failure::with_note);
    blamed.map_or(failure.clone(), noted)
}

/// Ends the rule at work and verifies what it has made and changed. What is not valid becomes something that nothing folds,
/// and the driver is told. Whether anything was changed.
pub(super) fn finish(raw: MlirRewriterBase) -> bool {
    let Some(mut changes) = end_changes() else { return false };
    erase(raw, &mut changes);
    let wrong = wrong(&changes.operations);
    if let Some((operation, is_new, reason)) = wrong.first() {
        let (rule, verb, name) = (&changes.rule, if *is_new { "creates" } else { "leaves" }, operation.full_name());
        let failure = Failure::new(format!("{rule} {verb} an invalid `{name}`: {reason}"));
        neutralize(raw, &wrong, &changes.around);
        report(changes.location(), failure);
    }
    changes.has_erased || !changes.operations.is_empty()
}

/// Erases what is to be erased, users first.
fn erase(raw: MlirRewriterBase, changes: &mut Changes) {
    // SAFETY: what is to be erased is valid until it is.
    while let Some(unused) = changes.to_erase.iter().copied().find(|raw| !unsafe { ffi::skndIsUsedOutside(*raw) }) {
        changes.forget(unused);
        // SAFETY: the rewriter is valid, nothing uses the operation, and it is noted no more.
        unsafe { mlirRewriterBaseEraseOp(raw, unused) };
    }
    if let Some(used) = changes.to_erase.first() {
        // SAFETY: it was not erased.
        let name = unsafe { OperationRef::from_raw(*used) }.full_name();
        report(changes.location(), Failure::new(format!("{} uses `{name}`, which it erases", changes.rule)));
    }
}

/// An operation that is not valid, whether it is new, and what is wrong.
type Wrong<'c, 'a> = (OperationRef<'c, 'a>, bool, String);

/// What is not valid, without what stands inside of something new.
fn wrong<'c: 'a, 'a>(noted: &[(MlirOperation, bool)]) -> Vec<Wrong<'c, 'a>> {
    let is_new: HashSet<usize> = noted.iter().filter(|(_, is_new)| *is_new).map(|(raw, _)| raw.ptr as usize).collect();
    let mut seen = HashSet::new();
    // SAFETY: what was noted is valid: what was erased since is noted no more.
    let operations = noted.iter().map(|(raw, _)| unsafe { OperationRef::from_raw(*raw) });
    let is_inside = |operation: OperationRef<'_, '_>| {
        operation.parent_operation().is_some_and(|around| is_new.contains(&around.key()))
    };
    let outermost = operations.filter(|operation| !is_inside(*operation) && seen.insert(operation.key()));
    let judged = outermost.filter_map(|operation| {
        let is_new = is_new.contains(&operation.key());
        refusal(operation, is_new).map(|reason| (operation, is_new, reason))
    });
    judged.collect()
}

/// Why an operation is not valid, with what it contains if it is `whole`.
fn refusal(operation: OperationRef<'_, '_>, whole: bool) -> Option<String> {
    // SAFETY: the operation is valid memory.
    let verify = || unsafe { ffi::skndVerify(operation.to_raw(), whole) };
    let (is_valid, diagnostics) = capture(operation.context(), verify);
    if is_valid {
        return None;
    }
    let message = diagnostics.into_iter().find(|diagnostic| diagnostic.is_error()).map(|error| error.message);
    let message = message.unwrap_or_else(|| "the verifier refuses it".into());
    let own = format!("'{}' op ", operation.full_name());
    Some(message.strip_prefix(&own).map_or(message.clone(), str::to_string))
}

/// Makes operations, and what they contain if they are new, something that nothing folds. What is around the place where
/// the rule matched stays: the driver is at work in it.
fn neutralize<'c: 'a, 'a>(raw: MlirRewriterBase, wrong: &[Wrong<'c, 'a>], around: &[usize]) {
    let parts =
        wrong.iter().flat_map(|(operation, is_new, _)| if *is_new { walk(*operation) } else { vec![*operation] });
    let mut seen = HashSet::new();
    let is_wrong = |part: &OperationRef<'c, 'a>| {
        part.block().is_some()
            && !around.contains(&part.key())
            && seen.insert(part.key())
            && refusal(*part, true).is_some()
    };
    let wrong: Vec<_> = parts.filter(is_wrong).collect();
    for part in wrong.into_iter().rev() {
        // SAFETY: the rewriter and the operation are valid, what is inside goes first, and nobody keeps references to it.
        unsafe { ffi::skndNeutralize(raw, part.to_raw()) };
    }
}

/// Tells the driver of a failure, or the context if there is no driver of ours.
pub(super) fn report(location: Location<'_>, failure: Failure) {
    if let Err(failure) = fail(location, failure) {
        report_outside(location, &failure.to_string());
    }
}
