//! The pools of a process: sessions that want as many threads share one.

use super::Pool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// With the numbers of threads that were asked for.
static POOLS: Mutex<Vec<(usize, Arc<Pool>)>> = Mutex::new(Vec::new());

/// How many threads the processor runs at once, as far as this process may use them.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The pool of so many threads, which lives as long as the process; its threads sleep where there is nothing to do.
pub(super) fn shared(threads: usize) -> Arc<Pool> {
    if let Some(known) = known(&pools(), threads) {
        return known;
    }
    // Made outside of the lock: a process that is forked meanwhile would find that locked for ever.
    let made = Arc::new(Pool::new(threads));
    let mut pools = pools();
    known(&pools, threads).unwrap_or_else(|| {
        pools.push((threads, made.clone()));
        made
    })
}

fn pools() -> MutexGuard<'static, Vec<(usize, Arc<Pool>)>> {
    POOLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a process that has forked this one has made is not known here.
fn known(pools: &[(usize, Arc<Pool>)], threads: usize) -> Option<Arc<Pool>> {
    pools.iter().find(|(wanted, pool)| *wanted == threads && pool.is_here()).map(|(_, pool)| pool.clone())
}
