//! Evaluation in a process that another one watches: it may end at any time, and what TableGen prints is read back.

use std::{
    fs::File,
    io::{Read, Seek, Write},
    process::exit,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use rustix::{
    process::{Resource, Rlimit, getrlimit, setrlimit},
    stdio::{dup2_stderr, stderr},
    time::{ClockId, clock_gettime},
};
use tblgen::RecordKeeper;

use super::{Input, TIME_LIMIT, llvm_tool::MAXIMUM_ERRORS};
use crate::error::{Error, Result};

/// What the exit codes of a watched process begin with, so that they are none of TableGen's own.
pub const EXIT_CODES: u8 = 64;
/// The exit code of a watched process that took too long.
pub const TIMED_OUT: u8 = EXIT_CODES - 1;
/// Address space beyond which evaluation ends, in bytes: memory, stacks and what is linked.
const ADDRESS_SPACE: u64 = 4 << 30;

/// How long the process is let alone at least.
const LEAST_PAUSE: Duration = Duration::from_millis(100);

static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// From now on files are evaluated in this process.
pub fn begin() {
    IS_WATCHED.store(true, Ordering::Relaxed);
}

pub fn is_watched() -> bool {
    IS_WATCHED.load(Ordering::Relaxed)
}

/// The records, where TableGen says of no error.
pub fn parse(input: &Input<'_>) -> Result<Option<RecordKeeper<'static>>> {
    let (records, said) = with_limits(|| captured(|| input.parse()))
        .map_err(|error| Error::new(format!("cannot read what TableGen says of '{}': {error}", input.shown_name)))?;
    if has_error(&said) {
        return Err(input.error(&said));
    }
    // Standard error may be gone.
    let _ = std::io::stderr().write_all(input.told(&said).as_bytes());
    Ok(records)
}

/// Whether TableGen says of an error: `FILE:LINE:COLUMN: error: MESSAGE`, or without a place. What it shows of a file behind
/// such a line, and messages of a file's own (`dump`), may look like one.
fn has_error(said: &str) -> bool {
    let mut lines = said.lines();
    while let Some(line) = lines.next() {
        match severity(line) {
            Some("error") => return true,
            // The line of the file, and the caret.
            Some(_) => drop(lines.by_ref().take(2).count()),
            None => {}
        }
    }
    false
}

/// The severity of a message that begins with this line.
fn severity(line: &str) -> Option<&str> {
    const SEVERITIES: [&str; 4] = ["error", "warning", "note", "remark"];
    let find = |severity: &&'static str| Some((line.find(&format!("{severity}: "))?, *severity));
    let (at, severity) = SEVERITIES.iter().filter_map(find).min()?;
    let mut place = line[..at].trim_end_matches([' ', ':']).rsplit(':');
    let is_placed = place.by_ref().take(2).filter(|part| part.parse::<u32>().is_ok()).count() == 2;
    (at == 0 || is_placed).then_some(severity)
}

/// Ends the process where `run` takes too long or too much memory.
fn with_limits<T>(run: impl FnOnce() -> T) -> T {
    let (done, waits) = mpsc::channel::<()>();
    thread::spawn(move || {
        let end = processor_time() + TIME_LIMIT;
        let left = || end.saturating_sub(processor_time());
        while waits.recv_timeout(left().max(LEAST_PAUSE)) == Err(mpsc::RecvTimeoutError::Timeout) {
            if left().is_zero() {
                exit(i32::from(TIMED_OUT));
            }
        }
    });
    let before = getrlimit(Resource::As);
    // Without the limit evaluation ends later.
    let _ = setrlimit(Resource::As, Rlimit { current: Some(ADDRESS_SPACE), ..before });
    let result = run();
    let _ = setrlimit(Resource::As, before);
    drop(done);
    result
}

/// What this process has had of processors.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or_default(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// What `run` returns, and what it prints on standard error.
fn captured<T>(run: impl FnOnce() -> T) -> std::io::Result<(T, String)> {
    let mut file: File = tempfile::tempfile()?;
    let before = stderr().try_clone_to_owned()?;
    dup2_stderr(&file)?;
    let result = run();
    dup2_stderr(&before)?;
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(MAXIMUM_ERRORS).read_to_end(&mut bytes)?;
    Ok((result, String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::has_error;

    #[test]
    fn errors_are_told_from_notes() {
        for error in [
            "a.td:1:8: error: assertion failed: x",
            "error: no such file",
            "a:b.td:12:3: error: x",
            "a.td:1:1: warning: w\nx\n^\na.td:2:1: error: x",
        ] {
            assert!(has_error(error), "{error}");
        }
        for other in [
            "a.td:1:8: note: an error: x",
            "a.td:1:8: warning: error: x",
            "a.td:4:1: note: b.td:1:1: error: x\ndump \"b.td:1:1: error: x\";\n^",
            "  def error: x",
            "",
        ] {
            assert!(!has_error(other), "{other}");
        }
    }
}
