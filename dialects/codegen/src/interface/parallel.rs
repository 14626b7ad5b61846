//! The functions that let threads share the work of kernels: ranges of the kernel's units, each of which a thread does by calling the
//! kernel. Without threads, or where there is one range, the kernel is called for all units.

use crate::views::functions;
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, block_arguments, types};
use skriptnd_mlir::ops::llvm::{self, Index, Linkage, Predicate};
use skriptnd_mlir::rewrite::with_rewriter;

/// Bytes that an argument takes where ranges find it.
const SLOT: i64 = 8;

/// Defines the functions that are declared for kernels.
pub fn define<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let declared: Vec<_> = functions::all(module).filter(|function| function.get(notes::SHARED).is_some()).collect();
    for declaration in declared {
        let kernel = declaration.get_string(notes::SHARED).unwrap_or_default();
        let name = declaration.get_string("sym_name").unwrap_or_default();
        let is_part = declaration.get(notes::SHARE).is_some();
        let is_ranged = declaration.get(notes::RANGED).is_some();
        let shared = Shared { kernel, arguments: arguments(functions::named(module, kernel)?)?, is_part, is_ranged };
        let end = Builder::before(declaration)?;
        let range = format!("{kernel}_range");
        shared.define_range(&end, &range)?;
        shared.define(&end, name, &range)?;
        with_rewriter(declaration, |rewriter| rewriter.erase(declaration))?;
    }
    Ok(())
}

/// The types of a function's arguments.
fn arguments<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<Vec<Type<'c>>, Error> {
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a kernel without a body"))?;
    Ok(block_arguments(body).map(|argument| argument.r#type()).collect())
}

/// A kernel with the types of what it takes: its span comes last.
struct Shared<'c, 'k> {
    kernel: &'k str,
    arguments: Vec<Type<'c>>,
    /// Whether the units do not begin at 0: it is given the first before their number.
    is_part: bool,
    /// Whether the kernel takes the number of its range before its span.
    is_ranged: bool,
}

impl<'c> Shared<'c, '_> {
    /// What is the same in each range.
    fn common(&self) -> &[Type<'c>] {
        &self.arguments[..self.arguments.len().saturating_sub(if self.is_ranged { 3 } else { 2 })]
    }

    /// `void(data, range)`: calls the kernel for the units of a range.
    fn define_range<'a>(&self, end: &Builder<'c, 'a>, name: &str) -> Result<(), Error>
    where
        'c: 'a,
    {
        let (word, pointer) = (types::integer(end.context(), 64), llvm::pointer_type(end.context()));
        let function = llvm::define(end, name, Linkage::Internal, &[pointer, word], None)?;
        let body = &function.entry;
        let &[data, range] = function.arguments.as_slice() else { return Err(Error::malformed(name)) };
        let mut kept = Vec::new();
        let counts = &[word, word, word][..if self.is_part { 3 } else { 2 }];
        for (number, kind) in self.common().iter().chain(counts).enumerate() {
            kept.push(llvm::load(body, slot(body, data, number)?, *kind)?);
        }
        let (Some(ranges), Some(units)) = (kept.pop(), kept.pop()) else { return Err(Error::malformed(name)) };
        let first = if self.is_part { kept.pop() } else { None };
        kept.extend(self.is_ranged.then_some(range));
        let next = llvm::add(body, range, llvm::integer(body, word, 1)?)?;
        for number in [range, next] {
            // Units and ranges are few enough for their product.
            let unit = llvm::udiv(body, llvm::mul(body, number, units)?, ranges)?;
            kept.push(first.map_or(Ok(unit), |first| llvm::add(body, first, unit))?);
        }
        llvm::call(body, self.kernel, &kept)?;
        Ok(llvm::r#return(body, None)?)
    }

    /// `void(.., units, ranges, pool)`, with the first unit before them where there is one: lets the threads of the pool do the ranges.
    fn define<'a>(&self, end: &Builder<'c, 'a>, name: &str, range: &str) -> Result<(), Error>
    where
        'c: 'a,
    {
        let (word, pointer) = (types::integer(end.context(), 64), llvm::pointer_type(end.context()));
        let counts = &[word, word, word][..if self.is_part { 3 } else { 2 }];
        let taken = [self.common(), counts, &[pointer]].concat();
        let function = llvm::define(end, name, Linkage::Internal, &taken, None)?;
        let [given @ .., units, ranges, pool] = function.arguments.as_slice() else {
            return Err(Error::malformed(name));
        };
        let (common, first) = given.split_at(self.common().len());
        let entry = &function.entry;
        let ((asking, _), (alone, _), (together, _)) =
            (function.block(&[])?, function.block(&[])?, function.block(&[])?);
        let none = llvm::icmp(entry, Predicate::Eq, *pool, llvm::zero(entry, pointer)?)?;
        llvm::cond_br(entry, none, (alone.block(), &[]), (asking.block(), &[]))?;
        let several = llvm::icmp(&asking, Predicate::Sgt, *ranges, llvm::integer(&asking, word, 1)?)?;
        llvm::cond_br(&asking, several, (together.block(), &[]), (alone.block(), &[]))?;
        let zero = llvm::integer(&alone, word, 0)?;
        let span = match first {
            [first] => [*first, llvm::add(&alone, *first, *units)?],
            _ => [zero, *units],
        };
        let number: &[Value<'c, 'a>] = if self.is_ranged { &[zero] } else { &[] };
        llvm::call(&alone, self.kernel, &[common, number, &span].concat())?;
        llvm::r#return(&alone, None)?;
        let slots = i64::try_from(given.len() + 2).unwrap_or(i64::MAX);
        let data = llvm::alloca(&together, word, slots)?;
        for (number, value) in given.iter().chain([units, ranges]).enumerate() {
            llvm::store(&together, *value, slot(&together, data, number)?)?;
        }
        // The first word of the pool is what its function takes, the second the function.
        let context = llvm::load(&together, *pool, pointer)?;
        let parallel_for = llvm::load(&together, slot(&together, *pool, 1)?, pointer)?;
        let range = llvm::address_of(&together, range)?;
        llvm::call_pointer(&together, parallel_for, &[context, *ranges, range, data])?;
        Ok(llvm::r#return(&together, None)?)
    }
}

/// The address of one of several values behind each other.
fn slot<'c: 'a, 'a>(body: &Builder<'c, 'a>, data: Value<'c, 'a>, number: usize) -> Result<Value<'c, 'a>, Error> {
    let offset = i64::try_from(number).unwrap_or(i64::MAX).saturating_mul(SLOT);
    let offset = llvm::integer(body, types::integer(body.context(), 64), offset)?;
    let byte = types::integer(body.context(), 8);
    Ok(llvm::getelementptr(body, data, byte, &[Index::Value(offset)])?)
}
