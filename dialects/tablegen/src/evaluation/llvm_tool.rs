//! LLVM's own tool, in a process of its own.

use std::{
    io::Read,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use rustix::process::Signal;

use super::TIME_LIMIT;
use crate::paths::llvm_prefix;

/// Memory beyond which evaluation is refused, in units of 1024 bytes.
pub const MEMORY_LIMIT: usize = 2_000_000;
/// How long the process is waited for at most, if it does nothing: as where other processes leave it no processor.
const WAITING_LIMIT: Duration = Duration::from_secs(10 * TIME_LIMIT.as_secs());
/// Errors beyond this many bytes are cut.
pub const MAXIMUM_ERRORS: u64 = 64 * 1024;

/// A crash writes a stack dump.
pub fn is_crash(errors: &str) -> bool {
    errors.contains("Stack dump:")
}

/// Lets the tool read a file: how it ended, if it did in time, and what it said. None if there is no tool.
pub fn read(file: &Path, include_directories: &[PathBuf]) -> Option<(Option<ExitStatus>, String)> {
    let tool = llvm_prefix().join("bin").join("llvm-tblgen");
    if !tool.is_file() {
        return None;
    }
    let mut command = Command::new("sh");
    let seconds = TIME_LIMIT.as_secs();
    command.args(["-c", &format!("ulimit -v {MEMORY_LIMIT}; ulimit -t {seconds}; exec \"$@\""), "sh"]);
    command.arg(tool).arg("--null-backend").arg(file);
    command.args(include_directories.iter().flat_map(|directory| [Path::new("-I"), directory]));
    // Nobody reads the names in a stack dump, which take long to find.
    command.env("LLVM_DISABLE_SYMBOLIZATION", "1").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let reader = child.stderr.take().map(|pipe| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let mut rest = pipe;
            let read = (&mut rest).take(MAXIMUM_ERRORS).read_to_end(&mut bytes);
            // The process must not wait for what nobody reads.
            let _ = read.and_then(|_| std::io::copy(&mut rest, &mut std::io::sink()));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    });
    let status = wait(&mut child);
    let errors = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
    Some((status, errors))
}

/// All that the tool reads in a file, as it shows it.
pub fn shown(file: &Path, include_directories: &[PathBuf]) -> Option<String> {
    let mut command = Command::new(llvm_prefix().join("bin").join("llvm-tblgen"));
    command.arg("--print-records").arg(file);
    command.args(include_directories.iter().flat_map(|directory| [Path::new("-I"), directory]));
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Waits for the end of the process; `None` if it had to be ended, by the system or because it waits for something.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status).filter(|status| status.signal() != Some(Signal::XCPU.as_raw())),
            Ok(None) if start.elapsed() < WAITING_LIMIT => std::thread::sleep(pause),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
