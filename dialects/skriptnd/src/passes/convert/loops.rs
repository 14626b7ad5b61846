//! Dynamic loops (specification, section 2.10.1): unrolled where they go through packs or are short, else `scf.while`.

use super::Converter;
use crate::generated::operations::LoopOp;
use crate::lowering::emit::negation;
use crate::require::{end_where_violated, require};
use crate::scalars::Scalars as _;
use skriptnd_language::fault::Fault;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{BlockRef, Builder, Type, Value, block_arguments, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{scf, tensor};

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
    /// The same as an expression of extents.
    extent: Option<Value<'c, 'a>>,
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
    let parts = read(converter, &builder, operation)?;
    require_count(&builder, &parts)?;
    let is_exact = parts.condition.is_none() && parts.count.is_none() && parts.extent.is_none();
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
    let count = match (parts.count, parts.extent) {
        (Some(count), _) => element(builder, count)?,
        (None, Some(extent)) => extent,
        (None, None) => return Ok(()),
    };
    if let Some(items) = parts.scanned.iter().map(Vec::len).min() {
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
    let lengths = packs.iter().map(|pack| pack.len() as i64);
    let known = operation.bound().map(|bound| bound.max(0));
    Ok(LoopParts {
        operation,
        carried: converter.values(&operation.carried())?,
        extent: operation.extent().map(|text| converter.expression(builder, text)).transpose()?,
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
    let parameters: Vec<Value<'c, 'a>> = block_arguments(block).collect();
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
        Ok(count.into_iter().chain(self.extent).collect())
    }

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
    let counts = parts.counts(&builder)?;
    for number in 0..limit {
        let index = builder.int(number)?;
        let arguments = parts.arguments(&builder, &carried, usize::try_from(number).unwrap_or(0), index)?;
        for &count in &counts {
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
    if carried.len() != parts.operation.operation().result_types().len() {
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
    let branch = scf::r#if(&builder, condition, &parts.types())?;
    scf::r#yield(&branch.then, &enter(converter, branch.then, parts.body, arguments)?)?;
    scf::r#yield(&branch.otherwise, carried)?;
    Ok(branch.operation.result_values())
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
        let arguments = parts.arguments(&test, carried, 0, *index)?;
        if let Some(holds) = parts.test(converter, test, &arguments)? {
            goes_on = arith::andi(&test, goes_on, holds)?;
        }
    }
    scf::condition(&test, goes_on, &repetition.tested)?;

    let [carried @ .., index, _] = &repetition.state[..] else { return Err("a loop without state".into()) };
    let arguments = parts.arguments(&body, carried, 0, *index)?;
    let mut next = enter(converter, body, parts.body, &arguments)?;
    let held = match parts.test_last {
        true => {
            let arguments = parts.arguments(&body, &next, 0, *index)?;
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
