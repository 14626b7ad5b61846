//! What an x86-64 processor tells of its features. It is data on all machines: the loader asks this processor, and artifacts of
//! several versions ask the one that they run on.

/// A number in what the instruction `cpuid` answers that tells a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// What `cpuid` is asked (`eax`).
    pub leaf: u32,
    /// The part of it (`ecx`).
    pub subleaf: u32,
    /// Which register has the answer: `eax`, `ebx`, `ecx` and `edx` in this order.
    pub register: usize,
    /// The number's lowest bit.
    pub shift: u32,
    /// The bits of the number, behind the shift.
    pub mask: u32,
    /// What the number is at least.
    pub least: u32,
    /// Bits of the register `XCR0`: which registers the system has to save.
    pub saved: u64,
}

/// The registers of an answer.
const NAMES: [&str; 4] = ["eax", "ebx", "ecx", "edx"];
/// What the system has to save for registers of 256 bits, for those of 512 bits with masks, and for twice as many general ones.
const AVX: u64 = 0b110;
const AVX512: u64 = 0b1110_0110;
const APX: u64 = 1 << 19;
/// Of matrices there is what is told of them, and their rows.
const AMX: u64 = 0b11 << 17;

/// Features that stand in the same register: leaf, part of it, name of the register, what the system has to save, and LLVM's names
/// with the bits.
type Group = (u32, u32, &'static str, u64, &'static [(&'static str, u32)]);

const GROUPS: [Group; 13] = [
    (1, 0, "ecx", 0, &[("sse3", 0), ("ssse3", 9), ("sse4.1", 19), ("sse4.2", 20), ("movbe", 22), ("popcnt", 23)]),
    (1, 0, "ecx", AVX, &[("fma", 12), ("avx", 28), ("f16c", 29)]),
    (7, 0, "ebx", 0, &[("bmi", 3), ("bmi2", 8)]),
    (7, 0, "ebx", AVX, &[("avx2", 5)]),
    (
        7,
        0,
        "ebx",
        AVX512,
        &[("avx512f", 16), ("avx512dq", 17), ("avx512ifma", 21), ("avx512cd", 28), ("avx512bw", 30), ("avx512vl", 31)],
    ),
    (7, 0, "ecx", 0, &[("gfni", 8)]),
    (
        7,
        0,
        "ecx",
        AVX512,
        &[("avx512vbmi", 1), ("avx512vbmi2", 6), ("avx512vnni", 11), ("avx512bitalg", 12), ("avx512vpopcntdq", 14)],
    ),
    (7, 0, "edx", AVX512, &[("avx512fp16", 23)]),
    (7, 0, "edx", AMX, &[("amx-bf16", 22), ("amx-tile", 24), ("amx-int8", 25)]),
    (7, 1, "eax", AVX, &[("avxvnni", 4), ("avxifma", 23)]),
    (7, 1, "edx", AVX, &[("avxvnniint8", 4), ("avxneconvert", 5), ("avxvnniint16", 10)]),
    (0x8000_0001, 0, "ecx", 0, &[("lzcnt", 5), ("sse4a", 6), ("tbm", 21)]),
    (0x8000_0001, 0, "ecx", AVX, &[("xop", 11), ("fma4", 16)]),
];

/// What tells a feature by LLVM's name; none if nobody here knows it.
pub fn question(feature: &str) -> Option<Question> {
    let (leaf, subleaf, register, shift, mask, least, saved) = match feature {
        "avx512bf16" => (7, 1, "eax", 5, 1, 1, AVX512),
        "avx10.1" => (7, 1, "edx", 19, 1, 1, AVX512),
        // It has a number, which is 0 where it is not there.
        "avx10.2" => (0x24, 0, "ebx", 0, 0xFF, 2, AVX512),
        "egpr" | "push2pop2" | "ppx" | "ndd" | "ccmp" | "nf" | "cf" | "zu" => (7, 1, "edx", 21, 1, 1, APX),
        _ => GROUPS.iter().find_map(|(leaf, subleaf, register, saved, features)| {
            let (_, shift) = features.iter().find(|(name, _)| *name == feature)?;
            Some((*leaf, *subleaf, *register, *shift, 1, 1, *saved))
        })?,
    };
    let register = NAMES.iter().position(|name| *name == register)?;
    Some(Question { leaf, subleaf, register, shift, mask, least, saved })
}

/// The part of the registers' state that has the rows of matrices, by its bit in `XCR0`.
pub const MATRICES: u32 = 18;
/// The call of Linux that lets a process have such a part, by its number (`arch_prctl`), and what is asked (`ARCH_REQ_XCOMP_PERM`); the part
/// comes behind, and 0 is yes.
pub const PERMISSION: [i64; 2] = [158, 0x1023];

impl Question {
    /// The part of the registers' state that Linux saves for programs only that have asked for it (`ARCH_REQ_XCOMP_PERM`): a bit of `XCR0`.
    pub fn permission(&self) -> Option<u32> {
        (self.saved >> MATRICES & 1 == 1).then_some(MATRICES)
    }

    /// Whether a processor answers it with yes: `cpuid` gives its registers for a leaf and a part, `saved` is what the system saves.
    pub fn is_answered(&self, cpuid: &dyn Fn(u32, u32) -> [u32; 4], saved: u64) -> bool {
        let number = cpuid(self.leaf, self.subleaf)[self.register] >> self.shift & self.mask;
        number >= self.least && saved & self.saved == self.saved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_does_not_save_is_not_there() {
        let all = |_, _| [u32::MAX; 4];
        let has = |feature, saved| question(feature).unwrap().is_answered(&all, saved);
        assert_eq!(["sse4.2", "avx2", "avx512f", "egpr"].map(|feature| has(feature, 0)), [true, false, false, false]);
        assert_eq!(["avx2", "avx512f"].map(|feature| has(feature, 0b111)), [true, false]);
        assert_eq!(["avx512f", "avx10.2", "egpr"].map(|feature| has(feature, 0xE7)), [true, true, false]);
        assert_eq!(question("warp-drive"), None);
    }

    #[test]
    fn a_feature_is_a_bit_or_a_number() {
        let only = |leaf, register: usize, word| {
            move |asked, _| {
                if asked == leaf { std::array::from_fn(|at| if at == register { word } else { 0 }) } else { [0; 4] }
            }
        };
        let has =
            |feature, cpuid: &dyn Fn(u32, u32) -> [u32; 4]| question(feature).unwrap().is_answered(cpuid, u64::MAX);
        assert!(has("avx2", &only(7, 1, 1 << 5)) && !has("avx2", &only(7, 1, !(1 << 5))));
        assert!(has("avx10.2", &only(0x24, 1, 2)) && !has("avx10.2", &only(0x24, 1, 1)));
    }
}
