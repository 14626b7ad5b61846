//! Hexagon's processors by version, and which of them the emulator that is installed knows.

use crate::Error;
use crate::machine::Machine;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The versions of HVX that LLVM has, the first to the last.
pub const HVX_VERSIONS: [u32; 12] = [60, 62, 65, 66, 67, 68, 69, 71, 73, 75, 79, 81];

/// Features of HVX's floating point, which no packaged emulator has; some of its encodings it takes for other instructions.
pub const FLOATS: [&str; 2] = ["hvx-qfloat", "hvx-ieee-fp"];

/// The version in the name of a processor: 67 of `hexagonv67` and of `hexagonv67t`.
pub fn version(cpu: &str) -> Option<u32> {
    let digits = cpu.strip_prefix("hexagonv")?;
    // 5.5 came before 60.
    if digits == "55" { Some(5) } else { digits.trim_end_matches('t').parse().ok() }
}

/// The emulator that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emulator {
    /// What it calls itself: `qemu-hexagon version 7.2.22 (...)`.
    pub name: String,
    /// The newest version of the processor that it knows.
    pub newest: u32,
}

impl Emulator {
    /// Asks the one on the search path, once.
    pub fn installed() -> &'static Emulator {
        static FOUND: OnceLock<Emulator> = OnceLock::new();
        FOUND.get_or_init(|| {
            let told = Command::new("qemu-hexagon").arg("--version").output();
            Emulator::named(&told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned()).unwrap_or_default())
        })
    }

    /// By what it answers to `--version`. Processors behind v67 came with 8.1.
    fn named(told: &str) -> Emulator {
        let name = told.lines().next().unwrap_or_default().split(" (").next().unwrap_or_default().trim().to_owned();
        let mut numbers = name.rsplit(' ').next().unwrap_or_default().split('.').map_while(|part| part.parse().ok());
        let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        let name = if name.is_empty() { "qemu-hexagon".to_owned() } else { name };
        Emulator { name, newest: if version >= (8, 1) { 73 } else { 67 } }
    }

    /// What it is told of the processor to run a file for a version: it refuses files for those that it does not know, unless
    /// it is named another one.
    fn arguments(&self, version: u32) -> Vec<String> {
        match version > self.newest {
            true => vec!["-cpu".to_owned(), format!("v{}", self.newest)],
            false => Vec::new(),
        }
    }
}

/// The version that the header of a file for Hexagon says.
fn of_header(header: &[u8]) -> u32 {
    // The lowest byte of the flags, whose digits are those of the version.
    let byte = header.get(36).copied().unwrap_or_default();
    10 * u32::from(byte >> 4) + u32::from(byte & 15)
}

/// What the emulator of a machine is told of the processor to run an executable.
///
/// # Errors
/// Where the executable can't be read.
pub fn arguments(machine: &Machine, executable: &Path) -> Result<Vec<String>, Error> {
    if machine.architecture == "hexagon" {
        return Ok(Emulator::installed().arguments(of_executable(executable)?));
    }
    Ok(machine.arguments.iter().map(ToString::to_string).collect())
}

fn of_executable(executable: &Path) -> Result<u32, Error> {
    Ok(of_header(&crate::machine::header(executable)?))
}

/// Refuses what the emulator would compute something else of, before it does.
///
/// # Errors
/// Where the code may use HVX's floating point.
pub fn check_features<'f>(features: impl IntoIterator<Item = &'f str>) -> Result<(), Error> {
    let float = features.into_iter().find_map(|feature| FLOATS.into_iter().find(|float| *float == feature));
    float.map_or(Ok(()), |feature| Err(Error::Floats { feature, emulator: Emulator::installed().name.clone() }))
}

/// That a program for Hexagon was ended by a signal, as an instruction does that the emulator lacks; none where it was another
/// signal.
pub fn unknown_instruction(executable: &Path, signal: Option<i32>) -> Option<Error> {
    let what = match signal? {
        4 => "an illegal instruction",
        7 | 11 => "a wrong address",
        _ => return None,
    };
    let Emulator { name, newest } = Emulator::installed().clone();
    Some(Error::Instruction { what, version: of_executable(executable).ok()?, emulator: name, newest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_versions() {
        let versions =
            ["hexagonv5", "hexagonv55", "hexagonv67", "hexagonv71t", "hexagonv81", "generic", ""].map(version);
        assert_eq!(versions, [Some(5), Some(5), Some(67), Some(71), Some(81), None, None]);
    }

    #[test]
    fn emulators_are_told_of_processors_that_they_do_not_know() {
        let old = Emulator::named("qemu-hexagon version 7.2.22 (Debian 1:7.2)\nCopyright (c) 2003-2022\n");
        assert_eq!(old, Emulator { name: "qemu-hexagon version 7.2.22".into(), newest: 67 });
        let new = Emulator::named("qemu-hexagon version 10.0.2\n");
        assert_eq!(new.newest, 73);
        assert_eq!((old.arguments(67), old.arguments(68)), (vec![], vec!["-cpu".to_string(), "v67".to_string()]));
        assert_eq!((new.arguments(73), new.arguments(81)), (vec![], vec!["-cpu".to_string(), "v73".to_string()]));
        assert_eq!(Emulator::named(""), Emulator { name: "qemu-hexagon".into(), newest: 67 });
    }

    #[test]
    fn headers_tell_versions() {
        let mut header = [0; 64];
        for (byte, version) in [(0x05, 5), (0x60, 60), (0x67, 67), (0x81, 81)] {
            header[36] = byte;
            assert_eq!(of_header(&header), version);
        }
        assert_eq!(of_header(&[]), 0);
    }

    #[test]
    fn floats_of_hvx_are_refused_in_words() {
        check_features(["hvx", "hvx-length128b"]).unwrap();
        let told = check_features(["hvx", "hvx-ieee-fp"]).unwrap_err().to_string();
        assert!(told.starts_with("`hvx-ieee-fp`: HVX's floating point is not in the emulator (qemu-hexagon"), "{told}");
    }
}
