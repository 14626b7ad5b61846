//! All orders in which the threads of a pool can meet, as far as a few preemptions lead: loom runs the shipped code of the pool in each
//! of them, with its own threads and its own memory, whose reads may be as old as the orderings allow.

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use loom::thread;
use pool::Pool;
use std::ffi::c_void;

#[allow(dead_code, unused_imports, reason = "registry and functions for compiled code are not modelled")]
#[allow(clippy::default_constructed_unit_structs, reason = "what is nothing here is something there")]
#[path = "../src/pool/mod.rs"]
mod pool;

/// What `src/sync.rs` has, as loom has it.
mod sync {
    pub use loom::cell::UnsafeCell;
    pub use loom::sync::Arc;
    pub use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize};
    pub use loom::thread::{Builder, JoinHandle, Thread, park};

    /// Threads have no cores here.
    pub mod cores {
        #[derive(Debug, Default)]
        pub struct Avoided;

        pub fn avoid_mine(_: &super::JoinHandle<()>, _: &Avoided) {}
    }

    /// Time does not pass here: who waits for work sleeps at once, others wait as long as they must.
    #[derive(Debug, Default)]
    pub struct Waited;

    impl Waited {
        pub fn is_long(&mut self) -> bool {
            true
        }

        pub fn pause(&mut self) {
            loom::thread::yield_now();
        }
    }
}

/// Runs something in all orders with up to so many preemptions.
fn in_all_orders(preemptions: usize, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 10_000;
    builder.check(run);
}

/// Memory that loom watches: it refuses two accesses of which neither happens before the other.
type Counts = Vec<UnsafeCell<u32>>;

unsafe extern "C" fn count(data: *mut c_void, range: i64) {
    // SAFETY: `each_is_done_once` gives this.
    let counts = unsafe { &*data.cast_const().cast::<Counts>() };
    // SAFETY: each range has its own, as loom checks.
    counts[usize::try_from(range).unwrap()].with_mut(|count| unsafe { *count += 1 });
}

/// Every range is done once, and the caller sees what was done.
fn each_is_done_once(pool: &Pool, ranges: usize) {
    let counts: Counts = (0..ranges).map(|_| UnsafeCell::new(0)).collect();
    // SAFETY: `count` takes this from several threads.
    unsafe { pool.run(ranges, count, std::ptr::from_ref(&counts).cast_mut().cast()) };
    // SAFETY: all is done, as loom checks.
    assert!(counts.iter().all(|count| count.with(|count| unsafe { *count }) == 1));
}

#[test]
fn every_range_is_done_once() {
    in_all_orders(2, || each_is_done_once(&Pool::new(2), 3));
}

#[test]
fn loops_follow_one_another() {
    in_all_orders(2, || {
        let pool = Pool::new(2);
        (0..2).for_each(|_| each_is_done_once(&pool, 2));
    });
}

#[test]
fn several_callers_share_a_pool() {
    in_all_orders(2, || {
        let pool = Arc::new(Pool::new(2));
        let other = pool.clone();
        let other = thread::spawn(move || each_is_done_once(&other, 2));
        each_is_done_once(&pool, 2);
        other.join().unwrap();
    });
}

/// A range that ends when another one has begun.
unsafe extern "C" fn meet(data: *mut c_void, _: i64) {
    // SAFETY: the test gives this.
    let begun = unsafe { &*data.cast_const().cast::<AtomicUsize>() };
    begun.fetch_add(1, Relaxed);
    while begun.load(Relaxed) < 2 {
        thread::yield_now();
    }
}

/// A thread that is about to sleep when a loop begins takes part in it: else the caller waits for ever, which loom refuses.
#[test]
fn who_falls_asleep_is_woken() {
    in_all_orders(2, || {
        let (pool, begun) = (Pool::new(2), AtomicUsize::new(0));
        // SAFETY: `meet` takes this from several threads.
        unsafe { pool.run(2, meet, std::ptr::from_ref(&begun).cast_mut().cast()) };
    });
    in_all_orders(2, || {
        let (pool, begun) = (Pool::new(2), AtomicUsize::new(0));
        each_is_done_once(&pool, 2);
        // SAFETY: likewise.
        unsafe { pool.run(2, meet, std::ptr::from_ref(&begun).cast_mut().cast()) };
    });
}

#[test]
fn pools_end_before_they_are_used() {
    in_all_orders(2, || drop(Pool::new(3)));
}
