//! What a processor must have for the code of a target: the metadata say it, so that who loads the code can look before the
//! first instruction ends the process.

use crate::target::{GENERIC, Target};

/// The features, in LLVM's tables, that code generation makes use of without being asked for an instruction by name. LLVM's
/// tables have many others for a processor: what only systems use, what only intrinsics use, how fast something is. Code for such
/// a processor runs on others, and they are not asked for. The loader (`runtime/src/processor.rs`) knows all of these.
const USED: [(&str, &str); 3] = [
    (
        "x86_64",
        "sse3 ssse3 sse4.1 sse4.2 sse4a popcnt lzcnt bmi bmi2 tbm movbe f16c fma fma4 xop gfni avx avx2 avxifma avxneconvert \
         avxvnni avxvnniint8 avxvnniint16 avx512f avx512bw avx512cd avx512dq avx512vl avx512bf16 avx512bitalg avx512fp16 \
         avx512ifma avx512vbmi avx512vbmi2 avx512vnni avx512vpopcntdq avx10.1 avx10.2 amx-tile amx-int8 amx-bf16 \
         egpr push2pop2 ppx ndd ccmp nf cf zu",
    ),
    ("aarch64", "bf16 complxnum cssc dotprod f32mm f64mm faminmax fp16fml fullfp16 i8mm mops rdm sha3 sve sve2 sve2p1"),
    // Versions and HVX are numbers of the file and of its instructions; of these the emulator has to be asked.
    ("hexagon", "hvx-qfloat hvx-ieee-fp"),
];

/// What the code may use and not every processor of the architecture has, by LLVM's names.
pub fn features(target: &Target) -> Vec<String> {
    let generic = Target::named(Some(&target.spec.triple), Some(GENERIC));
    let needed = used(target.architecture()).filter(|feature| target.has(feature) && !generic.has(feature));
    needed.map(str::to_owned).collect()
}

/// The same of code that may have no registers for matrices: a process that asks for them changes what the system saves.
pub fn of_code(target: &Target, has_matrices: bool) -> Vec<String> {
    let is_used = |feature: &String| has_matrices || !feature.starts_with("amx");
    features(target).into_iter().filter(is_used).collect()
}

fn used(architecture: &str) -> impl Iterator<Item = &'static str> {
    let used = USED.into_iter().find(|(known, _)| *known == architecture);
    used.into_iter().flat_map(|(_, features)| features.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use skriptnd_runtime::processor;

    fn needed(triple: &str, cpu: &str) -> Vec<String> {
        features(&Target::named(Some(triple), Some(cpu)))
    }

    #[test]
    fn code_asks_for_what_it_may_use() {
        let x86 = |cpu: &str| needed("x86_64-unknown-linux-gnu", cpu);
        assert_eq!((x86("generic"), x86("x86-64")), (vec![], vec![]));
        assert_eq!(x86("x86-64-v2"), ["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"]);
        assert!(x86("x86-64-v3").contains(&"avx2".into()) && !x86("x86-64-v3").contains(&"avx512f".into()));
        assert!(x86("znver4").contains(&"avx512vnni".into()) && !x86("znver4+gfni").contains(&"clzero".into()));
        assert_eq!(x86("+avx"), ["sse3", "ssse3", "sse4.1", "sse4.2", "avx"]);
        assert_eq!(needed("aarch64-unknown-linux-gnu", "generic"), Vec::<String>::new());
        assert_eq!(needed("aarch64-unknown-linux-gnu", "cortex-a76"), ["dotprod", "fullfp16", "rdm"]);
        assert!(needed("aarch64-unknown-linux-gnu", "+sve").contains(&"sve".into()));
    }

    #[test]
    fn a_loader_knows_what_code_may_ask_for() {
        let unknown: Vec<_> = used(std::env::consts::ARCH).filter(|feature| !processor::knows(feature)).collect();
        assert_eq!(unknown, Vec::<&str>::new());
    }

    #[test]
    fn code_for_this_machine_runs_on_it() {
        assert_eq!(processor::missing(&features(&Target::host())), Vec::<String>::new());
    }
}
