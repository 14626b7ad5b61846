//! The passes of the dialect.

mod convert;
mod decompose;
mod encoded;
mod kept;
mod lower;
mod origin;
mod rewrite;

pub use decompose::{decompose, decompose_quantized};

use crate::call::read_named_type;
use crate::generated::passes;
use crate::lowering::plan::TensorShape;
use skriptnd_mlir::ir::Type;
use skriptnd_mlir::{Error, Failure, pass};

/// From whole operators to linalg on tensors; `skriptnd-opt` knows it as `skriptnd-to-linalg`.
pub const TO_LINALG: &str = "skriptnd-rewrite,convert-skriptnd-to-linalg,canonicalize,cse";

/// Registers the passes with the process, so that pipelines find them.
pub fn register() -> Result<(), Error> {
    pass::register(passes::skriptnd_decompose(|root, _, options| decompose::run(root.operation(), &options.keep)))?;
    pass::register(passes::skriptnd_lower_operators(|root, _| lower::run(root.operation())))?;
    pass::register(passes::skriptnd_rewrite(rewrite::run))?;
    let patterns = passes::apply_pdl_patterns(rewrite::run_file);
    pass::register(patterns.dependent_dialects_of(rewrite::dialects_of_file))?;
    pass::register(passes::convert_skriptnd_to_linalg(|root, _| {
        decompose::run(root.operation(), &[])?;
        convert::run(root.operation())
    }))?;
    let expand = pass::plain(TO_LINALG);
    pass::register_pipeline("skriptnd-to-linalg", "From whole operators to linalg on tensors", &[], expand)?;
    Ok(())
}

/// The shape of a tensor whose extents are all known or named.
fn named_shape(r#type: Type<'_>) -> Result<TensorShape, Failure> {
    let ty = read_named_type(r#type).ok_or_else(|| format!("{} has extents without names", r#type))?;
    Ok(TensorShape::of(&ty))
}
