//! Loops of which data determine more than what they compute: how much they collect, or how large becomes what they carry. Both
//! lie at the begin of room for as much as there can be; an iteration tells the extents that its tensors have.

use super::collected::{Collected, collected};
use super::{LoopParts, Whole, items_at, less, place};
use crate::lowering::emit::extents::Extents;
use crate::passes::convert::Converter;
use crate::passes::convert::found::{leave, named};
use crate::passes::convert::rooms::{Room, told};
use crate::require::{end_where_violated, require};
use crate::scalars::Scalars as _;
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{BlockRef, Builder, Type, Value, attributes, block_arguments, block_operations};
use skriptnd_mlir::ops::{arith, scf};

/// Whether a loop carries tensors whose extents data determine.
pub(super) fn carries_open<'c: 'a, 'a>(converter: &Converter<'c, 'a>, parts: &LoopParts<'c, 'a>) -> bool {
    let is_open = |kind: Type<'c>| {
        named(kind).is_ok_and(|ty| ty.shape.iter().any(|extent| converter.extents.untold(&extent.value).is_some()))
    };
    parameter_types(parts.body).into_iter().take(parts.carried.len()).any(is_open)
}

fn parameter_types<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Vec<Type<'c>> {
    block_arguments(block).map(|parameter| parameter.r#type()).collect()
}

/// A loop with the forms of what it carries and collects. Its state: what is carried in rooms, the extents that this tells, what
/// is collected, the number of the iteration, and whether the last test behind a body held.
struct Growing<'p, 'c, 'a> {
    parts: &'p LoopParts<'c, 'a>,
    /// The types of the carried tensors in an iteration.
    kinds: Vec<Type<'c>>,
    rooms: Vec<Room<'c>>,
    names: Vec<String>,
    scanned: Vec<Whole<'c, 'a>>,
    collected: Vec<Collected<'c, 'a>>,
    outside: Extents<'c, 'a>,
}

/// Converts a loop; gives its results.
pub(super) fn convert<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let growing = Growing::of(converter, &builder, parts)?;
    let counts = parts.counts(&builder)?;
    let limit = parts.limit.map(|limit| builder.int(limit)).transpose()?;
    let repetition = scf::r#while(&builder, &growing.initial(converter, &builder)?)?;
    let (test, body) = (repetition.before, repetition.after);

    let [.., index, held] = repetition.tested[..] else { return Err("a loop without state".into()) };
    let mut goes_on = held;
    for bound in counts.iter().chain(&limit) {
        goes_on = arith::andi(&test, goes_on, less(&test, index, *bound)?)?;
    }
    if !parts.test_last {
        // The test behind the last iteration has no items of its own.
        let last = limit.map(|limit| arith::subi(&test, limit, test.int(1)?)).transpose()?;
        let number = last.map_or(Ok(index), |last| arith::minsi(&test, index, last))?;
        let arguments = growing.arguments(converter, &test, &repetition.tested, (index, number))?;
        if let Some(holds) = parts.test(converter, test, &arguments, index)? {
            goes_on = arith::andi(&test, goes_on, holds)?;
        }
    }
    scf::condition(&test, goes_on, &repetition.tested)?;

    let next = growing.iteration(converter, body, &repetition.state)?;
    scf::r#yield(&body, &next)?;
    end_where_violated(repetition.operation)?;
    converter.extents = growing.outside.clone();
    growing.results(converter, &builder, &repetition.operation.result_values())
}

impl<'p, 'c: 'a, 'a> Growing<'p, 'c, 'a> {
    fn of(
        converter: &Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
        parts: &'p LoopParts<'c, 'a>,
    ) -> Result<Self, Failure> {
        let kinds: Vec<Type<'c>> = parameter_types(parts.body).into_iter().take(parts.carried.len()).collect();
        let rooms = kinds.iter().map(|kind| converter.room(builder, *kind)).collect::<Result<Vec<_>, _>>()?;
        if !parts.is_uniform() {
            return Err(
                "can't be compiled yet: goes through items of several shapes, and data determine more of it".into()
            );
        }
        let collected = collected(converter, builder, parts)?;
        Ok(Growing {
            names: rooms.iter().map(name).collect(),
            scanned: parts.wholes(converter, builder)?,
            outside: converter.extents.clone(),
            parts,
            kinds,
            rooms,
            collected,
        })
    }

    fn initial(&self, converter: &Converter<'c, 'a>, builder: &Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let kinds: Vec<Type<'c>> = self.parts.operation.carried().iter().map(|value| value.r#type()).collect();
        let mut state = self.stored(converter, builder, &self.parts.carried, &kinds)?;
        for pack in &self.collected {
            state.extend(pack.empty(builder)?);
        }
        state.extend([builder.int(0)?, builder.boolean(true)?]);
        Ok(state)
    }

    /// Carried tensors in their rooms, then the extents that they tell.
    fn stored(
        &self,
        converter: &Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
        values: &[Value<'c, 'a>],
        kinds: &[Type<'c>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let (mut stored, mut extents) = (Vec::new(), Vec::new());
        for (((value, kind), room), name) in values.iter().zip(kinds).zip(&self.rooms).zip(&self.names) {
            let (value, told) = converter.stored(builder, (*value, *kind), room, Some(name))?;
            stored.push(value);
            extents.extend(told);
        }
        stored.extend(extents);
        Ok(stored)
    }

    /// The arguments of body and condition; the extents of the iteration are known from here on.
    fn arguments(
        &self,
        converter: &mut Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
        state: &[Value<'c, 'a>],
        (index, number): (Value<'c, 'a>, Value<'c, 'a>),
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        converter.extents = self.outside.clone();
        let (stored, rest) = state.split_at(self.rooms.len());
        converter.tell_all(builder, &self.rooms, &rest[..told(&self.rooms)])?;
        let carried = stored.iter().zip(&self.kinds).map(|(stored, kind)| converter.taken(builder, *stored, *kind));
        let carried = carried.collect::<Result<Vec<_>, _>>()?;
        let items = items_at(builder, &self.scanned, place(builder, number)?)?;
        self.parts.arguments(builder, &carried, &items, index)
    }

    /// The next state.
    fn iteration(
        &self,
        converter: &mut Converter<'c, 'a>,
        builder: Builder<'c, 'a>,
        state: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let [.., index, _] = *state else { return Err("a loop without state".into()) };
        let mut packs = &state[self.rooms.len() + told(&self.rooms)..state.len() - 2];
        let arguments = self.arguments(converter, &builder, state, (index, index))?;
        for (parameter, argument) in block_arguments(self.parts.body).zip(&arguments) {
            converter.define(parameter, *argument);
        }
        converter.draws.begin_round(index);
        let values = converter.block(builder, self.parts.body);
        converter.draws.end_round();
        let values = values?;
        self.require_room(&builder, index)?;
        let kinds = block_operations(self.parts.body).last().map(|last| last.operand_types()).unwrap_or_default();
        let count = self.rooms.len();
        if values.len() != count + self.collected.len() || kinds.len() != values.len() {
            return Err("has a body that yields another number of tensors than the loop takes".into());
        }
        let mut next = self.stored(converter, &builder, &values[..count], &kinds[..count])?;
        let made = values[count..].iter().copied().zip(kinds[count..].iter().copied());
        for (pack, item) in self.collected.iter().zip(made) {
            let (state, rest) = packs.split_at(pack.width());
            next.extend(pack.with_item((converter, &builder), state, item, place(&builder, index)?)?);
            packs = rest;
        }
        next.extend([arith::addi(&builder, index, builder.int(1)?)?, builder.boolean(true)?]);
        if self.parts.test_last {
            let arguments = self.arguments(converter, &builder, &next, (index, index))?;
            if let Some(holds) = self.parts.test(converter, builder, &arguments, index)? {
                next.pop();
                next.push(holds);
            }
        }
        Ok(next)
    }

    /// A loop that only a condition ends must not collect more than is declared.
    fn require_room(&self, builder: &Builder<'c, 'a>, index: Value<'c, 'a>) -> Result<(), Failure> {
        let Some(most) = self.collected.first().map(Collected::most) else { return Ok(()) };
        if self.parts.limit.is_some_and(|limit| limit <= most) {
            return Ok(());
        }
        let has_room = less(builder, index, builder.int(most)?)?;
        require(builder, has_room, &Fault::pack_overflow(most), &[])?;
        leave(builder)
    }

    fn results(
        &self,
        converter: &mut Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
        state: &[Value<'c, 'a>],
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let finals: Vec<Type<'c>> = self.parts.operation.finals().iter().map(|value| value.r#type()).collect();
        let (stored, rest) = state.split_at(self.rooms.len());
        let mut extents = rest.iter();
        for (room, kind) in self.rooms.iter().zip(&finals) {
            let ty = named(*kind)?;
            for ((dimension, _), value) in room.told.iter().zip(extents.by_ref()) {
                let extent = ty.shape.get(*dimension).ok_or("has a result of another rank")?;
                if let Some(symbol) = converter.extents.untold(&extent.value) {
                    converter.tell(builder, &symbol, *value)?;
                }
            }
        }
        let [.., index, _] = *state else { return Err("a loop without state".into()) };
        let lengths = self.parts.operation.lengths_attribute().and_then(attributes::as_strings);
        for symbol in lengths.unwrap_or_default() {
            converter.tell(builder, symbol, index)?;
        }
        let taken = stored.iter().zip(&finals).map(|(stored, kind)| converter.taken(builder, *stored, *kind));
        let mut results = taken.collect::<Result<Vec<_>, _>>()?;
        let mut packs = &rest[told(&self.rooms)..];
        for pack in &self.collected {
            let (state, rest) = packs.split_at(pack.width());
            results.extend(pack.items((converter, builder), state)?);
            packs = rest;
        }
        Ok(results)
    }
}

/// What a carried tensor is called: the symbols of its extents have its name.
fn name(room: &Room<'_>) -> String {
    let name = room.told.first().and_then(|(_, symbol)| symbol.rsplit('.').nth(1));
    name.unwrap_or("carried").to_owned()
}
