//! Keeps the process alive where code reads mapped pages that are gone because their file has become shorter, or its disk fails:
//! the system sends SIGBUS, and a handler puts pages of zeros in their place, notes it, and lets the instruction go on.

use std::ffi::c_void;
use std::hint::spin_loop;
use std::mem::{transmute, zeroed};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering::Release};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError, TryLockError};

/// A map that is watched.
struct Region {
    begin: usize,
    end: usize,
    is_lost: Arc<AtomicBool>,
}

static REGIONS: Mutex<Vec<Region>> = Mutex::new(Vec::new());

/// What was done about the signal before; for faults elsewhere that still holds.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Watches a map until [`end`]; what it gives becomes true when pages of it are gone.
pub fn begin(map: &[u8]) -> Arc<AtomicBool> {
    install();
    let is_lost = Arc::new(AtomicBool::new(false));
    let begin = map.as_ptr() as usize;
    let region = Region { begin, end: begin + map.len(), is_lost: is_lost.clone() };
    REGIONS.lock().unwrap_or_else(PoisonError::into_inner).push(region);
    is_lost
}

/// Forgets a map that will be unmapped.
pub fn end(map: &[u8]) {
    let begin = map.as_ptr() as usize;
    REGIONS.lock().unwrap_or_else(PoisonError::into_inner).retain(|region| region.begin != begin);
}

fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: all zeros are an action without flags.
        let (mut action, mut before): (libc::sigaction, libc::sigaction) = unsafe { (zeroed(), zeroed()) };
        // SAFETY: asks for the action, which it writes.
        unsafe { libc::sigaction(libc::SIGBUS, null(), &raw mut before) };
        let _ = BEFORE.set(before);
        action.sa_sigaction = on_fault as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the action is complete; without it the process ends where it did before.
        unsafe { libc::sigaction(libc::SIGBUS, &raw const action, null_mut()) };
    });
}

/// The list in the handler. Who holds it is another thread, which lets it go soon: no thread reads a map while it holds it.
fn regions() -> MutexGuard<'static, Vec<Region>> {
    loop {
        match REGIONS.try_lock() {
            Ok(regions) => return regions,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => spin_loop(),
        }
    }
}

/// Puts zeros from the page of an address to the end of the map that it lies in; whether there is such a map.
fn replace(address: usize) -> bool {
    let regions = regions();
    let Some(region) = regions.iter().find(|region| (region.begin..region.end).contains(&address)) else {
        return false;
    };
    // SAFETY: asks the system for a number.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let from = address / page * page;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    // SAFETY: the pages are those of a map that is only read, and stays as long as the list is held; its owner unmaps them as
    // it would have done.
    let done = unsafe { libc::mmap(from as *mut c_void, region.end - from, libc::PROT_READ, flags, -1, 0) };
    region.is_lost.store(true, Release);
    done != libc::MAP_FAILED
}

extern "C" fn on_fault(signal: i32, information: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system gives the information of this signal.
    let (address, code) = unsafe { ((*information).si_addr() as usize, (*information).si_code) };
    if code == libc::BUS_ADRERR && replace(address) {
        return;
    }
    match BEFORE.get() {
        Some(before) if ![libc::SIG_DFL, libc::SIG_IGN].contains(&before.sa_sigaction) => {
            if before.sa_flags & libc::SA_SIGINFO != 0 {
                type Handler = extern "C" fn(i32, *mut libc::siginfo_t, *mut c_void);
                // SAFETY: with this flag the action has this form.
                unsafe { transmute::<usize, Handler>(before.sa_sigaction)(signal, information, context) };
            } else {
                // SAFETY: without it, this one.
                unsafe { transmute::<usize, extern "C" fn(i32)>(before.sa_sigaction)(signal) };
            }
        }
        // SAFETY: the instruction is tried again, and ends the process.
        _ => drop(unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) }),
    }
}
