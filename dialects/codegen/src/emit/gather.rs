//! Calls of kernels of which each process does a part, and of the functions that gather the parts.

use super::sharded::Shared;
use super::span::divided_up;
use super::{Defined, Emitter, read};
use crate::nest::parallel::MOST_RANGES;
use crate::nest::share::{Part, Scale, written};
use crate::views::functions::{self, PROCESSES, RANK};
use crate::{Error, notes};
use read::{Bound, Passed};
use skriptnd_mlir::ir::{Builder, Type, Value, attributes, types};
use skriptnd_mlir::ops::arith::{self, IntegerPredicate};
use skriptnd_mlir::ops::{func, memref};

/// A range of indices.
type Range<'c, 'a> = [Value<'c, 'a>; 2];

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
        let grain = defined.parallel.as_ref().map_or(1, |parallel| parallel.grain);
        let ranges = arith::divui(&place, count, place.index(grain)?)?;
        let ranges = arith::minsi(&place, ranges, place.index(MOST_RANGES)?)?;
        arguments.extend([units[0], count, ranges, self.threads()?]);
        func::call(&place, &super::shared::shared(&defined.name), &arguments, &[])?;
        self.parallel_calls += 1;
        if shared.part.is_none() {
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
    fn units(&mut self, place: Builder<'c, 'a>, shared: &Shared) -> Result<Range<'c, 'a>, Error> {
        let Shared { share, part } = shared;
        let [first, last] = match part {
            None => self.part_of(place, share.units())?,
            Some(Part { share: root, path, .. }) => {
                let [first, last] = self.part_of(place, root.units())?;
                let unit = place.index(root.unit)?;
                let (first, last) = (arith::muli(&place, first, unit)?, arith::muli(&place, last, unit)?);
                let mut range = [first, arith::minsi(&place, last, place.index(root.extent)?)?];
                for scale in path {
                    range = scaled(place, range, *scale)?;
                }
                let unit = place.index(share.unit)?;
                [arith::divui(&place, range[0], unit)?, divided_up(place, range[1], unit)?]
            }
        };
        let zero = place.index(0)?;
        let is_some = arith::cmpi(&place, IntegerPredicate::Slt, first, last)?;
        Ok([arith::select(&place, is_some, first, zero)?, arith::select(&place, is_some, last, zero)?])
    }

    /// What of so many units belongs to this process.
    fn part_of(&mut self, place: Builder<'c, 'a>, units: i64) -> Result<Range<'c, 'a>, Error> {
        let (rank, processes) = (self.told(place, RANK)?, self.told(place, PROCESSES)?);
        let units = place.index(units)?;
        let next = arith::addi(&place, rank, place.index(1)?)?;
        let begin = |number| Ok::<_, Error>(arith::divui(&place, arith::muli(&place, units, number)?, processes)?);
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
        let Passed { r#type: flat, is_moved } = Passed::of(value)?;
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
fn scaled<'c: 'a, 'a>(place: Builder<'c, 'a>, range: Range<'c, 'a>, scale: Scale) -> Result<Range<'c, 'a>, Error> {
    let Scale { divisor, factor, unit, extent } = scale;
    let [divisor, factor, unit, extent] =
        [place.index(divisor)?, place.index(factor)?, place.index(unit)?, place.index(extent)?];
    let begin = arith::muli(&place, arith::divui(&place, range[0], divisor)?, factor)?;
    let end = arith::muli(&place, divided_up(place, range[1], divisor)?, factor)?;
    let begin = arith::muli(&place, arith::divui(&place, begin, unit)?, unit)?;
    let end = arith::muli(&place, divided_up(place, end, unit)?, unit)?;
    Ok([begin, arith::minsi(&place, end, extent)?])
}
