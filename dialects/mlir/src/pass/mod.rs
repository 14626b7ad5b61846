//! Passes written in Rust, and pipelines of passes run on a module.

mod options;
mod statistics;

use std::collections::HashSet;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::AtomicU64;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use mlir_sys::{MlirOperation, MlirStringRef};

use crate::diagnostics::{Diagnostic, Failure};
use crate::ir::root::Watched;
use crate::ir::{Module, OperationRef, Root, capture, guard, report};
use crate::rewrite::begin_run;
use crate::{Error, ffi};

pub use options::{Admitted, OptionSpec, OptionValue};
pub use statistics::{Statistic, StatisticSpec, statistics};

/// What a pass does to the operation it is scheduled on.
pub type RunPass = dyn for<'c, 'r, 'p> Fn(&mut Root<'c, 'r>, &PassRun<'p>) -> Result<(), Failure> + Send + Sync;

/// The dialects that a pass depends on with the options that it was given.
pub type DialectsOf = dyn for<'p> Fn(&PassRun<'p>) -> Vec<String> + Send + Sync;

/// A pass written in Rust.
pub struct PassSpec {
    pub(crate) argument: String,
    pub(crate) description: String,
    pub(crate) anchor: Option<String>,
    pub(crate) dependent_dialects: Vec<String>,
    pub(crate) options: Vec<OptionSpec>,
    interface: String,
    statistics: Vec<StatisticSpec>,
    dialects: Option<Box<DialectsOf>>,
    run: Box<RunPass>,
}

impl PassSpec {
    /// A pass by its command line argument, without dashes. It must not be run on operations that it may be run on in
    /// parallel with state of its own: the closure is shared between threads.
    pub fn new(
        argument: impl Into<String>,
        description: impl Into<String>,
        run: impl for<'c, 'r, 'p> Fn(&mut Root<'c, 'r>, &PassRun<'p>) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Self {
        Self {
            argument: argument.into(),
            description: description.into(),
            anchor: None,
            dependent_dialects: Vec::new(),
            options: Vec::new(),
            interface: String::new(),
            statistics: Vec::new(),
            dialects: None,
            run: Box::new(run),
        }
    }

    /// Restricts the pass to operations of one name, such as `builtin.module` or `func.func`.
    pub fn anchor(mut self, operation: impl Into<String>) -> Self {
        self.anchor = Some(operation.into());
        self
    }

    /// Names a dialect whose operations the pass creates.
    pub fn dependent_dialect(mut self, namespace: impl Into<String>) -> Self {
        self.dependent_dialects.push(namespace.into());
        self
    }

    /// Names dialects whose operations the pass creates with some options, such as those that a file names.
    pub fn dependent_dialects_of(
        mut self,
        dialects: impl for<'p> Fn(&PassRun<'p>) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        self.dialects = Some(Box::new(dialects));
        self
    }

    /// Restricts the pass to operations of an interface of MLIR, such as `FunctionOpInterface`.
    pub fn interface(mut self, interface: impl Into<String>) -> Self {
        self.interface = interface.into();
        self
    }

    /// Adds an option.
    pub fn option(self, name: impl Into<String>, description: impl Into<String>, default: OptionValue) -> Self {
        self.option_of(name, description, default, Admitted::All)
    }

    /// Adds an option that is not every value of its type.
    pub fn option_of(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        default: OptionValue,
        admitted: Admitted,
    ) -> Self {
        self.options.push(OptionSpec::new(name.into(), description.into(), default, admitted));
        self
    }

    /// Adds a number that the pass counts.
    pub fn statistic(mut self, name: impl Into<String>, description: impl Into<String>) -> Self {
        let (name, description) = (name.into(), description.into());
        self.statistics.push(StatisticSpec { name, description, value: AtomicU64::new(0) });
        self
    }

    /// The options of the pass.
    pub fn options(&self) -> &[OptionSpec] {
        &self.options
    }
}

/// A pass at work: its options and what it can ask of the pass manager.
pub struct PassRun<'p> {
    raw: *mut c_void,
    spec: &'p PassSpec,
}

impl PassRun<'_> {
    /// Runs a pipeline, such as `cse,canonicalize`, on the operation at hand. Its dialects must be loaded:
    /// name those it needs as dependent dialects of the pass.
    pub fn run_pipeline(&self, root: &mut Root<'_, '_>, pipeline: &str) -> Result<(), Failure> {
        let mut message = String::new();
        // SAFETY: the pass is running on the operation or one around it.
        let done = unsafe {
            let (operation, sink) = (root.operation().to_raw(), (&raw mut message).cast());
            ffi::skndPassRunPipeline(self.raw, operation, ffi::text(pipeline), ffi::append_text, sink)
        };
        match done {
            true => Ok(()),
            false if message.is_empty() => Err(Failure::reported()),
            false => Err(Failure::new(format!("invalid pass pipeline `{pipeline}`: {}", message.trim_end()))),
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustRunPass(spec: *const c_void, operation: MlirOperation, pass: *mut c_void) -> bool {
    // SAFETY: the bridge passes the specification that was registered, which is never freed, and an operation that is valid
    // while the pass runs.
    let (spec, operation) = unsafe { (&*spec.cast::<PassSpec>(), OperationRef::from_raw(operation)) };
    let run = PassRun { raw: pass, spec };
    let done = guard(|| {
        let _unwatched = Watched::enter(false);
        // SAFETY: the pass manager gives the operation to this pass alone.
        let mut root = unsafe { Root::new(operation.to_raw()) };
        (spec.run)(&mut root, &run)
    });
    done.map_err(|failure| report(operation, &failure)).is_ok()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustCheckInvariant(invariant: *const c_void, pass: MlirStringRef, operation: MlirOperation) {
    // SAFETY: the bridge passes what `run` gave it, which is there while the pipeline runs, a string that outlives the call,
    // and an operation that nothing changes meanwhile.
    let (invariant, pass, operation) =
        unsafe { (&*invariant.cast::<Invariant>(), ffi::string_from(pass), OperationRef::from_raw(operation)) };
    if let Err(failure) = guard(|| invariant(operation)) {
        report(operation, &failure.with_note(format!("behind the pass `{pass}`")));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustDependentDialects(
    spec: *const c_void,
    pass: *mut c_void,
    callback: ffi::TextCallback,
    sink: *mut c_void,
) {
    // SAFETY: the bridge passes the specification that was registered, which is never freed, and the pass that it is of.
    let run = PassRun { raw: pass, spec: unsafe { &*spec.cast::<PassSpec>() } };
    let Some(dialects) = &run.spec.dialects else { return };
    // The pass will fail in the same way when it runs, and say so.
    for name in guard(|| Ok(dialects(&run))).unwrap_or_default() {
        // SAFETY: the callback takes any text, and the sink is its own.
        unsafe { callback(ffi::text(&name), sink) };
    }
}

/// Registers a pass for the whole process, so that every pipeline and the `opt` tool find it. Registering an argument
/// again keeps the first pass and returns false.
pub fn register(pass: PassSpec) -> Result<bool, Error> {
    let mut registered = registered();
    if registered.arguments.contains(&pass.argument) {
        return Ok(false);
    }
    check(&pass)?;
    registered.arguments.insert(pass.argument.clone());
    let pass: &'static PassSpec = Box::leak(Box::new(pass));
    registered.passes.push(pass);
    let options = pass.options.iter().map(OptionSpec::definition).collect();
    let (options, option_count) = ffi::keep_slice(options);
    let definition = ffi::PassDefinition {
        spec: (&raw const *pass).cast(),
        argument: ffi::text(&pass.argument),
        description: ffi::text(&pass.description),
        anchor: ffi::text(pass.anchor.as_deref().unwrap_or("")),
        interface: ffi::text(&pass.interface),
        dependent_dialects: ffi::keep_strings(&pass.dependent_dialects),
        options,
        option_count,
    };
    // SAFETY: the definition is never freed, and no other pass has its argument.
    unsafe { ffi::skndRegisterPass(Box::leak(Box::new(definition))) };
    Ok(true)
}

/// The text of a pipeline for options as they stand on the command line; or why there is none.
type ExpandPipeline = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// A named pipeline.
struct PipelineSpec {
    expand: Box<ExpandPipeline>,
}

/// Registers a name for a textual pipeline, such as `canonicalize,cse`, anchored on `builtin.module`. Its text may depend on
/// options (`name{these=here}`), which the help shows; without options there must be one. Registering a name again keeps
/// the first and returns false.
pub fn register_pipeline(
    argument: &str,
    description: &str,
    options: &[OptionSpec],
    expand: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static,
) -> Result<bool, Error> {
    let mut registered = registered();
    if registered.arguments.contains(argument) {
        return Ok(false);
    }
    check_argument(argument)?;
    let refused = |pipeline: &str, reason: &str| Error::Pipeline { pipeline: pipeline.into(), reason: reason.into() };
    let pipeline = expand("").map_err(|reason| refused(argument, &reason))?;
    let mut reason = String::new();
    // SAFETY: the strings outlive the call, and the sink is the string that the callback expects.
    if !unsafe { ffi::skndCheckPipeline(ffi::text(&pipeline), ffi::append_text, (&raw mut reason).cast()) } {
        return Err(refused(&pipeline, reason.trim_end()));
    }
    registered.arguments.insert(argument.to_string());
    let spec: &'static PipelineSpec = Box::leak(Box::new(PipelineSpec { expand: Box::new(expand) }));
    let options: &'static [OptionSpec] = Box::leak(Box::from(options));
    let (options, count) = ffi::keep_slice(options.iter().map(OptionSpec::definition).collect());
    let (argument, description) = (ffi::keep(argument), ffi::keep(description));
    // SAFETY: what is given is never freed, and no other pass has the argument.
    unsafe { ffi::skndRegisterPipeline(argument, description, options, count, (&raw const *spec).cast()) };
    Ok(true)
}

/// The expansion of a pipeline that has the same text always.
pub fn plain(pipeline: &'static str) -> impl Fn(&str) -> Result<String, String> + Send + Sync + 'static {
    move |options| match options {
        "" => Ok(pipeline.to_string()),
        _ => Err("this pipeline has no options".to_string()),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn skndRustExpandPipeline(
    spec: *const c_void,
    options: MlirStringRef,
    callback: ffi::TextCallback,
    sink: *mut c_void,
) -> bool {
    // SAFETY: the bridge passes what was registered, which is never freed, and strings that outlive the call.
    let (spec, options) = unsafe { (&*spec.cast::<PipelineSpec>(), ffi::string_from(options)) };
    let (is_there, text) = match guard(|| (spec.expand)(&options).map_err(Failure::new)) {
        Ok(text) => (true, text),
        Err(failure) => (false, failure.to_string()),
    };
    // SAFETY: the callback takes any text, and the sink is its own.
    unsafe { callback(ffi::text(&text), sink) };
    is_there
}

/// What was registered from Rust.
#[derive(Default)]
struct Registered {
    /// The arguments of passes and pipelines.
    arguments: HashSet<String>,
    passes: Vec<&'static PassSpec>,
}

static REGISTERED: LazyLock<Mutex<Registered>> = LazyLock::new(Mutex::default);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was registered from Rust; the lock also keeps MLIR's registry from being changed by two threads.
fn registered() -> MutexGuard<'static, Registered> {
    crate::registry::register_passes();
    lock(&REGISTERED)
}

fn check(pass: &PassSpec) -> Result<(), Error> {
    check_argument(&pass.argument)?;
    let refuse = |reason: String| Err(Error::PassRegistration { argument: pass.argument.clone(), reason });
    // SAFETY: the string outlives the call.
    if !pass.interface.is_empty() && !unsafe { ffi::skndIsPassInterface(ffi::text(&pass.interface)) } {
        return refuse(format!("passes cannot be restricted to operations of '{}'", pass.interface));
    }
    let mut names = HashSet::new();
    match pass.options.iter().find(|option| !is_argument(&option.name) || !names.insert(&option.name)) {
        Some(option) => refuse(format!("`{}` is not a valid name for one more option", option.name)),
        None => Ok(()),
    }
}

fn check_argument(argument: &str) -> Result<(), Error> {
    let refuse = |reason: &str| Err(Error::PassRegistration { argument: argument.into(), reason: reason.into() });
    // SAFETY: the string outlives the call.
    if !is_argument(argument) {
        refuse("not a valid argument")
    } else if unsafe { ffi::skndIsPassRegistered(ffi::text(argument)) } {
        refuse("MLIR has a pass of that name")
    } else {
        Ok(())
    }
}

fn is_argument(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// How a pipeline is run.
#[derive(Clone, Debug)]
pub struct PipelineOptions {
    /// Verify after each pass.
    pub verify: bool,
    /// Print the IR after each pass to standard error. Makes the context single-threaded.
    pub print_after_all: bool,
    /// Print how long each pass took to standard error, the longest first.
    pub timing: bool,
    /// What must hold behind each pass, upstream's too, beyond what operations verify.
    pub invariant: Option<Invariant>,
}

/// Looks at the operation that a pass was run on. It may be called by several threads.
pub type Invariant = for<'c, 'a> fn(OperationRef<'c, 'a>) -> Result<(), Failure>;

impl Default for PipelineOptions {
    fn default() -> Self {
        Self { verify: true, print_after_all: false, timing: false, invariant: None }
    }
}

/// Runs a textual pipeline, such as `builtin.module(func.func(cse),my-pass{level=2})`. Returns what was reported
/// meanwhile: warnings and remarks on success; with errors, they are in the error.
pub fn run(module: &mut Module<'_>, pipeline: &str, options: &PipelineOptions) -> Result<Vec<Diagnostic>, Error> {
    let mut message = String::new();
    begin_run();
    let (outcome, diagnostics) = capture(module.context(), || {
        // SAFETY: the module is valid and exclusively borrowed; the strings outlive the call.
        unsafe {
            let sink = (&raw mut message).cast();
            let PipelineOptions { verify, print_after_all, timing, invariant } = options;
            let invariant = invariant.as_ref().map_or(ptr::null(), |invariant| (&raw const *invariant).cast());
            let (module, pipeline, append) = (module.to_raw(), ffi::text(pipeline), ffi::append_text);
            ffi::skndRunPipeline(module, pipeline, *verify, *print_after_all, *timing, invariant, append, sink)
        }
    });
    match outcome {
        0 => Err(Error::Pipeline { pipeline: pipeline.into(), reason: message.trim_end().into() }),
        1 => Err(Error::Reported { what: format!("pass pipeline `{pipeline}` failed"), diagnostics }),
        // Rules that had to be ended report it in a pass that knows nothing of it.
        _ if diagnostics.iter().any(Diagnostic::is_error) => {
            Err(Error::Reported { what: format!("pass pipeline `{pipeline}` failed"), diagnostics })
        }
        _ => Ok(diagnostics),
    }
}
