//! Everything that must hold: formatting, lints, unit and documentation tests, lit tests, those of the package for Python.

use crate::steps::{self, Tally};
use crate::{build, lit, python, root};
use anyhow::{Context, Result};

/// Runs all of it and prints `N passed, N failed` last; false if anything failed.
///
/// # Errors
/// Where a tool can't be started or the executable can't be built.
pub fn run(filter: Option<&str>) -> Result<bool> {
    let mut tally = check("formatting", &["fmt", "--all", "--check"])?;
    tally =
        tally.add(check("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?);
    let alone = ["clippy", "--package", "skriptnd", "--no-default-features", "--quiet", "--", "--deny", "warnings"];
    tally = tally.add(check("lints without MLIR", &alone)?);
    let binaries = build::for_tests()?;
    tally = tally.add(cargo_tests()?);
    tally = tally.add(lit::run(&binaries, filter)?);
    tally = tally.add(python::test(&binaries)?);
    Ok(tally.report())
}

fn check(what: &str, arguments: &[&str]) -> Result<Tally> {
    steps::announce(what);
    let passed = steps::cargo(&root(), arguments).status().context("cargo did not start")?.success();
    Ok(Tally::one(passed))
}

fn cargo_tests() -> Result<Tally> {
    steps::announce("unit and documentation tests");
    let mut tally = Tally::default();
    let mut command = steps::cargo(&root(), &["test", "--workspace", "--no-fail-fast"]);
    let succeeded = steps::stream(&mut command, |line| tally = tally.add(result_line(line)))?;
    if !succeeded && tally.failed == 0 {
        tally.failed = 1;
    }
    Ok(tally)
}

/// Reads a line such as `test result: ok. 12 passed; 0 failed; ...`.
fn result_line(line: &str) -> Tally {
    let Some(rest) = line.strip_prefix("test result: ") else { return Tally::default() };
    let count = |word: &str| {
        let before = rest.split(word).next().unwrap_or_default();
        before.split_whitespace().last().and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    Tally { passed: count(" passed"), failed: count(" failed") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_result_line_of_cargo() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(result_line(line), Tally { passed: 12, failed: 3 });
        assert_eq!(result_line("running 15 tests"), Tally::default());
    }
}
