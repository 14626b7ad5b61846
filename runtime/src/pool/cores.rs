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

#[cfg(target_os = "linux")]
mod linux {
    use super::{Avoided, JoinHandle, Relaxed};
    use std::mem::{size_of, zeroed};
    use std::os::unix::thread::JoinHandleExt;

    /// The cores that threads may run on.
    pub struct Places(Option<libc::cpu_set_t>);

    impl std::fmt::Debug for Places {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.debug_tuple("Places").finish_non_exhaustive()
        }
    }

    impl Places {
        /// Those of the thread that asks.
        pub fn known() -> Places {
            // SAFETY: the set is plain numbers, which the system writes.
            let mut set: libc::cpu_set_t = unsafe { zeroed() };
            // SAFETY: it has the size that is said.
            let failed = unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) } != 0;
            Places(if failed { None } else { Some(set) })
        }

        /// Keeps a thread away from the core of the one that asks, if there is another.
        pub fn avoid_mine(&self, thread: &JoinHandle<()>, avoided: &Avoided) {
            // SAFETY: it asks for a number.
            let core = usize::try_from(unsafe { libc::sched_getcpu() });
            let (Some(mut set), Ok(core)) = (self.0, core) else { return };
            if core >= 8 * size_of::<libc::cpu_set_t>() || avoided.0.swap(core, Relaxed) == core {
                return;
            }
            // SAFETY: the core is one that the set has a bit for; the thread has not been joined.
            unsafe {
                libc::CPU_CLR(core, &mut set);
                if libc::CPU_COUNT(&set) > 0 {
                    // Where it is refused, the thread runs where it may.
                    libc::pthread_setaffinity_np(thread.as_pthread_t(), size_of::<libc::cpu_set_t>(), &raw const set);
                }
            }
        }
    }
}

#[cfg(target_os = "linux")]
pub use linux::Places;

/// Nothing is known of cores here.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub struct Places;

#[cfg(not(target_os = "linux"))]
impl Places {
    pub fn known() -> Places {
        Places
    }

    pub fn avoid_mine(&self, _: &JoinHandle<()>, avoided: &Avoided) {
        avoided.0.store(NONE, Relaxed);
    }
}
