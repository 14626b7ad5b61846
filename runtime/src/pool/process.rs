//! Which process this is: one that was forked has none of the threads. The system is asked once only, since that takes longer than
//! all else that a small run does besides its work.

use std::ptr::{from_ref, null_mut};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicPtr, AtomicU32};

/// The word that has the number of this process, or 0; null before it is there. No lock: a process that is forked meanwhile would
/// find that locked for ever.
static KNOWN: AtomicPtr<AtomicU32> = AtomicPtr::new(null_mut());
/// Its place where the system has no memory that forks wipe. Nobody writes it.
static UNKNOWN: AtomicU32 = AtomicU32::new(0);

/// The number of this process.
pub fn number() -> u32 {
    // SAFETY: what it leads to stays as long as the process.
    match unsafe { KNOWN.load(Acquire).as_ref() }.map_or(0, |known| known.load(Relaxed)) {
        0 => ask(),
        known => known,
    }
}

#[cold]
fn ask() -> u32 {
    let number = std::process::id();
    if KNOWN.load(Acquire).is_null() {
        // A second word, of a thread that does the same, stays unused.
        let word = wiped_by_forks().unwrap_or(&UNKNOWN);
        let _ = KNOWN.compare_exchange(null_mut(), from_ref(word).cast_mut(), AcqRel, Acquire);
    }
    // SAFETY: as in `number`.
    let known = unsafe { KNOWN.load(Acquire).as_ref() };
    if let Some(known) = known.filter(|known| !std::ptr::eq(*known, &UNKNOWN)) {
        known.store(number, Relaxed);
    }
    number
}

/// A word that is 0 in each process that is forked, as it is at first.
#[cfg(target_os = "linux")]
fn wiped_by_forks() -> Option<&'static AtomicU32> {
    // SAFETY: asks the system for a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    let (read_write, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new page of zeros wherever the system has room.
    let memory = unsafe { libc::mmap(null_mut(), page, read_write, private, -1, 0) };
    if memory == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: the page that was just mapped.
    if unsafe { libc::madvise(memory, page, libc::MADV_WIPEONFORK) } != 0 {
        // SAFETY: likewise; nothing refers to it.
        unsafe { libc::munmap(memory, page) };
        return None;
    }
    // SAFETY: the page is aligned, initialised, and never unmapped.
    Some(unsafe { &*memory.cast_const().cast() })
}

/// There is no such memory here.
#[cfg(not(target_os = "linux"))]
fn wiped_by_forks() -> Option<&'static AtomicU32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_that_of_the_process() {
        assert_eq!([number(), number()], [std::process::id(); 2]);
        // SAFETY: what is forked asks for numbers only, and leaves by `_exit`.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let is_own = [number(), number()] == [std::process::id(); 2];
            // SAFETY: it ends this process.
            unsafe { libc::_exit(i32::from(!is_own)) };
        }
        let mut status = 0;
        // SAFETY: the status is a number.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!(status, 0);
    }
}
