//! Compiling a module to what a file of it contains.

use crate::interface;
use crate::pipeline::{self, Plan};
use crate::{Error, Target, carried, diagnostics, emit, exponential, link, plan, tensors};
use serde_json::Value as Json;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{Module, OperationRef, operations_named};
use skriptnd_mlir::llvm::{Emission, LlvmModule, OptimizationLevel, OptimizationOptions};
use skriptnd_mlir::pass::{self, OptionValue, PassRun, PassSpec};
use std::time::{Duration, Instant};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Emit {
    /// A shared library.
    #[default]
    SharedLibrary,
    /// A relocatable object.
    Object,
    /// Assembly text.
    Assembly,
    /// LLVM IR as text.
    LlvmIr,
    /// The LLVM dialect as text.
    LlvmDialect,
    /// An executable that reads tensors from standard input and writes them to standard output, for the emulator.
    Executable,
}

/// How a module is compiled.
#[derive(Debug, Clone)]
pub struct CompileOptions {
    /// For what.
    pub target: Target,
    /// Into which form.
    pub emit: Emit,
    /// Whether sums may be reordered and special values ignored in what LLVM compiles.
    pub fast_math: bool,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The bytes of the file.
    pub code: Vec<u8>,
    /// What there is to say about it.
    pub report: CompileReport,
}

/// About a compiled model.
#[derive(Debug, Clone)]
pub struct CompileReport {
    /// The metadata that the library has as well: inputs, variables, outputs, sizes.
    pub metadata: Json,
    /// Bytes of the workspace that a run uses.
    pub peak_bytes: i64,
    /// Bytes of what is prepared from variables.
    pub prepared_bytes: i64,
    /// Number of different kernels.
    pub kernels: usize,
    /// How long each phase took.
    pub timing: Vec<(&'static str, Duration)>,
}

/// Compiles a module that `convert-skriptnd-to-linalg` made.
///
/// # Errors
/// Where the module is not of that form, or a tool is missing.
pub fn compile(module: Module<'_>, options: &CompileOptions) -> Result<Compiled, Error> {
    compile_module(module, options).map_err(diagnostics::about_model)
}

fn compile_module(mut module: Module<'_>, options: &CompileOptions) -> Result<Compiled, Error> {
    let mut clock = Clock::start();
    let plan = pipeline::schedule(&mut module, &options.target)?;
    clock.lap("schedule");
    let metadata = interface::metadata(&plan, &options.target.spec.triple);
    pipeline::lower(&mut module, &options.target)?;
    interface::export(&mut module, &plan, &metadata.to_string())?;
    clock.lap("lower");
    let code = match options.emit {
        Emit::LlvmDialect => module.as_operation().to_string().into_bytes(),
        _ => generate(&module, &plan, options, &mut clock)?,
    };
    let report = CompileReport {
        metadata,
        peak_bytes: plan.memory.run_bytes,
        prepared_bytes: plan.memory.prepared_bytes,
        kernels: plan.kernels,
        timing: clock.laps,
    };
    Ok(Compiled { code, report })
}

fn generate(module: &Module<'_>, plan: &Plan, options: &CompileOptions, clock: &mut Clock) -> Result<Vec<u8>, Error> {
    let spec = &options.target.spec;
    let mut llvm = LlvmModule::translate(module, &plan.interface.graph)?;
    let mut function_attributes = options.target.function_attributes();
    if options.fast_math {
        let fast = ["unsafe-fp-math", "no-nans-fp-math", "no-infs-fp-math", "no-signed-zeros-fp-math"];
        function_attributes.extend(fast.map(|name| (name.to_string(), "true".to_string())));
    }
    llvm.optimize(
        spec,
        &OptimizationOptions {
            level: OptimizationLevel::O3,
            function_attributes,
            loop_vectorization: options.target.lanes > 1,
            slp_vectorization: false,
            loop_unrolling: false,
        },
    )?;
    clock.lap("optimize");
    let emission = match options.emit {
        Emit::LlvmIr => Emission::Ir,
        Emit::Assembly => Emission::Assembly,
        _ => Emission::Object,
    };
    let bytes = llvm.emit(spec, emission)?;
    clock.lap("emit");
    let code = match options.emit {
        Emit::SharedLibrary if options.target.is_hexagon() => {
            return Err(Error::Unsupported("shared libraries for Hexagon; emit an object or an executable".into()));
        }
        Emit::SharedLibrary => link::shared_library(&bytes)?,
        Emit::Executable if options.target.is_hexagon() => skriptnd_hexagon::link::executable(&bytes)?,
        Emit::Executable => {
            return Err(Error::Unsupported("executables other than for Hexagon; emit a shared library".into()));
        }
        _ => bytes,
    };
    clock.lap("link");
    Ok(code)
}

struct Clock {
    last: Instant,
    laps: Vec<(&'static str, Duration)>,
}

impl Clock {
    fn start() -> Self {
        Clock { last: Instant::now(), laps: Vec::new() }
    }

    fn lap(&mut self, name: &'static str) {
        self.laps.push((name, self.last.elapsed()));
        self.last = Instant::now();
    }
}

/// Registers the passes of this crate, so that `skriptnd-opt` finds them.
///
/// # Errors
/// Where MLIR refuses a pass.
pub fn register_passes() -> Result<(), Error> {
    let function_pass = |name: &str, description: &str, run: FunctionPass| {
        let spec = PassSpec::new(name, description, move |operation, options: &PassRun<'_>| {
            let target = target_of(options);
            let functions = operations_named(operation, "func.func");
            functions.into_iter().try_for_each(|function| run(function, &target)).map_err(failure)
        });
        pass::register(with_target(spec))
    };
    function_pass(
        "codegen-channels-last",
        "Stores results of convolutions with the channels innermost",
        |function, _| tensors::layout::channels_last(function).map(|_| ()),
    )?;
    function_pass("codegen-pack-filters", "Packs filters in the order in which they are read", |function, target| {
        tensors::pack::pack_filters(function, target).map(|_| ())
    })?;
    function_pass(
        "codegen-separate-destinations",
        "Gives operations that write into the same empty or filled tensor one of their own each",
        |function, _| tensors::destinations::separate(function).map(|_| ()),
    )?;
    function_pass(
        "codegen-fix-loop-buffers",
        "Gives loops on memrefs that go on with another buffer than they began with a buffer of their own",
        |function, _| carried::fix_buffers(function).map(|_| ()),
    )?;
    function_pass(
        "codegen-expand-exponential",
        "Takes the exponential function of f32 apart into sums and products",
        |function, target| exponential::expand(function, target).map(|_| ()),
    )?;
    let memory = PassSpec::new(
        "codegen-plan-memory",
        "Replaces the allocations of functions that nothing calls by views of one workspace, a further argument",
        |module, _| plan::plan_entries(module).map_err(failure),
    );
    pass::register(with_target(memory.anchor("builtin.module")))?;
    let kernels = PassSpec::new(
        "codegen-emit-kernels",
        "Turns structured operations on memrefs into kernels of loops over vectors",
        |operation, options| emit::emit_kernels(operation, &target_of(options)).map(|_| ()).map_err(failure),
    );
    pass::register(with_target(kernels.anchor("builtin.module")))?;
    Ok(())
}

type FunctionPass = for<'c, 'a> fn(OperationRef<'c, 'a>, &Target) -> Result<(), Error>;

fn with_target(spec: PassSpec) -> PassSpec {
    ["memref", "vector", "scf", "func", "affine", "arith", "math", "linalg", "tensor"]
        .into_iter()
        .fold(spec, PassSpec::dependent_dialect)
        .option("triple", "Target triple; the host's if empty", OptionValue::Text(String::new()))
        .option("features", "Target features such as +avx2,+fma", OptionValue::Texts(Vec::new()))
}

fn target_of(options: &PassRun<'_>) -> Target {
    let triple = options.text("triple");
    if triple.is_empty() {
        return Target::host();
    }
    let features = options.texts("features").join(",");
    Target::of(skriptnd_mlir::llvm::TargetSpec { triple, cpu: String::new(), features })
}

fn failure(error: Error) -> Failure {
    Failure::from(error.to_string())
}
