//! Buffers whose sizes only a run knows: slots behind the others, as large as the largest buffer that a slot is for. Where
//! slots begin is computed when the run begins; a buffer whose size data determine is as large as it can be (`ranges`).

use super::ranges::Ranges;
use super::{Lifetime, element_bytes};
use crate::views::functions::{RUN, WORKSPACE};
use crate::{Error, notes};
use skriptnd_mlir::ir::{BlockRef, Builder, OperationRef, Value, attributes, block_arguments, types};
use skriptnd_mlir::ops::{Size, arith, func};
use std::collections::HashMap;

/// Where each buffer begins.
pub(super) struct Plan<'c, 'a> {
    /// In the order of the buffers, of type `index`.
    pub offsets: Vec<Value<'c, 'a>>,
}

type Buffers<'c, 'a> = [(OperationRef<'c, 'a>, Lifetime)];

impl<'c: 'a, 'a> Plan<'c, 'a> {
    /// Places buffers behind `start` bytes, each at a multiple of the alignment. The bytes that a run needs are computed by a
    /// function of their own: `behind` bytes more.
    pub(super) fn make(
        function: OperationRef<'c, 'a>,
        buffers: &Buffers<'c, 'a>,
        (start, behind): (i64, i64),
        alignment: i64,
    ) -> Result<Self, Error> {
        if buffers.is_empty() {
            return Ok(Plan { offsets: Vec::new() });
        }
        let name = function.get_string("sym_name").unwrap_or_default();
        if name != RUN {
            return Err(Error::Unsupported(format!("buffers of `{name}` whose sizes are not known before the run")));
        }
        let slots = slots(buffers);
        let body = entry(function)?;
        let first = body.first_operation().ok_or_else(|| Error::malformed("a function without a terminator"))?;
        // Other arguments are memory, of which a run may write what it reads later.
        let same: HashMap<usize, Value<'c, 'a>> =
            numbers(function)?.into_iter().map(|argument| (argument.key(), argument)).collect();
        let mut sizes = Sizes::at(Builder::before(first)?, same, alignment);
        let (begins, _) = sizes.layout(buffers, &slots, start)?;
        define_workspace(function, buffers, &slots, (start + behind, alignment))?;
        let slot_of = |number: usize| slots.iter().position(|slot| slot.contains(&number)).unwrap_or(0);
        Ok(Plan { offsets: (0..buffers.len()).map(|number| begins[slot_of(number)]).collect() })
    }
}

fn entry<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<BlockRef<'c, 'a>, Error> {
    let body = function.region(0).ok().and_then(|region| region.first_block());
    body.ok_or_else(|| Error::malformed("a function without a body"))
}

/// Numbers of the buffers that share memory: those that are never alive at the same time, larger ones first.
fn slots(buffers: &Buffers<'_, '_>) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..buffers.len()).collect();
    order.sort_by_key(|&number| (std::cmp::Reverse(buffers[number].1.bytes), buffers[number].1.first));
    let mut slots: Vec<Vec<usize>> = Vec::new();
    for number in order {
        let own = buffers[number].1;
        let apart = |other: &usize| buffers[*other].1.last < own.first || own.last < buffers[*other].1.first;
        match slots.iter_mut().find(|slot| slot.iter().all(apart)) {
            Some(slot) => slot.push(number),
            None => slots.push(vec![number]),
        }
    }
    slots
}

/// The arguments of `run` that are extents or words.
fn numbers<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Error> {
    let module = function.parent_operation().ok_or_else(|| Error::malformed("a function outside of a module"))?;
    let extents = attributes::as_integers(notes::read(module, notes::EXTENTS, "codegen-describe-interface")?);
    let numbers = extents.unwrap_or_default().into_iter().chain(module.get_integer(notes::SHAPES));
    let arguments: Vec<Value<'c, 'a>> = block_arguments(entry(function)?).collect();
    Ok(numbers.filter_map(|at| arguments.get(usize::try_from(at).ok()?).copied()).collect())
}

/// Adds the function that computes the bytes of the workspace, from the arguments of `run` that are extents or words.
fn define_workspace<'c: 'a, 'a>(
    function: OperationRef<'c, 'a>,
    buffers: &Buffers<'c, 'a>,
    slots: &[Vec<usize>],
    (start, alignment): (i64, i64),
) -> Result<(), Error> {
    let word = types::integer(function.context(), 64);
    let numbers = numbers(function)?;
    let kinds: Vec<_> = numbers.iter().map(Value::r#type).collect();
    let made = func::func(&Builder::before(function)?, WORKSPACE, &kinds, &[word], &[])?;
    let known = numbers.iter().map(Value::key).zip(made.arguments.iter().copied()).collect();
    let mut sizes = Sizes::at(made.builder, known, alignment);
    let (_, end) = sizes.layout(buffers, slots, start)?;
    Ok(func::r#return(&made.builder, &[arith::index_cast(&made.builder, end, word)?])?)
}

/// Computes sizes at one place.
struct Sizes<'c, 'a> {
    builder: Builder<'c, 'a>,
    ranges: Ranges<'c, 'a>,
    alignment: i64,
}

impl<'c: 'a, 'a> Sizes<'c, 'a> {
    fn at(builder: Builder<'c, 'a>, known: HashMap<usize, Value<'c, 'a>>, alignment: i64) -> Self {
        Sizes { builder, ranges: Ranges::new(builder, known), alignment }
    }

    /// Where each slot begins, and where the last one ends.
    fn layout(
        &mut self,
        buffers: &Buffers<'c, 'a>,
        slots: &[Vec<usize>],
        start: i64,
    ) -> Result<(Vec<Value<'c, 'a>>, Value<'c, 'a>), Error> {
        let mut begins = Vec::new();
        let mut end = self.builder.index(start)?;
        for slot in slots {
            begins.push(end);
            let mut largest: Option<Value<'c, 'a>> = None;
            for &number in slot {
                let bytes = self.bytes(buffers[number].0)?;
                largest = Some(largest.map_or(Ok(bytes), |before| arith::maxsi(&self.builder, before, bytes))?);
            }
            if let Some(largest) = largest {
                end = arith::addi(&self.builder, end, largest)?;
            }
        }
        Ok((begins, end))
    }

    /// Bytes of a buffer, at most, rounded up and never 0: an address of an empty buffer can be read.
    fn bytes(&mut self, allocation: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let kind = allocation.result(0)?.r#type();
        let mut bytes = self.builder.index(element_bytes(kind)?)?;
        let mut open = allocation.operands().collect::<Vec<_>>().into_iter();
        for extent in types::shape(kind).unwrap_or_default() {
            let size = match extent {
                Some(known) => Size::Known(known as i64),
                None => {
                    let value = open.next().ok_or_else(|| Error::malformed("an allocation without its sizes"))?;
                    Size::Value(self.ranges.most(value)?)
                }
            };
            bytes = arith::muli(&self.builder, bytes, size.value(&self.builder)?)?;
        }
        let bytes = arith::maxsi(&self.builder, bytes, self.builder.index(1)?)?;
        let rounded = arith::addi(&self.builder, bytes, self.builder.index(self.alignment - 1)?)?;
        let alignment = self.builder.index(self.alignment)?;
        let units = arith::divui(&self.builder, rounded, alignment)?;
        Ok(arith::muli(&self.builder, units, alignment)?)
    }
}
