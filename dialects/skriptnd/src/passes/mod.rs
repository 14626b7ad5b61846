//! The passes of the dialect.

mod convert;
mod decompose;
mod rewrite;

use crate::generated::passes;
use skriptnd_mlir::ir::{OperationLike, OperationRef};
use skriptnd_mlir::{Error, Failure, Severity, diagnostics, pass};

/// Registers the passes with the process, so that pipelines find them.
pub fn register() -> Result<(), Error> {
    let keep = pass::OptionValue::Texts(Vec::new());
    let decompose = passes::skriptnd_decompose(|module, run| decompose::run(module, &run.texts("keep")));
    pass::register(decompose.option("keep", "Operators to leave whole, such as `nn.softmax`", keep))?;
    pass::register(passes::skriptnd_rewrite(rewrite::run))?;
    pass::register(passes::convert_skriptnd_to_linalg(|module, _| {
        decompose::run(module, &[])?;
        convert::run(module)
    }))?;
    Ok(())
}

/// Reports a failure at the operation that it is about.
fn report<'c: 'a, 'a, T>(operation: OperationRef<'c, 'a>, result: Result<T, Failure>) -> Result<T, Failure> {
    result.map_err(|failure| {
        if let Some(message) = failure.message() {
            let name = skriptnd_mlir::ir::OperationExt::full_name(&operation);
            diagnostics::emit(operation.location(), Severity::Error, &format!("'{name}' op {message}"));
        }
        Failure::reported()
    })
}
