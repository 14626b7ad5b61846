//! `skriptnd-opt`: an mlir-opt with our dialects and passes.

use crate::failure;
use crate::registry::registry;
use skriptnd_mlir::tools::opt_main;

/// Returns the exit code.
pub fn main(arguments: &[String]) -> u8 {
    match registry() {
        Ok(registry) => u8::try_from(opt_main(arguments, &registry)).unwrap_or(1),
        Err(failure) => failure::report(failure),
    }
}
