//! Arrays of words of 64 bits: the extents of a run, and those of its tensors.

use crate::Error;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::llvm::{self, Index};

/// Reads the first words of an array.
pub fn load_words<'c: 'a, 'a>(
    body: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    count: usize,
) -> Result<Vec<Value<'c, 'a>>, Error> {
    let word = types::integer(body.context(), 64);
    let load = |at: usize| Ok(llvm::load(body, llvm::getelementptr(body, array, word, &[at_word(at)?])?, word)?);
    (0..count).map(load).collect()
}

/// Writes a word of an array.
pub fn store_word<'c: 'a, 'a>(
    body: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    at: usize,
    value: Value<'c, 'a>,
) -> Result<(), Error> {
    let word = types::integer(body.context(), 64);
    Ok(llvm::store(body, value, llvm::getelementptr(body, array, word, &[at_word(at)?])?)?)
}

/// The place of a word.
pub fn at_word<'c, 'a>(at: usize) -> Result<Index<'c, 'a>, Error> {
    Ok(Index::Constant(i32::try_from(at).map_err(|_| Error::Unsupported(format!("{at} extents")))?))
}
