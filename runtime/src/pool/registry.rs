//! The pools of a process: sessions that want as many threads share one.

use super::Pool;
use std::sync::{Arc, Mutex, PoisonError};

static POOLS: Mutex<Vec<(usize, Arc<Pool>)>> = Mutex::new(Vec::new());

/// How many threads the processor runs at once, as far as this process may use them.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The pool of so many threads, which lives as long as the process; its threads sleep where there is nothing to do.
pub(super) fn shared(threads: usize) -> Arc<Pool> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = pools.iter().find(|(wanted, _)| *wanted == threads) {
        return known.1.clone();
    }
    let pool = Arc::new(Pool::new(threads));
    pools.push((threads, pool.clone()));
    pool
}
