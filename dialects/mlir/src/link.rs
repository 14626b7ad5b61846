//! From objects to libraries and programs, by lld, which is linked in: no tool is started.

use std::ffi::{CString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

use crate::{Error, ffi};

/// A word of the linker's command line.
#[derive(Clone, Copy, Debug)]
pub enum Word<'a> {
    /// One of the options of `ld.lld`.
    Option(&'a str),
    /// A file, of which messages have the name.
    Bytes(&'a str, &'a [u8]),
    /// A file on disk.
    Path(&'a Path),
}

/// Where Linux keeps files in memory.
const MEMORY: &str = "/dev/shm";

/// Whether lld may still be called in this process. Its state is the process's, so one thread at a time calls it.
static USABLE: Mutex<bool> = Mutex::new(true);

/// Links ELF files as `ld.lld` does, and gives the result.
///
/// # Errors
/// Where lld refuses, with all that it says; where a temporary file can't be written.
pub fn elf(words: &[Word<'_>]) -> Result<Vec<u8>, Error> {
    let folder = temporary_folder()?;
    let failed = |source| Error::Temporary { folder: folder.path().into(), source };
    let output = folder.path().join("linked");
    // One thread: where lld gives up in another, it ends the process, and models are small.
    let mut arguments = vec![text(b"ld.lld")?, text(b"--threads=1")?, text(b"-o")?, path(&output)?];
    for word in words {
        arguments.push(match word {
            Word::Option(option) => text(option.as_bytes())?,
            Word::Bytes(name, bytes) => {
                let file = folder.path().join(name);
                std::fs::write(&file, bytes).map_err(failed)?;
                path(&file)?
            }
            Word::Path(file) => path(file)?,
        });
    }
    call(&arguments).map_err(|said| {
        let folder = format!("{}/", folder.path().display());
        Error::Link(said.replace(&folder, "").trim_end().to_string())
    })?;
    std::fs::read(&output).map_err(failed)
}

/// A folder for temporary files: in the one that the system names, or in memory where that is not there or can't be written to.
///
/// # Errors
/// Where neither can be made.
pub fn temporary_folder() -> Result<TempDir, Error> {
    temporary_in(&std::env::temp_dir())
}

fn temporary_in(usual: &Path) -> Result<TempDir, Error> {
    let made = tempfile::tempdir_in(usual).map_err(|source| Error::Temporary { folder: usual.into(), source });
    made.or_else(|error| tempfile::tempdir_in(MEMORY).map_err(|_| error))
}

/// Calls lld; what it says where it fails.
fn call(arguments: &[CString]) -> Result<(), String> {
    let pointers: Vec<*const c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
    let mut said = Vec::<String>::new();
    // A panic here could only be between two calls.
    let mut usable = USABLE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !*usable {
        return Err("it gave up before, and can't be called again in this process".into());
    }
    // SAFETY: the texts outlive the call, the lock keeps other threads out, and the sink is what the callback expects.
    let code = unsafe { ffi::skndLink(pointers.as_ptr(), pointers.len(), ffi::push_text, (&raw mut said).cast()) };
    *usable = code != 2;
    if code == 0 { Ok(()) } else { Err(said.concat()) }
}

/// The shared objects that this process has loaded, its dynamic linker included; none if it is linked statically.
pub fn loaded_objects() -> Vec<PathBuf> {
    let mut names = Vec::<String>::new();
    // SAFETY: the sink is what the callback expects.
    unsafe { ffi::skndLoadedObjects(ffi::push_text, (&raw mut names).cast()) };
    names.into_iter().map(PathBuf::from).filter(|path| path.is_absolute()).collect()
}

fn text(bytes: &[u8]) -> Result<CString, Error> {
    CString::new(bytes).map_err(|_| Error::Invalid("an argument of the linker contains a zero".into()))
}

fn path(path: &Path) -> Result<CString, Error> {
    text(path.as_os_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_usual_folder_there_is_one_in_memory() {
        for usual in ["/nowhere", "/proc", "/dev/null"] {
            assert!(temporary_in(Path::new(usual)).unwrap().path().starts_with(MEMORY), "{usual}");
        }
        let folder = tempfile::tempdir().unwrap();
        assert!(temporary_in(folder.path()).unwrap().path().starts_with(folder.path()));
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let source = std::io::Error::other("gone");
        let error = Error::Temporary { folder: "/nowhere".into(), source }.to_string();
        assert!(error.starts_with("temporary files in /nowhere: gone") && error.contains("TMPDIR"), "{error}");
    }
}
