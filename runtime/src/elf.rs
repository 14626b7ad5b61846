//! Whether a shared library is whole. The system's loader trusts the headers of an ELF file and maps what they say: on a
//! file that was cut off, the process would end by a signal.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Bytes of the header of a 64-bit file.
const HEADER: usize = 64;
/// Bytes of a program header.
const PROGRAM_HEADER: usize = 56;

/// Checks that every segment of a 64-bit ELF file lies inside the file.
///
/// # Errors
/// Where the file can't be read, is of another format, or ends early.
pub fn check(path: &Path) -> io::Result<()> {
    let file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    let fault = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let mut header = [0; HEADER];
    let read = file.read_exact_at(&mut header, 0);
    if read.is_err() || header[..4] != *b"\x7fELF" || header[4] != 2 {
        return Err(fault("not a shared library of 64 bits".into()));
    }
    let table = word(&header, 32);
    let (size, count) = (half(&header, 54), half(&header, 56));
    if usize::from(size) != PROGRAM_HEADER {
        return Err(fault(format!("its program headers have {size} bytes, expected {PROGRAM_HEADER}")));
    }
    for number in 0..u64::from(count) {
        let mut segment = [0; PROGRAM_HEADER];
        let place = table.checked_add(number * PROGRAM_HEADER as u64);
        let read = place.map(|place| file.read_exact_at(&mut segment, place));
        let end = word(&segment, 8).checked_add(word(&segment, 32));
        if !matches!(read, Some(Ok(()))) || end.is_none_or(|end| end > length) {
            return Err(fault(format!(
                "the library is cut off: it has {length} bytes and segment {number} ends later"
            )));
        }
    }
    Ok(())
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_ne_bytes)
}

fn half(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map_or(0, u16::from_ne_bytes)
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
