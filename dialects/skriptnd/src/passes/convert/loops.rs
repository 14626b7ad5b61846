//! Dynamic loops (specification, section 2.10.1): unrolled where they are short, `scf.for` where their number of iterations is
//! known, else `scf.while`.

mod collected;
mod growing;
mod parts;

use super::Converter;
use super::packs::Layout;
use crate::call::plain_type;
use crate::generated::operations::LoopOp;
use crate::lowering::emit::extents::Extents;
use crate::lowering::emit::negation;
use crate::passes::named_shape;
use crate::require::{end_where_violated, require};
use crate::scalars::Scalars as _;
use collected::{collected, told, yielded_types};
use parts::{LoopParts, read};
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{BlockRef, Builder, Type, Value, block_arguments, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{Size, scf, tensor};

/// Loops of at most so many iterations are unrolled.
const SHORT_LOOP: i64 = 8;
/// Loops through packs whose items are of several types have no other form than the unrolled one; longer ones are refused.
const LONGEST_UNROLLED: i64 = 1 << 12;

/// A pack as one tensor.
struct Whole<'c, 'a> {
    tensor: Value<'c, 'a>,
    layout: Layout<'c, 'a>,
}

/// Items at a place that only the run knows.
fn items_at<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    wholes: &[Whole<'c, 'a>],
    place: Value<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    wholes.iter().map(|whole| whole.layout.item(builder, whole.tensor, Size::Value(place))).collect()
}

/// Converts a loop; gives its results.
pub(super) fn convert<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    operation: LoopOp<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let parts = read(converter, &builder, operation)?;
    require_count(&builder, &parts)?;
    let is_exact =
        parts.condition.is_none() && parts.count.is_none() && parts.extent.is_none() && parts.lengths.is_empty();
    if (parts.collected > 0 && !is_exact) || growing::carries_open(converter, &parts) {
        return growing::convert(converter, builder, &parts);
    }
    match parts.limit {
        Some(limit) if limit <= SHORT_LOOP || !parts.is_uniform() => {
            if limit > LONGEST_UNROLLED {
                return Err(format!("goes through {limit} items, more than the limit of {LONGEST_UNROLLED}").into());
            }
            unroll(converter, builder, &parts, limit)
        }
        Some(limit) if is_exact => count(converter, builder, &parts, limit),
        _ => repeat(converter, builder, &parts),
    }
}

/// A count must not be negative, nor beyond the packs that the loop goes through.
fn require_count<'c: 'a, 'a>(builder: &Builder<'c, 'a>, parts: &LoopParts<'c, 'a>) -> Result<(), Failure> {
    let count = match (parts.count, parts.extent) {
        (Some(count), _) => element(builder, count)?,
        (None, Some(extent)) => extent,
        (None, None) => return Ok(()),
    };
    for length in &parts.lengths {
        let more = less(builder, *length, count)?;
        require(builder, negation(builder, more)?, &Fault::open_loop_count(), &[count, *length])?;
    }
    if let Some(items) = parts.scanned.iter().map(Vec::len).min().filter(|_| parts.lengths.is_empty()) {
        let more = less(builder, builder.int(items as i64)?, count)?;
        require(builder, negation(builder, more)?, &Fault::loop_count(items), &[count])?;
    }
    let negative = less(builder, count, builder.int(0)?)?;
    require(builder, negation(builder, negative)?, &Fault::negative_count(), &[count])
}

/// The body or the condition at one place, for these values of its parameters and this number of the iteration; gives what it
/// yields.
fn enter<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
    (arguments, number): (&[Value<'c, 'a>], Value<'c, 'a>),
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    // What is known in one iteration is not known outside.
    let outside = converter.extents.clone();
    let yielded = enter_knowing(converter, builder, block, (arguments, number));
    converter.extents = outside;
    yielded
}

/// The same, where the extents that are known inside stay known.
fn enter_knowing<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
    (arguments, number): (&[Value<'c, 'a>], Value<'c, 'a>),
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let parameters: Vec<Value<'c, 'a>> = block_arguments(block).collect();
    if parameters.len() != arguments.len() {
        return Err("has a region with other parameters than the loop gives".into());
    }
    for (parameter, argument) in parameters.iter().zip(arguments) {
        converter.define(*parameter, retyped(&builder, *argument, parameter.r#type())?);
    }
    converter.draws.begin_round(number);
    let yielded = converter.block(builder, block);
    converter.draws.end_round();
    yielded
}

/// A tensor with a type in which other extents are known.
fn retyped<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    named: Type<'c>,
) -> Result<Value<'c, 'a>, Failure> {
    let wanted = plain_type(named);
    if value.r#type() == wanted { Ok(value) } else { tensor::cast(builder, value, wanted) }
}

fn conjunction<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    a: Option<Value<'c, 'a>>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    match a {
        Some(a) => arith::andi(builder, a, b),
        None => Ok(b),
    }
}

/// The only element of a tensor.
pub(super) fn element<'c: 'a, 'a>(builder: &Builder<'c, 'a>, tensor: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let zeros = (0..types::rank(tensor.r#type()).unwrap_or(0)).map(|_| builder.index(0));
    tensor::extract(builder, tensor, &zeros.collect::<Result<Vec<_>, _>>()?)
}

/// `a < b` on `i64`.
fn less<'c: 'a, 'a>(builder: &Builder<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::cmpi(builder, IntegerPredicate::Slt, a, b)
}

/// An `int` tensor of rank 0.
fn index_tensor<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let r#type = builder.tensor_type(skriptnd_language::compose::value::ScalarType::Int, &[])?;
    tensor::from_elements(builder, &[value], r#type)
}

fn unroll<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
    limit: i64,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let mut carried = parts.carried.clone();
    let mut collected: Vec<Vec<Value<'c, 'a>>> = Vec::new();
    // Whether the loop still goes on; always if there is none.
    let mut goes_on: Option<Value<'c, 'a>> = None;
    let counts = parts.counts(&builder)?;
    let mut outside = converter.extents.clone();
    for number in 0..limit {
        let index = builder.int(number)?;
        converter.extents = outside.clone();
        parts.tell_items(converter, &builder, usize::try_from(number).unwrap_or(0))?;
        let items = parts.items(usize::try_from(number).unwrap_or(0));
        let arguments = parts.arguments(&builder, &carried, &items, index)?;
        for &count in &counts {
            goes_on = Some(conjunction(&builder, goes_on, less(&builder, index, count)?)?);
        }
        if !parts.test_last {
            if let Some(holds) = parts.test(converter, builder, &arguments, index)? {
                goes_on = Some(conjunction(&builder, goes_on, holds)?);
            }
        }
        let next = guarded_body(converter, builder, parts, (&arguments, index), &carried, goes_on)?;
        tell_collected(converter, &builder, parts, (number, limit), &mut outside)?;
        let (next, made) = next.split_at_checked(carried.len()).ok_or("has a body that yields too little")?;
        carried = next.to_vec();
        collected.resize(made.len(), Vec::new());
        collected.iter_mut().zip(made).for_each(|(pack, item)| pack.push(*item));
        if parts.test_last {
            let arguments = parts.arguments(&builder, &carried, &items, index)?;
            if let Some(holds) = parts.test(converter, builder, &arguments, index)? {
                goes_on = Some(conjunction(&builder, goes_on, holds)?);
            }
        }
    }
    converter.extents = outside;
    carried.extend(collected.into_iter().flatten());
    let kinds = parts.operation.operation().result_types();
    if carried.len() != kinds.len() {
        return Err("collects another number of tensors than it has results".into());
    }
    carried.into_iter().zip(kinds).map(|(value, kind)| retyped(&builder, value, kind)).collect()
}

/// The extents that data determine of what an iteration of an unrolled loop collects are known behind the loop.
fn tell_collected<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: &Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
    (number, limit): (i64, i64),
    outside: &mut Extents<'c, 'a>,
) -> Result<(), Failure> {
    let items: Vec<Type<'c>> = parts.operation.collected().iter().map(|item| item.r#type()).collect();
    let mine =
        items.into_iter().skip(usize::try_from(number).unwrap_or(0)).step_by(usize::try_from(limit).unwrap_or(1));
    for (item, yielded) in mine.zip(yielded_types(parts)) {
        let found = named_shape(yielded)?.shape;
        for (dimension, symbol) in told(outside, item)? {
            let extent = found.get(dimension).ok_or("collects a tensor of another rank")?;
            let value = converter.extents.int(builder, extent)?;
            outside.tell(builder, &symbol, value, &converter.limits)?;
        }
    }
    Ok(())
}

/// One iteration of an unrolled loop, under the condition that the loop still goes on.
fn guarded_body<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
    arguments: (&[Value<'c, 'a>], Value<'c, 'a>),
    carried: &[Value<'c, 'a>],
    goes_on: Option<Value<'c, 'a>>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let Some(condition) = goes_on else { return enter_knowing(converter, builder, parts.body, arguments) };
    let branch = scf::r#if(&builder, condition, &parts.types())?;
    scf::r#yield(&branch.then, &enter(converter, branch.then, parts.body, arguments)?)?;
    scf::r#yield(&branch.otherwise, carried)?;
    Ok(branch.operation.result_values())
}

fn place<'c: 'a, 'a>(builder: &Builder<'c, 'a>, number: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    arith::index_cast(builder, number, types::index(builder.context()))
}

/// `scf.for` over the carried tensors and the packs that are collected.
fn count<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
    limit: i64,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let wholes = parts.wholes(converter, &builder)?;
    let collected = collected(converter, &builder, parts)?;
    let empty = collected.iter().map(|pack| pack.empty(&builder)).collect::<Result<Vec<_>, _>>()?;
    let bounds = [builder.index(0)?, builder.index(limit)?, builder.index(1)?];
    let repetition = scf::r#for(&builder, bounds, &[parts.carried.as_slice(), &empty.concat()].concat())?;
    let (body, place) = (repetition.body, repetition.index);

    let (carried, mut packs) = repetition.carried.split_at(parts.carried.len());
    let items = items_at(&body, &wholes, place)?;
    let number = arith::index_cast(&body, place, types::integer(body.context(), 64))?;
    let arguments = parts.arguments(&body, carried, &items, number)?;
    let outside = converter.extents.clone();
    let next = enter_knowing(converter, body, parts.body, (&arguments, number))?;
    let (next, made) = next.split_at_checked(carried.len()).ok_or("has a body that yields too little")?;
    let mut next = next.to_vec();
    for (pack, item) in collected.iter().zip(made.iter().copied().zip(yielded_types(parts))) {
        let (state, rest) = packs.split_at(pack.width());
        next.extend(pack.with_item((converter, &body), state, item, place)?);
        packs = rest;
    }
    converter.extents = outside;
    scf::r#yield(&body, &next)?;

    let finished = repetition.operation.result_values();
    let (finals, mut packs) = finished.split_at(carried.len());
    let mut results = finals.to_vec();
    for pack in &collected {
        let (state, rest) = packs.split_at(pack.width());
        results.extend(pack.items((converter, &builder), state)?);
        packs = rest;
    }
    Ok(results)
}

/// `scf.while` over the carried tensors and the number of the iteration.
fn repeat<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let wholes = parts.wholes(converter, &builder)?;
    let counts = parts.counts(&builder)?;
    let limit = parts.limit.map(|limit| builder.int(limit)).transpose()?;
    // Whether the last test behind a body held is carried along.
    let initial = [parts.carried.as_slice(), &[builder.int(0)?, builder.boolean(true)?]].concat();
    let repetition = scf::r#while(&builder, &initial)?;
    let (test, body) = (repetition.before, repetition.after);

    let [carried @ .., index, held] = &repetition.tested[..] else { return Err("a loop without state".into()) };
    let mut goes_on = *held;
    for bound in counts.iter().chain(&limit) {
        goes_on = arith::andi(&test, goes_on, less(&test, *index, *bound)?)?;
    }
    if !parts.test_last {
        // The test behind the last iteration has no items of its own.
        let last = limit.map(|limit| arith::subi(&test, limit, test.int(1)?)).transpose()?;
        let number = last.map_or(Ok(*index), |last| arith::minsi(&test, *index, last))?;
        let items = items_at(&test, &wholes, place(&test, number)?)?;
        let arguments = parts.arguments(&test, carried, &items, *index)?;
        if let Some(holds) = parts.test(converter, test, &arguments, *index)? {
            goes_on = arith::andi(&test, goes_on, holds)?;
        }
    }
    scf::condition(&test, goes_on, &repetition.tested)?;

    let [carried @ .., index, _] = &repetition.state[..] else { return Err("a loop without state".into()) };
    let items = items_at(&body, &wholes, place(&body, *index)?)?;
    let arguments = parts.arguments(&body, carried, &items, *index)?;
    let mut next = enter(converter, body, parts.body, (&arguments, *index))?;
    let held = match parts.test_last {
        true => {
            let arguments = parts.arguments(&body, &next, &items, *index)?;
            parts.test(converter, body, &arguments, *index)?
        }
        false => None,
    };
    next.push(arith::addi(&body, *index, body.int(1)?)?);
    next.push(held.map_or_else(|| body.boolean(true), Ok)?);
    scf::r#yield(&body, &next)?;

    end_where_violated(repetition.operation)?;
    let mut results = repetition.operation.result_values();
    results.truncate(parts.carried.len());
    Ok(results)
}
