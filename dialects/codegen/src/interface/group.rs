//! The functions by which code knows its part of the work that several processes share, and gathers what all did: they call what an exported
//! word leads to, if somebody has set it (`skriptnd_group` in `skriptnd.h`). Otherwise there is one process.

use super::words::store_word;
use crate::views::functions::{self, PROCESSES, RANK};
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes, types};
use skriptnd_mlir::ops::llvm::{self, Index, Linkage, Predicate};
use skriptnd_mlir::rewrite::with_rewriter;
use skriptnd_runtime::metadata::Shard;

/// Words of the group: what its function is given, the function, the number of the process, and how many there are.
const GATHER: i32 = 1;
const NUMBER: i32 = 2;
const COUNT: i32 = 3;

/// How processes share the graph, if that is noted.
///
/// # Errors
/// Where the note is none.
pub fn noted(module: OperationRef<'_, '_>) -> Result<Option<Shard>, Error> {
    let Some(note) = module.get(notes::SHARDED) else { return Ok(None) };
    let malformed = || Error::malformed(format!("`{}` does not say what is shared", notes::SHARDED));
    let along = super::entry(note, "along").and_then(attributes::as_string).ok_or_else(malformed)?.to_string();
    let processes = super::entry(note, "processes").and_then(attributes::as_integer).ok_or_else(malformed)?;
    Ok(Some(Shard { along, processes: usize::try_from(processes).ok().filter(|count| *count > 0) }))
}

/// Defines the functions that are declared, and the word.
pub fn define<'c: 'a, 'a>(module: OperationRef<'c, 'a>, end: &Builder<'c, 'a>, word: &str) -> Result<(), Error> {
    if module.get(notes::SHARDED).is_none() {
        return Ok(());
    }
    let kind = types::integer(end.context(), 64);
    let none = attributes::typed_integer(kind, 0).ok_or_else(|| Error::malformed(word))?;
    llvm::variable_global(end, word, Linkage::External, kind, none)?;
    for (name, slot, alone) in [(RANK, NUMBER, 0), (PROCESSES, COUNT, 1)] {
        if let Ok(declaration) = functions::named(module, name) {
            with_rewriter(declaration, |rewriter| rewriter.erase(declaration))?;
            tell(end, word, (name, slot, alone))?;
        }
    }
    let gathers: Vec<_> = functions::all(module).filter(|function| function.get(notes::GATHER).is_some()).collect();
    for declaration in gathers {
        let name = declaration.get_string("sym_name").unwrap_or_default();
        let words = declaration.get(notes::GATHER).and_then(attributes::as_integers).unwrap_or_default();
        with_rewriter(declaration, |rewriter| rewriter.erase(declaration))?;
        gather(end, word, (name, &words))?;
    }
    Ok(())
}

/// `int64_t()`: a word of the group, or what it is without one.
fn tell<'c: 'a, 'a>(end: &Builder<'c, 'a>, word: &str, (name, slot, alone): (&str, i32, i64)) -> Result<(), Error> {
    let kind = types::integer(end.context(), 64);
    let function = llvm::define(end, name, Linkage::Internal, &[], Some(kind))?;
    let ((known, _), (without, _)) = (function.block(&[])?, function.block(&[])?);
    let group = branch(&function.entry, word, (&known, &without))?;
    let told = llvm::load(&known, at(&known, group, slot)?, kind)?;
    llvm::r#return(&known, Some(told))?;
    Ok(llvm::r#return(&without, Some(llvm::integer(&without, kind, alone)?))?)
}

/// `void(memory, offset)`: lets the group's function gather what words describe.
fn gather<'c: 'a, 'a>(end: &Builder<'c, 'a>, word: &str, (name, words): (&str, &[i64])) -> Result<(), Error> {
    let (kind, pointer) = (types::integer(end.context(), 64), llvm::pointer_type(end.context()));
    let function = llvm::define(end, name, Linkage::Internal, &[pointer, kind], None)?;
    let &[memory, offset] = function.arguments.as_slice() else { return Err(Error::malformed(name)) };
    let ((known, _), (without, _)) = (function.block(&[])?, function.block(&[])?);
    let count = i64::try_from(words.len()).unwrap_or(i64::MAX);
    let described = llvm::alloca(&function.entry, kind, count)?;
    let group = branch(&function.entry, word, (&known, &without))?;
    for (number, value) in words.iter().enumerate() {
        store_word(&known, described, number, llvm::integer(&known, kind, *value)?)?;
    }
    let context = llvm::load(&known, group, pointer)?;
    let callee = llvm::load(&known, at(&known, group, GATHER)?, pointer)?;
    let count = llvm::integer(&known, kind, count)?;
    llvm::call_pointer(&known, callee, &[context, memory, offset, described, count])?;
    llvm::r#return(&known, None)?;
    Ok(llvm::r#return(&without, None)?)
}

/// Goes on in one block with the group, in the other without.
fn branch<'c: 'a, 'a>(
    entry: &Builder<'c, 'a>,
    word: &str,
    (known, without): (&Builder<'c, 'a>, &Builder<'c, 'a>),
) -> Result<Value<'c, 'a>, Error> {
    let pointer = llvm::pointer_type(entry.context());
    let group = llvm::load(entry, llvm::address_of(entry, word)?, pointer)?;
    let nobody = llvm::icmp(entry, Predicate::Eq, group, llvm::zero(entry, pointer)?)?;
    llvm::cond_br(entry, nobody, (without.block(), &[]), (known.block(), &[]))?;
    Ok(group)
}

/// The address of a word of the group.
fn at<'c: 'a, 'a>(body: &Builder<'c, 'a>, group: Value<'c, 'a>, slot: i32) -> Result<Value<'c, 'a>, Error> {
    Ok(llvm::getelementptr(body, group, types::integer(body.context(), 64), &[Index::Constant(slot)])?)
}
