//! Products of integers of which only a run knows how many are added up, as those of the shares of attention and of values: both factors get
//! zeros behind, so that there are whole groups, which atoms multiply, and lie in aligned words.

use super::operations::{extent, reduce_within, zero};
use super::roles::Roles;
use crate::Error;
use crate::nest::atom::Atom;
use crate::nest::element::{Element, Number};
use crate::target::Target;
use crate::values::range::Ranges;
use crate::values::ranges;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, operations_named, types};
use skriptnd_mlir::ops::{Size, arith, linalg, tensor};

/// Factors that are read for fewer results are read as they are.
const LEAST_REUSE: i64 = 8;
/// The same of channels.
const LEAST_CHANNELS: i64 = 16;

/// Cuts such sums of a function into groups. Returns how many.
pub fn cut<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    if !target.isa.only_whole {
        return Ok(0);
    }
    let ranges = ranges(function);
    let products = operations_named(function, linalg::GENERIC).into_iter().filter_map(Structured::read);
    let sums: Vec<_> = products.filter_map(|structured| OpenSum::of(structured, &ranges, target)).collect();
    for sum in &sums {
        sum.apply()?;
    }
    Ok(sums.len())
}

/// A sum of products along a dimension whose extent only a run knows.
struct OpenSum<'c, 'a> {
    structured: Structured<'c, 'a>,
    dim: usize,
    /// Products that are added at once.
    size: i64,
}

impl<'c: 'a, 'a> OpenSum<'c, 'a> {
    fn of(structured: Structured<'c, 'a>, ranges: &Ranges, target: &Target) -> Option<Self> {
        let roles = Roles::of(&structured).filter(|roles| roles.sum == Element::Integer(32) && !roles.depthwise)?;
        let is_alone = structured.inputs.len() == 2 && structured.operation.result_count() == 1;
        let is_often_read = roles.reuse >= LEAST_REUSE && structured.extents[roles.channel] >= LEAST_CHANNELS;
        let dim = structured.maps[roles.input].results.last()?.as_dim()?;
        let is_open =
            structured.reduced[dim] && structured.open[dim].is_some() && structured.open[roles.channel].is_none();
        let has_once = |map: &Map| {
            let uses = map.results.iter().filter(|expr| expr.uses(dim));
            uses.map(Expr::as_dim).collect::<Vec<_>>() == [Some(dim)]
        };
        let are_plain = structured.maps[..2].iter().all(has_once);
        let are_bytes = structured.inputs.iter().all(|factor| {
            let range = ranges.get(*factor);
            range.most - range.least <= f64::from(u8::MAX)
        });
        let atom = Atom::best(target, [Number::Unsigned(8); 2], roles.sum)?;
        let fits = is_alone && is_often_read && is_open && are_plain && are_bytes;
        fits.then_some(OpenSum { structured, dim, size: atom.group })
    }

    /// Puts the sum of groups in its place.
    fn apply(&self) -> Result<(), Error> {
        let structured = &self.structured;
        let builder = Builder::before(structured.operation)?;
        let inside = structured.extents.len();
        let (mut inputs, mut maps) = (Vec::new(), Vec::new());
        for (place, map) in structured.maps.iter().enumerate() {
            let mut results = map.results.clone();
            if let Some(factor) = structured.inputs.get(place) {
                let along = results.iter().position(|expr| expr.uses(self.dim)).ok_or_else(no_groups)?;
                results.insert(along + 1, Expr::Dim(inside));
                inputs.push(self.groups(&builder, *factor, along)?);
            }
            maps.push(Map { dims: inside + 1, results });
        }
        reduce_within(structured, &inputs, &maps)
    }

    /// A factor with zeros behind, and groups of a dimension as one of their own.
    fn groups(&self, builder: &Builder<'c, 'a>, factor: Value<'c, 'a>, along: usize) -> Result<Value<'c, 'a>, Error> {
        let element = types::element(factor.r#type());
        let shape = types::shape(factor.r#type()).unwrap_or_default();
        let index = |number| builder.integer(types::index(builder.context()), number);
        let extent_of = extent(builder, factor, along)?;
        let more = arith::addi(builder, extent_of, index(self.size - 1)?)?;
        let groups = arith::divsi(builder, more, index(self.size)?)?;
        let missing = arith::subi(builder, arith::muli(builder, groups, index(self.size)?)?, extent_of)?;
        let sides = |place: usize| if place == along { Size::Value(missing) } else { Size::Known(0) };
        let padding: Vec<_> = (0..shape.len()).map(|place| (Size::Known(0), sides(place))).collect();
        let whole = types::tensor(element, &shape).ok_or_else(no_groups)?;
        let padded = tensor::pad(builder, factor, &padding, zero(builder, element)?, whole)?;
        let mut cut = shape;
        cut.insert(along + 1, Some(self.size.unsigned_abs()));
        let sizes = cut.iter().enumerate().map(|(place, known)| match known {
            Some(known) => Ok(Size::Known(i64::try_from(*known).map_err(|_| no_groups())?)),
            None if place == along => Ok(Size::Value(groups)),
            None => Ok(Size::Value(extent(builder, factor, place - usize::from(place > along))?)),
        });
        let sizes = sizes.collect::<Result<Vec<_>, Error>>()?;
        let behind = |place: usize| place + usize::from(place > along);
        let reassociation: Vec<Vec<usize>> = (0..cut.len() - 1)
            .map(|place| if place == along { vec![place, place + 1] } else { vec![behind(place)] })
            .collect();
        let kind = types::tensor(element, &cut).ok_or_else(no_groups)?;
        Ok(tensor::expand_shape(builder, padded, &reassociation, &sizes, kind)?)
    }
}

fn no_groups() -> Error {
    Error::malformed("a sum without groups")
}
