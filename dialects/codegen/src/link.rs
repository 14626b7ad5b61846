//! Linking, and files that appear whole or not at all.

use crate::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that link a shared library, in the order in which they are tried.
const LINKERS: &[(&str, &[&str])] = &[
    ("cc", &["-shared", "-Wl,--build-id=none"]),
    ("clang-22", &["-shared", "-fuse-ld=lld", "-Wl,--build-id=none"]),
    ("ld.lld-22", &["-shared"]),
    ("ld.lld", &["-shared"]),
];

/// Links an object of the host to a shared library.
pub fn shared_library(object: &[u8], output: &Path) -> Result<(), Error> {
    let written = |path: &Path| {
        let path = path.to_path_buf();
        move |source| Error::Write { path, source }
    };
    let folder = tempfile::tempdir().map_err(written(output))?;
    let input = folder.path().join("model.o");
    std::fs::write(&input, object).map_err(written(&input))?;
    let place = directory(output);
    let mut linked = tempfile::Builder::new();
    linked.prefix(".skriptnd");
    #[cfg(unix)]
    linked.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let linked = linked.tempfile_in(&place).map_err(written(output))?.into_temp_path();
    run_linker(&input, &linked)?;
    linked.persist(output).map_err(|error| Error::Write { path: output.into(), source: error.error })
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

/// Writes a file beside its place and renames it.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = |source| Error::Write { path: path.into(), source };
    let mut file = tempfile::Builder::new();
    file.prefix(".skriptnd");
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = file.tempfile_in(directory(path)).map_err(written)?;
    file.write_all(bytes).map_err(written)?;
    file.persist(path).map_err(|error| written(error.error))?;
    Ok(())
}

fn directory(path: &Path) -> PathBuf {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}
