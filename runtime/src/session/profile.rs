//! Runs that are profiled: when each operation of a model began and ended that was compiled for it.

use super::Session;
use crate::error::ModelError;
use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// An operation that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Its number among those of the metadata.
    pub operation: usize,
    /// When it began, counted from the beginning of the run.
    pub begin: Duration,
    /// When it ended.
    pub end: Duration,
    /// Operations on numbers that it did, with the extents of the run; 0 where that is not known.
    pub work: u64,
    /// Bytes of memory that it read and wrote, each element once; 0 where that is not known.
    pub bytes: u64,
}

struct Recording {
    started: Instant,
    events: Vec<Event>,
}

thread_local! {
    /// What the run on this thread has recorded, where one is profiled.
    static RECORDING: RefCell<Option<Recording>> = const { RefCell::new(None) };
}

/// What marked code calls where an operation begins, by its number, and with -1 where it ends.
extern "C" fn mark(operation: i64, work: i64, bytes: i64) {
    RECORDING.with(|recording| {
        // Runs on other threads, and those that are not profiled, call it as well.
        let Ok(mut recording) = recording.try_borrow_mut() else { return };
        let Some(Recording { started, events }) = recording.as_mut() else { return };
        let now = started.elapsed();
        let Ok(operation) = usize::try_from(operation) else {
            events.iter_mut().last().into_iter().for_each(|event| event.end = now);
            return;
        };
        let known = |number: i64| u64::try_from(number).unwrap_or_default();
        events.push(Event { operation, begin: now, end: now, work: known(work), bytes: known(bytes) });
    });
}

impl Session {
    /// What ran when in a run of the session; nothing is told by models that were not compiled to be profiled
    /// ([`crate::Library::is_marked`]).
    ///
    /// # Errors
    /// Those of the run.
    pub fn profile(
        &mut self,
        run: impl FnOnce(&mut Session) -> Result<(), ModelError>,
    ) -> Result<Vec<Event>, ModelError> {
        if let Some(listener) = self.model.library().profiler() {
            listener.store(mark as *const () as *mut c_void, Ordering::Relaxed);
        }
        let events = Vec::with_capacity(self.metadata().operations.len());
        RECORDING.with(|recording| recording.replace(Some(Recording { started: Instant::now(), events })));
        let done = run(self);
        let recorded = RECORDING.with(RefCell::take);
        done.map(|()| recorded.map_or_else(Vec::new, |recorded| recorded.events))
    }
}
