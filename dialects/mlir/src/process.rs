//! Processes for work that may end them.

use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitStatus;

/// What a panic ends a process with.
const PANICKED: u8 = 70;

/// Runs something in a copy of this process, whose exit code it returns, and tells how that ended.
///
/// The copy has this thread only: no other one may be working, whose locks nobody would release there.
///
/// # Errors
/// Where no process can be made.
pub fn in_copy(run: impl FnOnce() -> u8) -> io::Result<ExitStatus> {
    // SAFETY: the copy runs safe code on memory of its own and ends with it; it never returns to the caller's.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => leave(catch_unwind(AssertUnwindSafe(run)).unwrap_or(PANICKED)),
        copy => wait(copy),
    }
}

/// Ends this process at once with an exit code: thousands of options of LLVM are not taken apart one by one.
pub fn leave(code: u8) -> ! {
    // Who reads it may be gone.
    let _ = io::stdout().flush();
    // SAFETY: nothing of the process is used behind this call.
    unsafe { libc::_exit(code.into()) }
}

fn wait(process: libc::pid_t) -> io::Result<ExitStatus> {
    let mut status = 0;
    loop {
        // SAFETY: the status is written to a variable that lives.
        if unsafe { libc::waitpid(process, &mut status, 0) } == process {
            return Ok(ExitStatus::from_raw(status));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
