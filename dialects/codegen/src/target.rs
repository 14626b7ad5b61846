//! What code is generated for, as data: schedules ask these numbers and know no processor by name.

use crate::{Error, notes};
use skriptnd_mlir::ir::{OperationRef, attributes};
use skriptnd_mlir::llvm::TargetSpec;
use std::fmt;

/// What schedules ask of a processor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Triple, processor and features, for LLVM.
    pub spec: TargetSpec,
    /// Lanes of f32 in a vector register; 1 for scalar code.
    pub lanes: i64,
    /// Registers that a tile of accumulators may use.
    pub registers: i64,
    /// Whether a product and a sum are one instruction.
    pub fused_multiply_add: bool,
    /// Bytes of the cache in which the weights of a layer should stay while they are used again.
    pub cache_bytes: i64,
    /// Parallel streams of rows in a product of a matrix and a vector.
    pub streams: i64,
}

/// What is known of a kind of processor: the feature that tells it, and its numbers.
struct VectorExtension {
    architecture: &'static str,
    feature: &'static str,
    lanes: i64,
    registers: i64,
    fused_multiply_add: bool,
}

/// The widest comes first.
const EXTENSIONS: &[VectorExtension] = &[
    VectorExtension { architecture: "x86_64", feature: "avx512f", lanes: 16, registers: 32, fused_multiply_add: true },
    VectorExtension { architecture: "x86_64", feature: "fma", lanes: 8, registers: 16, fused_multiply_add: true },
    VectorExtension { architecture: "x86_64", feature: "avx", lanes: 8, registers: 16, fused_multiply_add: false },
    VectorExtension { architecture: "x86_64", feature: "", lanes: 4, registers: 16, fused_multiply_add: false },
    VectorExtension { architecture: "aarch64", feature: "", lanes: 4, registers: 32, fused_multiply_add: true },
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
        let layout = format!("#dlti.dl_spec<index = {} : i32>", spec.pointer_width()?);
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
        let known = EXTENSIONS.iter().find(|known| known.architecture == architecture && has(known.feature));
        match known {
            Some(&VectorExtension { lanes, registers, fused_multiply_add, .. }) => {
                Target { lanes, registers, fused_multiply_add, cache_bytes: CACHE_BYTES, streams: 4, spec }
            }
            None => Target::scalar(spec),
        }
    }

    /// Scalar code: registers are those that a compiler can count on everywhere.
    fn scalar(spec: TargetSpec) -> Target {
        let fused_multiply_add = is_hexagon(&spec.triple);
        Target { lanes: 1, registers: 16, fused_multiply_add, cache_bytes: CACHE_BYTES, streams: 4, spec }
    }

    /// Whether this is the Hexagon DSP.
    pub fn is_hexagon(&self) -> bool {
        is_hexagon(&self.spec.triple)
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
        if self.lanes == 1 {
            return Vec::new();
        }
        let bits = (32 * self.lanes).to_string();
        vec![("prefer-vector-width".into(), bits.clone()), ("min-legal-vector-width".into(), bits)]
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Target { spec, lanes, registers, .. } = self;
        write!(f, "{} ({lanes} lanes of f32, {registers} registers)", spec.triple)
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
        assert_eq!(target("x86_64-unknown-linux-gnu", "+fma,+avx512f,+avx").lanes, 16);
        assert_eq!(target("x86_64-unknown-linux-gnu", "+sse2,+avx,+fma").lanes, 8);
        assert_eq!(target("x86_64-unknown-linux-gnu", "-avx512f").lanes, 4);
    }

    #[test]
    fn processors_have_the_features_of_their_names() {
        let named = |cpu: &str| Target::named(Some("x86_64-unknown-linux-gnu"), Some(cpu));
        assert_eq!((named("znver4").lanes, named("znver3").lanes, named("nehalem").lanes), (16, 8, 4));
        assert_eq!((named("x86-64-v4").lanes, named("x86-64-v3").lanes, named("x86-64").lanes), (16, 8, 4));
        assert!(named("haswell").fused_multiply_add && !named("sandybridge").fused_multiply_add);
    }

    #[test]
    fn linux_on_risc_v_has_floating_point_registers() {
        let features = Target::named(Some("riscv64-unknown-linux-gnu"), None).spec.enabled_features();
        assert!(["m", "a", "f", "d", "c"].iter().all(|feature| features.contains(*feature)), "{features:?}");
    }

    #[test]
    fn other_processors_get_scalar_code() {
        let hexagon = Target::named(Some("hexagon-unknown-linux-musl"), None);
        assert_eq!((hexagon.lanes, hexagon.spec.cpu.as_str()), (1, "hexagonv67"));
        assert_eq!(target("riscv64-unknown-linux-gnu", "").lanes, 1);
    }
}
