//! Weights within an artifact: an object with the values of variables, and pointers to them.

use crate::{Error, Target};
use skriptnd_mlir::link::temporary_folder;
use skriptnd_mlir::llvm::{Emission, LlvmModule};
use std::fmt::Write;
use std::path::Path;

/// As many bytes as weights may have together, so that code reaches what lies behind them.
pub const MOST_BYTES: usize = 1 << 30;

/// Whether so many bytes can be in an artifact.
///
/// # Errors
/// Where they are too many.
pub fn check_size(bytes: usize) -> Result<(), Error> {
    match bytes <= MOST_BYTES {
        true => Ok(()),
        false => Err(Error::Unsupported(format!(
            "{bytes} bytes of weights in the artifact, where the most are {MOST_BYTES}; leave them in their files"
        ))),
    }
}

/// An object that defines `PREFIX_weights`: a pointer to the value of each variable, in their order.
///
/// # Errors
/// Where they are too many bytes, or a temporary file can't be written.
pub fn object(values: &[Vec<u8>], prefix: &str, target: &Target) -> Result<Vec<u8>, Error> {
    check_size(values.iter().fold(0, |sum, value| sum.saturating_add(value.len())))?;
    let folder = temporary_folder()?;
    let mut assembly = String::from(".section .rodata.weights,\"a\"\n");
    let (mut declared, mut pointers) = (String::new(), Vec::new());
    for (number, value) in values.iter().enumerate() {
        let (name, file) = (format!("{prefix}.weight{number}"), folder.path().join(format!("weight{number}")));
        let failed = |source| skriptnd_mlir::Error::Temporary { folder: folder.path().into(), source };
        std::fs::write(&file, value).map_err(failed)?;
        let _ =
            write!(assembly, ".balign 64\n.globl {name}\n.hidden {name}\n{name}:\n.incbin \"{}\"\n", quoted(&file)?);
        let _ = writeln!(declared, "@{name} = external hidden constant i8");
        pointers.push(format!("ptr @{name}"));
    }
    // An array has an element.
    let pointers = if pointers.is_empty() { "ptr null".to_string() } else { pointers.join(", ") };
    let assembly: String = assembly.lines().map(|line| format!("module asm \"{}\"\n", escaped(line))).collect();
    let text =
        format!("{assembly}{declared}@{prefix}_weights = constant [{} x ptr] [{pointers}]\n", values.len().max(1));
    Ok(LlvmModule::parse(&text, "weights.ll")?.emit(&target.spec, Emission::Object)?)
}

/// A path within the quotes of assembly.
fn quoted(path: &Path) -> Result<String, Error> {
    let text = path.to_str().filter(|text| !text.contains(['\n', '\r', '\0']));
    let text = text.ok_or_else(|| Error::Unsupported(format!("temporary files in {}", path.display())))?;
    Ok(text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text within the quotes of LLVM IR.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\5C").replace('"', "\\22")
}
