//! Integers of 64 bits that 32 hold are computed in 32, and those that were reals and become reals again as reals: few processors have
//! vectors of conversions between reals and 64 bits. Results are the same.

use super::{lowest, rounded};
use crate::Error;
use crate::nest::element::Number;
use crate::values::range::Ranges;
use crate::values::ranges;
use crate::values::scalars::{is_always, is_never, is_ones};
use crate::views::constants::{constant, integer, is_zero};
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, operations_named, types, walk};
use skriptnd_mlir::ops::arith::{self, FloatPredicate};
use skriptnd_mlir::ops::linalg;
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

/// Reals of 32 bits have all whole numbers up to this magnitude.
const EXACT: f64 = (1u64 << 24) as f64;
/// Ranges have all whole numbers up to this magnitude.
const EXACT_INTEGER: f64 = (1u64 << 53) as f64;
/// Operations that are computed anew for one value, at most.
const MOST_STEPS: usize = 64;
/// What is computed in fewer bits.
const COMPUTED: [&str; 11] = [
    arith::ADDI,
    arith::SUBI,
    arith::MULI,
    arith::DIVSI,
    arith::REMSI,
    arith::MAXSI,
    arith::MINSI,
    arith::SELECT,
    arith::FPTOSI,
    arith::SHRSI,
    arith::ANDI,
];

/// Of what the lowest bits are the same, whatever lies above those of the operands.
const CUT: [&str; 3] = [arith::ADDI, arith::SUBI, arith::MULI];

/// Computes in 32 bits what a function's structured operations convert or give. Returns how many values it are.
pub fn compute_in_fewer<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Result<usize, Error> {
    let real = rounded::stay_real(function)?;
    let ranges = ranges(function);
    let mut anew = Vec::new();
    for structured in operations_named(function, linalg::GENERIC) {
        for operation in walk(structured) {
            anew.extend(replacement(&ranges, operation)?.map(|value| (operation, value)));
            if operation.full_name() == linalg::YIELD {
                yield_narrow(&ranges, operation)?;
            }
        }
    }
    // Ranges are known by addresses, which what is made would take from what is gone.
    let count = real + anew.len();
    let mut replaced: HashMap<usize, Value<'c, 'a>> = HashMap::new();
    for (operation, mut value) in anew {
        while let Some(other) = replaced.get(&value.key()) {
            value = *other;
        }
        replaced.insert(operation.result(0)?.key(), value);
        with_rewriter(operation, |rewriter| rewriter.replace(operation, &[value]))?;
    }
    Ok(count)
}

/// What an operation gives, computed in fewer bits.
fn replacement<'c: 'a, 'a>(ranges: &Ranges, operation: OperationRef<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Error> {
    let mut narrow = Narrow { ranges, builder: Builder::before(operation)?, steps: MOST_STEPS };
    match operation.full_name() {
        arith::REMSI if is_remainder(ranges, operation)? => Ok(Some(operation.operand(0)?)),
        arith::ANDI if keeps_all(ranges, operation)? => Ok(Some(operation.operand(0)?)),
        arith::MAXSI | arith::MINSI if limits_nothing(ranges, operation)? => Ok(Some(operation.operand(0)?)),
        arith::CMPF | arith::CMPI if is_never(ranges, operation.result(0)?) => {
            Ok(Some(narrow.builder.integer(operation.result(0)?.r#type(), 0)?))
        }
        // What is left to find out is whether it is a number.
        arith::CMPF if is_always(ranges, operation.result(0)?) && constant(operation.operand(1)?).is_some() => {
            let value = operation.operand(0)?;
            Ok(Some(arith::cmpf(&narrow.builder, FloatPredicate::Ord, value, value)?))
        }
        arith::EXTSI | arith::EXTUI if narrow.was_stored(operation)?.is_some() => {
            let Some(source) = narrow.was_stored(operation)? else { return Ok(None) };
            let kind = operation.result(0)?.r#type();
            let is_whole = source.r#type() == kind;
            Ok(Some(if is_whole { source } else { arith::trunci(&narrow.builder, source, kind)? }))
        }
        arith::INDEX_CAST if narrow.tells_byte(operation)? => {
            let value = narrow.value(operation.operand(0)?)?;
            let kind = operation.result(0)?.r#type();
            Ok(Some(arith::index_cast(&narrow.builder, value, kind)?))
        }
        arith::SITOFP => narrow.real(operation.operand(0)?, operation.result(0)?.r#type()),
        arith::TRUNCI => {
            let (value, kind) = (narrow.unstored(operation.operand(0)?)?, operation.result(0)?.r#type());
            match lowest::bits(&narrow.builder, value, kind)? {
                Some(lowest) => Ok(Some(lowest)),
                None => narrow.truncated(value, kind),
            }
        }
        _ => Ok(None),
    }
}

/// Computes what a structured operation gives, extended then.
fn yield_narrow<'c: 'a, 'a>(ranges: &Ranges, terminator: OperationRef<'c, 'a>) -> Result<(), Error> {
    let mut narrow = Narrow { ranges, builder: Builder::before(terminator)?, steps: MOST_STEPS };
    for (place, value) in terminator.operands().enumerate().collect::<Vec<_>>() {
        if narrow.fits(value) && is_computed(value) {
            let computed = narrow.value(value)?;
            terminator.set_operand(place, arith::extsi(&narrow.builder, computed, value.r#type())?)?;
        }
    }
    Ok(())
}

fn is_computed(value: Value<'_, '_>) -> bool {
    value.defining_operation().is_some_and(|definition| COMPUTED.contains(&definition.full_name()))
}

/// Whether a division leaves what is divided.
fn is_remainder<'c: 'a, 'a>(ranges: &Ranges, division: OperationRef<'c, 'a>) -> Result<bool, Error> {
    let [dividend, divisor] = [division.operand(0)?, division.operand(1)?].map(|operand| ranges.get(operand));
    Ok(divisor.least > 0.0 && dividend.is_in(1.0 - divisor.least, divisor.least - 1.0))
}

/// Whether a mask leaves all bits.
fn keeps_all<'c: 'a, 'a>(ranges: &Ranges, masked: OperationRef<'c, 'a>) -> Result<bool, Error> {
    let [value, mask] = [masked.operand(0)?, masked.operand(1)?].map(|operand| ranges.get(operand));
    Ok(mask.least == mask.most && is_ones(mask.most) && value.is_in(0.0, mask.most))
}

/// Whether a limit is one that nothing reaches.
fn limits_nothing<'c: 'a, 'a>(ranges: &Ranges, limited: OperationRef<'c, 'a>) -> Result<bool, Error> {
    let [value, limit] = [limited.operand(0)?, limited.operand(1)?].map(|operand| ranges.get(operand));
    let is_least = limited.full_name() == arith::MAXSI;
    // Ranges of integers of more than 53 bits are not exact.
    Ok(limit.magnitude() <= EXACT_INTEGER
        && if is_least { value.least >= limit.most } else { value.most <= limit.least })
}

/// Values in 32 bits.
struct Narrow<'r, 'c, 'a> {
    ranges: &'r Ranges,
    builder: Builder<'c, 'a>,
    /// How many operations may be made.
    steps: usize,
}

impl<'c: 'a, 'a> Narrow<'_, 'c, 'a> {
    /// Whether 32 bits have a value of 64.
    fn fits(&self, value: Value<'c, 'a>) -> bool {
        types::is_integer(value.r#type(), 64) && self.ranges.get(value).fits(Number::Signed(32))
    }

    /// Whether an index is one of those that a byte has, as places in tables are.
    fn tells_byte(&self, index: OperationRef<'c, 'a>) -> Result<bool, Error> {
        let value = index.operand(0)?;
        Ok(index.result(0)?.r#type().is_index() && self.fits(value) && self.ranges.get(value).fits(Number::Unsigned(8)))
    }

    fn word(&self) -> Type<'c> {
        types::integer(self.builder.context(), 32)
    }

    /// A value that fits.
    fn value(&mut self, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let (word, definition) = (self.word(), value.defining_operation());
        self.steps = self.steps.saturating_sub(1);
        let Some(definition) = definition.filter(|_| self.steps > 0) else {
            return Ok(arith::trunci(&self.builder, value, word)?);
        };
        let operands: Vec<_> = definition.operands().collect();
        match (definition.full_name(), operands.as_slice()) {
            (arith::CONSTANT, _) => Ok(self.builder.integer(word, integer(value).unwrap_or(0))?),
            (name @ (arith::EXTSI | arith::EXTUI), [source]) => match types::width(source.r#type()) {
                Some(32) if name == arith::EXTSI => Ok(*source),
                Some(..32) => Ok(self.builder.value(name, &[*source], &[], word)?),
                _ => Ok(arith::trunci(&self.builder, value, word)?),
            },
            (arith::FPTOSI, [real]) => Ok(arith::fptosi(&self.builder, *real, word)?),
            (arith::REMSI, [dividend, _]) if self.fits(*dividend) && is_remainder(self.ranges, definition)? => {
                self.value(*dividend)
            }
            (arith::SELECT, [condition, _, no]) if is_never(self.ranges, *condition) && self.fits(*no) => {
                self.value(*no)
            }
            (arith::SELECT, [condition, yes, no]) if self.fits(*yes) && self.fits(*no) => {
                let (yes, no) = (self.value(*yes)?, self.value(*no)?);
                Ok(arith::select(&self.builder, *condition, yes, no)?)
            }
            (arith::SHRSI, [sum, by]) if !self.fits(*sum) => match self.shifted(*sum, *by)? {
                Some(shifted) => Ok(shifted),
                None => Ok(arith::trunci(&self.builder, value, word)?),
            },
            (arith::SHRSI, [shifted, by]) if constant(*by).is_some() => {
                // All that a number of 32 bits has for a sign is left from 31 on.
                let by = (self.ranges.get(*by).least as i64).min(31);
                let shifted = self.value(*shifted)?;
                Ok(arith::shrsi(&self.builder, shifted, self.builder.integer(word, by)?)?)
            }
            (arith::SHRSI, _) => Ok(arith::trunci(&self.builder, value, word)?),
            (name, [left, right]) if COMPUTED.contains(&name) && self.fits(*left) && self.fits(*right) => {
                let operands = [self.value(*left)?, self.value(*right)?];
                Ok(self.builder.value(name, &operands, &[], word)?)
            }
            _ => Ok(arith::trunci(&self.builder, value, word)?),
        }
    }

    /// What a value is without being cut and extended on the way, where that changes nothing.
    fn unstored(&self, mut value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let is_extension = |made: &OperationRef<'c, 'a>| [arith::EXTSI, arith::EXTUI].contains(&made.full_name());
        for _ in 0..MOST_STEPS {
            let source = value.defining_operation().filter(is_extension).map(|extension| self.was_stored(extension));
            let Some(source) = source.transpose()?.flatten() else { break };
            value = source;
        }
        Ok(value)
    }

    /// A value of few bits.
    fn truncated(&mut self, value: Value<'c, 'a>, kind: Type<'c>) -> Result<Option<Value<'c, 'a>>, Error> {
        if !self.fits(value) || !is_computed(value) {
            return self.cut(value, kind);
        }
        let value = self.value(value)?;
        let is_whole = types::is_integer(kind, 32);
        Ok(if is_whole { Some(value) } else { Some(arith::trunci(&self.builder, value, kind)?) })
    }

    /// The lowest bits of a sum or a product, which are those of the operands' lowest bits: where these are extended from that many.
    fn cut(&mut self, value: Value<'c, 'a>, kind: Type<'c>) -> Result<Option<Value<'c, 'a>>, Error> {
        let made = value.defining_operation().filter(|made| CUT.contains(&made.full_name()));
        let Some(made) = made.filter(|_| types::is_integer(value.r#type(), 64)) else { return Ok(None) };
        let operands = [made.operand(0)?, made.operand(1)?].map(|operand| {
            let extension = operand.defining_operation();
            let source = extension.filter(|it| it.full_name() == arith::EXTSI)?.operand(0).ok()?;
            (source.r#type() == kind).then_some(source)
        });
        let [Some(left), Some(right)] = operands else { return Ok(None) };
        Ok(Some(self.builder.value(made.full_name(), &[left, right], &[], kind)?))
    }

    /// What an extended value was before it was cut, where nothing was cut off that mattered.
    fn was_stored(&self, extension: OperationRef<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Error> {
        let cut = extension.operand(0)?.defining_operation().filter(|cut| cut.full_name() == arith::TRUNCI);
        let Some(source) = cut.map(|cut| cut.operand(0)).transpose()? else { return Ok(None) };
        let width = |value: Value<'_, '_>| types::width(value.r#type()).unwrap_or(0);
        let stored = if extension.full_name() == arith::EXTUI { Number::Unsigned } else { Number::Signed };
        let is_whole = self.ranges.get(source).fits(stored(width(extension.operand(0)?)));
        Ok(Some(source).filter(|source| is_whole && width(*source) >= width(extension.result(0).unwrap_or(*source))))
    }

    /// A value of 64 bits shifted right until 32 have it: from two words, where it is a sum of products of numbers of 32 bits.
    fn shifted(&mut self, value: Value<'c, 'a>, by: Value<'c, 'a>) -> Result<Option<Value<'c, 'a>>, Error> {
        let by = self.ranges.get(by);
        let by = if by.least == by.most && by.is_in(1.0, 63.0) { by.least as i64 } else { return Ok(None) };
        let Some([lower, upper]) = self.words(value)? else { return Ok(None) };
        let word = self.word();
        let bits = |count: i64| self.builder.integer(word, count);
        Ok(Some(match by {
            32 => upper,
            33.. => arith::shrsi(&self.builder, upper, bits(by - 32)?)?,
            _ => {
                let from_upper = arith::shli(&self.builder, upper, bits(32 - by)?)?;
                arith::ori(&self.builder, from_upper, arith::shrui(&self.builder, lower, bits(by)?)?)?
            }
        }))
    }

    /// The lower and the upper word of a sum of products, of constants and of what fits.
    fn words(&mut self, value: Value<'c, 'a>) -> Result<Option<[Value<'c, 'a>; 2]>, Error> {
        self.steps = self.steps.saturating_sub(1);
        let (word, definition) = (self.word(), value.defining_operation());
        let Some(definition) = definition.filter(|_| self.steps > 0) else { return Ok(None) };
        if self.fits(value) && definition.full_name() != arith::CONSTANT {
            let lower = self.value(value)?;
            let upper = arith::shrsi(&self.builder, lower, self.builder.integer(word, 31)?)?;
            return Ok(Some([lower, upper]));
        }
        let operands: Vec<_> = definition.operands().collect();
        match (definition.full_name(), operands.as_slice()) {
            (arith::CONSTANT, _) => {
                let Some(number) = integer(value) else { return Ok(None) };
                let halves = [number << 32 >> 32, number >> 32];
                let [lower, upper] = halves.map(|half| self.builder.integer(word, half));
                Ok(Some([lower?, upper?]))
            }
            (arith::MULI, [left, right]) if self.fits(*left) && self.fits(*right) => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                Ok(Some(arith::mulsi_extended(&self.builder, left, right)?))
            }
            (arith::ADDI, [left, right]) => {
                let (Some([low, high]), Some(other)) = (self.words(*left)?, self.words(*right)?) else {
                    return Ok(None);
                };
                let upper = arith::addi(&self.builder, high, other[1])?;
                if is_zero(other[0]) {
                    return Ok(Some([low, upper]));
                }
                let [lower, carry] = arith::addui_extended(&self.builder, low, other[0])?;
                let carry = arith::extui(&self.builder, carry, word)?;
                Ok(Some([lower, arith::addi(&self.builder, upper, carry)?]))
            }
            _ => Ok(None),
        }
    }

    /// An integer as a real, where another way leads there: a whole one that it was before needs no conversion.
    fn real(&mut self, value: Value<'c, 'a>, kind: Type<'c>) -> Result<Option<Value<'c, 'a>>, Error> {
        let whole = self.was(value).filter(|real| {
            let range = self.ranges.get(*real);
            real.r#type() == kind && range.is_whole && range.is_in(-EXACT, EXACT)
        });
        if let Some(real) = whole {
            // Integers have no zero with a sign.
            let zero = self.builder.real(kind, 0.0)?;
            return Ok(Some(arith::addf(&self.builder, real, zero)?));
        }
        if !self.fits(value) {
            return Ok(None);
        }
        let value = self.value(value)?;
        Ok(Some(arith::sitofp(&self.builder, value, kind)?))
    }

    /// The real that a value was, behind selections that only what does not occur would take another way.
    fn was(&self, mut value: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
        loop {
            let definition = value.defining_operation()?;
            match definition.full_name() {
                arith::SELECT if is_never(self.ranges, definition.operand(0).ok()?) => {
                    value = definition.operand(2).ok()?
                }
                arith::EXTSI => value = definition.operand(0).ok()?,
                arith::FPTOSI => return definition.operand(0).ok(),
                _ => return None,
            }
        }
    }
}
