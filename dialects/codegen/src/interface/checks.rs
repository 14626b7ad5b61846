//! What the exported functions check of their arguments before they use them.

use super::Interface;
use super::words::load_words;
use crate::Error;
use crate::views::functions::SHAPES;
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::llvm::{self, Function, Index, Linkage, Predicate};
use skriptnd_runtime::metadata::{Extent, OpenExtent};

/// Status where a pointer is null that must not be (`SKRIPTND_NULL` of the header).
const NULL: i64 = -1;
/// Status where prepared memory or workspace, or a tensor for vectors that must be aligned, is not (`SKRIPTND_MISALIGNED` of the header).
const MISALIGNED: i64 = -2;
/// Status where extents are none that the model takes (`SKRIPTND_EXTENT` of the header).
const EXTENT: i64 = -3;
/// The functions that [`define`] and [`define_alignment`] define.
const HAS_NULL: &str = "has_null";
const ADDRESSES: &str = "addresses";

/// Defines the function that the checks call: whether an array, or one of so many pointers in it, is null.
pub fn define<'c: 'a, 'a>(module: &Builder<'c, 'a>) -> Result<(), Error> {
    let context = module.context();
    let (bit, word, pointer) = (types::integer(context, 1), types::integer(context, 64), llvm::pointer_type(context));
    let function = llvm::define(module, HAS_NULL, Linkage::Internal, &[pointer, word], Some(bit))?;
    let &[array, count] = function.arguments.as_slice() else { return Err(Error::malformed(HAS_NULL)) };
    let entry = &function.entry;
    let (zero, one) = (llvm::integer(entry, word, 0)?, llvm::integer(entry, word, 1)?);
    let null = llvm::zero(entry, pointer)?;
    let missing = llvm::icmp(entry, Predicate::Eq, array, null)?;
    let (next, arguments) = function.block(&[word])?;
    let (look, _) = function.block(&[])?;
    let (found, _) = function.block(&[])?;
    let (none, _) = function.block(&[])?;
    llvm::cond_br(entry, missing, (found.block(), &[]), (next.block(), &[zero]))?;
    let &[index] = arguments.as_slice() else { return Err(Error::malformed(HAS_NULL)) };
    let more = llvm::icmp(&next, Predicate::Ult, index, count)?;
    llvm::cond_br(&next, more, (look.block(), &[]), (none.block(), &[]))?;
    let place = llvm::getelementptr(&look, array, pointer, &[Index::Value(index)])?;
    let absent = llvm::icmp(&look, Predicate::Eq, llvm::load(&look, place, pointer)?, null)?;
    let following = llvm::add(&look, index, one)?;
    llvm::cond_br(&look, absent, (found.block(), &[]), (next.block(), &[following]))?;
    llvm::r#return(&found, Some(llvm::boolean(&found, true)?))?;
    llvm::r#return(&none, Some(llvm::boolean(&none, false)?))?;
    Ok(())
}

/// Defines the function that the checks call where tensors must be aligned: the addresses in an array of so many, each bit set
/// that is set in one of them.
pub fn define_alignment<'c: 'a, 'a>(module: &Builder<'c, 'a>) -> Result<(), Error> {
    let context = module.context();
    let (word, pointer) = (types::integer(context, 64), llvm::pointer_type(context));
    let function = llvm::define(module, ADDRESSES, Linkage::Internal, &[pointer, word], Some(word))?;
    let malformed = || Error::malformed(ADDRESSES);
    let &[array, count] = function.arguments.as_slice() else { return Err(malformed()) };
    let entry = &function.entry;
    let (zero, one) = (llvm::integer(entry, word, 0)?, llvm::integer(entry, word, 1)?);
    let ((next, arguments), (look, _), (done, _)) =
        (function.block(&[word, word])?, function.block(&[])?, function.block(&[])?);
    llvm::br(entry, (next.block(), &[zero, zero]))?;
    let &[index, bits] = arguments.as_slice() else { return Err(malformed()) };
    let more = llvm::icmp(&next, Predicate::Ult, index, count)?;
    llvm::cond_br(&next, more, (look.block(), &[]), (done.block(), &[]))?;
    let place = llvm::getelementptr(&look, array, pointer, &[Index::Value(index)])?;
    let address = llvm::ptrtoint(&look, llvm::load(&look, place, pointer)?, word)?;
    let following = [llvm::add(&look, index, one)?, llvm::or(&look, bits, address)?];
    llvm::br(&look, (next.block(), &following))?;
    Ok(llvm::r#return(&done, Some(bits))?)
}

/// The arguments of an exported function.
pub struct Arguments<'v, 'c, 'a> {
    /// Arrays, each with the number of pointers that the model needs in it.
    pub arrays: &'v [(Value<'c, 'a>, usize)],
    /// Memory, each with the bytes that the model needs.
    pub memory: &'v [(Value<'c, 'a>, i64)],
    /// Other pointers.
    pub plain: &'v [Value<'c, 'a>],
    /// The record of faults.
    pub record: Option<Value<'c, 'a>>,
    /// How memory is aligned, and whether tensors are.
    pub aligned: (i64, bool),
}

impl<'c: 'a, 'a> Arguments<'_, 'c, 'a> {
    /// Returns a status from the function if an array or a pointer in it is null, memory is null or not aligned, tensors are not where they must be, or the
    /// record is null. Gives the block that goes on.
    pub fn check(&self, function: &Function<'c, 'a>) -> Result<Builder<'c, 'a>, Error> {
        let entry = &function.entry;
        let status = types::integer(entry.context(), 32);
        let (refused, why) = function.block(&[status])?;
        let (present, _) = function.block(&[])?;
        let (called, _) = function.block(&[])?;
        let null = llvm::integer(entry, status, NULL)?;
        llvm::cond_br(entry, self.has_null(entry)?, (refused.block(), &[null]), (present.block(), &[]))?;
        llvm::r#return(&refused, why.first().copied())?;
        let misaligned = llvm::integer(&present, status, MISALIGNED)?;
        let condition = self.is_misaligned(&present)?;
        llvm::cond_br(&present, condition, (refused.block(), &[misaligned]), (called.block(), &[]))?;
        Ok(called)
    }

    fn has_null(&self, entry: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let context = entry.context();
        let (bit, word) = (types::integer(context, 1), types::integer(context, 64));
        let null = llvm::zero(entry, llvm::pointer_type(context))?;
        let mut any = llvm::boolean(entry, false)?;
        for (array, count) in self.arrays.iter().filter(|(_, count)| *count > 0) {
            let count = llvm::integer(entry, word, i64::try_from(*count).unwrap_or(i64::MAX))?;
            any = llvm::or(entry, any, llvm::call_value(entry, HAS_NULL, &[*array, count], bit)?)?;
        }
        for pointer in self.needed_memory().chain(self.plain.iter().copied()).chain(self.record) {
            any = llvm::or(entry, any, llvm::icmp(entry, Predicate::Eq, pointer, null)?)?;
        }
        Ok(any)
    }

    fn is_misaligned(&self, present: &Builder<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let word = types::integer(present.context(), 64);
        let zero = llvm::integer(present, word, 0)?;
        let mut bits = zero;
        for pointer in self.needed_memory() {
            bits = llvm::or(present, bits, llvm::ptrtoint(present, pointer, word)?)?;
        }
        let (alignment, aligns_tensors) = self.aligned;
        for (array, count) in self.arrays.iter().filter(|(_, count)| aligns_tensors && *count > 0) {
            let count = llvm::integer(present, word, i64::try_from(*count).unwrap_or(i64::MAX))?;
            bits = llvm::or(present, bits, llvm::call_value(present, ADDRESSES, &[*array, count], word)?)?;
        }
        let lowest = llvm::and(present, bits, llvm::integer(present, word, alignment - 1)?)?;
        Ok(llvm::icmp(present, Predicate::Ne, lowest, zero)?)
    }

    fn needed_memory(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        self.memory.iter().filter(|(_, bytes)| *bytes > 0).map(|(pointer, _)| *pointer)
    }
}

/// The extents of a run: checks that none is negative or above its bound.
pub fn check_extents<'c: 'a, 'a>(
    function: &Function<'c, 'a>,
    body: Builder<'c, 'a>,
    symbols: &[OpenExtent],
    values: &[Value<'c, 'a>],
) -> Result<Builder<'c, 'a>, Error> {
    let bounds = symbols.iter().map(|symbol| symbol.bound);
    let wrong = any_outside(&body, values.iter().copied().zip(bounds))?;
    refuse_if(function, body, wrong)
}

/// Computes the extents of all tensors; checks that none is negative, and none of an input above its bound.
pub fn check_shapes<'c: 'a, 'a>(
    function: &Function<'c, 'a>,
    body: Builder<'c, 'a>,
    interface: &Interface,
    (values, shapes): (&[Value<'c, 'a>], Value<'c, 'a>),
) -> Result<Builder<'c, 'a>, Error> {
    llvm::call(&body, SHAPES, &[values, &[shapes]].concat())?;
    let extents: Vec<Value<'c, 'a>> = load_words(&body, shapes, interface.shape_words())?;
    let of_inputs = interface.inputs.iter().flat_map(|tensor| &tensor.extents).map(Extent::bound);
    let of_inputs = of_inputs.map(|bound| bound.and_then(|bound| i64::try_from(bound).ok()));
    let wrong = any_outside(&body, extents.into_iter().zip(of_inputs.chain(std::iter::repeat(None))))?;
    refuse_if(function, body, wrong)
}

/// Whether a number is negative or above its bound.
fn any_outside<'c: 'a, 'a>(
    body: &Builder<'c, 'a>,
    numbers: impl Iterator<Item = (Value<'c, 'a>, Option<i64>)>,
) -> Result<Value<'c, 'a>, Error> {
    let word = types::integer(body.context(), 64);
    let zero = llvm::integer(body, word, 0)?;
    let mut any = llvm::boolean(body, false)?;
    for (number, bound) in numbers {
        any = llvm::or(body, any, llvm::icmp(body, Predicate::Slt, number, zero)?)?;
        if let Some(bound) = bound {
            let bound = llvm::integer(body, word, bound)?;
            any = llvm::or(body, any, llvm::icmp(body, Predicate::Sgt, number, bound)?)?;
        }
    }
    Ok(any)
}

/// Returns the status of wrong extents from a function; gives the block that goes on.
fn refuse_if<'c: 'a, 'a>(
    function: &Function<'c, 'a>,
    body: Builder<'c, 'a>,
    wrong: Value<'c, 'a>,
) -> Result<Builder<'c, 'a>, Error> {
    let ((refused, _), (next, _)) = (function.block(&[])?, function.block(&[])?);
    llvm::cond_br(&body, wrong, (refused.block(), &[]), (next.block(), &[]))?;
    llvm::r#return(&refused, Some(llvm::integer(&refused, types::integer(body.context(), 32), EXTENT)?))?;
    Ok(next)
}
