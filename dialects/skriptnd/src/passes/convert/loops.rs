//! Dynamic loops (specification, section 2.10.1): unrolled where they are short, `scf.for` where their number of iterations is
//! known, else `scf.while`.

mod growing;

use super::Converter;
use super::packs::Layout;
use crate::call::plain_type;
use crate::generated::operations::LoopOp;
use crate::lowering::emit::negation;
use crate::passes::named_shape;
use crate::require::{end_where_violated, require};
use crate::scalars::Scalars as _;
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{BlockRef, Builder, Type, Value, attributes, block_arguments, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{Size, scf, tensor};

/// Loops of at most so many iterations are unrolled.
const SHORT_LOOP: i64 = 8;
/// Loops through packs whose items are of several types have no other form than the unrolled one; longer ones are refused.
const LONGEST_UNROLLED: i64 = 1 << 12;

/// A `skriptnd.loop` with what its attributes say.
struct LoopParts<'c, 'a> {
    operation: LoopOp<'c, 'a>,
    carried: Vec<Value<'c, 'a>>,
    /// Items by pack.
    scanned: Vec<Vec<Value<'c, 'a>>>,
    /// A count that is known only at run time.
    count: Option<Value<'c, 'a>>,
    /// The same as an expression of extents.
    extent: Option<Value<'c, 'a>>,
    /// At most so many iterations; exactly so many without count and condition.
    limit: Option<i64>,
    /// How many items packs have, where only the run knows it.
    lengths: Vec<Value<'c, 'a>>,
    has_index: bool,
    test_last: bool,
    condition: Option<BlockRef<'c, 'a>>,
    body: BlockRef<'c, 'a>,
    collected: usize,
}

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

fn read<'c: 'a, 'a>(
    converter: &Converter<'c, 'a>,
    builder: &Builder<'c, 'a>,
    operation: LoopOp<'c, 'a>,
) -> Result<LoopParts<'c, 'a>, Failure> {
    let items = converter.values(&operation.scanned())?;
    let mut items = items.as_slice();
    let mut packs = Vec::new();
    for length in operation.scan_lengths().unwrap_or_default() {
        let split = usize::try_from(length).ok().and_then(|length| items.split_at_checked(length));
        let (pack, rest) = split.ok_or("has lengths of packs that don't match its operands")?;
        packs.push(pack.to_vec());
        items = rest;
    }
    let open = operation.scan_extents_attribute().and_then(attributes::as_strings).unwrap_or_default();
    let open = open.into_iter().filter(|text| !text.is_empty()).map(|text| converter.expression(builder, text));
    let open = open.collect::<Result<_, _>>()?;
    let lengths = packs.iter().map(|pack| pack.len() as i64);
    let known = operation.bound().map(|bound| bound.max(0));
    Ok(LoopParts {
        operation,
        carried: converter.values(&operation.carried())?,
        extent: operation.extent().map(|text| converter.expression(builder, text)).transpose()?,
        limit: lengths.chain(known).min(),
        scanned: packs,
        count: operation.count().map(|count| converter.value(count)).transpose()?,
        lengths: open,
        has_index: operation.has_index().unwrap_or(false),
        test_last: operation.test_last(),
        condition: operation.condition().and_then(|region| region.first_block()),
        body: operation.body().and_then(|region| region.first_block()).ok_or("needs a body")?,
        collected: operation.collected().len(),
    })
}

/// The body or the condition at one place, for these values of its parameters; gives what it yields.
fn enter<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    block: BlockRef<'c, 'a>,
    arguments: &[Value<'c, 'a>],
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let parameters: Vec<Value<'c, 'a>> = block_arguments(block).collect();
    if parameters.len() != arguments.len() {
        return Err("has a region with other parameters than the loop gives".into());
    }
    for (parameter, argument) in parameters.iter().zip(arguments) {
        converter.define(*parameter, retyped(&builder, *argument, parameter.r#type())?);
    }
    // What is known in one iteration is not known outside.
    let outside = converter.extents.clone();
    let yielded = converter.block(builder, block);
    converter.extents = outside;
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

impl<'c: 'a, 'a> LoopParts<'c, 'a> {
    /// What only the run knows of how often the loop runs.
    fn counts(&self, builder: &Builder<'c, 'a>) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let count = self.count.map(|count| element(builder, count)).transpose()?;
        Ok(count.into_iter().chain(self.extent).chain(self.lengths.iter().copied()).collect())
    }

    /// The arguments of body and condition.
    fn arguments(
        &self,
        builder: &Builder<'c, 'a>,
        carried: &[Value<'c, 'a>],
        items: &[Value<'c, 'a>],
        index: Value<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let mut arguments = [carried, items].concat();
        if self.has_index {
            arguments.push(index_tensor(builder, index)?);
        }
        Ok(arguments)
    }

    /// The items of one iteration.
    fn items(&self, number: usize) -> Vec<Value<'c, 'a>> {
        self.scanned.iter().filter_map(|pack| pack.get(number).copied()).collect()
    }

    /// Gives the extents in which the items of packs differ the values of one iteration.
    fn tell_items(
        &self,
        converter: &mut Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
        number: usize,
    ) -> Result<(), Failure> {
        let parameters: Vec<Value<'c, 'a>> = block_arguments(self.body).skip(self.carried.len()).collect();
        let scanned = self.operation.scanned();
        let mut first = 0;
        for (pack, parameter) in self.scanned.iter().zip(parameters) {
            if let Some(item) = scanned.get(first + number) {
                let (general, own) = (named_shape(parameter.r#type())?, named_shape(item.r#type())?);
                for (extent, value) in general.shape.iter().zip(&own.shape) {
                    if let Some(symbol) = converter.extents.untold(extent) {
                        let value = converter.extents.int(builder, value)?;
                        converter.tell(builder, &symbol, value)?;
                    }
                }
            }
            first += pack.len();
        }
        Ok(())
    }

    /// Whether all items of a pack have one type.
    fn is_uniform(&self) -> bool {
        let alike = |pack: &Vec<Value<'c, 'a>>| pack.windows(2).all(|pair| pair[0].r#type() == pair[1].r#type());
        self.scanned.iter().all(alike)
    }

    /// The forms of the packs that so many iterations collect.
    fn collected_layouts(
        &self,
        converter: &Converter<'c, 'a>,
        builder: &Builder<'c, 'a>,
        count: i64,
    ) -> Result<Vec<Layout<'c, 'a>>, Failure> {
        let items = self.operation.collected();
        let length = usize::try_from(count).unwrap_or(usize::MAX);
        if items.len() % length != 0 {
            return Err("collects another number of tensors than it has results".into());
        }
        let layout = |pack: &[Value<'c, 'a>]| {
            let named = pack[0].r#type();
            Layout::of(builder, &converter.extents, &named_shape(named)?, (plain_type(named), count))
        };
        items.chunks(length).map(layout).collect()
    }

    /// The packs that the loop goes through, each as one tensor.
    fn wholes(&self, converter: &Converter<'c, 'a>, builder: &Builder<'c, 'a>) -> Result<Vec<Whole<'c, 'a>>, Failure> {
        let named = self.operation.scanned();
        let mut first = 0;
        let mut wholes = Vec::new();
        for pack in &self.scanned {
            let (Some(item), Some(named)) = (pack.first(), named.get(first)) else { continue };
            let (shape, form) = (named_shape(named.r#type())?, (item.r#type(), pack.len() as i64));
            let layout = Layout::of(builder, &converter.extents, &shape, form)?;
            wholes.push(Whole { tensor: converter.packs.whole(builder, pack, &layout)?, layout });
            first += pack.len();
        }
        Ok(wholes)
    }

    fn test(
        &self,
        converter: &mut Converter<'c, 'a>,
        builder: Builder<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) -> Result<Option<Value<'c, 'a>>, Failure> {
        let Some(condition) = self.condition else { return Ok(None) };
        let yielded = enter(converter, builder, condition, arguments)?;
        element(&builder, *yielded.first().ok_or("has a condition that yields nothing")?).map(Some)
    }

    fn types(&self) -> Vec<Type<'c>> {
        self.carried.iter().map(|value| value.r#type()).collect()
    }
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
    let outside = converter.extents.clone();
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
            if let Some(holds) = parts.test(converter, builder, &arguments)? {
                goes_on = Some(conjunction(&builder, goes_on, holds)?);
            }
        }
        let next = guarded_body(converter, builder, parts, &arguments, &carried, goes_on)?;
        let (next, made) = next.split_at_checked(carried.len()).ok_or("has a body that yields too little")?;
        carried = next.to_vec();
        collected.resize(made.len(), Vec::new());
        collected.iter_mut().zip(made).for_each(|(pack, item)| pack.push(*item));
        if parts.test_last {
            let arguments = parts.arguments(&builder, &carried, &items, index)?;
            if let Some(holds) = parts.test(converter, builder, &arguments)? {
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

/// One iteration of an unrolled loop, under the condition that the loop still goes on.
fn guarded_body<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
    arguments: &[Value<'c, 'a>],
    carried: &[Value<'c, 'a>],
    goes_on: Option<Value<'c, 'a>>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let Some(condition) = goes_on else { return enter(converter, builder, parts.body, arguments) };
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
    let layouts = parts.collected_layouts(converter, &builder, limit)?;
    let empty = layouts.iter().map(|layout| layout.empty(&builder)).collect::<Result<Vec<_>, _>>()?;
    let bounds = [builder.index(0)?, builder.index(limit)?, builder.index(1)?];
    let repetition = scf::r#for(&builder, bounds, &[parts.carried.as_slice(), &empty].concat())?;
    let (body, place) = (repetition.body, repetition.index);

    let (carried, packs) = repetition.carried.split_at(parts.carried.len());
    let items = items_at(&body, &wholes, place)?;
    let number = arith::index_cast(&body, place, types::integer(body.context(), 64))?;
    let arguments = parts.arguments(&body, carried, &items, number)?;
    let next = enter(converter, body, parts.body, &arguments)?;
    let (next, made) = next.split_at_checked(carried.len()).ok_or("has a body that yields too little")?;
    let mut next = next.to_vec();
    for ((layout, pack), item) in layouts.iter().zip(packs).zip(made) {
        next.push(layout.with_item(&body, (*pack, Size::Value(place)), *item)?);
    }
    scf::r#yield(&body, &next)?;

    let finished = repetition.operation.result_values();
    let (finals, packs) = finished.split_at(carried.len());
    let mut results = finals.to_vec();
    for (layout, pack) in layouts.iter().zip(packs) {
        results.extend(converter.packs.taken_apart(&builder, *pack, layout)?);
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
        if let Some(holds) = parts.test(converter, test, &arguments)? {
            goes_on = arith::andi(&test, goes_on, holds)?;
        }
    }
    scf::condition(&test, goes_on, &repetition.tested)?;

    let [carried @ .., index, _] = &repetition.state[..] else { return Err("a loop without state".into()) };
    let items = items_at(&body, &wholes, place(&body, *index)?)?;
    let arguments = parts.arguments(&body, carried, &items, *index)?;
    let mut next = enter(converter, body, parts.body, &arguments)?;
    let held = match parts.test_last {
        true => {
            let arguments = parts.arguments(&body, &next, &items, *index)?;
            parts.test(converter, body, &arguments)?
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
