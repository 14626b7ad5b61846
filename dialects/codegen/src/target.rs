//! What code is generated for, as data: schedules ask these numbers and know no processor by name.

use crate::{Error, notes};
use skriptnd_hexagon::machine::Machine;
use skriptnd_mlir::ir::{OperationRef, attributes};
use skriptnd_mlir::llvm::TargetSpec;
use std::collections::BTreeSet;
use std::fmt;

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

/// The vectors of an instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Isa {
    /// What it is called.
    pub name: &'static str,
    /// Bits of a vector; of one whose length only a run knows, those that it has at least. Zero for scalar code.
    pub bits: i64,
    /// Whether only a run knows the length. Code takes the least: so it runs on all.
    pub is_scalable: bool,
    /// Registers that a tile of accumulators may use.
    pub registers: i64,
    /// Whether a product and a sum are one instruction.
    pub fused_multiply_add: bool,
    /// Whether accesses of memory leave out the lanes that a mask says.
    pub masks: bool,
}

impl Isa {
    /// Lanes of f32 in a vector; 1 for scalar code.
    pub fn lanes(&self) -> i64 {
        (self.bits / 32).max(1)
    }

    const fn scalar(fused_multiply_add: bool) -> Isa {
        // Registers are those that a compiler can count on everywhere.
        Isa { name: "scalar", bits: 0, is_scalable: false, registers: 16, fused_multiply_add, masks: false }
    }
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

const SSE: Isa =
    Isa { name: "sse2", bits: 128, is_scalable: false, registers: 16, fused_multiply_add: false, masks: false };
const AVX: Isa = Isa { name: "avx", bits: 256, ..SSE };
const AVX2: Isa = Isa { name: "avx2", fused_multiply_add: true, ..AVX };
const AVX512: Isa = Isa { name: "avx512", bits: 512, registers: 32, masks: true, ..AVX2 };
const NEON: Isa = Isa { name: "neon", registers: 32, fused_multiply_add: true, ..SSE };
const SVE: Isa = Isa { name: "sve", is_scalable: true, masks: true, ..NEON };
const HVX: Isa = Isa { name: "hvx", bits: 1024, ..NEON };
const RVV: Isa = Isa { name: "rvv", ..SVE };

/// Of an architecture, the best comes first.
const KNOWN: &[Known] = &[
    known("x86_64", "avx512f", AVX512),
    known("x86_64", "fma", AVX2),
    known("x86_64", "avx", AVX),
    known("x86_64", "", SSE),
    known("aarch64", "sve", SVE),
    known("aarch64", "", NEON),
    known("riscv64", "zvl512b", Isa { bits: 512, ..RVV }),
    known("riscv64", "zvl256b", Isa { bits: 256, ..RVV }),
    known("riscv64", "v", RVV),
    known("hexagon", "hvx-length128b", HVX),
    known("hexagon", "", Isa::scalar(true)),
];

/// Half of a second level cache, as processors of the last ten years have it.
const CACHE_BYTES: i64 = 256 << 10;

impl Target {
    /// The machine that the compiler runs on.
    pub fn host() -> Target {
        Target::of(TargetSpec::host())
    }

    /// A target by its triple and processor; for the host's triple without a processor, the host.
    pub fn named(triple: Option<&str>, cpu: Option<&str>) -> Target {
        let host = TargetSpec::host();
        let Some(triple) = triple.filter(|&triple| triple != "host" && triple != host.triple) else {
            return match cpu.filter(|&cpu| cpu != "native" && cpu != host.cpu) {
                None => Target::of(host),
                Some(cpu) => Target::of(TargetSpec { cpu: cpu.into(), features: String::new(), ..host }),
            };
        };
        let (cpu, features) = cpu.map_or_else(|| usual(triple), |cpu| (cpu, ""));
        Target::of(TargetSpec { triple: triple.into(), cpu: cpu.into(), features: features.into() })
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
    /// Where LLVM does not know the target.
    pub fn note(&self, module: OperationRef<'_, '_>) -> Result<(), Error> {
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

    /// The numbers for what LLVM is told.
    pub fn of(spec: TargetSpec) -> Target {
        let architecture = spec.triple.split('-').next().unwrap_or_default();
        let features = spec.enabled_features();
        let has = |feature: &str| feature.is_empty() || features.contains(feature);
        let known = KNOWN.iter().find(|known| known.architecture == architecture && has(known.feature));
        let isa = known.map_or(Isa::scalar(false), |known| known.isa);
        Target { isa, cache_bytes: CACHE_BYTES, streams: 4, spec, features }
    }

    /// The first word of its triple.
    pub fn architecture(&self) -> &str {
        self.spec.triple.split('-').next().unwrap_or_default()
    }

    /// Whether it has a feature of LLVM's tables.
    pub fn has(&self, feature: &str) -> bool {
        self.features.contains(feature)
    }

    /// Bits of an index. Upstream's conversion of vectors takes all indices for 64 bits, so those beside vectors are.
    ///
    /// # Errors
    /// Where LLVM does not know the target.
    pub fn index_width(&self) -> Result<u32, Error> {
        let width = self.spec.pointer_width()?;
        Ok(if self.isa.bits > 0 { width.max(64) } else { width })
    }

    /// Whether this is the Hexagon DSP.
    pub fn is_hexagon(&self) -> bool {
        is_hexagon(&self.spec.triple)
    }

    /// Whether executables for it run in an emulator.
    pub fn is_emulated(&self) -> bool {
        Machine::named(&self.spec.triple).is_some()
    }

    /// Whether this machine's linker makes shared libraries for the target.
    pub fn is_linked_here(&self) -> bool {
        let platform = |triple: &str| {
            let architecture = triple.split('-').next().unwrap_or_default().to_string();
            (architecture, triple.contains("linux"))
        };
        platform(&self.spec.triple) == platform(&TargetSpec::host().triple)
    }

    /// Attributes of functions that keep LLVM at the vector width that the schedules chose.
    pub fn function_attributes(&self) -> Vec<(String, String)> {
        if self.isa.bits == 0 || !self.spec.triple.starts_with("x86") {
            return Vec::new();
        }
        let bits = self.isa.bits.to_string();
        vec![("prefer-vector-width".into(), bits.clone()), ("min-legal-vector-width".into(), bits)]
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Target { spec, isa, .. } = self;
        write!(f, "{}: {}, {} lanes of f32, {} registers", spec.triple, isa.name, isa.lanes(), isa.registers)
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
        assert!(named("haswell").isa.fused_multiply_add && !named("sandybridge").isa.fused_multiply_add);
    }

    #[test]
    fn linux_on_risc_v_has_floating_point_registers() {
        let features = Target::named(Some("riscv64-unknown-linux-gnu"), None).spec.enabled_features();
        assert!(["m", "a", "f", "d", "c"].iter().all(|feature| features.contains(*feature)), "{features:?}");
    }

    #[test]
    fn other_processors_get_scalar_code() {
        let hexagon = Target::named(Some("hexagon-unknown-linux-musl"), None);
        assert_eq!((hexagon.isa.lanes(), hexagon.spec.cpu.as_str()), (1, "hexagonv67"));
        assert_eq!(target("riscv64-unknown-linux-gnu", "").isa.lanes(), 1);
    }

    #[test]
    fn vectors_that_only_a_run_knows_are_taken_for_the_shortest() {
        let isa = |triple, features| target(triple, features).isa;
        assert_eq!(isa("aarch64-unknown-linux-gnu", "").name, "neon");
        let sve = isa("aarch64-unknown-linux-gnu", "+sve");
        assert_eq!((sve.name, sve.lanes(), sve.is_scalable, sve.masks), ("sve", 4, true, true));
        let rvv = |features| isa("riscv64-unknown-linux-gnu", features);
        assert_eq!((rvv("+v").lanes(), rvv("+v,+zvl256b").lanes(), rvv("+d").lanes()), (4, 8, 1));
    }
}
