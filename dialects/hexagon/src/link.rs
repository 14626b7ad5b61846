//! Linking a model's object with the runtime to an executable, by `ld.lld`.

use crate::{Error, runtime};
use std::path::Path;
use std::process::Command;

/// Linkers by the names under which Debian installs them.
const LINKERS: [&str; 2] = ["ld.lld-22", "ld.lld"];

/// Links `object`, which defines the functions of `runtime/include/skriptnd.h`, to the executable `output`. The file
/// appears whole or not at all.
///
/// # Errors
/// Where the linker is missing or refuses, or a file can't be written.
pub fn executable(object: &[u8], output: &Path) -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let mut inputs = vec![folder.path().join("model.o")];
    std::fs::write(&inputs[0], object)?;
    for (name, bytes) in runtime::OBJECTS {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes)?;
        inputs.push(path);
    }
    let place = output.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let linked = tempfile::Builder::new().prefix(".skriptnd").tempfile_in(place)?.into_temp_path();
    run_linker(&inputs, &linked)?;
    linked.persist(output).map_err(|error| Error::File(error.error))
}

fn run_linker(inputs: &[std::path::PathBuf], output: &Path) -> Result<(), Error> {
    let mut missing = None;
    for linker in LINKERS {
        let result = Command::new(linker).args(["-static", "--gc-sections", "-o"]).arg(output).args(inputs).output();
        match result {
            Ok(done) if done.status.success() => return Ok(()),
            Ok(done) => return Err(Error::Link(String::from_utf8_lossy(&done.stderr).into_owned())),
            Err(error) => missing = Some(error),
        }
    }
    let source = missing.unwrap_or_else(|| std::io::ErrorKind::NotFound.into());
    Err(Error::Tool { tool: "ld.lld-22", source })
}
