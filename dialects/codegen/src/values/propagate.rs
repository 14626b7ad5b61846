//! What is known of the values in a function, from what computes them: quantized tensors are reals that were rounded and limited.

use super::encoding;
use super::range::{Range, Ranges};
use super::scalars;
use crate::views::constants;
use crate::views::made::Origin;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Attribute, OperationRef, Value, attributes, block_arguments, types, walk};
use skriptnd_mlir::ops::{arith, linalg, tensor};

/// The ranges of a function's values, in the order in which they are computed: what their encodings say, and what follows from what
/// computes them.
pub fn ranges<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Ranges {
    let mut ranges = Ranges::default();
    encoding::arguments(function).into_iter().for_each(|(argument, range)| ranges.set(argument, range));
    for operation in walk(function) {
        match operation.full_name() {
            linalg::GENERIC => enter(&mut ranges, operation),
            linalg::YIELD => leave(&mut ranges, operation),
            _ => note(&mut ranges, operation),
        }
    }
    ranges
}

/// The elements that a structured operation reads.
fn enter(ranges: &mut Ranges, operation: OperationRef<'_, '_>) {
    let Some(structured) = Structured::read(operation) else { return };
    for (argument, input) in block_arguments(structured.body).zip(&structured.inputs) {
        ranges.set(argument, ranges.get(*input));
    }
}

/// The elements that a structured operation gives: no partial results, which its body reads as well, but of a minimum, a
/// maximum or a sum.
fn leave<'c: 'a, 'a>(ranges: &mut Ranges, terminator: OperationRef<'c, 'a>) {
    let Some(structured) = terminator.parent_operation().and_then(Structured::read) else { return };
    let partial = block_arguments(structured.body).skip(structured.inputs.len());
    let maps = &structured.maps[structured.inputs.len()..];
    let given = structured.operation.results().zip(partial).zip(terminator.operands());
    for (((result, partial), yielded), (begin, map)) in given.zip(structured.outputs.iter().zip(maps)) {
        let is_partial = partial.is_used();
        let range = match is_partial {
            true => limited(ranges, partial, yielded).or_else(|| added(ranges, &structured, partial, yielded)),
            false => Some(ranges.get(yielded)),
        };
        // Other maps may leave elements as they were.
        let is_all = map.as_dims().is_some() && (!is_partial || is_passed(ranges, &structured, yielded, *begin));
        if let Some(range) = range {
            ranges.set(result, if is_all { range } else { range.hull(ranges.get(*begin)) });
        }
        let noted = encoding::noted(structured.operation).and_then(|own| own.range(types::element(result.r#type())));
        if let Some(noted) = noted {
            ranges.set(result, ranges.get(result).and(noted));
        }
    }
}

/// Whether nothing is left of what a minimum or a maximum begins with: there are terms for each result, and none lies beyond it.
fn is_passed<'c: 'a, 'a>(
    ranges: &Ranges,
    structured: &Structured<'c, 'a>,
    yielded: Value<'c, 'a>,
    begin: Value<'c, 'a>,
) -> bool {
    has_terms(structured) && begins_beyond(ranges, structured, yielded, begin)
}

/// Whether a reduction is known to have terms.
pub fn has_terms(structured: &Structured<'_, '_>) -> bool {
    (0..structured.extents.len()).all(|dim| structured.open[dim].is_none() && structured.extents[dim] > 0)
}

/// Whether no term lies beyond what a minimum or a maximum begins with.
pub fn begins_beyond<'c: 'a, 'a>(
    ranges: &Ranges,
    structured: &Structured<'c, 'a>,
    yielded: Value<'c, 'a>,
    begin: Value<'c, 'a>,
) -> bool {
    let partial = block_arguments(structured.body).nth(structured.inputs.len());
    let limit = yielded.defining_operation().map_or("", |limit| limit.full_name());
    let term = partial.and_then(|partial| limited(ranges, partial, yielded));
    let begin = ranges.get(begin);
    let is_beyond = |term: Range| match limit {
        arith::MAXSI | arith::MAXIMUMF => begin.most <= term.least,
        _ => begin.least >= term.most,
    };
    // What is not a number stays so.
    begin.is_number && term.is_some_and(is_beyond) && structured.outputs.len() == 1
}

/// What is added to integers that are partial results, as often as there are terms, and to what they begin with: all sums on the way
/// lie there, too.
fn added<'c: 'a, 'a>(
    ranges: &Ranges,
    structured: &Structured<'c, 'a>,
    partial: Value<'c, 'a>,
    yielded: Value<'c, 'a>,
) -> Option<Range> {
    let sum = yielded.defining_operation().filter(|sum| sum.full_name() == arith::ADDI)?;
    let [left, right] = [sum.operand(0).ok()?, sum.operand(1).ok()?];
    let term = ranges.get(if left.key() == partial.key() { right } else { left });
    let is_sum = (left.key() == partial.key()) != (right.key() == partial.key());
    let terms = most_terms(ranges, structured)? as f64;
    let begin = ranges.get(*structured.outputs.first()?);
    let (least, most) = (begin.least + terms * term.least.min(0.0), begin.most + terms * term.most.max(0.0));
    let range = Range { least, most, ..Range::NOTHING };
    (is_sum && structured.outputs.len() == 1 && scalars::is_held(range, yielded.r#type())).then_some(range)
}

/// How many terms each result of a reduction has at most; none where nothing bounds the extents that only a run knows.
pub fn most_terms(ranges: &Ranges, structured: &Structured<'_, '_>) -> Option<i64> {
    let reduced = (0..structured.extents.len()).filter(|&dim| structured.reduced[dim]);
    let bound = |(operand, dimension): &(Value<'_, '_>, usize)| match Origin::of(*operand, *dimension) {
        Origin::Given(extent) => {
            Some(ranges.get(extent).most).filter(|most| *most <= f64::from(i32::MAX)).map(|most| most as i64)
        }
        Origin::Tensor(tensor) => encoding::bound(tensor, *dimension),
    };
    let most = |dim: usize| match &structured.open[dim] {
        None => Some(structured.extents[dim]),
        Some(open) => open.of.iter().try_fold(open.factor, |so_far, own| so_far.checked_mul(bound(own)?.max(0))),
    };
    reduced.map(most).try_fold(1i64, |terms, most| terms.checked_mul(most?))
}

/// What a partial result is compared with.
fn limited<'c: 'a, 'a>(ranges: &Ranges, partial: Value<'c, 'a>, yielded: Value<'c, 'a>) -> Option<Range> {
    let limits = [arith::MAXIMUMF, arith::MINIMUMF, arith::MAXSI, arith::MINSI];
    let limit = yielded.defining_operation().filter(|limit| limits.contains(&limit.full_name()))?;
    let [left, right] = [limit.operand(0).ok()?, limit.operand(1).ok()?];
    match (left.key() == partial.key(), right.key() == partial.key()) {
        (true, false) => Some(ranges.get(right)),
        (false, true) => Some(ranges.get(left)),
        _ => None,
    }
}

/// What an operation outside of structured ones, or a scalar one, gives.
fn note<'c: 'a, 'a>(ranges: &mut Ranges, operation: OperationRef<'c, 'a>) {
    let [result] = operation.result_values()[..] else { return };
    let range = match operation.full_name() {
        // A truth value is 1 or -1, by what extends it.
        arith::CONSTANT if types::is_integer(types::element(result.r#type()), 1) => None,
        arith::CONSTANT => operation.get("value").and_then(constant),
        tensor::EMPTY => Some(Range::NOTHING),
        tensor::EXTRACT_SLICE | tensor::EXPAND_SHAPE | tensor::COLLAPSE_SHAPE | tensor::EXTRACT => {
            operation.operand(0).ok().map(|source| ranges.get(source))
        }
        tensor::INSERT_SLICE => of_all(ranges, operation.operands().take(2)),
        tensor::FROM_ELEMENTS => of_all(ranges, operation.operands()),
        tensor::PAD => padded(ranges, operation),
        _ => scalars::result(ranges, operation),
    };
    if let Some(range) = range {
        ranges.set(result, range);
    }
}

fn of_all<'c: 'a, 'a>(ranges: &Ranges, values: impl Iterator<Item = Value<'c, 'a>>) -> Option<Range> {
    values.map(|value| ranges.get(value)).reduce(Range::hull)
}

fn padded<'c: 'a, 'a>(ranges: &Ranges, pad: OperationRef<'c, 'a>) -> Option<Range> {
    let added = pad.region(0).ok()?.first_block()?.terminator()?.operand(0).ok()?;
    // The region stands behind its operation.
    let added = constants::constant(added).and_then(constant)?;
    Some(ranges.get(pad.operand(0).ok()?).hull(added))
}

/// The range of a constant, or of its elements.
fn constant(value: Attribute<'_>) -> Option<Range> {
    let one = |value: Attribute<'_>| {
        attributes::as_integer(value).map(Range::integer).or_else(|| attributes::as_real(value).map(Range::one))
    };
    let all = |ranges: &mut dyn Iterator<Item = Range>| ranges.fold(Range::NOTHING, Range::hull);
    one(value)
        .or_else(|| attributes::as_splat(value).and_then(one))
        .or_else(|| Some(all(&mut attributes::as_floats(value)?.into_iter().map(|own| Range::one(own.into())))))
        .or_else(|| Some(all(&mut attributes::as_whole_numbers(value)?.into_iter().map(Range::integer))))
}
