//! What a library is loaded from: a copy of its file that nobody else knows.
//!
//! The system's loader takes a file that has the name or the inode of one that it has loaded for that one, and maps it. So a
//! library that was compiled again to the same path would be the old one, and writing to the file of a library that is in use
//! would change its code, or end the process where it got shorter.

use crate::elf;
use crate::error::ModelError;
use crate::kind::FileKind;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::ffi::OsStrExt;
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
        Image::of_bytes(path, &bytes_of(path).map_err(failed)?)
    }

    /// A copy of what a file at this path would hold.
    ///
    /// # Errors
    /// Where that is no library of this machine, or ends early.
    pub fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Image, ModelError> {
        let failed = |source| ModelError::Io { path: path.into(), source };
        // What it is, whatever its name says.
        match FileKind::recognize(Path::new(""), bytes) {
            Some(FileKind::Library) => {}
            kind => return Err(ModelError::NotALibrary { path: path.into(), kind }),
        }
        if let Some(machine) = elf::other_machine(bytes) {
            return Err(ModelError::Machine { path: path.into(), machine });
        }
        elf::check(bytes).and_then(|()| written(path, bytes)).map(Image).map_err(failed)
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
fn written(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = in_memory(&shown_name(path)).or_else(|_| tempfile::tempfile())?;
    file.write_all(bytes)?;
    Ok(file)
}

/// As many bytes as `memfd_create` takes for a name.
const LONGEST_NAME: usize = 249;

/// By what profilers and debuggers show the copy: the name of the library's file, so that models can be told apart. What is
/// too long is cut between characters.
fn shown_name(path: &Path) -> CString {
    let name = path.file_name().unwrap_or_default().as_bytes();
    let is_inside_character = |byte: u8| byte & 0xc0 == 0x80;
    let mut length = name.len().min(LONGEST_NAME);
    while length > 0 && name.get(length).copied().is_some_and(is_inside_character) {
        length -= 1;
    }
    // Names of files have no zeros.
    CString::new(&name[..length]).unwrap_or_default()
}

fn in_memory(name: &CStr) -> io::Result<File> {
    // SAFETY: the name ends with a zero.
    let descriptor = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it was just opened, and nobody else has it.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name under which the system lists the copy of a file of this name.
    fn listed(name: &str) -> String {
        let file = written(&Path::new("/some/folder").join(name), b"code").unwrap();
        let link = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap();
        link.to_str().unwrap().to_string()
    }

    #[test]
    fn copies_have_the_names_of_their_files() {
        assert_eq!(listed("digits.so"), "/memfd:digits.so (deleted)");
        assert_eq!(listed("my model's.so"), "/memfd:my model's.so (deleted)");
        assert_eq!(listed(".."), "/memfd: (deleted)");
    }

    #[test]
    fn names_are_cut_between_characters_where_they_are_too_long() {
        for (length, kept) in [(249, 249), (250, 249), (255, 249)] {
            assert_eq!(listed(&"m".repeat(length)), format!("/memfd:{} (deleted)", "m".repeat(kept)));
        }
        assert_eq!(listed(&"\u{e4}".repeat(127)), format!("/memfd:{} (deleted)", "\u{e4}".repeat(124)));
    }
}
