//! Counts what checking and composing do, so that tests can tell how they scale without a clock.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts so many steps.
pub(crate) fn count(steps: usize) {
    STEPS.set(STEPS.get() + steps);
}

/// How many steps this takes.
pub(crate) fn taken(run: impl FnOnce()) -> usize {
    let before = STEPS.get();
    run();
    STEPS.get() - before
}
