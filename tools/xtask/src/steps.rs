//! Counted results, and running a tool while its progress is shown.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// How what tools of tests say about failures begins: tests in Rust, lit, Python.
const FAILURES: [&str; 3] = ["failures:", "********************", "======"];

/// How many lines of what failed are shown again at the end, of each command.
const SHOWN_AGAIN: usize = 60;

/// How many checks passed and failed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Passed.
    pub passed: u32,
    /// Failed.
    pub failed: u32,
    /// What was printed about those that failed.
    pub told: Vec<String>,
}

impl Tally {
    /// So many of each, of which nothing was told.
    pub fn of(passed: u32, failed: u32) -> Self {
        Tally { passed, failed, told: Vec::new() }
    }

    /// One check, called so.
    pub fn one(what: &str, passed: bool) -> Self {
        let told = if passed { Vec::new() } else { vec![format!("{what}: failed")] };
        Tally { told, ..Tally::of(u32::from(passed), u32::from(!passed)) }
    }

    /// Both together.
    pub fn add(self, other: Tally) -> Self {
        let told = [self.told, other.told].concat();
        Tally { passed: self.passed + other.passed, failed: self.failed + other.failed, told }
    }

    /// Prints what was told of failures, which may lie thousands of lines back, and the closing line; true if nothing failed
    /// and anything ran.
    pub fn report(self) -> bool {
        self.told.iter().for_each(|line| println!("{line}"));
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
    let mut told = Vec::new();
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
            if !told.is_empty() || FAILURES.iter().any(|begin| line.starts_with(begin)) {
                told.push(format!("{what}: {line}"));
            }
        }
    }
    if !child.wait()?.success() && tally.failed == 0 {
        tally = tally.add(Tally::one(what, false));
    }
    told.truncate(if tally.failed == 0 { 0 } else { SHOWN_AGAIN });
    tally.told.extend(told);
    Ok(tally)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_told_again() {
        let script = "printf 'a ... ok\\nb ... FAILED\\n\\nfailures:\\nwhy\\n\\ntest result: FAILED. 1 passed; 1 failed;\\n'; exit 1";
        let read = |line: &str| Tally::of(0, u32::from(line.starts_with("test result")));
        let tally = count("unit", Command::new("sh").args(["-c", script]), read).unwrap();
        assert_eq!((tally.failed, &tally.told[..2]), (1, &["unit: failures:".to_owned(), "unit: why".to_owned()][..]));
        let silent = count("silent", Command::new("sh").args(["-c", "echo failures:"]), read).unwrap();
        assert_eq!(silent, Tally::default());
        let unheard = count("unheard", Command::new("sh").args(["-c", "exit 3"]), read).unwrap();
        assert_eq!((unheard.failed, &*unheard.told), (1, &["unheard: failed".to_owned()][..]));
    }
}
