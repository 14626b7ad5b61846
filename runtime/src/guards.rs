//! Says whose guard was hit when compiled code touches memory beside that of a guarded session, before the process ends.

use std::ffi::c_void;
use std::io;
use std::sync::{Mutex, Once, PoisonError};

/// The pages of guarded memory that has a name.
struct Region {
    begin: usize,
    end: usize,
    /// Where the memory itself begins and ends.
    memory: (usize, usize),
    name: String,
}

/// Bytes that are told at most.
const LONGEST: usize = 512;

static REGIONS: Mutex<Vec<Region>> = Mutex::new(Vec::new());

/// Notes memory at `memory` in pages of `whole` bytes from `pages` on.
pub fn note(name: &str, (pages, whole): (*const u8, usize), memory: (*const u8, usize)) {
    watch();
    let (begin, from) = (pages as usize, memory.0 as usize);
    let region = Region { begin, end: begin + whole, memory: (from, from + memory.1), name: name.to_owned() };
    REGIONS.lock().unwrap_or_else(PoisonError::into_inner).push(region);
}

/// Forgets what was noted of pages.
pub fn forget(pages: *const u8) {
    REGIONS.lock().unwrap_or_else(PoisonError::into_inner).retain(|region| region.begin != pages as usize);
}

/// Says of an address what it lies beside; nothing if it lies in no such pages. Allocates nothing: a signal may come while
/// memory is being allocated.
fn tell(address: usize, to: &mut impl io::Write) -> io::Result<()> {
    // Whoever holds it is not the code of a model.
    let Ok(regions) = REGIONS.try_lock() else { return Ok(()) };
    let Some(region) = regions.iter().find(|region| (region.begin..region.end).contains(&address)) else {
        return Ok(());
    };
    let (begin, end) = region.memory;
    write!(to, "compiled code left {}: ", region.name)?;
    match address {
        before if before < begin => writeln!(to, "{} bytes before its begin", begin - before),
        behind if behind >= end => writeln!(to, "{} bytes behind its end", behind - end),
        inside => writeln!(to, "byte {} of it, which may not be written", inside - begin),
    }
}

/// Tells what was hit, whatever else is done about the signal then.
extern "C" fn hit(_: i32, information: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the system gives the information of this signal.
    let address = unsafe { (*information).si_addr() } as usize;
    let mut text = [0; LONGEST];
    let mut rest = &mut text[..];
    // What is longer is told as far as there is room.
    let _ = tell(address, &mut rest);
    let length = LONGEST - rest.len();
    // SAFETY: writes the bytes of the text that were written to.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), length) };
    // SAFETY: the instruction is tried again, and ends the process.
    unsafe { libc::signal(libc::SIGSEGV, libc::SIG_DFL) };
}

fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // SAFETY: all zeros are an action without flags.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = hit as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the action is complete; without it the process ends all the same.
        unsafe { libc::sigaction(libc::SIGSEGV, &raw const action, std::ptr::null_mut()) };
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_by_the_memory_beside_them() {
        let pages = 0x7000_0000_0000 as *const u8;
        let told = |address| {
            let mut text = Vec::new();
            tell(address, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        note("input `x`", (pages, 0x3000), (0x7000_0000_1ff0 as *const u8, 16));
        assert_eq!(told(0x7000_0000_2000), "compiled code left input `x`: 0 bytes behind its end\n");
        assert_eq!(told(0x7000_0000_0ff0), "compiled code left input `x`: 4096 bytes before its begin\n");
        assert_eq!(told(0x7000_0000_3000), "");
        forget(pages);
        assert_eq!(told(0x7000_0000_2000), "");
    }
}
