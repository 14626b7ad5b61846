//! Which processors and features a target has. LLVM's tables are of a whole architecture: they also name what code for a triple
//! can't be made for, and there LLVM ends the process, or makes code of another mode or another convention for calls.

use super::{TargetSpec, initialize_targets};
use crate::{Error, ffi};
use mlir_sys::MlirStringRef;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::c_void;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// The targets that were checked and found right, with their features: the tables stay as they are, and looking through them
/// takes a good part of the time in which a small model is compiled.
static FOUND_RIGHT: LazyLock<Mutex<HashMap<TargetSpec, BTreeSet<String>>>> = LazyLock::new(Mutex::default);

fn found_right() -> MutexGuard<'static, HashMap<TargetSpec, BTreeSet<String>>> {
    FOUND_RIGHT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What code for an architecture relies on, by the names of LLVM's features.
struct Required {
    architecture: &'static str,
    present: &'static [&'static str],
    absent: &'static [&'static str],
}

/// The modes, and the registers in which functions take and give numbers.
const REQUIRED: [Required; 5] = [
    Required {
        architecture: "x86_64",
        present: &["64bit", "64bit-mode", "sse2"],
        absent: &["32bit-mode", "16bit-mode", "soft-float"],
    },
    Required { architecture: "i", present: &["32bit-mode"], absent: &["64bit-mode", "16bit-mode", "soft-float"] },
    Required { architecture: "aarch64", present: &["fp-armv8", "neon"], absent: &[] },
    Required { architecture: "riscv64", present: &["64bit"], absent: &["32bit", "e"] },
    Required { architecture: "riscv32", present: &["32bit"], absent: &["64bit", "e"] },
];

/// How the features of AArch64 begin that take a register, among them those of arguments, from the code.
const RESERVED: &str = "reserve-x";

/// The name in a feature with its sign.
fn unsigned(word: &str) -> &str {
    word.trim_start_matches(['+', '-'])
}

impl TargetSpec {
    /// What LLVM's tables say that the processor can do, with the features on top of it, named without signs; nothing for
    /// processors and triples that LLVM does not know.
    pub fn enabled_features(&self) -> BTreeSet<String> {
        if self.check_processor().is_err() {
            return BTreeSet::new();
        }
        found_right().get(self).cloned().unwrap_or_default()
    }

    /// Refuses processors and features that LLVM does not know, which it would ignore with a warning, and those that code for
    /// the triple can't be made for.
    pub fn check_processor(&self) -> Result<(), Error> {
        if !found_right().contains_key(self) {
            self.find_right()?;
            found_right().insert(self.clone(), self.enabled(&self.cpu, &self.features));
        }
        Ok(())
    }

    fn find_right(&self) -> Result<(), Error> {
        initialize_targets();
        if !self.cpu.is_empty() && !self.has_processor(&self.cpu) {
            return Err(self.unknown("processor", &self.cpu, &self.processors()));
        }
        let known: HashSet<String> = self.names(ffi::skndTargetKnownFeatures).into_iter().collect();
        let mut words = self.features.split(',').map(str::trim).filter(|word| !word.is_empty());
        if let Some(word) = words.clone().find(|word| !known.contains(unsigned(word))) {
            return Err(self.unknown("feature", unsigned(word), &self.known_features()));
        }
        // Looking at each of many takes long; where all together are possible, each is.
        let is_possible = self.is_possible(&self.cpu, &self.features) && !self.features.contains(RESERVED);
        match words.find(|word| !is_possible && !self.has_feature(word)) {
            Some(word) if word.starts_with('-') => Err(Error::Llvm(format!(
                "code for `{}` can't be without the feature `{}`",
                self.triple,
                unsigned(word)
            ))),
            Some(word) => Err(self.unknown("feature", unsigned(word), &self.known_features())),
            None => self.conflict().map_or(Ok(()), Err),
        }
    }

    /// The processors of the target.
    pub fn processors(&self) -> Vec<String> {
        initialize_targets();
        let known = self.names(ffi::skndTargetProcessors);
        known.into_iter().filter(|name| self.has_processor(name)).collect()
    }

    /// The features that processors of the target may have.
    pub fn known_features(&self) -> Vec<String> {
        initialize_targets();
        let known = self.names(ffi::skndTargetKnownFeatures);
        known.into_iter().filter(|name| self.has_feature(&format!("+{name}"))).collect()
    }

    fn has_processor(&self, name: &str) -> bool {
        // SAFETY: the targets are initialized by who asks, and the strings outlive the call.
        let is_known = unsafe { ffi::skndTargetHasProcessor(ffi::text(&self.triple), ffi::text(name)) };
        is_known && self.is_possible(name, "")
    }

    fn has_feature(&self, word: &str) -> bool {
        !word.trim_start_matches('+').starts_with(RESERVED) && self.is_possible("", word)
    }

    /// Whether code for the triple can be made for a processor with features on top.
    fn is_possible(&self, cpu: &str, features: &str) -> bool {
        let Some(required) = REQUIRED.iter().find(|one| self.triple.starts_with(one.architecture)) else { return true };
        let enabled = self.enabled(cpu, features);
        let has = |name: &&str| enabled.contains(*name);
        required.present.iter().all(&has) && !required.absent.iter().any(has)
    }

    /// The features of a processor of LLVM's tables with others on top.
    fn enabled(&self, cpu: &str, features: &str) -> BTreeSet<String> {
        let mut names = Vec::<String>::new();
        let [triple, cpu, features] = [self.triple.as_str(), cpu, features].map(ffi::text);
        // SAFETY: the targets are initialized by who asks, the strings outlive the call, and the sink is what the callback expects.
        unsafe { ffi::skndTargetFeatures(triple, cpu, features, ffi::push_text, (&raw mut names).cast()) };
        names.into_iter().collect()
    }

    /// What LLVM says of features that exclude each other, of which it would end the process.
    fn conflict(&self) -> Option<Error> {
        let mut said = Vec::<String>::new();
        let [triple, cpu, features] = [self.triple.as_str(), &self.cpu, &self.features].map(ffi::text);
        // SAFETY: as in `enabled`.
        unsafe { ffi::skndTargetConflict(triple, cpu, features, ffi::push_text, (&raw mut said).cast()) };
        let Self { triple, cpu, features } = self;
        said.pop().map(|said| Error::Llvm(format!("`{triple}` has no processor `{cpu}` with `{features}`: {said}")))
    }

    /// Names that LLVM's tables have for the target, whose kind must be initialized.
    fn names(&self, of_target: unsafe extern "C" fn(MlirStringRef, ffi::TextCallback, *mut c_void)) -> Vec<String> {
        let mut names = Vec::<String>::new();
        // SAFETY: the targets are initialized, the string outlives the call, and the sink is what the callback expects.
        unsafe { of_target(ffi::text(&self.triple), ffi::push_text, (&raw mut names).cast()) };
        names
    }

    fn unknown(&self, what: &str, name: &str, known: &[String]) -> Error {
        let distance = |known: &&String| strsim::osa_distance(&name.to_lowercase(), known);
        let mut near: Vec<&String> = known.iter().collect();
        near.sort_by_key(distance);
        near.dedup();
        let near: String = near.iter().take(4).map(|known| format!(", `{known}`")).collect();
        let hint = if near.is_empty() { String::new() } else { format!("; the nearest are {}", &near[2..]) };
        Error::Llvm(format!("`{}` has no {what} `{name}`{hint}", self.triple))
    }
}
