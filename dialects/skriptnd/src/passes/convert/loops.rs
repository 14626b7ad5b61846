//! Dynamic loops (specification, section 2.10.1): unrolled where they go through packs or are short, else `scf.while`.

use super::Converter;
use crate::builder::Builder;
use crate::generated::operations::LoopOp;
use crate::lowering::emit::negation;
use crate::require::{end_where_violated, require};
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{
    BlockRef, OperationExt, RegionLike, Type, Value, ValueLike, attributes, block_arguments, types,
};

/// Loops of at most so many iterations are unrolled.
const SHORT_LOOP: i64 = 8;
/// Loops through packs have no other form than the unrolled one; longer ones are refused.
const LONGEST_UNROLLED: i64 = 1 << 12;

/// A `skriptnd.loop` with what its attributes say.
struct LoopParts<'c, 'a> {
    operation: LoopOp<'c, 'a>,
    carried: Vec<Value<'c, 'a>>,
    /// Items by pack.
    scanned: Vec<Vec<Value<'c, 'a>>>,
    /// A count that is known only at run time.
    count: Option<Value<'c, 'a>>,
    /// At most so many iterations; exactly so many without count and condition.
    limit: Option<i64>,
    has_index: bool,
    test_last: bool,
    condition: Option<BlockRef<'c, 'a>>,
    body: BlockRef<'c, 'a>,
    collected: usize,
}

/// Converts a loop; gives its results.
pub(super) fn convert<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    operation: LoopOp<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    let parts = read(converter, operation)?;
    require_count(&builder, &parts)?;
    let is_exact = parts.condition.is_none() && parts.count.is_none();
    if parts.collected > 0 && !is_exact {
        return Err("can't be compiled yet: how many results it collects is known only at run time".into());
    }
    match parts.limit {
        Some(limit) if limit <= SHORT_LOOP || parts.collected > 0 || !parts.scanned.is_empty() => {
            if limit > LONGEST_UNROLLED {
                return Err(format!("goes through {limit} items, more than the limit of {LONGEST_UNROLLED}").into());
            }
            unroll(converter, builder, &parts, limit)
        }
        _ => repeat(converter, builder, &parts),
    }
}

/// A count must not be negative, nor beyond the packs that the loop goes through.
fn require_count<'c: 'a, 'a>(builder: &Builder<'c, 'a>, parts: &LoopParts<'c, 'a>) -> Result<(), Failure> {
    let Some(count) = parts.count else { return Ok(()) };
    let count = element(builder, count)?;
    if let Some(items) = parts.scanned.iter().map(Vec::len).min() {
        let more = less(builder, builder.integer(items as i64)?, count)?;
        require(builder, negation(builder, more)?, &Fault::loop_count(items), &[count])?;
    }
    let negative = less(builder, count, builder.integer(0)?)?;
    require(builder, negation(builder, negative)?, &Fault::negative_count(), &[count])
}

fn read<'c: 'a, 'a>(converter: &Converter<'c, 'a>, operation: LoopOp<'c, 'a>) -> Result<LoopParts<'c, 'a>, Failure> {
    let items = converter.values(&operation.scanned())?;
    let mut items = items.as_slice();
    let mut packs = Vec::new();
    for length in operation.scan_lengths().unwrap_or_default() {
        let split = usize::try_from(length).ok().and_then(|length| items.split_at_checked(length));
        let (pack, rest) = split.ok_or("has lengths of packs that don't match its operands")?;
        packs.push(pack.to_vec());
        items = rest;
    }
    let lengths = packs.iter().map(|pack| pack.len() as i64);
    let known = operation.bound().map(|bound| bound.max(0));
    Ok(LoopParts {
        operation,
        carried: converter.values(&operation.carried())?,
        limit: lengths.chain(known).min(),
        scanned: packs,
        count: operation.count().map(|count| converter.value(count)).transpose()?,
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
    let parameters: Vec<Value<'c, 'a>> = block_arguments(block).map(Value::from).collect();
    if parameters.len() != arguments.len() {
        return Err("has a region with other parameters than the loop gives".into());
    }
    for (parameter, argument) in parameters.iter().zip(arguments) {
        converter.define(*parameter, *argument);
    }
    converter.block(builder, block)
}

fn conjunction<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    a: Option<Value<'c, 'a>>,
    b: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Failure> {
    match a {
        Some(a) => builder.value("arith.andi", &[a, b], &[], types::integer(builder.context(), 1)),
        None => Ok(b),
    }
}

/// The only element of a tensor.
pub(super) fn element<'c: 'a, 'a>(builder: &Builder<'c, 'a>, tensor: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let mut operands = vec![tensor];
    for _ in 0..types::rank(tensor.r#type()).unwrap_or(0) {
        operands.push(builder.index(0)?);
    }
    builder.value("tensor.extract", &operands, &[], types::element(tensor.r#type()))
}

/// `a < b` on `i64`.
fn less<'c: 'a, 'a>(builder: &Builder<'c, 'a>, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let predicate = [("predicate", attributes::integer(builder.context(), 2))];
    builder.value("arith.cmpi", &[a, b], &predicate, types::integer(builder.context(), 1))
}

/// An `int` tensor of rank 0.
fn index_tensor<'c: 'a, 'a>(builder: &Builder<'c, 'a>, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Failure> {
    let r#type = builder.tensor_type(skriptnd_language::compose::value::ScalarType::Int, &[])?;
    builder.value("tensor.from_elements", &[value], &[], r#type)
}

impl<'c: 'a, 'a> LoopParts<'c, 'a> {
    /// The arguments of body and condition.
    fn arguments(
        &self,
        builder: &Builder<'c, 'a>,
        carried: &[Value<'c, 'a>],
        number: usize,
        index: Value<'c, 'a>,
    ) -> Result<Vec<Value<'c, 'a>>, Failure> {
        let mut arguments = carried.to_vec();
        arguments.extend(self.scanned.iter().filter_map(|pack| pack.get(number).copied()));
        if self.has_index {
            arguments.push(index_tensor(builder, index)?);
        }
        Ok(arguments)
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
    let count = parts.count.map(|count| element(&builder, count)).transpose()?;
    for number in 0..limit {
        let index = builder.integer(number)?;
        let arguments = parts.arguments(&builder, &carried, usize::try_from(number).unwrap_or(0), index)?;
        if let Some(count) = count {
            goes_on = Some(conjunction(&builder, goes_on, less(&builder, index, count)?)?);
        }
        if !parts.test_last {
            if let Some(holds) = parts.test(converter, builder, &arguments)? {
                goes_on = Some(conjunction(&builder, goes_on, holds)?);
            }
        }
        let next = guarded_body(converter, builder, parts, &arguments, &carried, goes_on)?;
        let (next, items) = next.split_at_checked(carried.len()).ok_or("has a body that yields too little")?;
        carried = next.to_vec();
        collected.resize(items.len(), Vec::new());
        collected.iter_mut().zip(items).for_each(|(pack, item)| pack.push(*item));
        if parts.test_last {
            let arguments = parts.arguments(&builder, &carried, usize::try_from(number).unwrap_or(0), index)?;
            if let Some(holds) = parts.test(converter, builder, &arguments)? {
                goes_on = Some(conjunction(&builder, goes_on, holds)?);
            }
        }
    }
    carried.extend(collected.into_iter().flatten());
    if carried.len() != OperationExt::result_types(&parts.operation.operation()).len() {
        return Err("collects another number of tensors than it has results".into());
    }
    Ok(carried)
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
    let then = builder.region(&[], |inner, _| {
        let results = enter(converter, inner, parts.body, arguments)?;
        inner.operation("scf.yield", &results, &[], &[]).map(drop)
    })?;
    let otherwise = builder.region(&[], |inner, _| inner.operation("scf.yield", carried, &[], &[]).map(drop))?;
    let regions = vec![then, otherwise];
    Ok(builder.with_regions("scf.if", &[condition], &[], &parts.types(), regions)?.result_values())
}

/// `scf.while` over the carried tensors and the number of the iteration.
fn repeat<'c: 'a, 'a>(
    converter: &mut Converter<'c, 'a>,
    builder: Builder<'c, 'a>,
    parts: &LoopParts<'c, 'a>,
) -> Result<Vec<Value<'c, 'a>>, Failure> {
    if !parts.scanned.is_empty() {
        return Err("goes through packs of unknown length".into());
    }
    let i1 = types::integer(builder.context(), 1);
    let i64 = types::integer(builder.context(), 64);
    let count = parts.count.map(|count| element(&builder, count)).transpose()?;
    let limit = parts.limit.map(|limit| builder.integer(limit)).transpose()?;
    // Whether the last test behind a body held is carried along.
    let mut state = parts.carried.clone();
    state.push(builder.integer(0)?);
    state.push(builder.boolean(true)?);
    let mut types = parts.types();
    types.extend([i64, i1]);
    let before = builder.region(&types, |inner, values| {
        let (held, rest) = values.split_last().ok_or("a loop without state")?;
        let (index, carried) = rest.split_last().ok_or("a loop without an index")?;
        let mut goes_on = Some(*held);
        for bound in count.iter().chain(&limit) {
            goes_on = Some(conjunction(&inner, goes_on, less(&inner, *index, *bound)?)?);
        }
        if !parts.test_last {
            let arguments = parts.arguments(&inner, carried, 0, *index)?;
            if let Some(holds) = parts.test(converter, inner, &arguments)? {
                goes_on = Some(conjunction(&inner, goes_on, holds)?);
            }
        }
        let mut operands = vec![goes_on.ok_or("a loop without an end")?];
        operands.extend(&values);
        inner.operation("scf.condition", &operands, &[], &[]).map(drop)
    })?;
    let after = builder.region(&types, |inner, values| {
        let (_, rest) = values.split_last().ok_or("a loop without state")?;
        let (index, carried) = rest.split_last().ok_or("a loop without an index")?;
        let arguments = parts.arguments(&inner, carried, 0, *index)?;
        let mut next = enter(converter, inner, parts.body, &arguments)?;
        let held = match parts.test_last {
            true => {
                let arguments = parts.arguments(&inner, &next, 0, *index)?;
                parts.test(converter, inner, &arguments)?
            }
            false => None,
        };
        next.push(inner.value("arith.addi", &[*index, inner.integer(1)?], &[], i64)?);
        next.push(held.map_or_else(|| inner.boolean(true), Ok)?);
        inner.operation("scf.yield", &next, &[], &[]).map(drop)
    })?;
    let repetition = builder.with_regions("scf.while", &state, &[], &types, vec![before, after])?;
    end_where_violated(repetition)?;
    let mut results = repetition.result_values();
    results.truncate(parts.carried.len());
    Ok(results)
}
