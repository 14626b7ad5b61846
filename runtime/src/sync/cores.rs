//! On which cores threads run.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;

/// The core that a thread keeps away from, if any.
#[derive(Debug)]
pub struct Avoided(AtomicUsize);

const NONE: usize = usize::MAX;

impl Default for Avoided {
    fn default() -> Self {
        Avoided(AtomicUsize::new(NONE))
    }
}

/// Keeps a thread away from the core of the one that asks, on the others that this one may run on, if there are any.
#[cfg(target_os = "linux")]
pub fn avoid_mine(thread: &JoinHandle<()>, avoided: &Avoided) {
    use std::mem::{size_of, zeroed};
    use std::os::unix::thread::JoinHandleExt;
    const SIZE: usize = size_of::<libc::cpu_set_t>();
    // SAFETY: it asks for a number.
    let Ok(core) = usize::try_from(unsafe { libc::sched_getcpu() }) else { return };
    if core >= 8 * SIZE || avoided.0.swap(core, Relaxed) == core {
        return;
    }
    // SAFETY: the set is plain numbers, which the system writes; the core is one that it has a bit for. The thread is one of this
    // process, and has not been joined. Where its cores can't be changed, it runs where it may.
    unsafe {
        let mut set: libc::cpu_set_t = zeroed();
        if libc::sched_getaffinity(0, SIZE, &raw mut set) == 0 {
            libc::CPU_CLR(core, &mut set);
            if libc::CPU_COUNT(&set) > 0 {
                libc::pthread_setaffinity_np(thread.as_pthread_t(), SIZE, &raw const set);
            }
        }
    }
}

/// Nothing is known of cores here.
#[cfg(not(target_os = "linux"))]
pub fn avoid_mine(_: &JoinHandle<()>, avoided: &Avoided) {
    avoided.0.store(NONE, Relaxed);
}
