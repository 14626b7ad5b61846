//! Arguments of `run` whose extents only the run knows: the interface gives memory and, in one further argument, the extents
//! of all inputs, outputs and new values of variables.

use crate::interface::{Interface, Role};
use crate::views::functions::{self, RUN};
use crate::views::shapes::static_shape;
use crate::{Error, notes};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, attributes, block_arguments, types};
use skriptnd_mlir::ops::{Size, arith, memref};
use skriptnd_runtime::metadata::Extent;
use std::collections::HashMap;

/// Gives `run` plain memory in place of memrefs of open extents, if it has such arguments.
pub fn pass_shapes<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    let interface = Interface::noted(module)?;
    let function = functions::named(module, RUN)?;
    let body = function.region(0).ok().and_then(|region| region.first_block());
    let body = body.ok_or_else(|| Error::malformed("a function without a body"))?;
    let arguments: Vec<Value<'c, 'a>> = block_arguments(body).collect();
    let is_open = |value: &Value<'c, 'a>| value.r#type().is_mem_ref() && static_shape(value.r#type()).is_none();
    if interface.extents.is_empty() || !arguments.iter().any(is_open) {
        return Ok(());
    }
    let word = types::integer(module.context(), 64);
    let kind = types::memref(word, &[Some(interface.shape_words() as u64)]);
    let shapes = functions::add_argument(function, kind.ok_or_else(|| Error::malformed("no memref of words"))?)?;
    module.set(notes::SHAPES, attributes::integer(module.context(), arguments.len() as i64));
    let first = body.first_operation().ok_or_else(|| Error::malformed("a function without a terminator"))?;
    let builder = Builder::before(first)?;
    let mut given = Given::new(builder, &interface, &arguments, shapes)?;
    for (argument, place) in arguments.iter().zip(places(&interface, arguments.len())) {
        if let Some((place, rank)) = place.filter(|_| is_open(argument)) {
            replace(&mut given, *argument, (place, rank))?;
        }
    }
    let inputs: Vec<Type<'c>> = block_arguments(body).map(|argument| argument.r#type()).collect();
    functions::set_signature(function, &inputs, &functions::signature(function)?.1);
    Ok(())
}

/// For each argument where its extents begin among those of all, and how many there are: inputs come first, what is written
/// last.
fn places(interface: &Interface, count: usize) -> Vec<Option<(usize, usize)>> {
    let mut at = 0;
    let mut starts = Vec::new();
    for tensor in interface.shaped() {
        starts.push((at, tensor.extents.len()));
        at += tensor.extents.len();
    }
    let (inputs, written) = starts.split_at(interface.inputs.len());
    let mut inputs = inputs.iter().copied();
    let mut places: Vec<Option<(usize, usize)>> =
        interface.arguments.iter().map(|role| if *role == Role::Input { inputs.next() } else { None }).collect();
    let found = usize::from(interface.finds_shapes);
    places.resize(count.saturating_sub(interface.written() + found), None);
    places.extend(written.iter().copied().map(Some));
    places.resize(count, None);
    places
}

/// The extents that are given: those of one name are one value.
struct Given<'c, 'a> {
    builder: Builder<'c, 'a>,
    /// All of them, in one argument.
    shapes: Value<'c, 'a>,
    /// What each of them is, in symbols, where that is not known.
    names: Vec<Option<String>>,
    /// Those that were asked for, and those that are arguments.
    known: HashMap<String, Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Given<'c, 'a> {
    fn new(
        builder: Builder<'c, 'a>,
        interface: &Interface,
        arguments: &[Value<'c, 'a>],
        shapes: Value<'c, 'a>,
    ) -> Result<Self, Error> {
        let name = |extent: &Extent| match extent {
            Extent::Open { expression, .. } => Some(expression.clone()),
            Extent::Known(_) => None,
        };
        let names = interface.shaped().flat_map(|tensor| &tensor.extents).map(name).collect();
        let index = types::index(builder.context());
        let mut known = HashMap::new();
        for (extent, number) in interface.extents.iter().zip(interface.extent_arguments()) {
            known.insert(extent.name.clone(), arith::index_cast(&builder, arguments[number], index)?);
        }
        Ok(Given { builder, shapes, names, known })
    }

    /// One of the words.
    fn word(&self, place: usize) -> Result<Value<'c, 'a>, Error> {
        let word = memref::load(&self.builder, self.shapes, &[self.builder.index(place as i64)?])?;
        Ok(arith::index_cast(&self.builder, word, types::index(self.builder.context()))?)
    }

    /// An extent.
    fn extent(&mut self, place: usize) -> Result<Value<'c, 'a>, Error> {
        let Some(name) = self.names.get(place).cloned().flatten() else { return self.word(place) };
        if let Some(known) = self.known.get(&name) {
            return Ok(*known);
        }
        let word = self.word(place)?;
        self.known.insert(name, word);
        Ok(word)
    }
}

/// Replaces an argument by its memory in the shape whose extents are given from some place on. What data determine lies flat.
fn replace<'c: 'a, 'a>(
    given: &mut Given<'c, 'a>,
    argument: Value<'c, 'a>,
    (place, rank): (usize, usize),
) -> Result<(), Error> {
    let builder = given.builder;
    let kind = argument.r#type();
    let uses = argument.uses();
    let extents = types::shape(kind).unwrap_or_default();
    let mut shape = Vec::new();
    if extents.len() == rank {
        for (at, extent) in extents.into_iter().enumerate() {
            shape.push(match extent.and_then(|extent| i64::try_from(extent).ok()) {
                Some(known) => Size::Known(known),
                None => Size::Value(given.extent(place + at)?),
            });
        }
    } else {
        let one = builder.index(1)?;
        let volume = (0..rank)
            .try_fold(one, |volume, at| Ok::<_, Error>(arith::muli(&builder, volume, given.word(place + at)?)?))?;
        shape.push(Size::Value(volume));
    }
    let memory = types::memref(types::element(kind), &[Some(1)]);
    argument.set_type(memory.ok_or_else(|| Error::malformed("no memref of one element"))?);
    let shaped = memref::shaped(&builder, argument, &shape, kind)?;
    uses.into_iter().try_for_each(|(user, operand)| user.set_operand(operand, shaped))?;
    Ok(())
}
