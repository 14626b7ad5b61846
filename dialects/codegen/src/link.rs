//! Linking.

use crate::Error;
use std::path::Path;
use std::process::Command;

/// Commands that link a shared library, in the order in which they are tried.
const LINKERS: &[(&str, &[&str])] = &[
    ("cc", &["-shared", "-Wl,--build-id=none"]),
    ("clang-22", &["-shared", "-fuse-ld=lld", "-Wl,--build-id=none"]),
    ("ld.lld-22", &["-shared"]),
    ("ld.lld", &["-shared"]),
];

/// Links an object of the host to a shared library.
pub fn shared_library(object: &[u8]) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir().map_err(Error::Temporary)?;
    let (input, linked) = (folder.path().join("model.o"), folder.path().join("model.so"));
    std::fs::write(&input, object).map_err(Error::Temporary)?;
    run_linker(&input, &linked)?;
    std::fs::read(&linked).map_err(Error::Temporary)
}

fn run_linker(input: &Path, output: &Path) -> Result<(), Error> {
    for (linker, options) in LINKERS {
        let mut command = Command::new(linker);
        command.args(*options).arg("-o").arg(output).arg(input);
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
