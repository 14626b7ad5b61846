//! Running the lit tests under `test/` with LLVM's lit.

use crate::steps::{self, Tally};
use crate::{build, root};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Debian's lit for the LLVM that we build on.
const LIT: &str = "/usr/lib/llvm-22/bin/lit";

/// Runs the tests whose path matches `filter` (a regular expression) with the executables in `binaries`.
///
/// # Errors
/// Where lit can't be started.
pub fn run(binaries: &Path, filter: Option<&str>) -> Result<Tally> {
    let mut command = Command::new("python3");
    command.arg(LIT).arg(root().join("test")).args(["--order=lexical", "-v"]);
    if let Some(filter) = filter {
        command.args(["--filter", filter]);
    }
    command.env("SKRIPTND_BINARIES", binaries).env("SKRIPTND_TEST_OUTPUT", build::target_folder().join("lit"));
    steps::count("lit", &mut command, summary_line)
}

/// Reads a line of lit's closing summary, such as `  Passed: 12 (100.00%)`.
fn summary_line(line: &str) -> Tally {
    let Some((label, rest)) = line.split_once(':') else { return Tally::default() };
    let count = rest.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0);
    match label.trim() {
        "Passed" | "Expectedly Failed" => Tally::of(count, 0),
        "Failed" | "Timed Out" | "Unresolved" | "Unexpectedly Passed" => Tally::of(0, count),
        _ => Tally::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_summary_of_lit() {
        let text = "PASS: SkriptND :: a.mlir (1 of 3)\n\nTotal Discovered Tests: 3\n  Passed: 2 (66.67%)\n  Failed: 1 (33.33%)";
        let tally = text.lines().map(summary_line).fold(Tally::default(), Tally::add);
        assert_eq!(tally, Tally::of(2, 1));
    }
}
