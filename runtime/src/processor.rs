//! What this processor has of the features that code is compiled for. On one that lacks a feature, its instructions would end
//! the process by a signal. The registers for matrices (AMX) are those of processes that have asked Linux for them, which a question does.
//!
//! It can be told of x86-64 and AArch64. Programs of other processors have no way to ask that is the same everywhere, so the
//! compiler asks for nothing of them, and a library is taken to be one for this processor.

/// The features of a list that this processor does not have, or that nobody here knows.
pub fn missing(features: &[String]) -> Vec<String> {
    features.iter().filter(|feature| here::has(feature) != Some(true)).cloned().collect()
}

/// Whether it can be told of a feature if this processor has it.
pub fn knows(feature: &str) -> bool {
    here::has(feature).is_some()
}

pub mod x86;

#[cfg(target_arch = "x86_64")]
mod here {
    use super::x86::question;
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv, CpuidResult};

    /// Whether this processor has a feature, and this process may use it; none if nobody here knows it.
    pub fn has(feature: &str) -> Option<bool> {
        let question = question(feature)?;
        Some(question.is_answered(&answer, saved()) && question.permission().is_none_or(is_permitted))
    }

    /// Asks the system to save a part of the registers' state for this process, as it does from then on.
    #[cfg(target_os = "linux")]
    fn is_permitted(part: u32) -> bool {
        let [call, request] = super::x86::PERMISSION;
        // SAFETY: allows the process more, and writes to no memory.
        unsafe { libc::syscall(call, request, i64::from(part)) == 0 }
    }

    /// Other systems are not asked.
    #[cfg(not(target_os = "linux"))]
    fn is_permitted(_: u32) -> bool {
        true
    }

    /// What the instruction answers. Leaf 0 tells the highest leaf; what lies behind it is not there.
    fn answer(leaf: u32, subleaf: u32) -> [u32; 4] {
        if __cpuid(leaf & 0x8000_0000).eax < leaf {
            return [0; 4];
        }
        let CpuidResult { eax, ebx, ecx, edx } = __cpuid_count(leaf, subleaf);
        [eax, ebx, ecx, edx]
    }

    /// Which registers the system saves: `XCR0`.
    fn saved() -> u64 {
        let may_ask = answer(1, 0)[2] >> 27 & 1 == 1;
        // SAFETY: a system that lets programs ask has set the bit that says so.
        if may_ask { unsafe { _xgetbv(0) } } else { 0 }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod here {
    /// Whether this processor has a feature; none if nobody here knows it.
    pub fn has(feature: &str) -> Option<bool> {
        match std::env::consts::ARCH {
            "aarch64" => super::aarch64::has(feature, &capability),
            _ => Some(true),
        }
    }

    /// A word in which the system tells programs what there is.
    fn capability(word: u64) -> u64 {
        // SAFETY: looks a number up that the system gave to the process when it began.
        unsafe { libc::getauxval(word) }
    }
}

/// Of AArch64 the system tells, in two words. It is data on all machines, so that it is tested on all.
#[cfg(any(target_arch = "aarch64", test))]
mod aarch64 {
    /// The names of the words (`AT_HWCAP`, `AT_HWCAP2`).
    const WORDS: [u64; 2] = [16, 26];

    /// LLVM's names, with the word and the bit (`HWCAP_...` in the system's `asm/hwcap.h`).
    const FEATURES: [(&str, usize, u32); 16] = [
        ("bf16", 1, 14),
        ("complxnum", 0, 14),
        ("cssc", 1, 34),
        ("dotprod", 0, 20),
        ("f32mm", 1, 10),
        ("f64mm", 1, 11),
        ("faminmax", 1, 50),
        ("fp16fml", 0, 23),
        ("fullfp16", 0, 10),
        ("i8mm", 1, 13),
        ("mops", 1, 43),
        ("rdm", 0, 12),
        ("sha3", 0, 17),
        ("sve", 0, 22),
        ("sve2", 1, 1),
        ("sve2p1", 1, 36),
    ];

    /// Whether a processor has a feature; none if nobody here knows it.
    pub fn has(feature: &str, capability: &dyn Fn(u64) -> u64) -> Option<bool> {
        let (_, word, bit) = FEATURES.iter().find(|(name, ..)| *name == feature)?;
        Some(capability(WORDS[*word]) >> bit & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_knows_is_missing() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(missing(&[]), names(&[]));
        if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            assert_eq!(missing(&names(&["warp-drive", "tricorder"])), ["warp-drive", "tricorder"]);
        }
    }

    /// The standard library tells the same.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn this_processor_has_what_the_standard_library_says() {
        macro_rules! same {
            ($($name:literal as $told:tt),*) => {
                $(assert_eq!(here::has($name), Some(std::arch::is_x86_feature_detected!($told)), $name);)*
            };
        }
        same!(
            "sse3" as "sse3", "ssse3" as "ssse3", "sse4.1" as "sse4.1", "sse4.2" as "sse4.2", "sse4a" as "sse4a",
            "popcnt" as "popcnt", "lzcnt" as "lzcnt", "bmi" as "bmi1", "bmi2" as "bmi2", "tbm" as "tbm",
            "movbe" as "movbe", "avx" as "avx", "avx2" as "avx2", "f16c" as "f16c", "fma" as "fma", "gfni" as "gfni",
            "avx512f" as "avx512f", "avx512bw" as "avx512bw", "avx512cd" as "avx512cd", "avx512dq" as "avx512dq",
            "avx512vl" as "avx512vl", "avx512bf16" as "avx512bf16", "avx512bitalg" as "avx512bitalg",
            "avx512fp16" as "avx512fp16", "avx512ifma" as "avx512ifma", "avx512vbmi" as "avx512vbmi",
            "avx512vbmi2" as "avx512vbmi2", "avx512vnni" as "avx512vnni", "avx512vpopcntdq" as "avx512vpopcntdq",
            "avxifma" as "avxifma", "avxneconvert" as "avxneconvert", "avxvnni" as "avxvnni",
            "avxvnniint8" as "avxvnniint8", "avxvnniint16" as "avxvnniint16"
        );
    }

    /// The system tells the same in words of its own.
    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn this_processor_has_what_the_system_says() {
        let told = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let flags = told.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
        let flags: Vec<&str> = flags.split_whitespace().collect();
        for (name, flag) in [("sse3", "pni"), ("ssse3", "ssse3"), ("sse4.2", "sse4_2"), ("avx2", "avx2")]
            .into_iter()
            .chain([("avx512f", "avx512f"), ("avx512vnni", "avx512_vnni"), ("fma4", "fma4"), ("xop", "xop")])
        {
            assert_eq!(here::has(name), Some(flags.contains(&flag)), "{name}");
        }
    }

    #[test]
    fn words_of_the_system_tell_what_an_arm_processor_has() {
        let has = |feature, words: [u64; 2]| aarch64::has(feature, &|word| words[usize::from(word == 26)]);
        let all = [u64::MAX; 2];
        assert_eq!((has("sve", all), has("sve2", all), has("warp-drive", all)), (Some(true), Some(true), None));
        assert_eq!((has("sve", [1 << 22, 0]), has("sve2", [1 << 22, 0])), (Some(true), Some(false)));
        assert_eq!((has("i8mm", [0, 1 << 13]), has("rdm", [0, 1 << 12])), (Some(true), Some(false)));
    }
}
