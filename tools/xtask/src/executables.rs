//! The executables of the unit and integration tests.

use crate::root;
use crate::steps::{self, Tally};
use anyhow::{Context, Result, bail};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One of them.
#[derive(Debug, PartialEq)]
pub struct Executable {
    path: PathBuf,
    /// That of its package, in which it runs.
    folder: PathBuf,
    /// Its name in the package.
    name: String,
}

/// Builds all of the workspace, in the order of cargo.
///
/// # Errors
/// Where the build fails.
pub fn build() -> Result<Vec<Executable>> {
    let mut command =
        steps::cargo(&root(), &["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"]);
    let output = command.stderr(Stdio::inherit()).output().context("cargo did not start")?;
    if !output.status.success() {
        bail!("the build of the tests failed");
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(Executable::read).collect())
}

impl Executable {
    /// From a message of cargo, if it is about one.
    fn read(message: &str) -> Option<Executable> {
        let message: Json = serde_json::from_str(message).ok()?;
        let path = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)?;
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
        let name = message["target"]["name"].as_str()?.to_owned();
        Some(Executable { path: path.into(), folder: folder.into(), name })
    }

    /// Runs its tests, as cargo would.
    ///
    /// # Errors
    /// Where it can't be started.
    pub fn run(&self) -> Result<Tally> {
        let folder = self.folder.strip_prefix(root()).unwrap_or(&self.folder);
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        steps::count(&format!("{} {}", folder.display(), self.name), &mut command, result_line)
    }
}

/// Reads a line such as `test result: ok. 12 passed; 0 failed; ...`.
pub fn result_line(line: &str) -> Tally {
    let Some(rest) = line.strip_prefix("test result: ") else { return Tally::default() };
    let count = |word: &str| {
        let before = rest.split(word).next().unwrap_or_default();
        before.split_whitespace().last().and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    Tally::of(count(" passed"), count(" failed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_result_line_of_tests() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(result_line(line), Tally::of(12, 3));
        assert_eq!(result_line("running 15 tests"), Tally::default());
    }

    #[test]
    fn reads_what_cargo_built() {
        let message = |test| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/p/a/Cargo.toml","target":{{"name":"b"}},
                    "profile":{{"test":{test}}},"executable":"/p/target/b-1"}}"#
            )
        };
        let expected = Executable { path: "/p/target/b-1".into(), folder: "/p/a".into(), name: "b".into() };
        assert_eq!(Executable::read(&message(true)), Some(expected));
        assert_eq!(Executable::read(&message(false)), None);
        assert_eq!(Executable::read(r#"{"reason":"build-finished","success":true}"#), None);
    }
}
