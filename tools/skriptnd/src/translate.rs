//! `skriptnd-translate`: an mlir-translate with our translations.

use skriptnd_mlir::tools::translate_main;

/// Returns the exit code.
pub fn main(arguments: &[String]) -> u8 {
    u8::try_from(translate_main(arguments, Vec::new())).unwrap_or(1)
}
