//! What a library is loaded from: a copy of its file that nobody else knows.
//!
//! The system's loader takes a file that has the name or the inode of one that it has loaded for that one, and maps it. So a
//! library that was compiled again to the same path would be the old one, and writing to the file of a library that is in use
//! would change its code, or end the process where it got shorter.

use crate::elf;
use crate::error::ModelError;
use crate::kind::FileKind;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::{Path, PathBuf};

/// The copy. It must stay as long as the library is loaded: its name is taken so long.
#[derive(Debug)]
pub struct Image(File);

impl Image {
    /// Copies a shared library of this machine.
    ///
    /// # Errors
    /// Where the file can't be read, is no library of this machine, or ends early.
    pub fn of(path: &Path) -> Result<Image, ModelError> {
        let failed = |source| ModelError::Io { path: path.into(), source };
        let bytes = bytes_of(path).map_err(failed)?;
        // What it is, whatever its name says.
        match FileKind::recognize(Path::new(""), &bytes) {
            Some(FileKind::Library) => {}
            kind => return Err(ModelError::NotALibrary { path: path.into(), kind }),
        }
        if let Some(machine) = elf::other_machine(&bytes) {
            return Err(ModelError::Machine { path: path.into(), machine });
        }
        elf::check(&bytes).and_then(|()| written(&bytes)).map(Image).map_err(failed)
    }

    /// The name by which the loader finds it.
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }
}

fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe waits for its writer.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    std::fs::read(path)
}

/// A file without a name, which does not stay behind, however the process ends.
fn written(bytes: &[u8]) -> io::Result<File> {
    let mut file = in_memory().or_else(|_| tempfile::tempfile())?;
    file.write_all(bytes)?;
    Ok(file)
}

fn in_memory() -> io::Result<File> {
    // SAFETY: the name ends with a zero.
    let descriptor = unsafe { libc::memfd_create(c"skriptnd-model".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it was just opened, and nobody else has it.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}
