//! Fuzzing with cargo-fuzz, from every text and tensor file of the project.

use crate::{root, steps};
use anyhow::{Context, Result, ensure};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The targets of `test/fuzz`, and the kinds of files that each begins with.
const TARGETS: [(&str, &[&str]); 6] = [
    ("parse", &["sknd"]),
    ("compose", &["sknd"]),
    ("run", &["sknd"]),
    ("format", &["sknd"]),
    ("query", &["sknd"]),
    ("tensor_file", &["dat", "npy"]),
];

/// Larger files are no good beginnings.
const MAX_SEED: u64 = 16 << 10;

/// Runs one target for a time; what it finds is left in `target/fuzz/<target>/found`. False if it found something.
///
/// # Errors
/// Where there is no such target, or cargo-fuzz or a nightly compiler is missing.
pub fn run(target: &str, seconds: &str) -> Result<bool> {
    let names = TARGETS.map(|(name, _)| name).join(", ");
    let kinds = TARGETS.iter().find(|(name, _)| *name == target).map(|(_, kinds)| *kinds);
    let kinds = kinds.with_context(|| format!("`{target}` is no fuzz target; there are: {names}"))?;
    ensure!(seconds.parse::<u32>().is_ok(), "expected a number of seconds, found `{seconds}`");
    let folder = root().join("target/fuzz").join(target);
    let (seeds, corpus, found) = (folder.join("seeds"), folder.join("corpus"), folder.join("found"));
    for path in [&seeds, &corpus, &found] {
        fs::create_dir_all(path).with_context(|| path.display().to_string())?;
    }
    gather(kinds, &seeds)?;
    // The cargo of this build is not the one that fuzzing needs. No sanitizer looks for what safe code can't do.
    let mut command = Command::new("rustup");
    command.current_dir(root()).env_remove("RUSTC").env_remove("CARGO");
    command.args(["run", "nightly", "cargo", "fuzz", "run", "--fuzz-dir", "test/fuzz", "--sanitizer", "none", target]);
    command.args([&corpus, &seeds]).args(["--", "-timeout=20", "-rss_limit_mb=4096", "-max_len=16384"]);
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-artifact_prefix={}/", found.display()));
    steps::announce(&format!("fuzzing {target} for {seconds} s"));
    Ok(command.status().context("`rustup run nightly cargo fuzz` did not start")?.success())
}

/// Copies the files that fuzzing begins with.
fn gather(kinds: &[&str], seeds: &Path) -> Result<()> {
    let mut files = Vec::new();
    for folder in ["test", "dialects/skriptnd/language/stdlib", "../shared/conformance"] {
        collect(&root().join(folder), kinds, &mut files);
    }
    files.sort();
    for (number, file) in files.iter().enumerate() {
        fs::copy(file, seeds.join(number.to_string())).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

fn collect(folder: &Path, kinds: &[&str], files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_kind = path.extension().and_then(OsStr::to_str).is_some_and(|kind| kinds.contains(&kind));
        if path.is_dir() {
            collect(&path, kinds, files);
        } else if is_kind && fs::metadata(&path).is_ok_and(|found| found.len() <= MAX_SEED) {
            files.push(path);
        }
    }
}
