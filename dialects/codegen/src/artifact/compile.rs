//! Compiling a module to what a file of it contains.

pub use crate::artifact::code::{CompileOptions, CompileReport, Compiled, Emit, checked_in_tests};

use crate::artifact::code::{Clock, Lowered, generate, lower};
use crate::artifact::versions;
use crate::interface::header;
use crate::{Error, diagnostics, link};
use skriptnd_mlir::ir::Module;

/// Compiles a module that `convert-skriptnd-to-linalg` made.
///
/// # Errors
/// Where the module is not of that form, or a tool is missing.
pub fn compile(module: Module<'_>, options: &CompileOptions) -> Result<Compiled, Error> {
    let compiled = if options.better.is_empty() { alone(module, options) } else { versions::compile(&module, options) };
    compiled.map_err(diagnostics::about_model)
}

fn alone(mut module: Module<'_>, options: &CompileOptions) -> Result<Compiled, Error> {
    let mut clock = Clock::start();
    let Lowered { planned, kernels, scheduled, diagnostics } = lower(&mut module, options, false, &mut clock)?;
    let code = match options.emit {
        Emit::LlvmDialect => module.as_operation().to_string().into_bytes(),
        _ => link(generate(&module, &planned.interface.graph, options, &mut clock)?, options)?,
    };
    clock.lap("link");
    let header = options.prefix.as_deref().map(|prefix| header::declarations(&planned, prefix));
    let report = CompileReport { header, kernels, scheduled, timing: clock.laps, ..CompileReport::of(&planned) };
    Ok(Compiled { code, report, diagnostics })
}

fn link(objects: Vec<Vec<u8>>, options: &CompileOptions) -> Result<Vec<u8>, Error> {
    match options.emit {
        Emit::SharedLibrary => link::shared_library(&objects, &options.target),
        Emit::Runner => Ok(skriptnd_hexagon::link::executable(&objects)?),
        // Of one it is that one, also where it is text.
        _ => link::object(objects),
    }
}
