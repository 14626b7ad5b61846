//! `skriptnd-opt`: an mlir-opt with our dialects and passes, which takes models, too.

use crate::driver::Model;
use crate::failure;
use crate::registry::complete_registry;
use crate::translate::import_model;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::PrintForm;
use skriptnd_mlir::tools::opt_main;
use std::ffi::OsString;
use std::path::Path;

/// Returns the exit code.
pub fn main(arguments: &[OsString]) -> u8 {
    match complete_registry() {
        Ok(registry) => u8::try_from(opt_main(arguments, &registry, &import)).unwrap_or(1),
        Err(failure) => failure::report(failure),
    }
}

/// A model as a module whose places are those of the model's text.
fn import(path: &Path) -> Option<Result<String, Failure>> {
    let is_model = path.is_dir() || path.extension().is_some_and(|ending| ending == "sknd");
    is_model.then(|| {
        let model = Model::find(path).map_err(failure::to_message)?;
        import_model(&model, PrintForm { locations: true, ..PrintForm::default() })
    })
}
