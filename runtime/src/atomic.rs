//! Files that appear whole or not at all: written beside their place, then renamed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Calls `write` with a temporary file in the directory of `path` and renames it to `path` if all went well. An
/// existing file stays as it was until then.
pub fn write_file(path: &Path, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".skriptnd-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.tempfile_in(folder)?;
    let mut writer = BufWriter::with_capacity(1 << 16, temporary.as_file());
    write(&mut writer)?;
    writer.flush()?;
    drop(writer);
    temporary.persist(path).map_err(|failure| failure.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_unfinished_file_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("y.txt");
        write_file(&path, |out| out.write_all(b"old")).unwrap();
        let failure = write_file(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("stopped"))
        });
        assert_eq!(failure.unwrap_err().to_string(), "stopped");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_what_was_written() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("plain");
        fs::write(&plain, b"").unwrap();
        let path = folder.path().join("y.txt");
        write_file(&path, |out| out.write_all(b"new")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
    }
}
