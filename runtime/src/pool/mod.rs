//! Threads that share the work of runs: parallel loops of compiled code are ranges, which the compiler cuts and whoever is free
//! claims. Each thread has a part of the ranges of its own, so that from one loop to the next it works on what its caches hold,
//! and takes of the others' when it has done those.
//!
//! Nothing is locked or allocated while a loop runs. Which thread does a range makes no difference to what it computes.

mod claims;
mod process;
mod registry;
mod signals;
mod threads;

use crate::sync::cores::{self, Avoided};
use crate::sync::{Arc, AtomicBool, AtomicU32, AtomicUsize, Builder, JoinHandle, Thread, UnsafeCell, Waited, park};
use claims::{Claims, MOST_RANGES};
pub use registry::cores;
use std::ffi::c_void;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
pub use threads::Threads;

/// What a loop does with a range: the compiled code's data, and the range's number.
pub type RangeFunction = unsafe extern "C" fn(*mut c_void, i64);

/// `skriptnd_pool` of `skriptnd.h`: what does the ranges of a loop, in any order and by any threads, and comes back when all are
/// done.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PoolFunctions {
    /// What the function is given.
    pub context: *mut c_void,
    /// Does the ranges from 0 to a count; it must be there.
    pub parallel_for: Option<ParallelFor>,
}

/// What does the ranges of a loop: the context, how many there are, and what is done with each.
pub type ParallelFor = unsafe extern "C" fn(*mut c_void, i64, RangeFunction, *mut c_void);

/// As many threads as a pool may have.
pub const MOST_THREADS: usize = 1024;
/// Bytes of a thread's stack: a range keeps rows there, as deploy.md says.
const STACK_BYTES: usize = 1 << 20;

/// A number of threads, the caller among them.
#[derive(Debug)]
pub struct Pool {
    state: Arc<State>,
    workers: Vec<Worker>,
    /// The process that has the threads: what it forks has none of them.
    process: u32,
}

/// A thread other than the caller's.
#[derive(Debug)]
struct Worker {
    thread: Thread,
    handle: JoinHandle<()>,
    /// The core that it keeps away from.
    avoided: Avoided,
}

impl Worker {
    fn new(handle: JoinHandle<()>) -> Worker {
        Worker { thread: handle.thread().clone(), handle, avoided: Avoided::default() }
    }
}

/// What all threads of a pool see.
#[derive(Debug)]
struct State {
    /// Whether a loop runs; who finds it so does all its ranges alone.
    busy: AtomicBool,
    claims: Claims,
    /// What the loop does, which the caller alone writes, while nothing is claimed.
    work: UnsafeCell<Work>,
    /// Ranges that are done.
    done: AtomicUsize,
    /// Which workers sleep, or are about to.
    asleep: Vec<AtomicBool>,
    /// Raised by one where a loop begins or the pool ends.
    bell: AtomicU32,
    ends: AtomicBool,
}

#[derive(Debug, Clone, Copy)]
struct Work {
    body: RangeFunction,
    data: *mut c_void,
}

// SAFETY: `work` is written by the thread that has set `busy` while no range is unclaimed and none is being done, and read by
// threads that have claimed one, whose claim happens after the ranges were offered; what it leads to is the compiled code's, which
// lets several threads do ranges.
unsafe impl Sync for State {}
// SAFETY: likewise.
unsafe impl Send for State {}

unsafe extern "C" fn nothing(_: *mut c_void, _: i64) {}

impl Pool {
    /// A pool of so many threads, at least one, which is the caller's; of fewer where the system gives no more.
    pub fn new(threads: usize) -> Pool {
        let others = threads.clamp(1, MOST_THREADS) - 1;
        let state = Arc::new(State {
            busy: AtomicBool::new(false),
            claims: Claims::new(others + 1),
            work: UnsafeCell::new(Work { body: nothing, data: std::ptr::null_mut() }),
            done: AtomicUsize::new(0),
            asleep: (0..others).map(|_| AtomicBool::new(false)).collect(),
            bell: AtomicU32::new(0),
            ends: AtomicBool::new(false),
        });
        let begin = |number| {
            let state = state.clone();
            let builder = Builder::new().name(format!("skriptnd-{}", number + 1)).stack_size(STACK_BYTES);
            builder.spawn(move || work(&state, number)).ok().map(Worker::new)
        };
        // Signals of the program are for its own threads.
        let workers = signals::without(|| (0..others).map_while(begin).collect());
        Pool { workers, process: process::number(), state }
    }

    /// Whether its threads are those of this process, not of one that has forked it.
    pub(super) fn is_here(&self) -> bool {
        self.process == process::number()
    }

    /// How many threads it has, the caller among them.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// What compiled code is given; valid as long as the pool.
    pub fn functions(&self) -> PoolFunctions {
        PoolFunctions { context: std::ptr::from_ref(self).cast_mut().cast(), parallel_for: Some(parallel_for) }
    }

    /// Does the ranges of a loop. Where the pool does those of another one, the caller does all.
    ///
    /// # Safety
    /// The function must take the data, with each number below `count`, from several threads at once.
    pub unsafe fn run(&self, count: usize, body: RangeFunction, data: *mut c_void) {
        let state = &*self.state;
        let is_shared = count > 1 && count <= MOST_RANGES && !self.workers.is_empty();
        if !is_shared || state.busy.swap(true, Acquire) {
            // SAFETY: what the caller vouches for.
            (0..count).for_each(|range| unsafe { body(data, range as i64) });
            return;
        }
        state.done.store(0, Relaxed);
        // SAFETY: all ranges of the loop before are done, and none of this one is offered.
        state.work.with_mut(|work| unsafe { *work = Work { body, data } });
        state.claims.offer(count);
        state.bell.fetch_add(1, AcqRel);
        self.wake(count - 1);
        // SAFETY: likewise.
        unsafe { state.do_ranges(0) };
        let mut waited = Waited::default();
        while state.done.load(Acquire) < count {
            waited.pause();
        }
        state.busy.store(false, Release);
    }

    /// Wakes as many threads as there is work for.
    fn wake(&self, most: usize) {
        if !self.is_here() {
            return;
        }
        for (worker, asleep) in self.workers.iter().zip(&self.state.asleep).take(most) {
            if asleep.load(Relaxed) && asleep.swap(false, Relaxed) {
                // A thread that is woken is often put on the core of who wakes it, and waits there until that one waits.
                cores::avoid_mine(&worker.handle, &worker.avoided);
                worker.thread.unpark();
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.state.ends.store(true, Release);
        self.state.bell.fetch_add(1, AcqRel);
        if !self.is_here() {
            std::mem::take(&mut self.workers).into_iter().for_each(std::mem::forget);
        }
        for worker in self.workers.drain(..) {
            worker.thread.unpark();
            // One that has panicked, which none does, has ended as well.
            let _ = worker.handle.join();
        }
    }
}

/// `parallel_for` of a pool.
unsafe extern "C" fn parallel_for(context: *mut c_void, count: i64, body: RangeFunction, data: *mut c_void) {
    // SAFETY: the context is that of `functions`, whose pool is there while code uses it.
    let pool = unsafe { &*context.cast_const().cast::<Pool>() };
    // SAFETY: the compiled code vouches for its function and its data.
    unsafe { pool.run(usize::try_from(count).unwrap_or(0), body, data) };
}

impl State {
    /// Does ranges until none is left, those of a thread of this number first.
    ///
    /// # Safety
    /// As [`Pool::run`].
    unsafe fn do_ranges(&self, number: usize) {
        while let Some(range) = self.claims.claim(number) {
            // SAFETY: it is not written while a range that was claimed is not done.
            let Work { body, data } = self.work.with(|work| unsafe { *work });
            // SAFETY: what the caller of the loop vouches for.
            unsafe { body(data, range as i64) };
            self.done.fetch_add(1, Release);
        }
    }

    /// Waits until the bell is another than `heard`; gives what it is.
    fn listen(&self, heard: u32, number: usize) -> u32 {
        let mut waited = Waited::default();
        loop {
            let bell = self.bell.load(Acquire);
            if bell != heard {
                return bell;
            }
            if waited.is_long() {
                break;
            }
        }
        loop {
            // Each time: who has woken it, perhaps for a loop that is over, has taken this back. All exchange it, so that this comes
            // behind that in its order.
            self.asleep[number].swap(true, Relaxed);
            // Who rings writes the bell and then looks who sleeps. This writes it, too: one of the two comes later, and sees what
            // the other has done before.
            if self.bell.fetch_add(0, AcqRel) != heard {
                break;
            }
            park();
        }
        self.asleep[number].swap(false, Relaxed);
        self.bell.load(Acquire)
    }
}

/// What a thread of a pool does.
fn work(state: &State, number: usize) {
    let mut heard = 0;
    while !state.ends.load(Acquire) {
        // SAFETY: the callers of loops vouch for them.
        unsafe { state.do_ranges(number + 1) };
        heard = state.listen(heard, number);
    }
}
