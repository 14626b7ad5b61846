//! Pools of threads: every range is done once, whoever does it.

use skriptnd_runtime::pool::Pool;
use std::collections::HashSet;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::thread::ThreadId;
use std::time::Duration;

/// Counts how often each range was done.
struct Counts {
    pause: Option<Duration>,
    done: Vec<AtomicU32>,
}

unsafe extern "C" fn count(data: *mut c_void, range: i64) {
    // SAFETY: all tests give this.
    let counts = unsafe { &*data.cast_const().cast::<Counts>() };
    counts.pause.iter().for_each(|pause| std::thread::sleep(*pause));
    counts.done[usize::try_from(range).unwrap()].fetch_add(1, Relaxed);
}

fn each_is_done_once(pool: &Pool, ranges: usize, pause: Option<Duration>) {
    let counts = Counts { pause, done: (0..ranges).map(|_| AtomicU32::new(0)).collect() };
    let data = std::ptr::from_ref(&counts).cast_mut().cast();
    // SAFETY: `count` takes this from several threads.
    unsafe { pool.run(ranges, count, data) };
    assert!(counts.done.iter().all(|count| count.load(Relaxed) == 1), "{:?}", counts.done);
}

#[test]
fn every_range_is_done_once() {
    for threads in [1, 2, 3, 16] {
        let pool = Pool::new(threads);
        assert_eq!(pool.threads(), threads);
        for ranges in [0, 1, 2, 3, 15, 16, 17, 64, 1000, 70_000] {
            each_is_done_once(&pool, ranges, None);
        }
        (0..2000).for_each(|round| each_is_done_once(&pool, round % 7, None));
    }
}

#[test]
fn threads_that_sleep_are_woken() {
    let pool = Pool::new(3);
    for _ in 0..20 {
        std::thread::sleep(Duration::from_millis(2));
        each_is_done_once(&pool, 8, Some(Duration::from_micros(300)));
    }
}

#[test]
fn several_callers_share_a_pool() {
    let pool = Pool::new(2);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..2000).for_each(|round| each_is_done_once(&pool, 1 + round % 9, None)));
        }
    });
}

/// Which threads have done ranges.
struct Meeting {
    threads: Mutex<HashSet<ThreadId>>,
    has_met: Condvar,
}

/// A range that is done when a second thread has begun one.
unsafe extern "C" fn meet(data: *mut c_void, _: i64) {
    // SAFETY: the test gives this.
    let meeting = unsafe { &*data.cast_const().cast::<Meeting>() };
    let mut threads = meeting.threads.lock().unwrap();
    threads.insert(std::thread::current().id());
    meeting.has_met.notify_all();
    let waits = |threads: &mut HashSet<ThreadId>| threads.len() < 2;
    drop(meeting.has_met.wait_timeout_while(threads, Duration::from_secs(60), waits).unwrap());
}

#[test]
fn other_threads_take_part() {
    let pool = Pool::new(2);
    for pause in [0, 5] {
        std::thread::sleep(Duration::from_millis(pause));
        let meeting = Meeting { threads: Mutex::default(), has_met: Condvar::new() };
        // SAFETY: `meet` takes this from several threads.
        unsafe { pool.run(4, meet, std::ptr::from_ref(&meeting).cast_mut().cast()) };
        assert_eq!(meeting.threads.lock().unwrap().len(), 2);
    }
}

/// Which signals the thread has blocked that does a range, and on which cores it may run.
#[cfg(target_os = "linux")]
#[derive(Default)]
struct Seen(Mutex<Vec<(std::thread::ThreadId, bool, bool)>>);

#[cfg(target_os = "linux")]
unsafe extern "C" fn see(data: *mut c_void, _: i64) {
    // SAFETY: the test gives this; the set is written before it is read.
    let (seen, has_blocked) = unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &raw mut set);
        let has = |signal| libc::sigismember(&raw const set, signal) == 1;
        (&*data.cast_const().cast::<Seen>(), [has(libc::SIGUSR1), has(libc::SIGBUS)])
    };
    std::thread::sleep(Duration::from_millis(2));
    seen.0.lock().unwrap().push((std::thread::current().id(), has_blocked[0], has_blocked[1]));
}

#[test]
#[cfg(target_os = "linux")]
fn signals_are_for_the_threads_of_the_program() {
    let (pool, seen) = (Pool::new(3), Seen::default());
    // SAFETY: `see` takes this from several threads.
    (0..3).for_each(|_| unsafe { pool.run(16, see, std::ptr::from_ref(&seen).cast_mut().cast()) });
    let (seen, own) = (seen.0.into_inner().unwrap(), std::thread::current().id());
    assert!(seen.iter().all(|(thread, user, bus)| *user == (*thread != own) && !bus), "{seen:?}");
    assert!(seen.iter().any(|(thread, ..)| *thread != own));
}

/// The cores that this thread may run on.
#[cfg(target_os = "linux")]
fn cores() -> Vec<u8> {
    // SAFETY: the set is written before it is read, and has the size that is said.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set);
        std::slice::from_raw_parts(std::ptr::from_ref(&set).cast::<u8>(), size_of::<libc::cpu_set_t>()).to_vec()
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_process_that_is_forked_does_all_itself() {
    let (pool, before) = (Pool::new(2), cores());
    each_is_done_once(&pool, 8, None);
    std::thread::sleep(Duration::from_millis(5));
    // SAFETY: what is forked does nothing but run ranges, and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            each_is_done_once(&pool, 8, None);
            assert_eq!(cores(), before);
        }));
        // SAFETY: it ends this process.
        unsafe { libc::_exit(i32::from(done.is_err())) };
    }
    let mut status = 0;
    // SAFETY: the status is a number.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0);
}

#[test]
fn pools_end() {
    (0..50).for_each(|_| each_is_done_once(&Pool::new(4), 5, None));
    drop(Pool::new(4));
}
