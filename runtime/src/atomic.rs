//! Output files, which appear whole or not at all: a file's content is written beside its place, then renamed. Links
//! are followed, and a file that is there keeps its mode and its owner. What can't be replaced (devices, pipes, files
//! with several names) is written to when the whole content is there.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, Seek, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, SpooledTempFile, TempPath};

/// Bytes of a content kept aside that stay in memory.
const IN_MEMORY: usize = 1 << 20;

/// Follows chains of links no further than Linux does.
const MAX_LINKS: usize = 40;

/// Who may do what with a new file; the umask takes away from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// All may read and write it.
    Plain,
    /// All may execute it, too.
    Executable,
}

/// Writes a file: calls `write`, and puts what it wrote in place if all went well.
///
/// # Errors
/// Where `write` fails, or the file can't be written; what was there is as it was.
pub fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    Prepared::new(path, Mode::Plain, write)?.finish()
}

/// Makes a file that becomes larger than the system allows an error, as a full disk is, for the whole process: without this, a
/// signal ends it, and temporary files stay.
pub fn take_limits_as_errors() {
    // SAFETY: ignores a signal.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// The whole content of a file that is not in its place yet. Several of them are finished when all are prepared, so
/// that none appears where one can't be written.
#[derive(Debug)]
pub struct Prepared(Content);

#[derive(Debug)]
enum Content {
    /// Renamed to its place.
    Beside { file: TempPath, place: PathBuf },
    /// Copied to its place.
    Aside { content: SpooledTempFile, place: PathBuf },
}

impl Prepared {
    /// Calls `write` with a temporary file.
    ///
    /// # Errors
    /// Where `write` fails, or the file can't be written.
    pub fn new(path: &Path, mode: Mode, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Prepared> {
        let Some((file, place)) = beside(path, mode)? else {
            let mut content = SpooledTempFile::new(IN_MEMORY);
            write_buffered(&mut content, write)?;
            return Ok(Prepared(Content::Aside { content, place: path.to_owned() }));
        };
        write_buffered(file.as_file(), write)?;
        Ok(Prepared(Content::Beside { file: file.into_temp_path(), place }))
    }

    /// Puts the content in its place.
    ///
    /// # Errors
    /// Where that can't be done.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Content::Beside { file, place } => file.persist(place).map_err(|failure| failure.error),
            Content::Aside { mut content, place } => {
                content.rewind()?;
                let mut out = OpenOptions::new().write(true).truncate(true).open(place)?;
                io::copy(&mut content, &mut out).map(|_| ())
            }
        }
    }
}

fn write_buffered(out: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, out);
    write(&mut writer)?;
    writer.flush()
}

/// A temporary file that can be renamed to what `path` means, and what that is; none where there is something that must
/// stay and be written to.
fn beside(path: &Path, mode: Mode) -> io::Result<Option<(NamedTempFile, PathBuf)>> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let place = target(path)?;
            return Ok(Some((temporary(&place, mode)?, place)));
        }
        Err(error) => return Err(error),
    };
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder, not a file"));
    }
    if !found.is_file() {
        return Ok(None);
    }
    if found.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    if found.nlink() > 1 {
        return Ok(None);
    }
    let place = fs::canonicalize(path)?;
    match temporary(&place, mode) {
        Ok(file) => Ok(take_over(file.as_file(), &found, mode).is_ok().then_some((file, place))),
        // The file may be writable where its folder is not.
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Where a link leads that leads to nothing yet; other paths are what they are.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(further) => path = folder(&path).join(further),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn temporary(place: &Path, mode: Mode) -> io::Result<NamedTempFile> {
    let bits = if mode == Mode::Executable { 0o777 } else { 0o666 };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".skriptnd-").permissions(Permissions::from_mode(bits));
    builder.tempfile_in(folder(place)).map_err(without_path)
}

/// The error without the temporary name, which means nothing to anybody.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((message, _)) => io::Error::new(error.kind(), message),
        None => error,
    }
}

/// Gives a file the owner and the mode of the one whose place it takes. Who may read an executable may execute it.
fn take_over(file: &File, old: &Metadata, mode: Mode) -> io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))?;
    }
    let bits = old.mode() & 0o7777;
    let executable = if mode == Mode::Executable { (bits & 0o444) >> 2 } else { 0 };
    file.set_permissions(Permissions::from_mode(bits | executable))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn write(path: &Path, text: &str) -> io::Result<()> {
        write_file(path, |out| out.write_all(text.as_bytes()))
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn an_unfinished_file_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("y.txt");
        write(&path, "old").unwrap();
        let failure = write_file(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("stopped"))
        });
        assert_eq!(failure.unwrap_err().to_string(), "stopped");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(count(folder.path()), 1, "no temporary file stays");
    }

    #[test]
    fn of_several_files_none_appears_before_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let prepared = Prepared::new(&at("a"), Mode::Plain, |out| out.write_all(b"a")).unwrap();
        assert!(!at("a").exists());
        drop(prepared);
        assert_eq!(count(folder.path()), 0);
    }

    #[test]
    fn new_files_have_the_mode_that_the_umask_leaves() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("plain");
        fs::write(&plain, b"").unwrap();
        let path = folder.path().join("y.txt");
        write(&path, "new").unwrap();
        assert_eq!(mode(&path), mode(&plain));
        let program = folder.path().join("program");
        Prepared::new(&program, Mode::Executable, |_| Ok(())).unwrap().finish().unwrap();
        assert_eq!(mode(&program), mode(&plain) | ((mode(&plain) & 0o444) >> 2));
    }

    #[test]
    fn a_file_keeps_its_mode_and_a_read_only_one_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("y.txt");
        write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o604)).unwrap();
        write(&path, "new").unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o604, b"new".to_vec()));
        Prepared::new(&path, Mode::Executable, |_| Ok(())).unwrap().finish().unwrap();
        assert_eq!(mode(&path), 0o705);
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        assert_eq!(write(&path, "newer").unwrap_err().to_string(), "the file is read-only");
    }

    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        symlink("inner/file", at("link")).unwrap();
        symlink("link", at("chain")).unwrap();
        for text in ["new", "newer"] {
            write(&at("chain"), text).unwrap();
            assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
            assert!(fs::symlink_metadata(at("chain")).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(at("inner/file")).unwrap(), text);
        }
        symlink("circle", at("circle")).unwrap();
        assert!(write(&at("circle"), "").is_err());
    }

    #[test]
    fn the_other_names_of_a_file_have_the_new_content_too() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "a long content").unwrap();
        fs::hard_link(at("a"), at("b")).unwrap();
        write(&at("a"), "short").unwrap();
        assert_eq!(fs::read_to_string(at("b")).unwrap(), "short");
    }

    #[test]
    fn devices_and_pipes_are_written_to() {
        write(Path::new("/dev/null"), "gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write(&pipe, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert_eq!(count(folder.path()), 1);
    }

    #[test]
    fn what_is_no_place_for_a_file_is_said_without_temporary_names() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(write(folder.path(), "").unwrap_err().to_string(), "is a folder, not a file");
        let error = write(&folder.path().join("nowhere/y"), "").unwrap_err().to_string();
        assert_eq!(error, "No such file or directory (os error 2)");
    }
}
