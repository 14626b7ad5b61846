//! `skriptnd compile`

use super::compile_options::{Emit, Options};
use super::output::{check_place, is_standard_output, is_stream, json_name};
use crate::failure::Failure;
#[cfg(feature = "mlir")]
use {skriptnd_compiler::Rules, skriptnd_htp::passes::Told};

const FORMS: &str = "--emit so|obj|asm|llvm|llvm-dialect|linalg|mlir|exe|runner";

pub fn run(options: &Options) -> Result<(), Failure> {
    let emit = emit(options)?;
    check_prefix(options, emit)?;
    options
        .threads
        .warn_unused("who runs the code says how many threads share its work; it is the same for all numbers");
    check_place(&options.output)?;
    if options.json && is_standard_output(&options.output) {
        return Err(Failure::usage("-o - and --json both want standard output"));
    }
    if options.json {
        json_name(&options.output)?;
    }
    #[cfg(feature = "mlir")]
    return compile_rules(options).and_then(|rules| super::native::compile(options, rules.as_ref(), emit));
    #[cfg(not(feature = "mlir"))]
    return Err(Failure::usage(format!("this executable was built without MLIR and can't emit {emit:?}")));
}

/// The rules to apply. What is said of rules needs some.
#[cfg(feature = "mlir")]
fn compile_rules(options: &Options) -> Result<Option<Rules>, Failure> {
    if !options.htp_rules.is_empty() {
        options.htp_rules.iter().try_for_each(|file| super::sources::check_rules(file))?;
        return Ok(Some(Rules {
            files: options.htp_rules.clone(),
            settings: options.rules.settings()?,
            told: Told { firings: false, misses: true },
        }));
    }
    match options.rules.first_given() {
        Some(option) => Err(Failure::usage(format!("{option} is for --htp-rules"))),
        None => Ok(None),
    }
}

/// Names with a prefix are for objects, which have a header beside them.
fn check_prefix(options: &Options, emit: Emit) -> Result<(), Failure> {
    let Some(prefix) = &options.prefix else { return Ok(()) };
    if !matches!(emit, Emit::Obj | Emit::Asm | Emit::Llvm) {
        return Err(Failure::usage("--prefix is for what is linked with others: --emit obj, asm or llvm"));
    }
    if is_stream(&options.output) {
        return Err(Failure::usage(format!("--prefix writes {prefix}.h beside OUT; give a file with -o")));
    }
    Ok(())
}

/// Whether the operators of the model are wanted as it has them: rules match these, and its MLIR shows them.
pub fn keeps_operators(options: &Options) -> bool {
    !options.htp_rules.is_empty() || matches!(emit(options), Ok(Emit::Mlir))
}

fn emit(options: &Options) -> Result<Emit, Failure> {
    if let Some(emit) = options.emit {
        return Ok(emit);
    }
    let output = &options.output;
    if is_standard_output(output) {
        return Err(Failure::usage(format!("what shall go to standard output? say it with {FORMS}")));
    }
    if is_stream(output) && options.target == "host" {
        return Err(Failure::usage(format!("what shall go to {}? say it with {FORMS}", output.display())));
    }
    match output.extension().and_then(|ending| ending.to_str()) {
        Some("so") => Ok(Emit::So),
        Some("o") => Ok(Emit::Obj),
        Some("s") => Ok(Emit::Asm),
        Some("ll") => Ok(Emit::Llvm),
        Some("mlir") => Ok(Emit::Mlir),
        None | Some("exe") => Ok(Emit::Exe),
        Some(other) => Err(Failure::usage(format!("what is a .{other} file? say it with {FORMS}"))),
    }
}
