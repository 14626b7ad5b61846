//! From the LLVM dialect to objects.

mod hexagon;
mod parts;
mod processor;

pub use parts::Part;

use std::mem::transmute;
use std::sync::Once;

use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::passes::PassBuilderOptions;
use inkwell::support::LLVMString;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple};
use mlir_sys::mlirTranslateModuleToLLVMIR;

use crate::ir::{Module, capture};
use crate::{Error, ffi};

/// What code is generated for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
        Self {
            triple: TargetMachine::get_default_triple().as_str().to_string_lossy().into_owned(),
            cpu: TargetMachine::get_host_cpu_name().to_string(),
            features: TargetMachine::get_host_cpu_features().to_string(),
        }
    }

    /// LLVM's data layout for the target, for the module attribute `llvm.data_layout`.
    pub fn data_layout(&self) -> Result<String, Error> {
        let machine = self.machine()?;
        Ok(machine.get_target_data().get_data_layout().as_str().to_string_lossy().into_owned())
    }

    /// The size of a pointer in bits.
    pub fn pointer_width(&self) -> Result<u32, Error> {
        Ok(8 * self.machine()?.get_target_data().get_pointer_byte_size(None))
    }

    fn is_hexagon(&self) -> bool {
        self.triple.starts_with("hexagon")
    }

    fn machine(&self) -> Result<TargetMachine, Error> {
        initialize_targets();
        for (what, text) in [("triple", &self.triple), ("cpu", &self.cpu), ("features", &self.features)] {
            if text.contains('\0') {
                return Err(Error::Llvm(format!("the target's {what} contains a zero")));
            }
        }
        let triple = TargetTriple::create(&self.triple);
        let target = Target::from_triple(&triple).map_err(llvm_error)?;
        self.check_processor()?;
        // Executables for Hexagon are linked statically, since there is nothing to load libraries.
        let relocation = if self.is_hexagon() { RelocMode::Static } else { RelocMode::PIC };
        target
            .create_target_machine(&triple, &self.cpu, &self.features, LEVEL, relocation, CodeModel::Default)
            .ok_or_else(|| Error::Llvm(format!("cannot generate code for `{}`", self.triple)))
    }
}

/// How much code generators optimize.
const LEVEL: inkwell::OptimizationLevel = inkwell::OptimizationLevel::Aggressive;

/// All that LLVM has: Hexagon's loops and packets need more of it.
const ALL_PASSES: &str = "default<O3>";

/// The passes of LLVM that find something in kernels, whose loops are vectorized and unrolled already: code becomes as fast by them as by all,
/// which take three times as long.
fn passes(loop_vectorization: bool) -> String {
    // It need not find everything at once.
    let combine = "instcombine<no-verify-fixpoint>";
    let vectorize = if loop_vectorization { "loop-vectorize," } else { "" };
    format!(
        "cgscc(inline),globaldce,function(sroa,early-cse<memssa>,{combine},simplifycfg,loop-mssa(loop-rotate,licm),\
         {vectorize}early-cse<memssa>,{combine},simplifycfg)"
    )
}

/// What the code generators do otherwise than LLVM would.
const CODE_GENERATOR_OPTIONS: [(&str, &str); 9] = [
    // It compares each access of a loop with all others, a third of the time of all optimizations, for loops that kernels don't have.
    ("opt-disable", "loop-load-elim"),
    // Hexagon: LLVM 22 takes definitions of halves of registers for dead, in some integer matrix products for one.
    ("rdf-opt", "false"),
    // Hexagon: QEMU 7.2 runs a load before the store that goes ahead of it in the same packet.
    ("slot1-store-slot0-load", "false"),
    // Hexagon: of vectors at several distances from each other it makes aligned ones that are shifted twice, which takes more packets than to
    // load them where they are.
    ("hvc-va", "false"),
    // Hexagon: small data is addressed from a register that nothing sets.
    ("hexagon-small-data-threshold", "0"),
    // Hexagon: both look at all pairs of registers of a block for fields of bits, which takes seconds where many scalars are computed in a row.
    ("hexagon-insert", "false"),
    ("hexbit-extract", "false"),
    // Hexagon: each register is compared with as many others bit by bit; with 1000 of them, code of many scalars takes seconds and becomes the same.
    ("hexbit-registerset-limit", "64"),
    // Hexagon: there, values that a loop carries count as instructions of its begin, and loops with more than this are not turned around: they
    // keep a branch, and are none of the processor's own loops.
    ("rotation-max-header-size", "25"),
];

fn initialize_targets() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let config = InitializationConfig::default();
        Target::initialize_x86(&config);
        Target::initialize_aarch64(&config);
        Target::initialize_riscv(&config);
        Target::initialize_hexagon(&config);
        // Its DMA has no other form than assembly, and the call above leaves the parser out.
        // SAFETY: what the parser is registered with is there.
        unsafe { ffi::LLVMInitializeHexagonAsmParser() };
        for (name, value) in CODE_GENERATOR_OPTIONS {
            // SAFETY: the strings outlive the call, and no other thread generates code before targets are initialized.
            let set = unsafe { ffi::skndSetCodeGeneratorOption(ffi::text(name), ffi::text(value)) };
            debug_assert!(set, "LLVM has no option `{name}` with the value `{value}`");
        }
    });
}

fn llvm_error(message: LLVMString) -> Error {
    Error::Llvm(message.to_string().trim_end().to_string())
}

/// How LLVM code is optimized.
#[derive(Clone, Debug, Default)]
pub struct OptimizationOptions {
    /// String attributes set on every function with a body, such as `("prefer-vector-width", "512")`.
    pub function_attributes: Vec<(String, String)>,
    /// Whether LLVM's own loop vectorizer works on loops that are not vectorized yet.
    pub loop_vectorization: bool,
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
    // Before the context, so that it is dropped first.
    module: inkwell::module::Module<'static>,
    context: Box<Context>,
}

impl LlvmModule {
    /// Translates a module that consists of LLVM dialect operations only.
    pub fn translate(module: &Module<'_>, name: &str) -> Result<Self, Error> {
        let context = Box::new(Context::create());
        let (raw, diagnostics) = capture(module.context(), || {
            // SAFETY: the module and the LLVM context are valid. Both bindings point to the same LLVM types.
            unsafe { mlirTranslateModuleToLLVMIR(module.as_operation().to_raw(), context.raw().cast()) }
        });
        if raw.is_null() {
            return Err(Error::Reported { what: "cannot translate to LLVM IR".into(), diagnostics });
        }
        // SAFETY: the LLVM module is new, and this is its only owner; its context is kept beside it.
        let module = unsafe { inkwell::module::Module::new(raw.cast()) };
        module.set_name(name);
        module.verify().map_err(llvm_error)?;
        Ok(Self { module, context })
    }

    /// Reads LLVM IR text.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, Error> {
        let context = Box::new(Context::create());
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), file_name);
        let module = context.create_module_from_ir(buffer).map_err(llvm_error)?;
        module.verify().map_err(llvm_error)?;
        // SAFETY: the context is kept beside the module, at an address of its own, and dropped after it.
        let module = unsafe { transmute::<inkwell::module::Module<'_>, inkwell::module::Module<'static>>(module) };
        Ok(Self { module, context })
    }

    /// Adds the definitions of another module.
    pub fn link(&mut self, other: LlvmModule) -> Result<(), Error> {
        // Modules of different contexts cannot be linked: the other one is read anew in this one's.
        let bitcode = other.module.write_bitcode_to_memory();
        let other = inkwell::module::Module::parse_bitcode_from_buffer(&bitcode, &*self.context).map_err(llvm_error)?;
        // SAFETY: as in `parse`.
        let other = unsafe { transmute::<inkwell::module::Module<'_>, inkwell::module::Module<'static>>(other) };
        self.module.link_in_module(other).map_err(llvm_error)
    }

    /// Runs LLVM's optimizations for a target, whose triple and data layout become the module's.
    pub fn optimize(&mut self, target: &TargetSpec, options: &OptimizationOptions) -> Result<(), Error> {
        let machine = target.machine()?;
        self.set_target(&machine);
        for (name, value) in &options.function_attributes {
            let attribute = self.context.create_string_attribute(name, value);
            let defined = self.module.get_functions().filter(|function| function.count_basic_blocks() > 0);
            defined.for_each(|function| function.add_attribute(AttributeLoc::Function, attribute));
        }
        let builder = PassBuilderOptions::create();
        builder.set_loop_vectorization(options.loop_vectorization);
        builder.set_loop_interleaving(options.loop_vectorization);
        builder.set_loop_slp_vectorization(false);
        builder.set_loop_unrolling(false);
        let passes = if target.is_hexagon() { ALL_PASSES.to_string() } else { passes(options.loop_vectorization) };
        self.module.run_passes(&passes, &machine, builder).map_err(llvm_error)?;
        if target.is_hexagon() {
            hexagon::select_bits(&self.module).map_err(|error| Error::Llvm(error.to_string()))?;
            hexagon::leave_out_new_values(&self.module, &target.features);
        } else {
            // SAFETY: the module is valid, and no other thread uses its context.
            unsafe { ffi::skndHideBases(self.module.as_mut_ptr().cast()) };
        }
        Ok(())
    }

    /// Writes the module for a target.
    pub fn emit(&self, target: &TargetSpec, emission: Emission) -> Result<Vec<u8>, Error> {
        let file_type = match emission {
            Emission::Ir => return Ok(self.module.print_to_string().to_bytes().to_vec()),
            Emission::Bitcode => return Ok(self.module.write_bitcode_to_memory().as_slice().to_vec()),
            Emission::Object => FileType::Object,
            Emission::Assembly => FileType::Assembly,
        };
        let machine = target.machine()?;
        self.set_target(&machine);
        let buffer = machine.write_to_memory_buffer(&self.module, file_type).map_err(llvm_error)?;
        Ok(buffer.as_slice().to_vec())
    }

    fn set_target(&self, machine: &TargetMachine) {
        self.module.set_triple(&machine.get_triple());
        self.module.set_data_layout(&machine.get_target_data().get_data_layout());
    }
}
