//! Partial results of reductions of integers in as few bits as they need: sums in 32, those of windows in 16 where vectors of bytes are twice as
//! long, the greatest and the least in those of what is compared.

use super::extended::Extended;
use super::narrow::{broadcast, filled};
use super::operations::{converted, copy_values, open_extents};
use crate::Error;
use crate::nest::element::Number;
use crate::target::Target;
use crate::values::range::Ranges;
use crate::values::{begins_beyond, has_terms, most_terms, ranges};
use crate::views::constants::is_zero;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, block_arguments, operations_named, types};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use skriptnd_mlir::rewrite::with_rewriter;

/// Bits of a word.
const WORD: u32 = 32;
/// Bits of half a word, and how many numbers of these a sum of words has.
const HALF: i64 = 16;
const MOST_HALVES: i64 = (1 << (HALF - 1)) - 1;

/// Lets the reductions of a function have narrow partial results. Returns how many do.
pub fn narrow<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let ranges = ranges(function);
    let reductions = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let reductions: Vec<_> = reductions.filter_map(|structured| Reduction::of(structured, &ranges, target)).collect();
    for reduction in &reductions {
        reduction.replace()?;
    }
    Ok(reductions.len())
}

/// A reduction of integers of 64 bits whose partial results need fewer.
struct Reduction<'c, 'a> {
    structured: Structured<'c, 'a>,
    /// What combines a partial result and a term.
    name: &'static str,
    term: Value<'c, 'a>,
    bits: u32,
    /// Whether partial results have no sign.
    is_unsigned: bool,
    /// Whether nothing is left of what they begin with.
    is_passed: bool,
    /// Whether the lower halves of words are added up by themselves, where sums of words have more bits.
    is_halved: bool,
}

impl<'c: 'a, 'a> Reduction<'c, 'a> {
    fn of(structured: Structured<'c, 'a>, ranges: &Ranges, target: &Target) -> Option<Self> {
        let is_alone = structured.outputs.len() == 1 && structured.operation.result_count() == 1;
        if structured.is_parallel() || !is_alone || structured.is_contraction() {
            return None;
        }
        let (yielded, result) = (structured.body.terminator()?.operand(0).ok()?, structured.operation.result(0).ok()?);
        let (name, term) = combined(&structured, yielded)?;
        let is_beyond = begins_beyond(ranges, &structured, yielded, structured.outputs[0]);
        let has_terms = has_terms(&structured);
        let is_passed = is_beyond && (has_terms || is_read_beside(&structured, result));
        let all = match (is_passed, has_terms) {
            (false, _) => ranges.get(result).hull(ranges.get(structured.outputs[0])).hull(ranges.get(term)),
            (true, true) => ranges.get(result).hull(ranges.get(term)),
            (true, false) => ranges.get(term),
        };
        let least_bits = match name == arith::ADDI {
            true if target.isa.only_whole && has_windows(&structured, target.isa.lanes()) => 16,
            true => 32,
            false => 8,
        };
        let is_unsigned = least_bits == 8 && !all.fits(Number::Signed(8)) && all.fits(Number::Unsigned(8));
        let mut bits = [8, 16, 32].into_iter().filter(|bits| *bits >= least_bits);
        let bits = bits.find(|bits| is_unsigned || all.fits(Number::Signed(*bits)));
        let is_halved = bits.is_none();
        let may_be_halved = || target.isa.only_words && name == arith::ADDI && has_halves(&structured, term, ranges);
        let bits = bits.or_else(|| may_be_halved().then_some(WORD))?;
        Some(Reduction { structured, name, term, bits, is_unsigned, is_passed, is_halved })
    }

    fn replace(&self) -> Result<(), Error> {
        let Structured { operation, outputs, .. } = &self.structured;
        let builder = Builder::before(*operation)?;
        let element = types::integer(builder.context(), self.bits);
        let begin = match self.is_passed {
            true => self.neutral(&builder, element)?,
            false => narrowed(&builder, outputs[0], element)?,
        };
        let kind = operation.result(0)?.r#type();
        let result = match self.is_halved {
            true => {
                let mask = |inside: &Builder<'c, 'a>, term| {
                    Ok(arith::andi(inside, term, inside.integer(element, (1 << HALF) - 1)?)?)
                };
                let upper =
                    |inside: &Builder<'c, 'a>, term| Ok(arith::shrsi(inside, term, inside.integer(element, HALF)?)?);
                let halves = [self.reduced(&builder, begin, &mask)?, self.reduced(&builder, begin, &upper)?];
                joined(&builder, halves, kind)?
            }
            false => {
                let made = self.reduced(&builder, begin, &|_, term| Ok(term))?;
                converted(&builder, made, self.extension(), kind)?
            }
        };
        Ok(with_rewriter(*operation, |rewriter| rewriter.replace(*operation, &[result]))?)
    }

    /// What extends partial results.
    fn extension(&self) -> &'static str {
        if self.is_unsigned { arith::EXTUI } else { arith::EXTSI }
    }

    /// The reduction with narrow partial results, of something that is made of each term.
    fn reduced(
        &self,
        builder: &Builder<'c, 'a>,
        begin: Value<'c, 'a>,
        of: &dyn Fn(&Builder<'c, 'a>, Value<'c, 'a>) -> Result<Value<'c, 'a>, Error>,
    ) -> Result<Value<'c, 'a>, Error> {
        let Structured { inputs, maps, reduced, body, .. } = &self.structured;
        let element = types::integer(builder.context(), self.bits);
        // What is stored in fewer bits is extended where it is used.
        let stored: Vec<_> = inputs.iter().map(|input| Extended::of(*input)).collect();
        let sources: Vec<_> =
            inputs.iter().zip(&stored).map(|(input, stored)| stored.map_or(*input, |stored| stored.source)).collect();
        let made = linalg::generic(builder, &sources, &[begin], maps, reduced)?;
        let inside = &made.builder;
        let mut known = std::collections::HashMap::new();
        for (place, argument) in block_arguments(*body).take(inputs.len()).enumerate() {
            let given = made.arguments[place];
            let value = match stored[place] {
                Some(stored) => inside.value(stored.extension, &[given], &[], argument.r#type())?,
                None => given,
            };
            known.insert(argument.key(), value);
        }
        let partial = made.arguments[inputs.len()];
        let wide = block_arguments(*body).nth(inputs.len()).ok_or_else(|| Error::malformed("no partial result"))?;
        known.insert(wide.key(), inside.value(self.extension(), &[partial], &[], wide.r#type())?);
        let term = copy_values(*body, inside, known, &[self.term])?[0];
        let term = of(inside, arith::trunci(inside, term, element)?)?;
        let combined = inside.value(self.combination(), &[partial, term], &[], element)?;
        linalg::r#yield(inside, &[combined])?;
        Ok(made.operation.result(0)?)
    }

    /// What combines narrow ones.
    fn combination(&self) -> &'static str {
        match (self.is_unsigned, self.name) {
            (true, arith::MAXSI) => arith::MAXUI,
            (true, arith::MINSI) => arith::MINUI,
            _ => self.name,
        }
    }

    /// What narrow ones begin with where nothing is left of it.
    fn neutral(&self, builder: &Builder<'c, 'a>, element: Type<'c>) -> Result<Value<'c, 'a>, Error> {
        let begin = self.structured.outputs[0];
        let shape = types::shape(begin.r#type()).unwrap_or_default();
        let kind = types::tensor(element, &shape).ok_or_else(|| Error::malformed("no tensor of integers"))?;
        let half = 1 << (self.bits - 1);
        let number = match self.combination() {
            arith::MAXUI => 0,
            arith::MINUI => -1,
            arith::MAXSI => -half,
            _ => half - 1,
        };
        filled(builder, (kind, begin), builder.integer(element, number)?)
    }
}

/// What combines partial results of 64 bits with terms, and the terms, which may not depend on what they are combined with.
fn combined<'c: 'a, 'a>(
    structured: &Structured<'c, 'a>,
    yielded: Value<'c, 'a>,
) -> Option<(&'static str, Value<'c, 'a>)> {
    let combined = yielded.defining_operation()?;
    let name = *[arith::ADDI, arith::MAXSI, arith::MINSI].iter().find(|name| combined.full_name() == **name)?;
    let partial = block_arguments(structured.body).nth(structured.inputs.len())?;
    let [left, right] = [combined.operand(0).ok()?, combined.operand(1).ok()?];
    let term = match (left.key() == partial.key(), right.key() == partial.key()) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    (types::is_integer(yielded.r#type(), 64) && partial.has_one_use()).then_some((name, term))
}

/// Whether words have sums of lower halves of terms, and of what lies above these.
fn has_halves<'c: 'a, 'a>(structured: &Structured<'c, 'a>, term: Value<'c, 'a>, ranges: &Ranges) -> bool {
    let begins_with_zero = broadcast(structured.outputs[0]).is_some_and(|(source, _)| is_zero(source));
    let is_short = most_terms(ranges, structured).is_some_and(|terms| terms <= MOST_HALVES);
    begins_with_zero && is_short && ranges.get(term).fits(Number::Signed(WORD))
}

/// Whether elements of windows are combined, which lie in different vectors: not those of whole vectors, of which instructions make words.
fn has_windows(structured: &Structured<'_, '_>, lanes: i64) -> bool {
    let is_long = |dim: usize| structured.reduced[dim] && structured.extents[dim] >= lanes;
    let used = block_arguments(structured.body).zip(&structured.maps).take(structured.inputs.len());
    let mut used = used.filter(|(argument, _)| !argument.uses().is_empty());
    used.all(|(_, map)| !map.results.last().and_then(Expr::as_dim).is_some_and(is_long))
}

/// Sums of lower halves of words, and of what lies above them, as sums of the words.
fn joined<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    halves: [Value<'c, 'a>; 2],
    kind: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let empty = tensor::empty(builder, kind, &open_extents(builder, halves[0])?)?;
    let rank = types::rank(kind).unwrap_or(0);
    let made = linalg::generic(builder, &halves, &[empty], &vec![Map::identity(rank); 3], &vec![false; rank])?;
    let inside = &made.builder;
    let wide = |half: usize| arith::extsi(inside, made.arguments[half], types::element(kind));
    let upper = arith::shli(inside, wide(1)?, inside.integer(types::element(kind), HALF)?)?;
    linalg::r#yield(inside, &[arith::addi(inside, upper, wide(0)?)?])?;
    Ok(made.operation.result(0)?)
}

/// Whether all that reads a result reads what was reduced beside it: where there are no terms, nothing is read then.
fn is_read_beside<'c: 'a, 'a>(reduction: &Structured<'c, 'a>, result: Value<'c, 'a>) -> bool {
    let [terms] = reduction.inputs[..] else { return false };
    let stored = |value: Value<'c, 'a>| Extended::of(value).map_or(value, |extended| extended.source).key();
    let has_all = (0..reduction.extents.len()).all(|dim| reduction.maps[0].results.iter().any(|expr| expr.uses(dim)));
    let (mut pending, mut is_beside) = (vec![result], has_all);
    while let Some(value) = pending.pop() {
        for (user, _) in value.uses() {
            if [tensor::COLLAPSE_SHAPE, tensor::EXPAND_SHAPE].contains(&user.full_name()) {
                pending.extend(user.result_values());
                continue;
            }
            let reads = |reader: Structured<'c, 'a>| {
                let mut read = reader.inputs.iter().zip(&reader.maps);
                read.any(|(input, map)| stored(*input) == stored(terms) && map.is_projected_permutation())
            };
            is_beside &= Structured::read(user).is_some_and(reads);
        }
    }
    is_beside
}

/// What partial results begin with in fewer bits: a number, where that is all.
fn narrowed<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    begin: Value<'c, 'a>,
    element: Type<'c>,
) -> Result<Value<'c, 'a>, Error> {
    let shape = types::shape(begin.r#type()).unwrap_or_default();
    let kind = types::tensor(element, &shape).ok_or_else(|| Error::malformed("no tensor of integers"))?;
    if let Some((number, _)) = broadcast(begin).filter(|(source, _)| !source.r#type().is_ranked_tensor()) {
        return filled(builder, (kind, begin), arith::trunci(builder, number, element)?);
    }
    converted(builder, begin, arith::TRUNCI, kind)
}
