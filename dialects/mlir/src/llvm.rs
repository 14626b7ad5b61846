//! From the LLVM dialect to objects.

use crate::Error;
use crate::ir::Module;

/// What code is generated for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetSpec {
    /// The target triple, such as `x86_64-unknown-linux-gnu`.
    pub triple: String,
    /// The processor, such as `znver4`; empty for the generic one.
    pub cpu: String,
    /// Features on top of the processor's, such as `+avx2,+fma`.
    pub features: String,
}

impl TargetSpec {
    /// The machine that this runs on, with its processor and all its features.
    pub fn host() -> Self {
        todo!()
    }

    /// LLVM's data layout for the target, for the module attribute `llvm.data_layout`.
    pub fn data_layout(&self) -> Result<String, Error> {
        todo!()
    }

    /// The size of a pointer in bits.
    pub fn pointer_width(&self) -> Result<u32, Error> {
        todo!()
    }
}

/// How much LLVM optimizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OptimizationLevel {
    /// Not at all.
    O0,
    /// Little.
    O1,
    /// The usual.
    O2,
    /// As much as it can.
    #[default]
    O3,
}

/// How LLVM code is optimized.
#[derive(Clone, Debug, Default)]
pub struct OptimizationOptions {
    /// The level.
    pub level: OptimizationLevel,
    /// String attributes set on every function with a body, such as `("prefer-vector-width", "512")`.
    pub function_attributes: Vec<(String, String)>,
    /// Whether LLVM's own loop vectorizer works on loops that are not vectorized yet.
    pub loop_vectorization: bool,
    /// Whether LLVM vectorizes straight-line code.
    pub slp_vectorization: bool,
    /// Whether loops are unrolled.
    pub loop_unrolling: bool,
}

/// The form that code is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Emission {
    /// A relocatable object.
    Object,
    /// Assembly text.
    Assembly,
    /// LLVM IR as text.
    Ir,
    /// LLVM IR as bitcode.
    Bitcode,
}

/// An LLVM module.
pub struct LlvmModule {
    module: inkwell::module::Module<'static>,
}

impl LlvmModule {
    /// Translates a module that consists of LLVM dialect operations only.
    pub fn translate(module: &Module<'_>, name: &str) -> Result<Self, Error> {
        todo!()
    }

    /// Reads LLVM IR text.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, Error> {
        todo!()
    }

    /// Adds the functions of another module.
    pub fn link(&mut self, other: LlvmModule) -> Result<(), Error> {
        todo!()
    }

    /// Runs LLVM's optimizations for a target, whose triple and data layout become the module's.
    pub fn optimize(&mut self, target: &TargetSpec, options: &OptimizationOptions) -> Result<(), Error> {
        todo!()
    }

    /// Writes the module for a target.
    pub fn emit(&self, target: &TargetSpec, emission: Emission) -> Result<Vec<u8>, Error> {
        todo!()
    }
}
