//! Limits that keep a model from running for ever or taking all memory.

use std::time::{Duration, Instant};

/// When a run has to end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    deadline: Option<Instant>,
}

impl Clock {
    /// Starts now.
    pub(crate) fn start(limit: Option<Duration>) -> Clock {
        Clock { deadline: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }

    pub(crate) fn has_run_out(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// An empty list with room for `count` items; none if there is no memory for them.
pub(crate) fn reserve<T>(count: usize) -> Option<Vec<T>> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).ok()?;
    Some(items)
}
