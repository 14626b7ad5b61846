//! Whether a shared library is one of this machine, and whole. The system's loader trusts the headers of an ELF file and maps
//! what they say: on a file that was cut off, the process would end by a signal.

use object::elf::{
    ELFDATA2MSB, ELFMAG, EM_386, EM_AARCH64, EM_ARM, EM_HEXAGON, EM_LOONGARCH, EM_PPC64, EM_RISCV, EM_S390, EM_X86_64,
    FileHeader32, FileHeader64, SHT_SYMTAB, Sym32,
};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use object::{LittleEndian, NativeEndian};
use std::io;

/// Machines by their numbers in ELF files, with the names that Rust has for them.
const MACHINES: [(u16, &str); 9] = [
    (EM_X86_64, "x86_64"),
    (EM_AARCH64, "aarch64"),
    (EM_RISCV, "riscv64"),
    (EM_HEXAGON, "hexagon"),
    (EM_386, "x86"),
    (EM_ARM, "arm"),
    (EM_PPC64, "powerpc64"),
    (EM_S390, "s390x"),
    (EM_LOONGARCH, "loongarch64"),
];

/// Where a file says in which order the bytes of its words stand.
const ORDER: usize = 5;

/// Checks that bytes are a 64-bit ELF file, and that every segment lies inside it.
///
/// # Errors
/// Where they are of another format, or end early.
pub fn check(data: &[u8]) -> io::Result<()> {
    let length = data.len();
    let header = FileHeader64::<NativeEndian>::parse(data).and_then(|header| Ok((header, header.endian()?)));
    let (header, endian) = header.map_err(|_| fault("not a shared library of 64 bits".into()))?;
    let cut_off = |what: &str| fault(format!("the library is cut off: it has {length} bytes and {what} later"));
    let segments = header.program_headers(endian, data).map_err(|_| cut_off("its program headers end"))?;
    for (number, segment) in segments.iter().enumerate() {
        let end = segment.p_offset(endian).checked_add(segment.p_filesz(endian));
        if end.is_none_or(|end| end > length as u64) {
            return Err(cut_off(&format!("segment {number} ends")));
        }
    }
    Ok(())
}

/// The bytes of a constant of a linked file of 32 bits, by its symbol; none where it has no such symbol, or is no such file.
pub fn constant<'d>(data: &'d [u8], symbol: &str) -> Option<&'d [u8]> {
    let header = FileHeader32::<LittleEndian>::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, data).ok()?;
    let symbols = sections.symbols(endian, data, SHT_SYMTAB).ok()?;
    let is_it = |found: &&Sym32<LittleEndian>| found.name(endian, symbols.strings()) == Ok(symbol.as_bytes());
    let found = symbols.iter().find(is_it)?;
    let (place, size) = (found.st_value(endian), found.st_size(endian));
    let section = sections.iter().nth(usize::from(found.st_shndx(endian)))?;
    let begin = usize::try_from(place.checked_sub(section.sh_addr(endian))?).ok()?;
    section.data(endian, data).ok()?.get(begin..begin.checked_add(usize::try_from(size).ok()?)?)
}

/// The machine that an ELF file is for, if that is another one than this.
pub fn other_machine(data: &[u8]) -> Option<String> {
    // In files of 32 bits, too, the machine is the second word behind what identifies the format.
    let bytes = data.strip_prefix(&ELFMAG)?.get(12..16)?;
    let is_big = data[ORDER] == ELFDATA2MSB;
    let number = [bytes[2], bytes[3]];
    let number = if is_big { u16::from_be_bytes(number) } else { u16::from_le_bytes(number) };
    let name = MACHINES.iter().find(|(known, _)| *known == number).map(|(_, name)| *name);
    let here = std::env::consts::ARCH;
    // The machine that this is has some number, if not one of these.
    let is_it = name.map_or(MACHINES.iter().all(|(_, name)| *name != here), |name| name == here);
    if is_it { None } else { Some(name.map_or_else(|| format!("machine {number} of ELF"), str::to_owned)) }
}

fn fault(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The executable of this test, which is an ELF file too.
    fn whole() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    #[test]
    fn a_whole_file_passes() {
        check(&whole()).unwrap();
    }

    #[test]
    fn a_file_that_is_cut_off_is_refused() {
        let bytes = whole();
        for length in [5000, 100] {
            let error = check(&bytes[..length]).unwrap_err();
            assert!(error.to_string().starts_with("the library is cut off: it has"), "{error}");
        }
    }

    #[test]
    fn another_file_is_refused() {
        for bytes in [&b""[..], b"\x7fELF", &[0; 200]] {
            assert_eq!(check(bytes).unwrap_err().to_string(), "not a shared library of 64 bits");
        }
    }

    #[test]
    fn a_library_of_another_machine_is_refused_by_name() {
        let mut bytes = whole();
        for (number, name) in MACHINES.into_iter().filter(|(_, name)| *name != std::env::consts::ARCH) {
            bytes[18..20].copy_from_slice(&number.to_ne_bytes());
            assert_eq!(other_machine(&bytes).as_deref(), Some(name));
            assert_eq!(other_machine(&bytes[..20]).as_deref(), Some(name));
        }
        bytes[18..20].copy_from_slice(&[0x12, 0x12]);
        assert_eq!(other_machine(&bytes).as_deref(), Some("machine 4626 of ELF"));
        for other in [&whole()[..], b"", b"\x7fELF", &[0; 200]] {
            assert_eq!(other_machine(other), None);
        }
    }
}
