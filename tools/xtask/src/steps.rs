//! Counted results, and running a tool while its progress is shown.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// How many checks passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Passed.
    pub passed: u32,
    /// Failed.
    pub failed: u32,
}

impl Tally {
    /// One check.
    pub fn one(passed: bool) -> Self {
        Tally { passed: u32::from(passed), failed: u32::from(!passed) }
    }

    /// Both together.
    pub fn add(self, other: Tally) -> Self {
        Tally { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }

    /// Prints the closing line; true if nothing failed and anything ran.
    pub fn report(self) -> bool {
        println!("{} passed, {} failed", self.passed, self.failed);
        self.failed == 0 && self.passed > 0
    }
}

/// Says what begins now.
pub fn announce(what: &str) {
    eprintln!("==> {what}");
    std::io::stderr().flush().ok();
}

/// Runs a command of tests, of whose lines `read` makes results. They are shown behind the name of what is tested, since others
/// may run beside it.
///
/// # Errors
/// Where the command can't be started.
pub fn count(what: &str, command: &mut Command, read: impl Fn(&str) -> Tally) -> Result<Tally> {
    announce(what);
    let name = command.get_program().to_string_lossy().into_owned();
    let mut tally = Tally::default();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("`{name}` did not start"))?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = line.with_context(|| format!("the output of `{name}` broke off"))?;
            let line = String::from_utf8_lossy(&line);
            println!("{what}: {line}");
            tally = tally.add(read(&line));
        }
    }
    let failed_unheard = !child.wait()?.success() && tally.failed == 0;
    Ok(tally.add(Tally { passed: 0, failed: u32::from(failed_unheard) }))
}

/// A cargo command in the project's root, with the cargo that runs us.
pub fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments);
    command
}
/// Runs a program to its end.
///
/// # Errors
/// Where it does not start, or fails.
pub fn call(program: &Path, arguments: &[&OsStr]) -> Result<()> {
    let name = program.display();
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("{name} did not start"))?;
    if !status.success() {
        bail!("`{name} {}` failed", arguments.join(OsStr::new(" ")).to_string_lossy());
    }
    Ok(())
}
