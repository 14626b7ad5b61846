//! Upstream's own .td files: what `mlir-tblgen -gen-op-defs` takes is read here as well.
//!
//! `SKRIPTND_UPSTREAM=1 cargo test -p skriptnd-tablegen --test upstream -- --nocapture` prints a table with the first reason
//! of refusal of each file and what it weighs.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use skriptnd_tablegen::{Error, Records, generate, llvm_prefix, ods::Model, search_path};

/// Files and operations that are read, and of which Rust is made, of those that upstream's tool takes, in percent.
const GOAL: f64 = 95.0;
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = folder.read_dir() else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        match path.extension() {
            _ if path.is_dir() => files(&path, found),
            Some(extension) if extension == "td" => found.push(path),
            _ => {}
        }
    }
}

fn upstream_takes(prefix: &Path, file: &Path) -> bool {
    let mut command = Command::new(prefix.join("bin/mlir-tblgen"));
    command.args(["-gen-op-defs", "-o", "/dev/null", "-I"]).arg(prefix.join("include")).arg(file);
    command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// What became of one file: how many operations it has, and what its first error is.
struct Outcome {
    operations: usize,
    error: Option<Error>,
    /// Why no Rust is made of it.
    refused: Option<Error>,
}

fn outcome(file: &Path) -> Outcome {
    let records = match Records::from_file(file, &search_path(file, &[])) {
        Ok(records) => records,
        Err(error) => return Outcome { operations: 0, error: Some(error), refused: None },
    };
    let model = Model::read(&records);
    let generated = model.as_ref().ok().map(|model| {
        generate::operation_declarations(model, "x.td")?;
        generate::operation_definitions(model, "x.td")
    });
    let refused = generated.and_then(Result::err);
    Outcome { operations: records.derived("Op").len(), error: model.err(), refused }
}

/// What becomes of each file that upstream's tool takes, in the order of their names; all processors work on them.
fn outcomes(prefix: &Path, files: &[PathBuf]) -> Vec<(PathBuf, Outcome)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if upstream_takes(prefix, file) {
                done.push((file.clone(), outcome(file)));
            }
        }
        done
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..processors).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    all
}

#[test]
fn what_upstream_takes_is_read_and_generated() {
    let prefix = llvm_prefix();
    let mut found = Vec::new();
    files(&prefix.join("include/mlir"), &mut found);
    let only = std::env::var("SKRIPTND_UPSTREAM_FILE").unwrap_or_default();
    found.retain(|file| file.to_string_lossy().contains(&only));
    let outcomes = outcomes(&prefix, &found);
    let share = |counted: &dyn Fn(&Outcome) -> usize| {
        let all: usize = outcomes.iter().map(|(_, outcome)| counted(outcome)).sum();
        let read: usize =
            outcomes.iter().filter(|(_, outcome)| outcome.error.is_none()).map(|(_, outcome)| counted(outcome)).sum();
        (read, all)
    };
    let files = share(&|outcome| usize::from(outcome.operations > 0 || outcome.error.is_some()));
    let operations = share(&|outcome| outcome.operations);
    println!("files with operations: {} of {}; operations: {} of {}", files.0, files.1, operations.0, operations.1);
    let mut reasons: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let all = std::env::var_os("SKRIPTND_UPSTREAM").is_some();
    for (file, outcome) in &outcomes {
        let Some(error) = &outcome.error else { continue };
        let shown = error.diagnostics().iter().take(if all { 3 } else { 1 });
        shown.for_each(|error| println!("{} ({}): {error}", file.display(), outcome.operations));
        for diagnostic in error.diagnostics() {
            let entry = reasons.entry(diagnostic.message().chars().take(90).collect()).or_default();
            *entry = (entry.0 + 1, entry.1 + outcome.operations);
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, (errors, _))| std::cmp::Reverse(*errors));
    reasons.iter().take(40).for_each(|(reason, (errors, operations))| println!("{errors:6} {operations:6} {reason}"));
    for (what, (read, all)) in [("files", files), ("operations", operations)] {
        assert!(read as f64 * 100.0 >= GOAL * all as f64, "{read} of {all} {what} are read");
    }
    let generated: Vec<&Outcome> = outcomes
        .iter()
        .map(|(_, outcome)| outcome)
        .filter(|outcome| outcome.error.is_none() && outcome.refused.is_none())
        .collect();
    let made = generated.iter().map(|outcome| outcome.operations).sum::<usize>();
    for (file, outcome) in &outcomes {
        let refused = outcome.refused.iter().flat_map(|error| error.diagnostics()).next();
        refused.iter().for_each(|error| println!("no Rust of {}: {error}", file.display()));
    }
    for (what, made, all) in [("files", generated.len(), outcomes.len()), ("operations", made, operations.1)] {
        println!("generated {what}: {made} of {all}");
        assert!(made as f64 * 100.0 >= GOAL * all as f64, "Rust is made of {made} of {all} {what}");
    }
}

/// Of all passes of upstream Rust is made.
#[test]
fn passes_of_upstream_are_generated() {
    let prefix = llvm_prefix();
    let mut found = Vec::new();
    files(&prefix.join("include/mlir"), &mut found);
    let mut passes = 0;
    for file in found.iter().filter(|file| file.ends_with("Passes.td")) {
        let made = Records::from_file(file, &search_path(file, &[])).and_then(|records| {
            let model = Model::read(&records)?;
            passes += model.passes.len();
            generate::passes(&model, "Passes.td")
        });
        made.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    assert!(passes > 250, "{passes} passes");
}
