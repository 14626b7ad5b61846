//! Between which values numbers lie that a run computes, from what is known when it begins: extents that inputs tell are known,
//! those that data determine keep to bounds (`arith.minsi` with a known number).

use crate::Error;
use crate::views::extents::{self, Product};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, attributes};
use skriptnd_mlir::ops::arith;
use std::collections::HashMap;

/// The smallest and the largest value, as far as something limits them; the same for what is known.
#[derive(Clone, Copy, Default)]
struct Range<'c, 'a> {
    low: Option<Value<'c, 'a>>,
    high: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Range<'c, 'a> {
    fn known(value: Value<'c, 'a>) -> Self {
        Range { low: Some(value), high: Some(value) }
    }

    fn exact(&self) -> Option<Value<'c, 'a>> {
        self.low.zip(self.high).filter(|(low, high)| low.key() == high.key()).map(|(low, _)| low)
    }

    fn ends(&self) -> Option<[Value<'c, 'a>; 2]> {
        Some([self.low?, self.high?])
    }
}

/// Computes ranges at one place.
pub(super) struct Ranges<'c, 'a> {
    builder: Builder<'c, 'a>,
    found: HashMap<usize, Range<'c, 'a>>,
    /// Extents of memrefs, by the memref and the dimension.
    extents: HashMap<(usize, usize), Range<'c, 'a>>,
}

type Operation<'c, 'a> =
    fn(&Builder<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> Result<Value<'c, 'a>, skriptnd_mlir::Failure>;

impl<'c: 'a, 'a> Ranges<'c, 'a> {
    /// `known` are the values that are there, by the keys of those that they stand for.
    pub(super) fn new(builder: Builder<'c, 'a>, known: HashMap<usize, Value<'c, 'a>>) -> Self {
        let found = known.into_iter().map(|(key, value)| (key, Range::known(value))).collect();
        Ranges { builder, found, extents: HashMap::new() }
    }

    /// The largest value.
    pub(super) fn most(&mut self, value: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let high = self.of(value)?.high;
        high.ok_or_else(|| Error::Unsupported("a buffer whose size depends on data, and that nothing bounds".into()))
    }

    fn of(&mut self, value: Value<'c, 'a>) -> Result<Range<'c, 'a>, Error> {
        if let Some(found) = self.found.get(&value.key()) {
            return Ok(*found);
        }
        let Some(definition) = value.defining_operation() else { return Ok(Range::default()) };
        let range = if let Some((memory, dimension)) = extents::asked(definition) {
            self.extent(memory, dimension)?
        } else if is_arithmetic(definition) && definition.result_count() == 1 {
            self.computed(definition)?
        } else {
            Range::default()
        };
        self.found.insert(value.key(), range);
        Ok(range)
    }

    fn computed(&mut self, definition: OperationRef<'c, 'a>) -> Result<Range<'c, 'a>, Error> {
        let operands = definition.operands().map(|operand| self.of(operand)).collect::<Result<Vec<_>, _>>()?;
        let exact: Option<Vec<Value<'c, 'a>>> = operands.iter().map(Range::exact).collect();
        if let Some(exact) = exact {
            return Ok(Range::known(self.builder.copy(definition, &exact)?.result(0)?));
        }
        match (definition.full_name(), operands.as_slice()) {
            (arith::ADDI, [a, b]) => {
                Ok(Range { low: self.both(a.low, b.low, arith::addi)?, high: self.both(a.high, b.high, arith::addi)? })
            }
            ("arith.subi", [a, b]) => {
                Ok(Range { low: self.both(a.low, b.high, arith::subi)?, high: self.both(a.high, b.low, arith::subi)? })
            }
            (arith::MINSI, [a, b]) => {
                Ok(Range { low: self.both(a.low, b.low, arith::minsi)?, high: self.any(a.high, b.high, arith::minsi)? })
            }
            (arith::MAXSI, [a, b]) => {
                Ok(Range { low: self.any(a.low, b.low, arith::maxsi)?, high: self.both(a.high, b.high, arith::maxsi)? })
            }
            (arith::SELECT, [_, a, b]) => self.hull(a, b),
            (arith::MULI, [a, b]) => self.times(a, b),
            ("arith.divsi", [a, b]) if is_positive(definition) => self.corners(a, b, arith::divsi),
            ("arith.remsi", [_, b]) if is_positive(definition) => self.remainder(b),
            ("arith.index_cast" | "arith.extsi", [a]) => {
                let kind = definition.result(0)?.r#type();
                let cast = |end: Option<Value<'c, 'a>>| match end {
                    Some(end) => self.builder.value(definition.full_name(), &[end], &[], kind).map(Some),
                    None => Ok(None),
                };
                Ok(Range { low: cast(a.low)?, high: cast(a.high)? })
            }
            ("arith.extui", [_]) if is_truth(definition) => {
                let kind = definition.result(0)?.r#type();
                let end = |value| self.builder.integer(kind, value).map(Some);
                Ok(Range { low: end(0)?, high: end(1)? })
            }
            _ => Ok(Range::default()),
        }
    }

    /// An end that follows from two, if both are there.
    fn both(
        &self,
        a: Option<Value<'c, 'a>>,
        b: Option<Value<'c, 'a>>,
        of: Operation<'c, 'a>,
    ) -> Result<Option<Value<'c, 'a>>, Error> {
        Ok(a.zip(b).map(|(a, b)| of(&self.builder, a, b)).transpose()?)
    }

    /// An end that one of two sets.
    fn any(
        &self,
        a: Option<Value<'c, 'a>>,
        b: Option<Value<'c, 'a>>,
        of: Operation<'c, 'a>,
    ) -> Result<Option<Value<'c, 'a>>, Error> {
        match self.both(a, b, of)? {
            Some(end) => Ok(Some(end)),
            None => Ok(a.or(b)),
        }
    }

    fn times(&self, a: &Range<'c, 'a>, b: &Range<'c, 'a>) -> Result<Range<'c, 'a>, Error> {
        match (a.exact(), b.exact()) {
            (Some(a), Some(b)) => Ok(Range::known(arith::muli(&self.builder, a, b)?)),
            _ => self.corners(a, b, arith::muli),
        }
    }

    /// What is largest or smallest at the ends.
    fn corners(&self, a: &Range<'c, 'a>, b: &Range<'c, 'a>, of: Operation<'c, 'a>) -> Result<Range<'c, 'a>, Error> {
        let (Some(left), Some(right)) = (a.ends(), b.ends()) else { return Ok(Range::default()) };
        let mut range = Range::default();
        for (a, b) in left.into_iter().flat_map(|a| right.into_iter().map(move |b| (a, b))) {
            let corner = Some(of(&self.builder, a, b)?);
            range = Range {
                low: self.any(range.low, corner, arith::minsi)?,
                high: self.any(range.high, corner, arith::maxsi)?,
            };
        }
        Ok(range)
    }

    /// What is left by a positive divisor.
    fn remainder(&self, divisor: &Range<'c, 'a>) -> Result<Range<'c, 'a>, Error> {
        let Some(divisor) = divisor.exact() else { return Ok(Range::default()) };
        let number = |value| self.builder.integer(divisor.r#type(), value);
        let high = arith::subi(&self.builder, divisor, number(1)?)?;
        let low = arith::subi(&self.builder, number(1)?, divisor)?;
        Ok(Range { low: Some(low), high: Some(high) })
    }

    /// The extent of a memref, computed once.
    fn extent(&mut self, memory: Value<'c, 'a>, number: usize) -> Result<Range<'c, 'a>, Error> {
        let key = (memory.key(), number);
        if let Some(found) = self.extents.get(&key) {
            return Ok(*found);
        }
        let range = self.extent_of(memory, number)?;
        self.extents.insert(key, range);
        Ok(range)
    }

    /// The same: of a memref that regions hand on, between the extents of all that it may be.
    fn extent_of(&mut self, memory: Value<'c, 'a>, number: usize) -> Result<Range<'c, 'a>, Error> {
        if let Some(extent) = extents::of(memory, number) {
            return self.product(extent);
        }
        if let Some((source, parts)) = extents::collapsed(memory, number) {
            let one = Range::known(self.builder.index(1)?);
            return parts.into_iter().try_fold(one, |product, part| {
                let extent = self.extent(source, part)?;
                self.times(&product, &extent)
            });
        }
        let mut ranges = Vec::new();
        for source in extents::sources(memory).unwrap_or_default() {
            ranges.push(self.extent(source, number)?);
        }
        let Some((first, others)) = ranges.split_first() else { return Ok(Range::default()) };
        others.iter().try_fold(*first, |all, range| self.hull(&all, range))
    }

    /// What is in one of two ranges.
    fn hull(&self, a: &Range<'c, 'a>, b: &Range<'c, 'a>) -> Result<Range<'c, 'a>, Error> {
        if a.exact().zip(b.exact()).is_some_and(|(a, b)| a.key() == b.key()) {
            return Ok(*a);
        }
        Ok(Range { low: self.both(a.low, b.low, arith::minsi)?, high: self.both(a.high, b.high, arith::maxsi)? })
    }

    fn product(&mut self, Product { factor, values }: Product<'c, 'a>) -> Result<Range<'c, 'a>, Error> {
        let known = Range::known(self.builder.index(factor)?);
        values.into_iter().try_fold(known, |product, value| {
            let value = self.of(value)?;
            self.times(&product, &value)
        })
    }
}

/// Whether a divisor is a positive constant.
fn is_positive(division: OperationRef<'_, '_>) -> bool {
    let divisor = division.operand(1).ok().and_then(|divisor| divisor.defining_operation()?.get("value"));
    divisor.and_then(attributes::as_integer).is_some_and(|divisor| divisor > 0)
}

fn is_truth(operation: OperationRef<'_, '_>) -> bool {
    operation.operand(0).is_ok_and(|operand| skriptnd_mlir::ir::types::is_integer(operand.r#type(), 1))
}

fn is_arithmetic(operation: OperationRef<'_, '_>) -> bool {
    let name = operation.full_name();
    let computes = ["arith.", "affine.apply", "affine.min", "affine.max", "math."];
    operation.region_count() == 0 && (computes.iter().any(|begin| name.starts_with(begin)) || name == "memref.load")
}
