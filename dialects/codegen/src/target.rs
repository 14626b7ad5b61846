//! What code is generated for, as data: schedules ask these numbers and know no processor by name.

mod hvx;
pub mod lookup;
pub mod needed;
mod triple;

use crate::{Error, notes};
use skriptnd_hexagon::machine::Machine;
use skriptnd_hexagon::processor;
use skriptnd_mlir::ir::{OperationRef, attributes};
use skriptnd_mlir::llvm::TargetSpec;
use std::collections::BTreeSet;
use std::fmt;
pub use triple::Triple;

/// What schedules ask of a processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Triple, processor and features, for LLVM.
    pub spec: TargetSpec,
    /// What LLVM's tables say that it can do.
    pub features: BTreeSet<String>,
    /// Its vectors.
    pub isa: Isa,
    /// Bytes of the cache in which the weights of a layer should stay while they are used again.
    pub cache_bytes: i64,
    /// Parallel streams of rows in a product of a matrix and a vector.
    pub streams: i64,
}

/// How many bits vectors have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// There are none.
    Scalar,
    /// So many.
    Fixed(i64),
    /// So many times what LLVM calls `vscale`, which only the processor knows; together they are this many at least.
    Scalable {
        /// For a `vscale` of 1.
        unit: i64,
        /// At least.
        least: i64,
    },
}

/// What is done with elements that fill no vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tail {
    /// Shorter vectors, half as long each time, down to single elements.
    #[default]
    Split,
    /// One vector of which some lanes are masked.
    Mask,
}

/// The vectors of an instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Isa {
    /// What it is called.
    pub name: &'static str,
    /// How long they are.
    pub length: Length,
    /// Registers that a tile of accumulators may use.
    pub registers: i64,
    /// Whether vectors have only integers of at most 32 bits.
    pub only_words: bool,
    /// Whether instructions have whole vectors only: shorter ones are put together lane by lane.
    pub only_whole: bool,
    /// What can be done with the rest of a dimension: masks, where accesses of memory leave out lanes.
    pub tails: &'static [Tail],
    /// Whether words of 32 and 64 bits have masks beside, which are slow to store: better than element by element where only a run knows the rest.
    pub masks_words: bool,
}

impl Isa {
    /// Bits that a vector has at least; none for scalar code.
    pub fn bits(&self) -> i64 {
        match self.length {
            Length::Scalar => 0,
            Length::Fixed(bits) | Length::Scalable { least: bits, .. } => bits,
        }
    }

    /// Lanes of f32 in a vector for a `vscale` of 1, and what that is usually; none where lengths are known.
    pub fn scalable(&self) -> Option<(i64, i64)> {
        match self.length {
            // Most processors have twice the least.
            Length::Scalable { unit, least } => Some((unit / 32, 2 * least / unit)),
            Length::Scalar | Length::Fixed(_) => None,
        }
    }

    /// Lanes of f32 that a vector has at least; 1 for scalar code.
    pub fn lanes(&self) -> i64 {
        (self.bits() / 32).max(1)
    }

    /// Whether only the processor knows how long vectors are. Code for the least length runs on all.
    pub fn is_scalable(&self) -> bool {
        self.scalable().is_some()
    }

    /// No vectors; registers are those that a compiler can count on everywhere.
    const SCALAR: Isa = Isa {
        name: "scalar",
        length: Length::Scalar,
        registers: 16,
        only_words: false,
        only_whole: false,
        tails: &[Tail::Split],
        masks_words: false,
    };
}

/// An instruction set and the feature of an architecture, in LLVM's tables, that tells it.
struct Known {
    architecture: &'static str,
    feature: &'static str,
    isa: Isa,
}

const fn known(architecture: &'static str, feature: &'static str, isa: Isa) -> Known {
    Known { architecture, feature, isa }
}

const MASKS: &[Tail] = &[Tail::Split, Tail::Mask];
const SSE: Isa = Isa {
    name: "sse2",
    length: Length::Fixed(128),
    registers: 16,
    only_words: false,
    only_whole: false,
    tails: &[Tail::Split],
    masks_words: false,
};
const AVX: Isa = Isa { name: "avx", length: Length::Fixed(256), ..SSE };
const AVX2: Isa = Isa { name: "avx2", masks_words: true, ..AVX };
const AVX512: Isa =
    Isa { name: "avx512", length: Length::Fixed(512), registers: 32, tails: MASKS, masks_words: false, ..AVX2 };
const NEON: Isa = Isa { name: "neon", registers: 32, ..SSE };
const SVE: Isa = Isa { name: "sve", length: Length::Scalable { unit: 128, least: 128 }, tails: MASKS, ..NEON };
const HVX: Isa =
    Isa { name: "hvx", length: Length::Fixed(1024), only_words: true, only_whole: true, tails: MASKS, ..NEON };
/// Of RISC-V, blocks of 64 bits are counted.
const fn rvv(least: i64) -> Isa {
    Isa { name: "rvv", length: Length::Scalable { unit: 64, least }, ..SVE }
}

/// Of an architecture, the best comes first.
const KNOWN: &[Known] = &[
    known("x86_64", "avx512f", AVX512),
    known("x86_64", "fma", AVX2),
    known("x86_64", "avx", AVX),
    known("x86_64", "", SSE),
    known("aarch64", "sve", SVE),
    known("aarch64", "", NEON),
    known("riscv64", "zvl512b", rvv(512)),
    known("riscv64", "zvl256b", rvv(256)),
    known("riscv64", "v", rvv(128)),
    known("hexagon", "hvx-length128b", HVX),
];

/// Half of a second level cache, as processors of the last ten years have it.
const CACHE_BYTES: i64 = 256 << 10;

impl Target {
    /// The machine that the compiler runs on.
    pub fn host() -> Target {
        Target::of(this_machine())
    }

    /// The same with what programs for its triple are usually made for, whatever this processor has.
    pub fn usual_host() -> Target {
        let triple = TargetSpec::host().triple;
        let (cpu, features) = usual(&triple);
        Target::of(TargetSpec { cpu: cpu.into(), features: features.into(), triple })
    }

    /// A target by its triple and processor; for the host's triple without a processor, the host. Behind the name of the
    /// processor, or without one, features may stand: `hexagonv67+hvxv67`.
    pub fn named(triple: Option<&str>, cpu: Option<&str>) -> Target {
        let (cpu, added) = cpu.map_or((None, String::new()), processor);
        let host = this_machine();
        let triple = triple.map(triple::whole);
        let mut spec = match triple.as_deref().filter(|&triple| triple != "host" && triple != host.triple) {
            None => match cpu.filter(|&cpu| cpu != "native" && cpu != host.cpu) {
                None => host,
                Some(cpu) => {
                    let (cpu, features) = named_base(&host.triple, cpu);
                    TargetSpec { cpu: cpu.into(), features: features.into(), triple: host.triple }
                }
            },
            Some(triple) => {
                let (cpu, features) = cpu.map_or_else(|| usual(triple), |cpu| named_base(triple, cpu));
                TargetSpec { triple: triple.into(), cpu: cpu.into(), features: features.into() }
            }
        };
        spec.features =
            [spec.features, added].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(",");
        Target::of(spec)
    }

    /// A target as the options of passes name it; what is empty is as usual.
    pub fn described(triple: &str, cpu: &str, features: &str) -> Target {
        let named = |text: &'_ str| (!text.is_empty()).then(|| text.to_string());
        let mut target = Target::named(named(triple).as_deref(), named(cpu).as_deref());
        if !features.is_empty() {
            let cpu = if triple.is_empty() || !cpu.is_empty() { target.spec.cpu } else { String::new() };
            target = Target::of(TargetSpec { triple: target.spec.triple, cpu, features: features.into() });
        }
        target
    }

    /// Says in a module for what it is compiled: the note, and the width of an index for its data layout.
    ///
    /// # Errors
    /// Where the target is not known.
    pub fn note(&self, module: OperationRef<'_, '_>) -> Result<(), Error> {
        self.check()?;
        let context = module.context();
        let spec = &self.spec;
        let entries = [("cpu", &spec.cpu), ("features", &spec.features), ("triple", &spec.triple)];
        let entries = entries.map(|(name, value)| (name, attributes::string(context, value)));
        module.set(notes::TARGET, attributes::dictionary(context, &entries));
        let layout = format!("#dlti.dl_spec<index = {} : i32>", self.index_width()?);
        let layout = attributes::parse(context, &layout).ok_or_else(|| Error::malformed("no data layout"))?;
        module.set("dlti.dl_spec", layout);
        Ok(())
    }

    /// What is noted in the module around an operation; the host where nothing is.
    pub fn noted(operation: OperationRef<'_, '_>) -> Target {
        let note = operation.root().get(notes::TARGET).and_then(attributes::as_dictionary);
        let Some(note) = note else { return Target::host() };
        let text =
            |name| note.iter().find(|(key, _)| *key == name).and_then(|(_, value)| attributes::as_string(*value));
        let text = |name| text(name).unwrap_or_default().to_string();
        Target::of(TargetSpec { triple: text("triple"), cpu: text("cpu"), features: text("features") })
    }

    /// The same for an emulator: without what none has, unless it is asked for by name. LLVM takes HVX's floating point for a part
    /// of processors from v68 on.
    pub fn for_emulator(self) -> Target {
        let asked = |feature: &str| self.spec.features.split(',').any(|word| word.trim_start_matches('+') == feature);
        let unasked = processor::FLOATS.into_iter().filter(|feature| self.has(feature) && !asked(feature));
        let removed: Vec<String> = unasked.map(|feature| format!("-{feature}")).collect();
        if removed.is_empty() {
            return self;
        }
        let kept = (!self.spec.features.is_empty()).then(|| self.spec.features.clone());
        let features: Vec<String> = kept.into_iter().chain(removed).collect();
        Target::of(TargetSpec { features: features.join(","), ..self.spec })
    }

    /// The numbers for what LLVM is told.
    pub fn of(spec: TargetSpec) -> Target {
        let architecture = spec.triple.split('-').next().unwrap_or_default();
        let features = spec.enabled_features();
        let has = |feature: &str| feature.is_empty() || features.contains(feature);
        let known = KNOWN.iter().find(|known| known.architecture == architecture && has(known.feature));
        let isa = known.map_or(Isa::SCALAR, |known| known.isa);
        Target { isa, cache_bytes: CACHE_BYTES, streams: 4, spec, features }
    }

    /// The first word of its triple.
    pub fn architecture(&self) -> &str {
        self.spec.triple.split('-').next().unwrap_or_default()
    }

    /// The name of its processor, of which LLVM has none for the generic one of some architectures.
    pub fn cpu(&self) -> &str {
        if self.spec.cpu.is_empty() { GENERIC } else { &self.spec.cpu }
    }

    /// Whether it has a feature of LLVM's tables.
    pub fn has(&self, feature: &str) -> bool {
        self.features.contains(feature)
    }

    /// Bits of an index: those of a pointer.
    ///
    /// # Errors
    /// Where LLVM does not know the target.
    pub fn index_width(&self) -> Result<u32, Error> {
        Ok(self.spec.pointer_width()?)
    }

    /// Bytes of which the beginnings of buffers, workspace and prepared memory are multiples (`SKRIPTND_ALIGNMENT` of the header).
    pub fn alignment(&self) -> i64 {
        if self.is_hexagon() { 128 } else { 64 }
    }

    /// Bytes behind what lies last in a workspace that whole vectors may read, where there are no others: four, of words, but for one.
    pub fn read_behind(&self) -> i64 {
        if self.isa.only_whole { 4 * self.alignment() } else { 0 }
    }

    /// Whether tensors begin at such places, too: HVX takes several instructions for a vector that lies across two, and reads
    /// a group of bytes that is no aligned word byte by byte.
    pub fn aligns_tensors(&self) -> bool {
        self.isa == HVX
    }

    /// The same as reals see it: where vectors have integers only, it has none.
    pub fn for_reals(&self) -> Target {
        Target { isa: if self.isa.only_words { Isa::SCALAR } else { self.isa }, ..self.clone() }
    }

    /// Whether this is the Hexagon DSP.
    pub fn is_hexagon(&self) -> bool {
        is_hexagon(&self.spec.triple)
    }

    /// Whether this machine runs programs for it.
    pub fn is_of_this_machine(&self) -> bool {
        let host = TargetSpec::host().triple;
        self.spec.triple == host
            || Triple::parse(&self.spec.triple).is_some_and(|own| Some(own) == Triple::parse(&host))
    }

    /// Whether there is a runtime of our own for it, and an emulator that runs what is linked with that.
    pub fn is_emulated(&self) -> bool {
        Machine::named(&self.spec.triple).is_some() && self.has_elf_files()
    }

    /// Whether programs on it have threads, with stacks on which a kernel may keep rows.
    pub fn has_threads(&self) -> bool {
        let is_wide = ["x86_64", "aarch64", "riscv64"].contains(&self.architecture());
        is_wide && Triple::parse(&self.spec.triple).is_none_or(|triple| triple.has_system())
    }

    /// Whether objects for it are ELF files.
    pub fn has_elf_files(&self) -> bool {
        Triple::parse(&self.spec.triple).is_none_or(|triple| triple.is_elf())
    }

    /// Refuses what LLVM would take for something else: unknown words in a triple, processors and features that it does not know.
    ///
    /// # Errors
    /// With the nearest known names.
    pub fn check(&self) -> Result<(), Error> {
        let triple = &self.spec.triple;
        if Triple::parse(triple).is_none() && *triple != TargetSpec::host().triple {
            return Err(Error::Target(triple::unknown(triple)));
        }
        self.spec.check_processor()?;
        if self.is_hexagon() {
            hvx::check(&self.spec.cpu, |feature| self.has(feature))?;
        }
        if triple.contains("linux") { self.check_for_programs() } else { Ok(()) }
    }

    /// Refuses a processor without what programs and libraries for the triple rely on, to which its code could not be linked.
    ///
    /// # Errors
    /// With the features that it lacks.
    pub fn check_for_programs(&self) -> Result<(), Error> {
        let missing: Vec<_> = relied_on(self.architecture()).iter().filter(|name| !self.has(name)).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let (cpu, triple, names) = (self.cpu(), &self.spec.triple, missing.join("`, `"));
        Err(Error::Target(format!(
            "`{cpu}` lacks `{names}`, which programs and libraries for {triple} rely on; add them: `{cpu}+{}`",
            missing.join("+")
        )))
    }

    /// Attributes of functions that keep LLVM at the vector width that the schedules chose.
    pub fn function_attributes(&self) -> Vec<(String, String)> {
        if self.isa.bits() == 0 || !self.spec.triple.starts_with("x86") {
            return Vec::new();
        }
        let bits = self.isa.bits().to_string();
        vec![("prefer-vector-width".into(), bits.clone()), ("min-legal-vector-width".into(), bits)]
    }
}

/// The machine that the compiler runs on, without the registers for matrices where the system does not let processes have them.
fn this_machine() -> TargetSpec {
    const MATRICES: &str = "amx-tile";
    let host = TargetSpec::host();
    let has = host.features.split(',').any(|feature| feature == format!("+{MATRICES}"));
    if !has || skriptnd_runtime::processor::missing(&[MATRICES.to_string()]).is_empty() {
        return host;
    }
    let kept = host.features.split(',').filter(|feature| !feature.starts_with("+amx"));
    let removed = ["-amx-tile", "-amx-int8", "-amx-bf16"];
    TargetSpec { features: kept.chain(removed).collect::<Vec<_>>().join(","), ..host }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Target { spec, isa, .. } = self;
        let least = if isa.is_scalable() { " or a multiple" } else { "" };
        write!(f, "{}: {}, {} lanes of f32{least}, {} registers", spec.triple, isa.name, isa.lanes(), isa.registers)
    }
}

/// The name of a processor, if there is one, and features as LLVM writes them.
fn processor(text: &str) -> (Option<&str>, String) {
    let (name, features) = text.split_once('+').unwrap_or((text, ""));
    let features = features.split('+').filter(|feature| !feature.is_empty()).map(|feature| format!("+{feature}"));
    (Some(name).filter(|name| !name.is_empty()), features.collect::<Vec<_>>().join(","))
}

/// The processor that has only what all of an architecture have. LLVM has a name for it that differs from one
/// architecture to the other, and takes none for it on all.
pub const GENERIC: &str = "generic";

/// A processor by LLVM's name, with the features that a generic one has for a triple.
fn named_base<'a>(triple: &str, cpu: &'a str) -> (&'a str, &'static str) {
    match usual(triple) {
        (usual, features) if !features.is_empty() && [GENERIC, usual].contains(&cpu) => (usual, features),
        _ if cpu == GENERIC => ("", ""),
        _ => (cpu, ""),
    }
}

fn is_hexagon(triple: &str) -> bool {
    triple.starts_with("hexagon")
}

/// The processor and the features that programs for a triple are usually made for, where LLVM's generic processor has
/// less: without floating-point registers it would pass numbers in others than the libraries of the system do.
fn usual(triple: &str) -> (&'static str, &'static str) {
    let architecture = triple.split('-').next().unwrap_or_default();
    match architecture {
        "hexagon" => (skriptnd_hexagon::target::CPU, ""),
        "riscv64" if triple.contains("linux") => ("generic-rv64", "+m,+a,+f,+d,+c,+zicsr,+zifencei"),
        _ => ("", ""),
    }
}

/// What programs and libraries are made for: without `d`, numbers would be passed in other registers than they expect, and
/// without `m`, code calls functions that they do not have.
fn relied_on(architecture: &str) -> &'static [&'static str] {
    if architecture == "riscv64" { &["m", "d"] } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(triple: &str, features: &str) -> Target {
        Target::of(TargetSpec { triple: triple.into(), cpu: String::new(), features: features.into() })
    }

    #[test]
    fn the_widest_vectors_win() {
        assert_eq!(target("x86_64-unknown-linux-gnu", "+fma,+avx512f,+avx").isa.lanes(), 16);
        assert_eq!(target("x86_64-unknown-linux-gnu", "+sse2,+avx,+fma").isa.lanes(), 8);
        assert_eq!(target("x86_64-unknown-linux-gnu", "-avx512f").isa.lanes(), 4);
    }

    #[test]
    fn processors_have_the_features_of_their_names() {
        let named = |cpu: &str| Target::named(Some("x86_64-unknown-linux-gnu"), Some(cpu));
        assert_eq!(
            (named("znver4").isa.lanes(), named("znver3").isa.lanes(), named("nehalem").isa.lanes()),
            (16, 8, 4)
        );
        assert_eq!(
            (named("x86-64-v4").isa.lanes(), named("x86-64-v3").isa.lanes(), named("x86-64").isa.lanes()),
            (16, 8, 4)
        );
        assert!(named("haswell").has("fma") && !named("sandybridge").has("fma"));
    }

    #[test]
    fn features_may_stand_behind_a_processor() {
        let arm = |cpu| Target::named(Some("aarch64-unknown-linux-gnu"), Some(cpu));
        assert_eq!(
            (arm("+sve").isa.name, arm("neoverse-n1").isa.name, arm("neoverse-n1+sve").isa.name),
            ("sve", "neon", "sve")
        );
        let riscv = Target::named(Some("riscv64-unknown-linux-gnu"), Some("+v"));
        assert!(riscv.has("d") && riscv.isa.name == "rvv");
    }

    #[test]
    fn emulators_are_spared_floats_of_hvx_that_nobody_asked_for() {
        let hexagon = |cpu: &str| Target::named(Some("hexagon"), Some(cpu));
        let target = hexagon("hexagonv73+hvxv73+hvx-length128b");
        assert!(target.has("hvx-qfloat"));
        let spared = target.for_emulator();
        assert!(!spared.has("hvx-qfloat") && spared.isa.name == "hvx");
        spared.check().unwrap();
        assert!(hexagon("hexagonv73+hvxv73+hvx-length128b+hvx-qfloat").for_emulator().has("hvx-qfloat"));
        assert_eq!(hexagon("hexagonv66").for_emulator(), hexagon("hexagonv66"));
    }

    #[test]
    fn reals_see_no_vectors_that_have_integers_only() {
        let hexagon = |cpu: &str| Target::named(Some("hexagon"), Some(cpu));
        assert_eq!(hexagon("hexagonv66+hvxv66+hvx-length128b").for_reals().isa, hexagon("hexagonv66").isa);
        let wide = target("x86_64-unknown-linux-gnu", "+avx,+fma");
        assert_eq!(wide.for_reals(), wide);
    }

    #[test]
    fn hvx_that_no_code_would_use_is_refused() {
        let hexagon = |cpu: &str| Target::named(Some("hexagon"), Some(cpu)).check();
        for cpu in
            ["hexagonv67", "hexagonv66+hvxv66+hvx-length128b", "+hvx-length128b", "hexagonv81+hvxv81+hvx-length128b"]
        {
            hexagon(cpu).unwrap();
        }
        let told = |cpu: &str| hexagon(cpu).unwrap_err().to_string();
        let scalar = "HVX is asked for without the length of its registers, `hvx-length128b`: code would be scalar; ";
        assert_eq!(told("+hvx"), format!("{scalar}write `hexagonv67+hvxv67+hvx-length128b`"));
        assert_eq!(told("hexagonv73+hvxv68"), format!("{scalar}write `hexagonv73+hvxv68+hvx-length128b`"));
        assert_eq!(
            told("hexagonv66+hvx-length64b"),
            "code uses HVX with registers of 128 bytes, and `hvx-length64b` is for 64: it would be scalar; \
             write `hexagonv66+hvxv66+hvx-length128b`"
        );
        assert_eq!(
            told("hexagonv5+hvx-length128b"),
            "`hexagonv5` has no HVX, which begins with version 60 (found 5): write `hexagonv60+hvxv60+hvx-length128b`"
        );
    }

    #[test]
    fn linux_on_risc_v_has_floating_point_registers() {
        let features = Target::named(Some("riscv64-unknown-linux-gnu"), None).spec.enabled_features();
        assert!(["m", "a", "f", "d", "c"].iter().all(|feature| features.contains(*feature)), "{features:?}");
    }

    #[test]
    fn generic_on_linux_is_what_its_programs_are_made_for() {
        let riscv = |cpu: &str| Target::named(Some("riscv64-unknown-linux-gnu"), Some(cpu));
        let usual = Target::named(Some("riscv64-unknown-linux-gnu"), None);
        for cpu in ["generic", "generic-rv64"] {
            assert_eq!(riscv(cpu), usual);
            assert!(riscv(&format!("{cpu}+v")).has("d") && riscv(cpu).check().is_ok());
        }
        assert_eq!(
            riscv("rocket-rv64").check().unwrap_err().to_string(),
            "`rocket-rv64` lacks `m`, `d`, which programs and libraries for riscv64-unknown-linux-gnu rely on; \
             add them: `rocket-rv64+m+d`"
        );
        assert!(riscv("rocket-rv64+m+d").check().is_ok() && riscv("sifive-u74").check().is_ok());
        let bare = Target::named(Some("riscv64-unknown-none-elf"), Some("generic"));
        assert!(bare.check().is_ok() && bare.check_for_programs().is_err());
    }

    #[test]
    fn other_processors_get_scalar_code() {
        let hexagon = Target::named(Some("hexagon-unknown-linux-musl"), None);
        assert_eq!((hexagon.isa.lanes(), hexagon.spec.cpu.as_str()), (1, "hexagonv67"));
        assert_eq!(target("riscv64-unknown-linux-gnu", "").isa.lanes(), 1);
    }

    #[test]
    fn lengths_that_only_the_processor_knows_have_a_least() {
        let isa = |triple, features| target(triple, features).isa;
        assert_eq!(isa("aarch64-unknown-linux-gnu", "").name, "neon");
        let sve = isa("aarch64-unknown-linux-gnu", "+sve");
        assert_eq!(
            (sve.name, sve.lanes(), sve.length, sve.tails),
            ("sve", 4, Length::Scalable { unit: 128, least: 128 }, MASKS)
        );
        let rvv = |features| isa("riscv64-unknown-linux-gnu", features);
        assert_eq!((rvv("+v").lanes(), rvv("+v,+zvl256b").lanes(), rvv("+d").lanes()), (4, 8, 1));
        assert_eq!(sve.scalable(), Some((4, 2)));
        assert_eq!((rvv("+v").scalable(), rvv("+v,+zvl256b").scalable()), (Some((2, 4)), Some((2, 8))));
    }
}
