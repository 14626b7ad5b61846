//! Factors of products whose channels only a run knows, as keys of attention are: each group of elements that an atom multiplies becomes a word, and
//! words of neighbouring channels lie beside each other. There are no panels, which would have to be whole: the last vectors begin earlier.

use super::operations::{extent, reduce_within};
use super::roles::Roles;
use crate::Error;
use crate::target::Target;
use crate::views::structured::{Structured, copy};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, Value, types};
use skriptnd_mlir::ops::{Size, tensor};

/// A factor that is read once for so few results is read as it is.
const LEAST_REUSE: i64 = 8;

/// How a factor is cut into groups.
pub struct OpenGroups {
    input: usize,
    filter: usize,
    /// The dimension of the channels, and that of the elements that are multiplied.
    channel: usize,
    dim: usize,
    /// Elements of a group.
    size: i64,
}

impl OpenGroups {
    /// For groups along a dimension of which an atom multiplies so many elements at once; none where channels are known.
    pub fn of(
        structured: &Structured<'_, '_>,
        roles: &Roles,
        (dim, size): (usize, i64),
        target: &Target,
    ) -> Option<OpenGroups> {
        let Roles { input, filter, channel, depthwise, reuse, .. } = *roles;
        let is_open = |dim: usize| structured.open[dim].is_some();
        let fits = target.isa.only_whole && is_open(channel) && !depthwise && reuse >= LEAST_REUSE;
        let is_whole = fits && !is_open(dim) && structured.extents[dim] % size == 0;
        let is_last = structured.maps[input].results.last() == Some(&Expr::Dim(dim));
        let is_written_last = structured.output_map()?.as_dims()?.last() == Some(&channel);
        let is_plain = structured.maps[filter].as_dims().is_some_and(|dims| dims.contains(&dim));
        let others = structured.maps.iter().enumerate().filter(|(place, _)| *place != input && *place != filter);
        let is_alone = others.flat_map(|(_, map)| &map.results).all(|expr| !expr.uses(dim));
        (is_whole && is_last && is_written_last && is_plain && is_alone).then_some(OpenGroups {
            input,
            filter,
            channel,
            dim,
            size,
        })
    }

    /// Puts the product of groups in the place of an operation.
    pub fn apply<'c: 'a, 'a>(&self, structured: &Structured<'c, 'a>) -> Result<(), Error> {
        let builder = Builder::before(structured.operation)?;
        let within = structured.extents.len();
        let mut inputs = structured.inputs.clone();
        let mut maps: Vec<Map> =
            structured.maps.iter().map(|map| Map { dims: within + 1, results: map.results.clone() }).collect();
        inputs[self.input] = self.cut(&builder, structured.inputs[self.input])?;
        maps[self.input].results.push(Expr::Dim(within));
        let order = self.order(structured);
        inputs[self.filter] = self.words(&builder, structured, &order)?;
        let inside = Expr::Mod(Box::new(Expr::Dim(within)), self.size);
        maps[self.filter].results = order.into_iter().map(Expr::Dim).chain([inside]).collect();
        reduce_within(structured, &inputs, &maps)
    }

    /// The dimensions of the cut factor, but that within groups.
    fn order(&self, structured: &Structured<'_, '_>) -> Vec<usize> {
        let dims = structured.maps[self.filter].as_dims().unwrap_or_default();
        let others = dims.into_iter().filter(|own| ![self.dim, self.channel].contains(own));
        let (inside, outside): (Vec<usize>, Vec<usize>) = others.partition(|dim| structured.reduced[*dim]);
        outside.into_iter().chain(inside).chain([self.dim, self.channel]).collect()
    }

    /// The input, with groups along its last dimension.
    fn cut<'c: 'a, 'a>(&self, builder: &Builder<'c, 'a>, input: Value<'c, 'a>) -> Result<Value<'c, 'a>, Error> {
        let mut shape = types::shape(input.r#type()).unwrap_or_default();
        let size = self.size.unsigned_abs();
        let mut groups: Vec<Vec<usize>> = (0..shape.len()).map(|place| vec![place]).collect();
        let last = shape.pop().flatten().ok_or_else(no_groups)?;
        shape.extend([Some(last / size), Some(size)]);
        groups.last_mut().ok_or_else(no_groups)?.push(shape.len() - 1);
        let kind = types::tensor(types::element(input.r#type()), &shape).ok_or_else(no_groups)?;
        let sizes = shape.iter().enumerate().map(|(place, known)| match known {
            Some(known) => Ok(Size::Known(*known as i64)),
            None => Ok(Size::Value(extent(builder, input, place)?)),
        });
        let sizes = sizes.collect::<Result<Vec<_>, Error>>()?;
        Ok(tensor::expand_shape(builder, input, &groups, &sizes, kind)?)
    }

    /// The filter as words in this order.
    fn words<'c: 'a, 'a>(
        &self,
        builder: &Builder<'c, 'a>,
        structured: &Structured<'c, 'a>,
        order: &[usize],
    ) -> Result<Value<'c, 'a>, Error> {
        let filter = structured.inputs[self.filter];
        let dims = structured.maps[self.filter].as_dims().unwrap_or_default();
        let shape = types::shape(filter.r#type()).unwrap_or_default();
        let places = order.iter().map(|own| dims.iter().position(|dim| dim == own).ok_or_else(no_groups));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        let size = self.size.unsigned_abs();
        let known = |(own, place): (&usize, &usize)| {
            shape[*place].map(|known| if *own == self.dim { known / size } else { known })
        };
        let kept: Vec<_> = order.iter().zip(&places).map(known).chain([Some(size)]).collect();
        let open = places.iter().filter(|place| shape[**place].is_none()).map(|place| extent(builder, filter, *place));
        let open = open.collect::<Result<Vec<_>, _>>()?;
        let kind = types::tensor(types::element(filter.r#type()), &kept).ok_or_else(no_groups)?;
        let empty = tensor::empty(builder, kind, &open)?;
        let at = |dim: &usize| {
            let place = order.iter().position(|own| own == dim).unwrap_or(0);
            if *dim == self.dim {
                Expr::Dim(place).times(self.size).plus(Expr::Dim(order.len()))
            } else {
                Expr::Dim(place)
            }
        };
        let map = Map { dims: kept.len(), results: dims.iter().map(at).collect() };
        Ok(copy(*builder, (filter, &map), (empty, &Map::identity(kept.len())))?.result(0)?)
    }
}

fn no_groups() -> Error {
    Error::malformed("a factor without groups")
}
