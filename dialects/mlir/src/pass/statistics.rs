//! What passes count. MLIR's own statistics are left out of its release builds.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{PassRun, REGISTERED, lock};

/// A number that a pass counts, of all its runs in this process.
#[derive(Debug)]
pub struct StatisticSpec {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) value: AtomicU64,
}

/// What a pass has counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// The argument of the pass.
    pub pass: String,
    /// The name of the statistic.
    pub name: String,
    /// One line about it.
    pub description: String,
    /// The sum of all runs.
    pub value: u64,
}

impl PassRun<'_> {
    /// Adds to a statistic of the pass; nothing if it has none of that name.
    pub fn count(&self, name: &str, number: u64) {
        if let Some(statistic) = self.spec.statistics.iter().find(|statistic| statistic.name == name) {
            statistic.value.fetch_add(number, Ordering::Relaxed);
        }
    }
}

/// What all passes of this process have counted, by pass, in the order of their registration.
pub fn statistics() -> Vec<Statistic> {
    let registered = lock(&REGISTERED);
    let of = |pass: &&'static super::PassSpec| {
        let argument = pass.argument.clone();
        let statistics = pass.statistics.iter().map(move |statistic| Statistic {
            pass: argument.clone(),
            name: statistic.name.clone(),
            description: statistic.description.clone(),
            value: statistic.value.load(Ordering::Relaxed),
        });
        statistics.collect::<Vec<_>>()
    };
    registered.passes.iter().flat_map(of).collect()
}
