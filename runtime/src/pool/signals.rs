//! Signals of the program: threads of pools take none, but those that their own code causes.

/// Does something that starts threads.
#[cfg(unix)]
pub fn without<T>(start: impl FnOnce() -> T) -> T {
    use std::mem::zeroed;
    /// A blocked one of these ends the process; SIGBUS tells that a mapped file has become shorter.
    const OWN: [libc::c_int; 6] =
        [libc::SIGBUS, libc::SIGSEGV, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGSYS];
    // SAFETY: sets are plain numbers, which these functions write.
    let (mut all, mut before): (libc::sigset_t, libc::sigset_t) = unsafe { (zeroed(), zeroed()) };
    // SAFETY: the pointers lead to sets, and the numbers are those of signals.
    let is_set = unsafe {
        libc::sigfillset(&raw mut all);
        OWN.iter().for_each(|signal| _ = libc::sigdelset(&raw mut all, *signal));
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before) == 0
    };
    let started = start();
    if is_set {
        // SAFETY: likewise.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut()) };
    }
    started
}

/// There are no signals here.
#[cfg(not(unix))]
pub fn without<T>(start: impl FnOnce() -> T) -> T {
    start()
}
