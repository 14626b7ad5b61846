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
    run_linker(&written(objects, folder.path())?, &linked)?;
    std::fs::read(&linked).map_err(Error::Temporary)
}

/// Writes objects to files of a folder.
fn written(objects: &[Vec<u8>], folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        let file = folder.join(format!("model{number}.o"));
        std::fs::write(&file, object).map_err(Error::Temporary)?;
        files.push(file);
    }
    Ok(files)
}

/// Linkers that make one object of several for any target, in the order in which they are tried.
const COMBINERS: &[&str] = &["ld.lld-22", "ld.lld"];

/// The linker that makes one object of several, if this machine has one.
pub fn combiner() -> Option<&'static str> {
    let answers =
        |linker: &&&str| Command::new(linker).arg("--version").output().is_ok_and(|done| done.status.success());
    COMBINERS.iter().find(answers).copied()
}

/// Makes one object of several.
pub fn object(combiner: &str, mut objects: Vec<Vec<u8>>) -> Result<Vec<u8>, Error> {
    if objects.len() == 1 {
        return Ok(objects.swap_remove(0));
    }
    let folder = tempfile::tempdir().map_err(Error::Temporary)?;
    let combined = folder.path().join("model.o");
    let inputs = written(&objects, folder.path())?;
    let done = Command::new(combiner).arg("-r").arg("-o").arg(&combined).args(inputs).output();
    match done.map_err(Error::Temporary)? {
        done if done.status.success() => std::fs::read(&combined).map_err(Error::Temporary),
        done => Err(Error::Link(String::from_utf8_lossy(&done.stderr).into_owned())),
    }
}

/// The main function of a program of one model; a text that says where its variables are goes in between.
const MAIN: [&str; 2] = [
    "extern const char skriptnd_metadata[];
extern void skriptnd_prepare(void), skriptnd_shapes(void), skriptnd_run(void);
extern int skriptnd_main(int, char **, const char *, void (*)(void), void (*)(void), void (*)(void), const char *);
static const char note[] = \"",
    "\";
int main(int argc, char **argv) {
  return skriptnd_main(argc, argv, skriptnd_metadata, skriptnd_prepare, skriptnd_shapes, skriptnd_run, note);
}
",
];

/// Compilers that make a program, in the order in which they are tried.
const COMPILERS: &[&str] = &["cc", "clang-22"];

/// Links an object of the host to a program that runs it on files. `library` is the runtime's `libskriptnd.a`; `note` says in
/// JSON where the files of variables are.
pub fn program(object: &[u8], library: &Path, note: &str) -> Result<Vec<u8>, Error> {
    let folder = tempfile::tempdir().map_err(Error::Temporary)?;
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("model.o"), object).map_err(Error::Temporary)?;
    // Octal, so that no byte means anything to C.
    let note: String = note.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    std::fs::write(path("main.c"), MAIN.join(&note)).map_err(Error::Temporary)?;
    for compiler in COMPILERS {
        let mut command = Command::new(compiler);
        command.arg("-o").arg(path("model")).args([path("main.c"), path("model.o")]).arg(library);
        command.args(["-Wl,--gc-sections", "-Wl,--strip-debug", "-Wl,--build-id=none", "-lpthread", "-ldl", "-lm"]);
        match command.output() {
            Ok(done) if done.status.success() => return std::fs::read(path("model")).map_err(Error::Temporary),
            Ok(done) => return Err(Error::Link(String::from_utf8_lossy(&done.stderr).into_owned())),
            Err(_) => {}
        }
    }
    Err(Error::NoLinker { tried: COMPILERS.join(", ") })
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
