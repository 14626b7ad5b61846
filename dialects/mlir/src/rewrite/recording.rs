//! What is kept while a driver runs: which patterns were applied, and what failed.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;

use std::time::Instant;

use mlir_sys::{MlirLocation, MlirOperation, MlirRewriterBase, MlirStringRef};

use super::greedy::Application;
use super::statistics::Counts;
use super::{endless, trace};
use crate::diagnostics::{Failure, Position};
use crate::ffi;
use crate::ir::{Location, OperationRef};

/// The record of one run of a driver.
#[derive(Default)]
pub(super) struct Recording {
    pub applications: Vec<Application>,
    /// The first failure.
    pub failure: Option<Failed>,
    /// What each rule did, if it is asked for.
    pub counts: Option<Counts>,
    /// Where the pattern at work matched, noted before it may erase its root.
    current: Option<Current>,
    /// The name of the PDL pattern whose rewrite is running.
    pdl_pattern: Option<String>,
}

/// A failure, and where the pattern that failed matched, as far as that is known.
pub(super) struct Failed {
    pub failure: Failure,
    pub position: Option<Position>,
}

/// Where a pattern matched: what stays valid when the operation is erased.
struct Current {
    operation: String,
    location: MlirLocation,
    since: Instant,
}

impl Current {
    /// The application of a pattern there.
    fn application(self, pattern: String) -> Application {
        // SAFETY: locations live as long as the context.
        let location = unsafe { Location::from_raw(self.location) };
        let (position, location) = (Position::of(location), location.to_string());
        Application { pattern, operation: self.operation, position, location }
    }
}

thread_local! {
    /// The recording of the innermost driver that runs on this thread.
    static ACTIVE: Cell<*mut Recording> = const { Cell::new(null_mut()) };
}

impl Recording {
    /// Runs a driver, which gets this recording as its sink.
    pub fn run<R>(&mut self, driver: impl FnOnce(*mut c_void) -> R) -> R {
        struct Restore(*mut Recording);
        impl Drop for Restore {
            fn drop(&mut self) {
                ACTIVE.set(self.0);
            }
        }
        let recording: *mut Self = self;
        let _restore = Restore(ACTIVE.replace(recording));
        driver(recording.cast())
    }
}

fn with_active<R>(action: impl FnOnce(&mut Recording) -> R) -> Option<R> {
    let recording = ACTIVE.get();
    // SAFETY: the pointer is set for as long as `Recording::run` runs on this thread, borrows its recording exclusively, and
    // no action calls back.
    (!recording.is_null()).then(|| action(unsafe { &mut *recording }))
}

/// Notes a failure for the driver that runs, if one does; otherwise gives it back.
pub(super) fn fail(location: Location<'_>, failure: Failure) -> Result<(), Failure> {
    let mut failure = Some(failure);
    with_active(|recording| {
        let failure = failure.take().unwrap_or_else(Failure::reported);
        recording.failure.get_or_insert_with(|| Failed { failure, position: Position::of(location) });
    });
    failure.map_or(Ok(()), Err)
}

/// Whether the driver that runs has failed and should do no more.
pub(super) fn has_failed() -> bool {
    with_active(|recording| recording.failure.is_some()).unwrap_or(false)
}

/// Called first in the rewrite of each PDL pattern.
pub(super) fn begin_pdl_rewrite(driver: MlirRewriterBase, name: &str, place: &str, root: OperationRef<'_, '_>) {
    if trace::is_on() {
        trace::applied(name, place, root);
    }
    let ours = with_active(|recording| {
        recording.pdl_pattern = Some(name.to_string());
    });
    if ours.is_none() {
        endless::applied(driver, name, root);
    }
}

/// Whether a driver of ours runs on this thread.
pub(super) fn is_ours() -> bool {
    !ACTIVE.get().is_null()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustPatternBegin(sink: *mut c_void, operation: MlirOperation) {
    // SAFETY: the driver passes the sink that `Recording::run` gave it, and a valid operation.
    let (recording, operation) = unsafe { (&mut *sink.cast::<Recording>(), OperationRef::from_raw(operation)) };
    recording.current = Some(Current {
        operation: operation.full_name().to_string(),
        location: operation.location().to_raw(),
        since: Instant::now(),
    });
    recording.pdl_pattern = None;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustPatternEnd(sink: *mut c_void, name: MlirStringRef, applied: bool) {
    // SAFETY: as above; the name is valid during the call.
    let (recording, name) = unsafe { (&mut *sink.cast::<Recording>(), ffi::string_from(name)) };
    let pdl_pattern = recording.pdl_pattern.take();
    if let (true, Some(current)) = (applied, recording.current.take()) {
        let is_pdl = pdl_pattern.is_some();
        let pattern = pdl_pattern.unwrap_or(name);
        if let Some(counts) = &mut recording.counts {
            // What matches in Rust rewrites at once.
            if !is_pdl {
                counts.rewritten(&pattern);
            }
            counts.applied(&pattern, current.since.elapsed());
        }
        recording.applications.push(current.application(pattern));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustVisited(operation: MlirOperation) {
    // SAFETY: the driver visits an operation that is valid.
    let operation = unsafe { OperationRef::from_raw(operation) };
    with_active(|recording| {
        if let Some(counts) = &mut recording.counts {
            counts.visited(operation.full_name());
        }
    });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustMatched(rank: u32) {
    with_active(|recording| {
        if let Some(counts) = &mut recording.counts {
            counts.matched(rank);
        }
    });
}

/// Tells a driver whether to stop.
pub(super) unsafe extern "C" fn stopped(sink: *mut c_void) -> bool {
    // SAFETY: as above.
    unsafe { (*sink.cast::<Recording>()).failure.is_some() }
}
