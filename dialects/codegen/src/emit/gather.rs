//! Calls of kernels of which each process does a part, and of the functions that gather the parts.

use super::sharded::Shared;
use super::span::divided_up;
use super::{Defined, Emitter, read};
use crate::nest::needed::{Range, Scale};
use crate::nest::share::{Share, written};
use crate::views::functions::{self, PROCESSES, RANK};
use crate::{Error, notes};
use read::{Bound, Passed};
use skriptnd_mlir::ir::{Builder, Type, Value, attributes, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{func, memref};

/// A range of indices.
type Span<'c, 'a> = [Value<'c, 'a>; 2];

impl<'c: 'a, 'a> Emitter<'_, 'c, 'a> {
    /// Calls a kernel for the units that this process does. In a run its threads share these, and what all processes did is gathered.
    pub(super) fn call_share(
        &mut self,
        place: Builder<'c, 'a>,
        (defined, shared): (&Defined, &Shared),
        mut arguments: Vec<Value<'c, 'a>>,
        bound: &Bound<'c, 'a>,
        is_in_run: bool,
    ) -> Result<(), Error> {
        let units = self.units(place, shared)?;
        if !is_in_run {
            func::call(&place, &defined.name, &[arguments.as_slice(), &units].concat(), &[])?;
            return Ok(());
        }
        let count = arith::subi(&place, units[1], units[0])?;
        let (grain, most) = defined.parallel.as_ref().map_or((1, 1), |parallel| (parallel.grain, parallel.ranges));
        let ranges = arith::divui(&place, count, place.index(grain)?)?;
        let ranges = arith::minsi(&place, ranges, place.index(most)?)?;
        arguments.extend([units[0], count, ranges, self.threads()?]);
        func::call(&place, &super::shared::shared(&defined.name), &arguments, &[])?;
        self.parallel_calls += 1;
        if shared.range.is_none() {
            for (operand, access) in bound.space.outputs() {
                let bytes = bound.space.element(*operand).map_or(0, |element| element.bytes());
                let words = written(&bound.space, shared.share, access, bytes);
                let words = words.ok_or_else(|| Error::malformed("a share that can't be gathered"))?;
                self.gather(place, bound.values[*operand].value, (access.offset, &words))?;
            }
        }
        Ok(())
    }

    /// The units of a loop that this process does: from the first up to the one behind the last, or none from 0 to 0.
    fn units(&mut self, place: Builder<'c, 'a>, shared: &Shared) -> Result<Span<'c, 'a>, Error> {
        let own = Range::Own(shared.share);
        let [first, last] = self.range(place, shared.range.as_ref().unwrap_or(&own))?;
        let unit = place.index(shared.share.unit)?;
        let (first, last) = (arith::divui(&place, first, unit)?, divided_up(place, last, unit)?);
        let zero = place.index(0)?;
        let is_some = arith::cmpi(&place, IntegerPredicate::Slt, first, last)?;
        Ok([arith::select(&place, is_some, first, zero)?, arith::select(&place, is_some, last, zero)?])
    }

    fn range(&mut self, place: Builder<'c, 'a>, range: &Range) -> Result<Span<'c, 'a>, Error> {
        match range {
            Range::Own(share) => self.part_of(place, *share),
            Range::Scaled(range, scale) => {
                let range = self.range(place, range)?;
                scaled(place, range, *scale)
            }
            Range::Around(ranges) => {
                let mut around: Option<Span<'c, 'a>> = None;
                for range in ranges {
                    let [begin, end] = self.range(place, range)?;
                    around = Some(match around {
                        Some([first, last]) => [arith::minsi(&place, first, begin)?, arith::maxsi(&place, last, end)?],
                        None => [begin, end],
                    });
                }
                around.ok_or_else(|| Error::malformed("a range around none"))
            }
        }
    }

    /// What of a loop belongs to this process.
    fn part_of(&mut self, place: Builder<'c, 'a>, share: Share) -> Result<Span<'c, 'a>, Error> {
        let (rank, processes) = (self.told(place, RANK)?, self.told(place, PROCESSES)?);
        let (units, unit, extent) = (place.index(share.units())?, place.index(share.unit)?, place.index(share.extent)?);
        let next = arith::addi(&place, rank, place.index(1)?)?;
        let begin = |number| {
            let first = arith::divui(&place, arith::muli(&place, units, number)?, processes)?;
            Ok::<_, Error>(arith::minsi(&place, arith::muli(&place, first, unit)?, extent)?)
        };
        Ok([begin(rank)?, begin(next)?])
    }

    /// A number that a function tells, which is declared where it is not yet.
    fn told(&self, place: Builder<'c, 'a>, name: &str) -> Result<Value<'c, 'a>, Error> {
        let index = types::index(place.context());
        if functions::named(self.module, name).is_err() {
            self.declare_function(name, &[], &[index], None)?;
        }
        Ok(func::call(&place, name, &[], &[index])?.result(0)?)
    }

    /// Gathers what all processes wrote of a memory from an offset on, in the places that words describe.
    pub(super) fn gather(
        &mut self,
        place: Builder<'c, 'a>,
        value: Value<'c, 'a>,
        (offset, words): (i64, &[i64]),
    ) -> Result<(), Error> {
        let Passed { r#type: flat, is_moved, .. } = Passed::of(value)?;
        let (mut memory, mut begin) = (value, place.index(offset)?);
        if is_moved {
            let (base, moved) = memref::base(&place, memory)?;
            (memory, begin) = (base, arith::addi(&place, begin, moved)?);
        }
        if flat != memory.r#type() {
            memory = memref::reinterpret_cast(&place, memory, flat)?;
        }
        let number = self.sharing.as_mut().map_or(0, |sharing| {
            sharing.gathers += 1;
            sharing.gathers
        });
        let name = format!("skriptnd.gather_{number}");
        self.declare_function(&name, &[flat, types::index(place.context())], &[], Some(words))?;
        func::call(&place, &name, &[memory, begin], &[])?;
        Ok(())
    }

    /// Declares a function that the interface defines.
    fn declare_function(
        &self,
        name: &str,
        inputs: &[Type<'c>],
        results: &[Type<'c>],
        words: Option<&[i64]>,
    ) -> Result<(), Error> {
        let context = self.module.context();
        let body = self.module.region(0).ok().and_then(|region| region.first_block());
        let body = body.ok_or_else(|| Error::malformed("a module without a body"))?;
        let kind = attributes::r#type(types::function(context, inputs, results));
        let mut all = vec![
            ("sym_name", attributes::string(context, name)),
            ("function_type", kind),
            ("sym_visibility", attributes::string(context, "private")),
        ];
        all.extend(words.map(|words| (notes::GATHER, attributes::integers(context, words))));
        Builder::at_end(body, self.module.location()).with_empty_regions(func::FUNC, &[], &all, &[], 1)?;
        Ok(())
    }
}

/// A range of other indices.
fn scaled<'c: 'a, 'a>(place: Builder<'c, 'a>, range: Span<'c, 'a>, scale: Scale) -> Result<Span<'c, 'a>, Error> {
    let [factor, divisor, unit] = [place.index(scale.factor)?, place.index(scale.divisor)?, place.index(scale.unit)?];
    let moved = |end: usize| {
        let moved = arith::muli(&place, range[end], factor)?;
        let moved = arith::addi(&place, moved, place.index(scale.shift[end])?)?;
        Ok::<_, Error>(arith::maxsi(&place, moved, place.index(0)?)?)
    };
    let begin = arith::divui(&place, arith::divui(&place, moved(0)?, divisor)?, unit)?;
    let end = divided_up(place, divided_up(place, moved(1)?, divisor)?, unit)?;
    let end = arith::minsi(&place, arith::muli(&place, end, unit)?, place.index(scale.extent)?)?;
    Ok([arith::muli(&place, begin, unit)?, end])
}
