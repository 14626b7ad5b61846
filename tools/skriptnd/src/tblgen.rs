//! `skriptnd-tblgen`: Rust, PDL, Markdown and IRDL from TableGen.

use crate::driver::{kept, output};
use crate::failure::{self, Failure};
use crate::registry::complete_registry;
use skriptnd_mlir::Error;
use skriptnd_mlir::process::{in_copy, leave};
use skriptnd_mlir::rewrite::check_pdl;
use skriptnd_runtime::atomic;
use skriptnd_tablegen::tool::{self, Languages};
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Returns the exit code, or ends the process with it.
pub fn main(arguments: &[OsString]) -> u8 {
    let texts: Result<Vec<String>, OsString> = arguments.iter().skip(1).cloned().map(OsString::into_string).collect();
    let texts = match texts {
        Ok(texts) => texts,
        // TableGen knows files by names in UTF-8 only.
        Err(argument) => {
            return failure::report_as(
                "skriptnd-tblgen",
                Failure::usage(format!("{}: not UTF-8", argument.to_string_lossy())),
            );
        }
    };
    // The other thread of this process only waits for this one.
    leave(tool::watch(&texts, &|run| in_copy(run), &mut || run(texts.clone())))
}

fn run(arguments: Vec<String>) -> u8 {
    // Whatever stands on the command line is read, but for what is behind -o and the like.
    for (at, argument) in arguments.iter().enumerate().filter(|(_, argument)| !argument.starts_with('-')) {
        if at.checked_sub(1).is_none_or(|before| !["-o", "-d"].contains(&arguments[before].as_str())) {
            kept::keep(Path::new(argument), "a file that is read");
        }
    }
    let languages = Languages { parse_pdl: &parse_pdl, check_formula: &skriptnd_compiler::reference::errors };
    let code = tool::main(arguments, &write, &languages);
    match output::finish() {
        Ok(()) => u8::try_from(code).unwrap_or(1),
        Err(failure) => failure::report_as("skriptnd-tblgen", failure),
    }
}

/// PDL is read in the presence of all dialects that rules may name, and of others that nobody knows.
fn parse_pdl(text: &str) -> Result<(), String> {
    let registry = complete_registry().map_err(|failure| format!("{failure:?}"))?;
    check_pdl(&registry.context(), text, "pdl").map_err(|error| match error {
        Error::Reported { diagnostics, .. } if !diagnostics.is_empty() => {
            diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    })
}

fn write(file: Option<&Path>, text: &str) -> io::Result<()> {
    match file.filter(|file| !output::is_standard_output(file)) {
        Some(file) => {
            kept::check(file).map_err(|failure| io::Error::other(failure.to_string()))?;
            atomic::write_file(file, |out| out.write_all(text.as_bytes()))
        }
        None => {
            output::print(text);
            Ok(())
        }
    }
}
