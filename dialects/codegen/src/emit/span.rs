//! The part of a kernel's parallel loops that one call does: a span of the units of all of them together, so that loops along
//! short dimensions are shared as well as long ones.

use crate::Error;
use crate::nest::parallel::Parallel;
use skriptnd_mlir::ir::{Builder, Value};
use skriptnd_mlir::ops::arith;

/// What a kernel knows of its parallel loops.
#[derive(Clone)]
pub struct Spans<'c, 'a> {
    /// Of each loop, outermost first: its dimension, the elements of a unit, and how many units the loops within it have
    /// together; none for the innermost.
    levels: Vec<(usize, i64, Option<Value<'c, 'a>>)>,
}

/// The first unit of a loop and those within it, and the one behind the last.
pub type Span<'c, 'a> = [Value<'c, 'a>; 2];

/// A unit along one parallel loop.
#[derive(Clone, Copy)]
pub struct Cut<'c, 'a> {
    /// Units of the loop that begin and end the span.
    pub range: Span<'c, 'a>,
    unit: i64,
    inner: Option<Value<'c, 'a>>,
    span: Span<'c, 'a>,
}

impl<'c: 'a, 'a> Spans<'c, 'a> {
    /// Those of a kernel whose dimensions have these extents.
    pub fn new(
        builder: Builder<'c, 'a>,
        parallel: &Parallel,
        extents: &dyn Fn(usize) -> Result<Value<'c, 'a>, Error>,
    ) -> Result<Self, Error> {
        let (mut levels, mut inner) = (Vec::new(), None);
        for level in parallel.levels.iter().rev() {
            levels.push((level.dim, level.unit, inner));
            // Where one is empty, no unit is in any span.
            let count = units(builder, extents(level.dim)?, level.unit)?;
            let count = arith::maxsi(&builder, count, builder.index(1)?)?;
            inner = Some(inner.map_or(Ok(count), |inner| arith::muli(&builder, inner, count))?);
        }
        levels.reverse();
        Ok(Spans { levels })
    }

    /// The parallel loop along a dimension in a span.
    pub fn cut(&self, builder: Builder<'c, 'a>, dim: usize, span: Span<'c, 'a>) -> Result<Option<Cut<'c, 'a>>, Error> {
        let Some(&(_, unit, inner)) = self.levels.iter().find(|(own, ..)| *own == dim) else { return Ok(None) };
        let range = match inner {
            None => span,
            Some(inner) => [arith::divui(&builder, span[0], inner)?, divided_up(builder, span[1], inner)?],
        };
        Ok(Some(Cut { range, unit, inner, span }))
    }
}

impl<'c: 'a, 'a> Cut<'c, 'a> {
    /// The elements that the range begins and ends with, where the dimension has so many.
    pub fn elements(&self, builder: Builder<'c, 'a>, extent: Value<'c, 'a>) -> Result<[Value<'c, 'a>; 2], Error> {
        let [first, last] = self.range;
        let unit = builder.index(self.unit)?;
        let (first, last) = (arith::muli(&builder, first, unit)?, arith::muli(&builder, last, unit)?);
        Ok([first, arith::minsi(&builder, last, extent)?])
    }

    /// Whether no parallel loop is within this one.
    pub fn is_innermost(&self) -> bool {
        self.inner.is_none()
    }

    /// The span of the loops within this one at an element.
    pub fn within(&self, builder: Builder<'c, 'a>, element: Value<'c, 'a>) -> Result<Option<Span<'c, 'a>>, Error> {
        let Some(inner) = self.inner else { return Ok(None) };
        let number = match self.unit {
            1 => element,
            unit => arith::divui(&builder, element, builder.index(unit)?)?,
        };
        let before = arith::muli(&builder, number, inner)?;
        let [first, last] = self.span;
        let first = arith::maxsi(&builder, arith::subi(&builder, first, before)?, builder.index(0)?)?;
        let last = arith::minsi(&builder, arith::subi(&builder, last, before)?, inner)?;
        Ok(Some([first, last]))
    }
}

/// The units of all parallel loops of a kernel together, and the ranges that they are cut into. `extents` gives that of a dimension of
/// the nest of a number.
pub fn counts<'c: 'a, 'a>(
    place: Builder<'c, 'a>,
    parallel: &Parallel,
    extents: &dyn Fn(usize, usize) -> Result<Value<'c, 'a>, Error>,
) -> Result<[Value<'c, 'a>; 2], Error> {
    let one = place.index(1)?;
    let mut all = one;
    for level in &parallel.levels {
        all = arith::muli(&place, all, units(place, extents(0, level.dim)?, level.unit)?)?;
    }
    let mut weight = one;
    for dim in &parallel.scaling.1 {
        weight = arith::muli(&place, weight, extents(parallel.scaling.0, *dim)?)?;
    }
    // What has no elements takes no time.
    let weight = arith::maxsi(&place, weight, one)?;
    let grain = divided_up(place, place.index(parallel.grain)?, weight)?;
    let ranges = arith::divui(&place, all, grain)?;
    let ranges = arith::minsi(&place, ranges, place.index(parallel.ranges)?)?;
    Ok([all, ranges])
}

/// How many units of a length a dimension has, the last of them perhaps shorter.
fn units<'c: 'a, 'a>(builder: Builder<'c, 'a>, extent: Value<'c, 'a>, unit: i64) -> Result<Value<'c, 'a>, Error> {
    if unit == 1 { Ok(extent) } else { divided_up(builder, extent, builder.index(unit)?) }
}

/// A quotient, rounded up.
pub fn divided_up<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    number: Value<'c, 'a>,
    by: Value<'c, 'a>,
) -> Result<Value<'c, 'a>, Error> {
    let further = arith::subi(&builder, by, builder.index(1)?)?;
    Ok(arith::divui(&builder, arith::addi(&builder, number, further)?, by)?)
}
