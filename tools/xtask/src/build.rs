//! Building the executable and the links to it.

use crate::{root, steps};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;

/// Which build.
#[derive(Debug, Clone, Copy)]
pub enum Profile {
    /// Optimised: `target/release`.
    Release,
    /// `target/debug`
    Debug,
}

/// The executable, the library that programs in C link, and an example.
const PACKAGES: &[&str] = &["skriptnd", "skriptnd-c", "skriptnd-example"];

/// The names under which the one executable is called.
const LINKS: &[&str] = &["skriptnd-opt", "skriptnd-translate", "skriptnd-tblgen", "skriptnd-lsp-server"];

/// The folder that cargo builds into.
pub fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Builds the executable with its links; the folder that holds them.
///
/// # Errors
/// Where the build fails or the links can't be made.
pub fn run(profile: Profile) -> Result<PathBuf> {
    let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
    let (mut arguments, folder) = match profile {
        Profile::Release => (vec!["build", "--release"], "release"),
        Profile::Debug => (vec!["build"], "debug"),
    };
    arguments.extend(packages);
    build(&arguments, folder)
}

/// Builds all that the tests need, once: with its tests a package may have other features than alone, and is built anew; the
/// folder that holds the executable and its links.
///
/// # Errors
/// As [`run`].
pub fn for_tests() -> Result<PathBuf> {
    build(&["build", "--workspace", "--all-targets"], "debug")
}

fn build(arguments: &[&str], folder: &str) -> Result<PathBuf> {
    steps::announce("building skriptnd");
    if !steps::cargo(&root(), arguments).status().context("cargo did not start")?.success() {
        bail!("the build failed; `cargo xtask doctor` says whether a package is missing");
    }
    let folder = target_folder().join(folder);
    for link in LINKS {
        let path = folder.join(link);
        if std::fs::read_link(&path).is_ok_and(|target| target.as_os_str() == "skriptnd") {
            continue;
        }
        std::fs::remove_file(&path).ok();
        std::os::unix::fs::symlink("skriptnd", &path).with_context(|| format!("can't link {}", path.display()))?;
    }
    Ok(folder)
}
