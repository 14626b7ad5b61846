//! What marks the operations of a run, where a model is compiled to be profiled: a call of the function whose address stands in an
//! exported word, if there is one.

use crate::views::functions::{self, MARK};
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, OperationRef, attributes, types};
use skriptnd_mlir::ops::llvm::{self, Linkage, Predicate};
use skriptnd_mlir::rewrite::with_rewriter;
use skriptnd_runtime::operation::Operation;

/// The operations that are marked, in the order of their numbers.
///
/// # Errors
/// Where the note is none.
pub fn noted(module: OperationRef<'_, '_>) -> Result<Vec<Operation>, Error> {
    let Some(note) = module.get(notes::OPERATIONS) else { return Ok(Vec::new()) };
    let texts = attributes::as_strings(note);
    let operations: Option<_> =
        texts.map(|texts| texts.into_iter().map(serde_json::from_str).collect::<Result<_, _>>());
    operations
        .and_then(Result::ok)
        .ok_or_else(|| Error::malformed(format!("`{}` is no list of JSON", notes::OPERATIONS)))
}

/// Defines the function that marks, if it is declared, and the word that it reads.
pub fn define<'c: 'a, 'a>(module: OperationRef<'c, 'a>, end: &Builder<'c, 'a>, profiler: &str) -> Result<(), Error> {
    let Ok(declaration) = functions::named(module, MARK) else { return Ok(()) };
    with_rewriter(declaration, |rewriter| rewriter.erase(declaration))?;
    let (word, pointer) = (types::integer(end.context(), 64), llvm::pointer_type(end.context()));
    let none = attributes::typed_integer(word, 0).ok_or_else(|| Error::malformed(profiler))?;
    llvm::variable_global(end, profiler, Linkage::External, word, none)?;
    let function = llvm::define(end, MARK, Linkage::Internal, &[word; 3], None)?;
    let entry = &function.entry;
    let ((told, _), (left, _)) = (function.block(&[])?, function.block(&[])?);
    let listener = llvm::load(entry, llvm::address_of(entry, profiler)?, pointer)?;
    let nobody = llvm::icmp(entry, Predicate::Eq, listener, llvm::zero(entry, pointer)?)?;
    llvm::cond_br(entry, nobody, (left.block(), &[]), (told.block(), &[]))?;
    llvm::call_pointer(&told, listener, &function.arguments)?;
    llvm::r#return(&told, None)?;
    Ok(llvm::r#return(&left, None)?)
}
