//! What shared libraries find in the system that loads them.
//!
//! The linker has to be told which functions there are, in which library, and in which version. It is told by libraries without
//! contents, which are made here: so libraries for any system are linked on any, the same everywhere.

use crate::Error;
use crate::target::Triple;
use skriptnd_mlir::link::{Word, elf};
use skriptnd_mlir::llvm::{Emission, LlvmModule, TargetSpec};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// What libraries of these targets were linked with: it is the same for all models, and takes as long as the code of a small
/// one.
static LINKED_WITH: LazyLock<Mutex<HashMap<TargetSpec, Arc<Companions>>>> = LazyLock::new(Mutex::default);

/// What a shared library is linked with.
pub struct Companions {
    /// The libraries of the system as the linker reads them, with their names.
    pub libraries: Vec<(&'static str, Vec<u8>)>,
    /// As [`support`] makes it.
    pub support: Vec<u8>,
}

impl Companions {
    /// For a target; none where its system is not known.
    pub fn of(spec: &TargetSpec) -> Result<Option<Arc<Companions>>, Error> {
        let mut known = LINKED_WITH.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(companions) = known.get(spec) {
            return Ok(Some(companions.clone()));
        }
        let Some(system) = System::of(&spec.triple) else { return Ok(None) };
        let companions = Arc::new(Companions { libraries: system.libraries(spec)?, support: support(spec)? });
        known.insert(spec.clone(), companions.clone());
        Ok(Some(companions))
    }
}

/// The C library of a system.
pub enum System {
    /// glibc, with the version that was its first on the architecture: `GLIBC_2.2.5`, of which the second number is 2.
    Glibc { first: &'static str, number: u32 },
    /// musl: one library without versions.
    Musl,
}

/// Functions that code may call, with the second number of glibc's version that has them as they are today. A reference
/// without version would be bound to the oldest: slower ones, which set `errno` in another way.
const MATHEMATICS: &[(u32, &[&str])] = &[
    (
        0,
        &[
            "acos",
            "acosh",
            "asin",
            "asinh",
            "atan",
            "atan2",
            "atanh",
            "cbrt",
            "ceil",
            "copysign",
            "cos",
            "cosh",
            "erf",
            "erfc",
            "exp10",
            "expm1",
            "fabs",
            "fdim",
            "floor",
            "fma",
            "fmax",
            "fmin",
            "fmod",
            "frexp",
            "hypot",
            "ldexp",
            "log10",
            "log1p",
            "lrint",
            "lround",
            "modf",
            "nearbyint",
            "remainder",
            "rint",
            "round",
            "sin",
            "sincos",
            "sinh",
            "sqrt",
            "tan",
            "tanh",
            "tgamma",
            "trunc",
            "acosf",
            "acoshf",
            "asinf",
            "asinhf",
            "atanf",
            "atan2f",
            "atanhf",
            "cbrtf",
            "ceilf",
            "copysignf",
            "cosf",
            "coshf",
            "erff",
            "erfcf",
            "exp10f",
            "expm1f",
            "fabsf",
            "fdimf",
            "floorf",
            "fmaf",
            "fmaxf",
            "fminf",
            "fmodf",
            "frexpf",
            "hypotf",
            "ldexpf",
            "log10f",
            "log1pf",
            "lrintf",
            "lroundf",
            "modff",
            "nearbyintf",
            "remainderf",
            "rintf",
            "roundf",
            "sinf",
            "sincosf",
            "sinhf",
            "sqrtf",
            "tanf",
            "tanhf",
            "tgammaf",
            "truncf",
        ],
    ),
    (25, &["roundeven", "roundevenf"]),
    (27, &["expf", "exp2f", "logf", "log2f", "powf"]),
    (29, &["exp", "exp2", "log", "log2", "pow"]),
];

const MEMORY: &[(u32, &[&str])] = &[(0, &["bcmp", "memcmp", "memmove", "memset"]), (14, &["memcpy"])];

impl System {
    /// The system of a triple, if it is known how to link for it.
    pub fn of(triple: &str) -> Option<System> {
        let triple = Triple::parse(triple)?;
        let glibc = |first, number| Some(System::Glibc { first, number });
        match (triple.system, triple.environment, triple.architecture) {
            ("linux", "gnu", "x86_64") => glibc("GLIBC_2.2.5", 2),
            ("linux", "gnu", "aarch64") => glibc("GLIBC_2.17", 17),
            ("linux", "gnu", "riscv64") => glibc("GLIBC_2.27", 27),
            ("linux", "musl", "x86_64" | "aarch64" | "riscv64") => Some(System::Musl),
            _ => None,
        }
    }

    fn libraries(&self, spec: &TargetSpec) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
        let parts = match self {
            System::Glibc { .. } => vec![("libm.so.6", MATHEMATICS.to_vec()), ("libc.so.6", MEMORY.to_vec())],
            System::Musl => vec![("libc.so", [MATHEMATICS, MEMORY].concat())],
        };
        parts.into_iter().map(|(name, functions)| Ok((name, self.library(spec, name, &functions)?))).collect()
    }

    /// A library without contents.
    fn library(&self, spec: &TargetSpec, name: &str, functions: &[(u32, &[&str])]) -> Result<Vec<u8>, Error> {
        let mut module = "define internal void @nothing() {\n  ret void\n}\n".to_string();
        let mut versions = BTreeMap::<_, String>::new();
        for (since, names) in functions {
            for name in *names {
                module += &format!("@{name} = alias void (), ptr @nothing\n");
                *versions.entry(self.version(*since)).or_default() += &format!("{name}; ");
            }
        }
        let object = LlvmModule::parse(&module, name)?.emit(spec, Emission::Object)?;
        let versions = versions.into_iter().filter_map(|(version, names)| Some((version?, names)));
        let versions: String = versions.map(|(version, names)| format!("{version} {{ {names}}};\n")).collect();
        let (soname, script) = (format!("-soname={name}"), format!("VERSION {{\n{versions}}}\n"));
        let mut words = vec![Word::Option("-shared"), Word::Option(&soname), Word::Bytes("functions.o", &object)];
        if !versions.is_empty() {
            words.push(Word::Bytes("versions.script", script.as_bytes()));
        }
        Ok(elf(&words)?)
    }

    /// The version of functions that are in glibc since one.
    fn version(&self, since: u32) -> Option<String> {
        match self {
            System::Glibc { first, number } if since <= *number => Some((*first).to_string()),
            System::Glibc { .. } => Some(format!("GLIBC_2.{since}")),
            System::Musl => None,
        }
    }
}

/// What LLVM calls for processors that lack it, and what no library of all systems has: an object that the linker takes where it is
/// needed.
pub fn support(spec: &TargetSpec) -> Result<Vec<u8>, Error> {
    Ok(LlvmModule::parse(SUPPORT, "support.ll")?.emit(spec, Emission::Object)?)
}

/// Halves extended to reals: their bits one after the other, times the difference of the exponents, which is exact also below
/// the smallest normal one; infinities and what is not a number apart. Reals rounded to halves, the even one of two: below the smallest
/// normal one to multiples of 2^-24, the unit of 0.5. And reals rounded to the upper halves of reals, as which LLVM moves these.
const SUPPORT: &str = "
define hidden float @__extendhfsf2(half %half) {
  %short = bitcast half %half to i16
  %bits = zext i16 %short to i32
  %magnitude = and i32 %bits, 32767
  %moved = shl i32 %magnitude, 13
  %small = bitcast i32 %moved to float
  %finite = fmul float %small, 0x46F0000000000000
  %finite.bits = bitcast float %finite to i32
  %special.bits = or i32 %moved, 2139095040
  %is.special = icmp uge i32 %magnitude, 31744
  %unsigned = select i1 %is.special, i32 %special.bits, i32 %finite.bits
  %sign = and i32 %bits, 32768
  %sign.moved = shl i32 %sign, 16
  %result.bits = or i32 %unsigned, %sign.moved
  %result = bitcast i32 %result.bits to float
  ret float %result
}

define hidden half @__truncsfhf2(float %real) {
  %bits = bitcast float %real to i32
  %magnitude = and i32 %bits, 2147483647
  %based = sub i32 %magnitude, 939524096
  %kept = lshr i32 %magnitude, 13
  %last = and i32 %kept, 1
  %added = add i32 %based, 4095
  %sum = add i32 %added, %last
  %normal = lshr i32 %sum, 13
  %absolute = bitcast i32 %magnitude to float
  %unit = fadd float %absolute, 0x3FE0000000000000
  %unit.bits = bitcast float %unit to i32
  %small = sub i32 %unit.bits, 1056964608
  %is.small = icmp ult i32 %magnitude, 947912704
  %finite = select i1 %is.small, i32 %small, i32 %normal
  %is.large = icmp uge i32 %magnitude, 1199566848
  %bounded = select i1 %is.large, i32 31744, i32 %finite
  %payload = and i32 %kept, 1023
  %none = or i32 %payload, 32256
  %is.none = icmp ugt i32 %magnitude, 2139095040
  %unsigned = select i1 %is.none, i32 %none, i32 %bounded
  %upper = lshr i32 %bits, 16
  %sign = and i32 %upper, 32768
  %result.bits = or i32 %unsigned, %sign
  %short = trunc i32 %result.bits to i16
  %result = bitcast i16 %short to half
  ret half %result
}

define hidden bfloat @__truncsfbf2(float %real) {
  %bits = bitcast float %real to i32
  %upper = lshr i32 %bits, 16
  %last = and i32 %upper, 1
  %added = add i32 %bits, 32767
  %sum = add i32 %added, %last
  %rounded = lshr i32 %sum, 16
  %quiet = or i32 %upper, 64
  %magnitude = and i32 %bits, 2147483647
  %is.none = icmp ugt i32 %magnitude, 2139095040
  %result.bits = select i1 %is.none, i32 %quiet, i32 %rounded
  %short = trunc i32 %result.bits to i16
  %result = bitcast i16 %short to bfloat
  ret bfloat %result
}
";

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(triple: &str) -> [Option<String>; 3] {
        let system = System::of(triple).unwrap();
        [0, 14, 29].map(|since| system.version(since))
    }

    #[test]
    fn functions_have_the_version_of_the_system_or_a_later_one() {
        let texts = |texts: [&str; 3]| texts.map(|text| Some(text.to_string()));
        assert_eq!(versions("x86_64-pc-linux-gnu"), texts(["GLIBC_2.2.5", "GLIBC_2.14", "GLIBC_2.29"]));
        assert_eq!(versions("aarch64-linux-gnu"), texts(["GLIBC_2.17", "GLIBC_2.17", "GLIBC_2.29"]));
        assert_eq!(versions("riscv64-unknown-linux-gnu"), texts(["GLIBC_2.27", "GLIBC_2.27", "GLIBC_2.29"]));
        assert_eq!(versions("riscv64-unknown-linux-musl"), [None, None, None]);
    }

    #[test]
    fn other_systems_are_not_known() {
        for triple in
            ["hexagon-unknown-linux-musl", "i686-unknown-linux-gnu", "aarch64-linux-android", "aarch64-none-elf", "foo"]
        {
            assert!(System::of(triple).is_none(), "{triple}");
        }
    }
}
