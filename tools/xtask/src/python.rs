//! The package for Python: its wheel, and its tests in a fresh environment.

use crate::root;
use crate::steps::{self, Tally, call};
use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The release, as the wheel is called.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the package must have, and what only some of its modules use.
const NEEDED: &str = "numpy";
const OPTIONAL: [&[&str]; 4] = [
    &["onnx"],
    &["onnxruntime"],
    &["dask", "distributed", "zarr"],
    &["starlette", "uvicorn", "prometheus_client", "httpx"],
];

/// Writes the wheel of the executables in `binaries` to a folder; its path.
///
/// # Errors
/// Where Python can't be started, or the wheel can't be made.
pub fn wheel(binaries: &Path, folder: &Path) -> Result<PathBuf> {
    steps::announce("writing the wheel");
    let script = root().join("tools/python/wheel.py");
    let arguments = [script.as_os_str(), binaries.as_os_str(), OsStr::new(VERSION), folder.as_os_str()];
    let output =
        Command::new("python3").args(arguments).stderr(Stdio::inherit()).output().context("python3 did not start")?;
    if !output.status.success() {
        bail!("the wheel could not be made");
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// Installs the wheel in an environment that has nothing else, and runs the package's tests there.
///
/// # Errors
/// Where the wheel, or the environment, can't be made.
pub fn test(binaries: &Path) -> Result<Tally> {
    let folder = tempfile::tempdir()?;
    let wheel = wheel(binaries, &folder.path().join("wheels"))?;
    call(Path::new("python3"), &[OsStr::new("-m"), OsStr::new("venv"), folder.path().as_os_str()])?;
    let python = folder.path().join("bin/python");
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"].map(OsStr::new);
    call(&python, &[&install[..], &[wheel.as_os_str(), OsStr::new(NEEDED)]].concat())?;
    for packages in OPTIONAL {
        let words: Vec<&OsStr> = install.into_iter().chain(packages.iter().map(OsStr::new)).collect();
        if call(&python, &words).is_err() {
            let names = packages.join("`, `");
            eprintln!("warning: `{names}` can't be installed: the tests that need it are skipped");
        }
    }
    let mut command = Command::new(&python);
    command.arg(root().join("tools/python/tests"));
    for variable in ["PYTHONPATH", "SKRIPTND", "SKRIPTND_LIBRARY"] {
        command.env_remove(variable);
    }
    steps::count("package for Python", &mut command, summary_line)
}

/// Reads the last line of the tests, such as `12 passed, 0 failed`.
fn summary_line(line: &str) -> Tally {
    let counts = line.strip_suffix(" failed").and_then(|rest| rest.split_once(" passed, "));
    let parsed = counts.and_then(|(passed, failed)| Some((passed.parse().ok()?, failed.parse().ok()?)));
    parsed.map_or(Tally::default(), |(passed, failed)| Tally::of(passed, failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_last_line_of_the_tests() {
        assert_eq!(summary_line("12 passed, 1 failed"), Tally::of(12, 1));
        assert_eq!(summary_line("test_models (test_model.CallTest) ... ok"), Tally::default());
    }

    #[test]
    fn the_package_is_of_this_release() {
        let text = std::fs::read_to_string(root().join("tools/python/skriptnd/_version.py")).unwrap();
        assert!(text.contains(&format!("__version__ = \"{VERSION}\"")), "{text}");
    }
}
