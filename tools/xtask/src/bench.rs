//! `cargo xtask bench`: other runtimes from PyPI beside ours, and what came of it in the README.

use crate::steps::call;
use crate::{build, root};
use anyhow::Result;
use std::ffi::OsStr;
use std::path::Path;

/// What the environment has: what writes the models, and the peers.
const PACKAGES: [&str; 4] = ["numpy", "onnx", "onnxruntime", "openvino"];

/// Measures and writes the table and the chart; `models` are the names of some, with commas between.
///
/// # Errors
/// Where the packages can't be had, or a step fails.
pub fn run(models: Option<&str>) -> Result<()> {
    let (scripts, folder) = (root().join("tools/bench"), build::target_folder().join("bench"));
    let binaries = build::run(build::Profile::Release)?;
    let python = environment(&folder.join("venv"))?;
    let (written, results) = (folder.join("models"), folder.join("results.json"));
    call(&python, &[scripts.join("models.py").as_os_str(), written.as_os_str()])?;
    let script = scripts.join("bench.py");
    let skriptnd = binaries.join("skriptnd");
    let mut words = vec![script.as_os_str(), skriptnd.as_os_str(), written.as_os_str(), results.as_os_str()];
    if let Some(models) = models {
        words.extend(["--models", models].map(OsStr::new));
    }
    call(&python, &words)?;
    if models.is_some() {
        println!("{}: some models only, so the README stays as it is", results.display());
        return Ok(());
    }
    let (page, picture) = (root().join("README.md"), root().join("docs/performance.svg"));
    call(
        &python,
        &[script.as_os_str(), OsStr::new("--write"), results.as_os_str(), page.as_os_str(), picture.as_os_str()],
    )
}

/// The Python of an environment with the packages, which is made where it is not there.
fn environment(folder: &Path) -> Result<std::path::PathBuf> {
    let python = folder.join("bin/python");
    if !python.is_file() {
        call(Path::new("python3"), &[OsStr::new("-m"), OsStr::new("venv"), folder.as_os_str()])?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"].into_iter().chain(PACKAGES);
    call(&python, &install.map(OsStr::new).collect::<Vec<_>>())?;
    Ok(python)
}
