//! Linking a model's object with the runtime to an executable, by `ld.lld`.

use crate::Error;
use crate::machine::Machine;
use std::path::Path;
use std::process::Command;

/// Linkers by the names under which Debian installs them.
const LINKERS: [&str; 2] = ["ld.lld-22", "ld.lld"];

/// Links objects, which together define the functions of `runtime/include/skriptnd.h`, to an executable.
///
/// # Errors
/// Where the linker is missing or refuses, or a temporary file can't be written.
pub fn executable<T: AsRef<[u8]>>(objects: &[T]) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir()?;
    let machine = Machine::of(objects.first().map(T::as_ref).unwrap_or_default())?;
    let names = (0..objects.len()).map(|number| format!("model{number}.o"));
    let runtime = machine.runtime.iter().map(|(name, bytes)| (name.to_string(), *bytes));
    let mut inputs = Vec::new();
    for (name, bytes) in names.zip(objects.iter().map(T::as_ref)).chain(runtime) {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes)?;
        inputs.push(path);
    }
    let linked = folder.path().join("model");
    run_linker(&inputs, &linked)?;
    Ok(std::fs::read(&linked)?)
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
