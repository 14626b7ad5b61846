//! The VTCM that runs have: an exported word says where it is (`skriptnd_vtcm` in `skriptnd.h`).

use crate::views::functions::{self, VTCM};
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, types};
use skriptnd_mlir::ops::llvm::{self, Linkage};
use skriptnd_mlir::rewrite::with_rewriter;

/// Defines the word, and the function that reads it if that is declared.
pub fn define<'c: 'a, 'a>(module: OperationRef<'c, 'a>, end: &Builder<'c, 'a>, name: &str) -> Result<(), Error> {
    if module.get(notes::VTCM).is_none() {
        return Ok(());
    }
    let word = types::integer(end.context(), 64);
    let none = attributes::typed_integer(word, 0).ok_or_else(|| Error::malformed(name))?;
    llvm::variable_global(end, name, Linkage::External, word, none)?;
    let Ok(declaration) = functions::named(module, VTCM) else { return Ok(()) };
    with_rewriter(declaration, |rewriter| rewriter.erase(declaration))?;
    let function = llvm::define(end, VTCM, Linkage::Internal, &[], Some(llvm::pointer_type(end.context())))?;
    let memory = load(&function.entry, name)?;
    Ok(llvm::r#return(&function.entry, Some(memory))?)
}

/// What the word says.
pub fn load<'c: 'a, 'a>(builder: &Builder<'c, 'a>, name: &str) -> Result<Value<'c, 'a>, Error> {
    let pointer = llvm::pointer_type(builder.context());
    Ok(llvm::load(builder, llvm::address_of(builder, name)?, pointer)?)
}
