//! Between which numbers values lie, and which are whole, from what computes them: quantized tensors are reals that were rounded and
//! limited.

use super::scalars;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::{Attribute, OperationRef, Type, Value, attributes, block_arguments, types, walk};
use skriptnd_mlir::ops::{arith, linalg, tensor};
use std::collections::HashMap;

/// What all numbers of a value, or of the elements of a tensor, are, and whether all of these are numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least; for integers of more than 53 bits about.
    pub least: f64,
    /// The greatest.
    pub most: f64,
    /// Whether the numbers are whole.
    pub is_whole: bool,
    /// Whether nothing of it is not a number.
    pub is_number: bool,
}

impl Range {
    /// That of no values at all.
    pub const NOTHING: Range = Range { least: f64::INFINITY, most: f64::NEG_INFINITY, is_whole: true, is_number: true };

    /// All numbers of a type.
    pub fn of_type(r#type: Type<'_>) -> Range {
        match types::width(r#type).filter(|_| r#type.is_integer()) {
            Some(bits) => {
                let most = 2f64.powi(bits.saturating_sub(1).min(1023) as i32);
                Range { least: -most, most: most - 1.0, ..Range::NOTHING }
            }
            None => {
                let is_whole = r#type.is_index();
                Range { least: f64::NEG_INFINITY, most: f64::INFINITY, is_whole, is_number: is_whole }
            }
        }
    }

    /// One number.
    pub fn one(value: f64) -> Range {
        match value.is_nan() {
            true => Range { is_number: false, ..Range::NOTHING },
            false => Range { least: value, most: value, is_whole: value.fract() == 0.0, is_number: true },
        }
    }

    /// What is in one of two.
    pub fn hull(self, other: Range) -> Range {
        Range {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            is_whole: self.is_whole && other.is_whole,
            is_number: self.is_number && other.is_number,
        }
    }

    /// Whether all lie in another.
    pub fn is_in(self, least: f64, most: f64) -> bool {
        self.least >= least && self.most <= most
    }

    /// Whether all are finite numbers.
    pub fn is_finite(self) -> bool {
        self.is_number && self.least > f64::NEG_INFINITY && self.most < f64::INFINITY
    }

    /// The greatest magnitude.
    pub fn magnitude(self) -> f64 {
        self.most.max(-self.least).max(0.0)
    }
}

/// The ranges of all values in a function as it was when they were asked for.
#[derive(Debug, Default)]
pub struct Ranges {
    /// By the keys of values; others have that of their type.
    known: HashMap<usize, Range>,
}

impl Ranges {
    /// Those of a function's values, in the order in which they are computed.
    pub fn of<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Ranges {
        let mut ranges = Ranges::default();
        for operation in walk(function) {
            match operation.full_name() {
                linalg::GENERIC => ranges.enter(operation),
                linalg::YIELD => ranges.leave(operation),
                _ => ranges.note(operation),
            }
        }
        ranges
    }

    /// That of a value.
    pub fn get(&self, value: Value<'_, '_>) -> Range {
        let known = self.known.get(&value.key()).copied();
        known.unwrap_or_else(|| Range::of_type(types::element(value.r#type())))
    }

    fn set(&mut self, value: Value<'_, '_>, range: Range) {
        self.known.insert(value.key(), range);
    }

    /// The elements that a structured operation reads.
    fn enter(&mut self, operation: OperationRef<'_, '_>) {
        let Some(structured) = Structured::read(operation) else { return };
        for (argument, input) in block_arguments(structured.body).zip(&structured.inputs) {
            self.set(argument, self.get(*input));
        }
    }

    /// The elements that a structured operation gives: no partial results, which its body reads as well, but of a minimum or a
    /// maximum.
    fn leave<'c: 'a, 'a>(&mut self, terminator: OperationRef<'c, 'a>) {
        let Some(structured) = terminator.parent_operation().and_then(Structured::read) else { return };
        let partial = block_arguments(structured.body).skip(structured.inputs.len());
        let given = structured.operation.results().zip(partial).zip(terminator.operands()).zip(&structured.outputs);
        for (((result, partial), yielded), begin) in given {
            let range = match partial.is_used() {
                false => Some(self.get(yielded)),
                true => self.limited(partial, yielded).map(|range| range.hull(self.get(*begin))),
            };
            if let Some(range) = range {
                self.set(result, range);
            }
        }
    }

    /// What a partial result is compared with.
    fn limited<'c: 'a, 'a>(&self, partial: Value<'c, 'a>, yielded: Value<'c, 'a>) -> Option<Range> {
        let limits = [arith::MAXIMUMF, arith::MINIMUMF, arith::MAXSI, arith::MINSI];
        let limit = yielded.defining_operation().filter(|limit| limits.contains(&limit.full_name()))?;
        let [left, right] = [limit.operand(0).ok()?, limit.operand(1).ok()?];
        match (left.key() == partial.key(), right.key() == partial.key()) {
            (true, false) => Some(self.get(right)),
            (false, true) => Some(self.get(left)),
            _ => None,
        }
    }

    /// What an operation outside of structured ones, or a scalar one, gives.
    fn note<'c: 'a, 'a>(&mut self, operation: OperationRef<'c, 'a>) {
        let [result] = operation.result_values()[..] else { return };
        let range = match operation.full_name() {
            arith::CONSTANT => operation.get("value").and_then(constant),
            tensor::EMPTY => Some(Range::NOTHING),
            tensor::EXTRACT_SLICE | tensor::EXPAND_SHAPE | tensor::COLLAPSE_SHAPE | tensor::EXTRACT => {
                operation.operand(0).ok().map(|source| self.get(source))
            }
            tensor::INSERT_SLICE => self.of_all(operation.operands().take(2)),
            tensor::FROM_ELEMENTS => self.of_all(operation.operands()),
            tensor::PAD => self.padded(operation),
            _ => scalars::result(self, operation),
        };
        if let Some(range) = range {
            self.set(result, range);
        }
    }

    fn of_all<'c: 'a, 'a>(&self, values: impl Iterator<Item = Value<'c, 'a>>) -> Option<Range> {
        values.map(|value| self.get(value)).reduce(Range::hull)
    }

    fn padded<'c: 'a, 'a>(&self, pad: OperationRef<'c, 'a>) -> Option<Range> {
        let added = pad.region(0).ok()?.first_block()?.terminator()?.operand(0).ok()?;
        // The region stands behind its operation.
        let added = added.defining_operation().and_then(|made| made.get("value")).and_then(constant)?;
        Some(self.get(pad.operand(0).ok()?).hull(added))
    }
}

/// The range of a constant, or of its elements.
fn constant(value: Attribute<'_>) -> Option<Range> {
    let one = |value: Attribute<'_>| {
        attributes::as_integer(value).map(|value| value as f64).or_else(|| attributes::as_real(value)).map(Range::one)
    };
    let all = |numbers: Vec<f64>| numbers.into_iter().map(Range::one).fold(Range::NOTHING, Range::hull);
    one(value)
        .or_else(|| attributes::as_splat(value).and_then(one))
        .or_else(|| attributes::as_floats(value).map(|all_of| all(all_of.into_iter().map(f64::from).collect())))
        .or_else(|| {
            attributes::as_whole_numbers(value).map(|all_of| all(all_of.into_iter().map(|it| it as f64).collect()))
        })
}
