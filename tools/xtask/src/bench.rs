//! `cargo xtask bench`: other runtimes from PyPI beside ours, and what came of it.

use crate::steps::call;
use crate::{build, root};
use anyhow::Result;
use std::ffi::OsStr;
use std::path::Path;

/// What the environment has: what writes the models, and the peers.
const PACKAGES: [&str; 4] = ["numpy", "onnx", "onnxruntime", "openvino"];

/// What is measured: networks for the README's table, or single operators or quantized models, whose times are told beside those of the
/// fastest peer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Networks,
    Operators,
    Quantized,
}

/// Measures and tells what was found; `models` are the names of some, with commas between.
///
/// # Errors
/// Where the packages can't be had, or a step fails.
pub fn run(subject: Subject, models: Option<&str>) -> Result<()> {
    let (scripts, folder) = (root().join("tools/bench"), build::target_folder().join("bench"));
    let binaries = build::run(build::Profile::Release)?;
    let python = environment(&folder.join("venv"))?;
    let (writer, models_folder, results) = match subject {
        Subject::Networks => ("models.py", folder.join("models"), folder.join("results.json")),
        Subject::Operators => ("operators.py", folder.join("operators"), folder.join("operators.json")),
        Subject::Quantized => ("quantized.py", folder.join("quantized"), folder.join("quantized.json")),
    };
    call(&python, &[scripts.join(writer).as_os_str(), models_folder.as_os_str()])?;
    let script = scripts.join("bench.py");
    let skriptnd = binaries.join("skriptnd");
    let mut words = vec![script.as_os_str(), skriptnd.as_os_str(), models_folder.as_os_str(), results.as_os_str()];
    if subject != Subject::Networks {
        words.extend(["--seconds", "1"].map(OsStr::new));
    }
    if let Some(models) = models {
        words.extend(["--models", models].map(OsStr::new));
    }
    call(&python, &words)?;
    let (page, picture) = (root().join("README.md"), root().join("docs/performance.svg"));
    let written = [OsStr::new("--write"), results.as_os_str(), page.as_os_str(), picture.as_os_str()];
    let ratios = [OsStr::new("--ratios"), results.as_os_str()];
    let told: &[&OsStr] = if subject == Subject::Networks && models.is_none() { &written } else { &ratios };
    call(&python, &[&[script.as_os_str()], told].concat())
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
