//! Linking.

use crate::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that link a shared library, in the order in which they are tried.
const LINKERS: &[(&str, &[&str])] = &[
    ("cc", &["-shared", "-Wl,--build-id=none"]),
    ("clang-22", &["-shared", "-fuse-ld=lld", "-Wl,--build-id=none"]),
    ("ld.lld-22", &["-shared"]),
    ("ld.lld", &["-shared"]),
];

/// Links objects of the host to a shared library.
pub fn shared_library(objects: &[Vec<u8>]) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir().map_err(Error::Temporary)?;
    let linked = folder.path().join("model.so");
    let mut inputs = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        let input = folder.path().join(format!("model{number}.o"));
        std::fs::write(&input, object).map_err(Error::Temporary)?;
        inputs.push(input);
    }
    run_linker(&inputs, &linked)?;
    std::fs::read(&linked).map_err(Error::Temporary)
}

fn run_linker(inputs: &[PathBuf], output: &Path) -> Result<(), Error> {
    for (linker, options) in LINKERS {
        let mut command = Command::new(linker);
        command.args(*options).arg("-o").arg(output).args(inputs);
        if !linker.starts_with("ld") {
            command.arg("-lm");
        }
        match command.output() {
            Ok(done) if done.status.success() => return Ok(()),
            Ok(done) => return Err(Error::Link(String::from_utf8_lossy(&done.stderr).into_owned())),
            Err(_) => {}
        }
    }
    let tried: Vec<_> = LINKERS.iter().map(|(linker, _)| *linker).collect();
    Err(Error::NoLinker { tried: tried.join(", ") })
}
