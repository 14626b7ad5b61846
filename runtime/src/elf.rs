//! Whether a shared library is whole. The system's loader trusts the headers of an ELF file and maps what they say: on a
//! file that was cut off, the process would end by a signal.

use object::elf::FileHeader64;
use object::read::ReadCache;
use object::read::elf::{FileHeader, ProgramHeader};
use object::{NativeEndian, ReadRef};
use std::io;
use std::path::Path;

/// Checks that every segment of a 64-bit ELF file lies inside the file.
///
/// # Errors
/// Where the file can't be read, is of another format, or ends early.
pub fn check(path: &Path) -> io::Result<()> {
    let file = ReadCache::new(std::fs::File::open(path)?);
    let fault = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let data = &file;
    let length = data.len().map_err(|()| fault("it can't be read".into()))?;
    let header = FileHeader64::<NativeEndian>::parse(data).and_then(|header| Ok((header, header.endian()?)));
    let (header, endian) = header.map_err(|_| fault("not a shared library of 64 bits".into()))?;
    let cut_off = |what: &str| fault(format!("the library is cut off: it has {length} bytes and {what} later"));
    let segments = header.program_headers(endian, data).map_err(|_| cut_off("its program headers end"))?;
    for (number, segment) in segments.iter().enumerate() {
        let end = segment.p_offset(endian).checked_add(segment.p_filesz(endian));
        if end.is_none_or(|end| end > length) {
            return Err(cut_off(&format!("segment {number} ends")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The executable of this test, which is an ELF file too.
    fn whole() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    fn checked(bytes: &[u8]) -> io::Result<()> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        check(file.path())
    }

    #[test]
    fn a_whole_file_passes() {
        checked(&whole()).unwrap();
    }

    #[test]
    fn a_file_that_is_cut_off_is_refused() {
        let bytes = whole();
        for length in [5000, 100] {
            let error = checked(&bytes[..length]).unwrap_err();
            assert!(error.to_string().starts_with("the library is cut off: it has"), "{error}");
        }
    }

    #[test]
    fn another_file_is_refused() {
        for bytes in [&b""[..], b"\x7fELF", &[0; 200]] {
            assert_eq!(checked(bytes).unwrap_err().to_string(), "not a shared library of 64 bits");
        }
    }
}
