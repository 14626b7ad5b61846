//! Fuzzing with cargo-fuzz, from every text and tensor file of the project and what was found worth keeping.

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

/// Larger inputs are not worth a place in the project.
const MAX_KEPT: u64 = 512;

/// A target and its folders: where it begins, what it came to, what failed, what the project keeps.
struct Campaign<'a> {
    target: &'a str,
    kinds: &'static [&'static str],
    seeds: PathBuf,
    corpus: PathBuf,
    found: PathBuf,
    kept: PathBuf,
}

impl<'a> Campaign<'a> {
    fn new(target: &'a str) -> Result<Self> {
        let names = TARGETS.map(|(name, _)| name).join(", ");
        let kinds = TARGETS.iter().find(|(name, _)| *name == target).map(|(_, kinds)| *kinds);
        let kinds = kinds.with_context(|| format!("`{target}` is no fuzz target; there are: {names}"))?;
        let folder = root().join("target/fuzz").join(target);
        let [seeds, corpus, found] = ["seeds", "corpus", "found"].map(|name| folder.join(name));
        let kept = root().join("test/fuzz/corpus").join(target);
        for path in [&seeds, &corpus, &found, &kept] {
            fs::create_dir_all(path).with_context(|| path.display().to_string())?;
        }
        Ok(Campaign { target, kinds, seeds, corpus, found, kept })
    }

    /// The cargo of this build is not the one that fuzzing needs. No sanitizer looks for what safe code can't do.
    fn command(&self, folders: &[&Path], options: &[String]) -> Result<bool> {
        let mut command = Command::new("rustup");
        command.current_dir(root()).env_remove("RUSTC").env_remove("CARGO");
        command.args(["run", "nightly", "cargo", "fuzz", "run", "--fuzz-dir", "test/fuzz", "--sanitizer", "none"]);
        command.arg(self.target).args(folders).args(["--", "-timeout=20", "-rss_limit_mb=4096"]).args(options);
        Ok(command.status().context("`rustup run nightly cargo fuzz` did not start")?.success())
    }
}

/// Runs one target for a time; what it finds is left in `target/fuzz/<target>/found`. False if it found something.
///
/// # Errors
/// Where there is no such target, or cargo-fuzz or a nightly compiler is missing.
pub fn run(target: &str, seconds: &str) -> Result<bool> {
    let campaign = Campaign::new(target)?;
    ensure!(seconds.parse::<u32>().is_ok(), "expected a number of seconds, found `{seconds}`");
    gather(campaign.kinds, &campaign.seeds)?;
    steps::announce(&format!("fuzzing {target} for {seconds} s"));
    let limits = ["-max_len=16384".to_owned(), format!("-max_total_time={seconds}")];
    let findings = [format!("-artifact_prefix={}/", campaign.found.display())];
    campaign.command(&[&campaign.corpus, &campaign.seeds, &campaign.kept], &[&limits[..], &findings].concat())
}

/// Keeps what fuzzing a target came to and the project's own files don't reach, in `test/fuzz/corpus/<target>`.
///
/// # Errors
/// As for [`run`], and where files can't be copied.
pub fn keep(target: &str) -> Result<bool> {
    let campaign = Campaign::new(target)?;
    gather(campaign.kinds, &campaign.seeds)?;
    let merged = tempfile::tempdir()?;
    copy(&campaign.seeds, merged.path(), MAX_SEED)?;
    let small = tempfile::tempdir()?;
    copy(&campaign.corpus, small.path(), MAX_KEPT)?;
    steps::announce(&format!("looking for what {target} came to"));
    let options = ["-merge=1".to_owned(), "-use_counters=0".to_owned()];
    let merge = campaign.command(&[merged.path(), small.path()], &options)?;
    for entry in fs::read_dir(small.path())?.flatten() {
        if merged.path().join(entry.file_name()).exists() {
            fs::copy(entry.path(), campaign.kept.join(entry.file_name()))?;
        }
    }
    Ok(merge)
}

fn copy(from: &Path, to: &Path, largest: u64) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())?.flatten() {
        if entry.metadata()?.len() <= largest {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
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
