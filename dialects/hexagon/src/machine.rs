//! The machines that programs without libraries are made for: each runs as Linux' user mode in an emulator.

use crate::{Error, runtime};
use std::path::Path;

/// A machine.
#[derive(Debug)]
pub struct Machine {
    /// How triples for it begin.
    pub architecture: &'static str,
    /// Its number in the header of an ELF file.
    number: u16,
    /// The emulator.
    pub emulator: &'static str,
    /// What the emulator is told of the processor.
    pub arguments: &'static [&'static str],
    /// The objects that stand behind a model's, with their names.
    pub(crate) runtime: &'static [(&'static str, &'static [u8])],
}

const MACHINES: &[Machine] = &[
    Machine {
        architecture: "hexagon",
        number: 164,
        emulator: "qemu-hexagon",
        arguments: &[],
        runtime: runtime::HEXAGON,
    },
    Machine {
        architecture: "aarch64",
        number: 183,
        emulator: "qemu-aarch64",
        arguments: &["-cpu", "max,sve256=on"],
        runtime: runtime::AARCH64,
    },
    Machine {
        architecture: "riscv64",
        number: 243,
        emulator: "qemu-riscv64",
        arguments: &["-cpu", "rv64,v=true,vlen=256,vext_spec=v1.0"],
        runtime: runtime::RISCV64,
    },
];

impl Machine {
    /// The machine of a triple.
    pub fn named(triple: &str) -> Option<&'static Machine> {
        let architecture = triple.split('-').next().unwrap_or_default();
        MACHINES.iter().find(|machine| machine.architecture == architecture)
    }

    /// The machine that an ELF file is for.
    ///
    /// # Errors
    /// Where that is none of those that are known.
    pub fn of(file: &[u8]) -> Result<&'static Machine, Error> {
        let number = match file {
            [0x7f, b'E', b'L', b'F', rest @ ..] => {
                rest.get(14..16).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
            }
            _ => None,
        };
        let known = MACHINES.iter().find(|machine| Some(machine.number) == number);
        known.ok_or(Error::Machine)
    }

    /// The machine that an executable is for.
    ///
    /// # Errors
    /// Where it can't be read, or is for none of those that are known.
    pub fn of_executable(path: &Path) -> Result<&'static Machine, Error> {
        Machine::of(&header(path)?)
    }
}

/// The first bytes of a file, among them the header of an ELF file.
pub(crate) fn header(path: &Path) -> Result<Vec<u8>, Error> {
    use std::io::Read;
    let mut header = Vec::new();
    std::fs::File::open(path)?.take(64).read_to_end(&mut header)?;
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_say_for_which_machine_they_are() {
        for machine in MACHINES {
            for (_, object) in machine.runtime {
                assert_eq!(Machine::of(object).unwrap().architecture, machine.architecture);
            }
            assert_eq!(Machine::named(machine.architecture).unwrap().emulator, machine.emulator);
        }
        assert!(Machine::of(b"no object").is_err() && Machine::named("sparc-unknown-linux-gnu").is_none());
    }
}
