//! Memory that loops carry. After bufferization a loop may go on with another buffer than it began with, as where it swaps
//! two or makes a new one in each iteration. A memory plan gives every allocation one place, which the next iteration would
//! write over; so whatever a loop carries in that way gets a buffer of its own, into which each iteration copies its result.

use crate::Error;
use crate::views::extents::{self, Product};
use skriptnd_mlir::ir::{BlockRef, Builder, OperationRef, Type, Value, block_arguments, types, walk};
use skriptnd_mlir::ops::{memref, scf};

/// Gives loops on memrefs fixed buffers for all that they carry. Returns the number of buffers.
pub fn fix_buffers<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let mut made = 0;
    // Inner loops come first: whether an outer one keeps its buffers depends on them.
    for operation in walk(function).into_iter().rev() {
        if let Some(carrier) = Carrier::of(operation) {
            made += carrier.fix()?;
        }
    }
    Ok(made)
}

/// A loop with what it carries. The value with number `n` begins as operand `first + n` and is argument `skip + n` of the
/// block that runs first; the terminator's operand `n` is its next value.
struct Carrier<'c, 'a> {
    operation: OperationRef<'c, 'a>,
    first: usize,
    skip: usize,
    head: BlockRef<'c, 'a>,
    terminator: OperationRef<'c, 'a>,
    /// For `scf.while`, what goes on from its first block to the second.
    condition: Option<OperationRef<'c, 'a>>,
}

/// Something carried that gets a buffer.
struct Moving<'c, 'a> {
    number: usize,
    /// What an iteration computes.
    next: Value<'c, 'a>,
    buffer: Value<'c, 'a>,
    /// The buffer under the type that the loop carries.
    named: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Carrier<'c, 'a> {
    fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let block = |region| operation.region(region).ok()?.first_block();
        match operation.full_name() {
            scf::FOR => {
                let head = block(0)?;
                Some(Carrier { operation, first: 3, skip: 1, head, terminator: head.terminator()?, condition: None })
            }
            scf::WHILE => {
                let (head, terminator) = (block(0)?, block(1)?.terminator()?);
                Some(Carrier { operation, first: 0, skip: 0, head, terminator, condition: Some(head.terminator()?) })
            }
            _ => None,
        }
    }

    fn fix(&self) -> Result<usize, Error> {
        let numbers: Vec<usize> = (0..self.terminator.operand_count()).filter(|&number| self.moves(number)).collect();
        let moving: Vec<_> = numbers.into_iter().map(|number| self.move_in(number)).collect::<Result<_, _>>()?;
        self.write_back(&moving)?;
        Ok(moving.len() + self.fix_forwarded()?)
    }

    /// Lets a loop begin with a buffer of its own.
    fn move_in(&self, number: usize) -> Result<Moving<'c, 'a>, Error> {
        let next = self.terminator.operand(number)?;
        let initial = self.operation.operand(self.first + number)?;
        let outside = Builder::before(self.operation)?;
        let buffer = buffer(outside, initial)?;
        copy(outside, initial, buffer)?;
        let named = cast(outside, buffer, initial)?;
        self.operation.set_operand(self.first + number, named)?;
        Ok(Moving { number, next, buffer, named })
    }

    /// At the end of an iteration, copies the next values into the buffers; all are read before any is written.
    fn write_back(&self, moving: &[Moving<'c, 'a>]) -> Result<(), Error> {
        let end = Builder::before(self.terminator)?;
        let mut sources = Vec::new();
        for Moving { next, .. } in moving {
            let source = if is_new(*next, self.operation) { *next } else { buffer(end, *next)? };
            if source.key() != next.key() {
                copy(end, *next, source)?;
            }
            sources.push(source);
        }
        for (moving, source) in moving.iter().zip(sources) {
            copy(end, source, moving.buffer)?;
            self.terminator.set_operand(moving.number, moving.named)?;
        }
        Ok(())
    }

    /// What the first block of `scf.while` makes anew gets a buffer outside, too: the second block and whatever follows
    /// the loop read it.
    fn fix_forwarded(&self) -> Result<usize, Error> {
        let Some(condition) = self.condition else { return Ok(0) };
        let mut made = 0;
        for index in 1..condition.operand_count() {
            let value = condition.operand(index)?;
            let stays = block_arguments(self.head).any(|argument| is_same(value, argument));
            if !value.r#type().is_mem_ref() || stays || is_outside(value, self.operation) {
                continue;
            }
            let outside = Builder::before(self.operation)?;
            let plain = plain(value.r#type())?;
            let sizes = open_dimensions(plain).map(|dimension| self.extent(&outside, value, dimension));
            let buffer = memref::alloc_open(&outside, plain, &sizes.collect::<Result<Vec<_>, _>>()?)?;
            let named = cast(outside, buffer, value)?;
            copy(Builder::before(condition)?, value, buffer)?;
            condition.set_operand(index, named)?;
            made += 1;
        }
        Ok(made)
    }

    /// The extent of a memref of the loop, before it: what a loop carries keeps its shape.
    fn extent(
        &self,
        outside: &Builder<'c, 'a>,
        memory: Value<'c, 'a>,
        dimension: usize,
    ) -> Result<Value<'c, 'a>, Error> {
        if is_outside(memory, self.operation) {
            return extents::at(outside, memory, dimension);
        }
        if let Some(Product { factor, values }) = extents::of(memory, dimension) {
            let values = values.into_iter().map(|value| self.number(outside, value)).collect::<Result<_, _>>()?;
            return Product { factor, values }.at(outside);
        }
        let source = extents::sources(memory).and_then(|sources| sources.first().copied());
        let source = source.ok_or_else(|| Error::Unsupported("a loop makes memory whose size only it knows".into()))?;
        self.extent(outside, source, dimension)
    }

    /// A number that the loop computes from extents, before it.
    fn number(&self, outside: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        if is_outside(value, self.operation) {
            return Ok(value);
        }
        let unknown = || Error::Unsupported("a loop makes memory of a size that changes".into());
        let definition = value.defining_operation().filter(|operation| operation.region_count() == 0);
        let definition = definition.ok_or_else(unknown)?;
        if let Some((memory, dimension)) = extents::asked(definition) {
            return self.extent(outside, memory, dimension);
        }
        if !definition.full_name().starts_with("arith.") {
            return Err(unknown());
        }
        let operands: Vec<_> =
            definition.operands().map(|operand| self.number(outside, operand)).collect::<Result<_, _>>()?;
        Ok(outside.copy(definition, &operands)?.result(0)?)
    }

    /// Whether a memref that is carried is another one in the next iteration, as far as can be told.
    fn moves(&self, number: usize) -> bool {
        let argument = block_arguments(self.head).nth(self.skip + number);
        let (Some(argument), Ok(next)) = (argument, self.terminator.operand(number)) else { return false };
        next.r#type().is_mem_ref() && !is_same(self.forwarded(next), argument)
    }

    /// Whether a result of `scf.while` is a memref that the loop began with.
    fn hands_on(&self, number: usize, other: Value<'c, 'a>) -> bool {
        let handed = self.condition.and_then(|condition| condition.operand(1 + number).ok());
        let keeps = |(place, argument)| {
            handed.is_some_and(|handed| is_same(handed, argument))
                && !self.moves(place)
                && self.operation.operand(place).is_ok_and(|initial| is_same(initial, other))
        };
        block_arguments(self.head).enumerate().any(keeps)
    }

    /// What the first block calls a value of the second block of `scf.while`.
    fn forwarded(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let Some(condition) = self.condition else { return value };
        let arguments = self.terminator.block().into_iter().flat_map(block_arguments);
        let place = arguments.into_iter().position(|argument| argument.key() == without_casts(value).key());
        place.and_then(|place| condition.operand(1 + place).ok()).unwrap_or(value)
    }
}

/// Whether two memrefs are the same memory in the same order, through loops and branches that keep their buffers.
fn is_same<'c: 'a, 'a>(value: Value<'c, 'a>, other: Value<'c, 'a>) -> bool {
    let (value, other) = (without_casts(value), without_casts(other));
    if value.key() == other.key() {
        return true;
    }
    let Some(definition) = value.defining_operation() else { return false };
    let Some(number) = definition.result_values().iter().position(|result| result.key() == value.key()) else {
        return false;
    };
    match definition.full_name() {
        scf::FOR => {
            let kept = Carrier::of(definition).is_some_and(|inner| !inner.moves(number));
            kept && definition.operand(3 + number).is_ok_and(|initial| is_same(initial, other))
        }
        scf::WHILE => Carrier::of(definition).is_some_and(|inner| inner.hands_on(number, other)),
        scf::IF => definition.regions().all(|region| {
            let yielded = region.first_block().and_then(|block| block.terminator()?.operand(number).ok());
            yielded.is_some_and(|yielded| is_same(yielded, other))
        }),
        _ => false,
    }
}

fn without_casts<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut value = value;
    while let Some(cast) = value.defining_operation().filter(|definition| definition.full_name() == memref::CAST) {
        match cast.operand(0) {
            Ok(source) => value = source,
            Err(_) => break,
        }
    }
    value
}

/// Whether a memref was allocated inside a loop, so that it is none of those that the loop carries.
fn is_new<'c: 'a, 'a>(value: Value<'c, 'a>, around: OperationRef<'c, 'a>) -> bool {
    let definition = without_casts(value).defining_operation();
    definition.is_some_and(|definition| definition.full_name() == memref::ALLOC && is_inside(definition, around))
}

fn is_inside<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, around: OperationRef<'c, 'a>) -> bool {
    let mut parent = operation.parent_operation();
    while let Some(current) = parent.filter(|current| *current != around) {
        parent = current.parent_operation();
    }
    parent.is_some()
}

fn is_outside<'c: 'a, 'a>(value: Value<'c, 'a>, around: OperationRef<'c, 'a>) -> bool {
    let block = value.as_argument().map(|(block, _)| block);
    let place = value.defining_operation().or_else(|| block?.parent_operation());
    place.is_some_and(|place| place != around && !is_inside(place, around))
}

/// A new buffer of a memref's shape.
fn buffer<'c: 'a, 'a>(builder: Builder<'c, 'a>, like: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
    let plain = plain(like.r#type())?;
    let sizes = open_dimensions(plain).map(|dimension| extents::at(&builder, like, dimension));
    Ok(memref::alloc_open(&builder, plain, &sizes.collect::<Result<Vec<_>, _>>()?)?)
}

/// The type of a buffer for what has a type.
fn plain(kind: Type<'_>) -> Result<Type<'_>, Error> {
    let plain = types::shape(kind).and_then(|shape| types::memref(types::element(kind), &shape));
    plain.ok_or_else(|| Error::Unsupported(format!("a loop carries a buffer of type {kind}")))
}

/// The dimensions whose extents only a run knows.
fn open_dimensions(kind: Type<'_>) -> impl Iterator<Item = usize> {
    let shape = types::shape(kind).unwrap_or_default().into_iter().enumerate();
    shape.filter(|(_, extent)| extent.is_none()).map(|(dimension, _)| dimension)
}

/// A buffer under the type of another memref.
fn cast<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    buffer: Value<'c, 'a>,
    like: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    if buffer.r#type() == like.r#type() {
        return Ok(buffer);
    }
    Ok(memref::cast(&builder, buffer, like.r#type())?)
}

fn copy<'c: 'a, 'a>(builder: Builder<'c, 'a>, source: Value<'c, 'a>, target: Value<'c, 'a>) -> Result<(), Error> {
    Ok(memref::copy(&builder, source, target)?)
}
