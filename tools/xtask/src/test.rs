//! Everything that must hold: formatting, lints, unit and documentation tests, lit tests, those of the package for Python.

use crate::executables::{self, result_line};
use crate::steps::{self, Tally};
use crate::{build, lit, python, root};
use anyhow::{Context, Result};
use std::iter;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What is done beside others.
type Job<'a> = Box<dyn FnOnce() -> Result<Tally> + Send + 'a>;

/// Runs all of it and prints `N passed, N failed` last; false if anything failed.
///
/// # Errors
/// Where a tool can't be started or the executable can't be built.
pub fn run(filter: Option<&str>) -> Result<bool> {
    let formatted = check("formatting", &["fmt", "--all", "--check"])?;
    let binaries = build::for_tests()?;
    let mut jobs: Vec<Job> = vec![Box::new(by_cargo)];
    for executable in executables::build()? {
        jobs.push(Box::new(move || executable.run()));
    }
    jobs.push(Box::new(|| lit::run(&binaries, filter)));
    jobs.push(Box::new(|| python::test(&binaries)));
    Ok(formatted.add(beside(jobs)?).report())
}

/// What cargo does alone, since it locks the folder that it builds into.
fn by_cargo() -> Result<Tally> {
    let lints = check("lints", &["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"])?;
    let alone = ["clippy", "--package", "skriptnd", "--no-default-features", "--quiet", "--", "--deny", "warnings"];
    let alone = check("lints without MLIR", &alone)?;
    let mut documentation = steps::cargo(&root(), &["test", "--workspace", "--doc", "--no-fail-fast"]);
    Ok(lints.add(alone).add(steps::count("documentation tests", &mut documentation, result_line)?))
}

fn check(what: &str, arguments: &[&str]) -> Result<Tally> {
    steps::announce(what);
    let passed = steps::cargo(&root(), arguments).status().context("cargo did not start")?.success();
    Ok(Tally::one(what, passed))
}

/// Does as many jobs at a time as there are processors: many of the tests keep one busy only.
fn beside(jobs: Vec<Job<'_>>) -> Result<Tally> {
    let jobs = Mutex::new(jobs.into_iter());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || iter::from_fn(next).try_fold(Tally::default(), |tally, job| job().map(|done| tally.add(done)));
    thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        let mut tallies = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        tallies.try_fold(Tally::default(), |sum, tally| tally.map(|tally| sum.add(tally)))
    })
}
