//! What is known before the run for each channel of a depthwise convolution, repeated for neighbouring pixels: where instructions have whole
//! vectors only, and channels divide none, one has those of several pixels, and begins with any channel.

use super::extended::Extended;
use super::operations::{set_maps, tensor};
use super::roles::{Roles, is_fixed};
use crate::Error;
use crate::target::Target;
use crate::views::structured::{Structured, copy};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, types};
use skriptnd_mlir::ops;

/// Bytes of a word, which lanes are counted in.
const WORD: i64 = 4;
/// Elements that are repeated for pixels, at most: a few of such operands lie near.
const MOST: i64 = 8192;

/// For how many pixels what belongs to channels is repeated.
#[derive(Clone, Copy)]
pub(super) struct Pixels {
    /// The dimension of a product's pixels beside each other.
    pub dim: usize,
    /// How many of them have whole vectors.
    pub count: i64,
    /// The extents of pixels and channels.
    extents: [i64; 2],
}

impl Pixels {
    /// Those of a depthwise convolution; none where they do not lie beside each other, or channels fill vectors alone.
    pub fn of(structured: &Structured<'_, '_>, roles: &Roles, target: &Target) -> Option<Pixels> {
        let output = structured.output_map()?.as_dims()?;
        let &[.., dim, channel] = output.as_slice() else { return None };
        let input = structured.maps[roles.input].results.as_slice();
        let [others @ .., line, last] = input else { return None };
        let is_next = channel == roles.channel && *last == Expr::Dim(channel) && line.coefficient(dim) == Some(1);
        let is_one = !others.iter().any(|expr| expr.uses(dim))
            && !structured.maps[roles.filter].results.iter().any(|expr| expr.uses(dim));
        let is_known = structured.open[dim].is_none() && structured.open[channel].is_none();
        let fits = roles.depthwise && target.isa.only_whole && is_fixed(structured.inputs[roles.filter]);
        let (lanes, extents) = (target.isa.lanes() * WORD, [dim, channel].map(|dim| structured.extents[dim]));
        let [pixels, channels] = extents;
        let is_part = lanes % channels != 0 && channels % lanes != 0 && pixels > 1 && pixels * channels >= lanes;
        let count = (1..=lanes).find(|count| count * channels % lanes == 0)?;
        let is_few = count * channels <= MOST;
        (fits && is_next && is_one && is_known && is_part && is_few).then_some(Pixels { dim, count, extents })
    }

    /// Repeats what an operation that has these pixels reads for each channel.
    pub fn repeat(&self, operation: OperationRef<'_, '_>) -> Result<(), Error> {
        let Some(structured) = Structured::read(operation).filter(Structured::is_parallel) else { return Ok(()) };
        let output = structured.output_map().and_then(Map::as_dims).unwrap_or_default();
        let &[.., dim, channel] = output.as_slice() else { return Ok(()) };
        if [dim, channel].map(|dim| structured.extents[dim]) != self.extents {
            return Ok(());
        }
        let mut maps = structured.maps.clone();
        for (number, &given) in structured.inputs.iter().enumerate() {
            if maps[number].as_dims().as_deref() != Some(&[channel]) || !is_fixed(given) {
                continue;
            }
            operation.set_operand(number, self.repeated(operation, given)?)?;
            maps[number].results.insert(0, Expr::Mod(Box::new(Expr::Dim(dim)), self.count));
        }
        set_maps(operation, &maps);
        Ok(())
    }

    /// The elements of channels, as often as pixels have them; those that are stored in fewer bits are extended behind that.
    fn repeated<'c: 'a, 'a>(
        &self,
        operation: OperationRef<'c, 'a>,
        given: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let Some(extended) = Extended::of(given) else { return self.copied(operation, given) };
        let stored = self.copied(operation, extended.source)?;
        let kind = tensor(types::element(given.r#type()), &[self.count, self.extents[1]])?;
        extended.again(&Builder::before(operation)?, stored, kind)
    }

    fn copied<'c: 'a, 'a>(
        &self,
        operation: OperationRef<'c, 'a>,
        given: Value<'c, 'a>,
    ) -> Result<Value<'c, 'a>, Error> {
        let builder = Builder::before(operation)?;
        let kind = tensor(types::element(given.r#type()), &[self.count, self.extents[1]])?;
        let empty = ops::tensor::empty(&builder, kind, &[])?;
        let of_channel = Map { dims: 2, results: vec![Expr::Dim(1)] };
        Ok(copy(builder, (given, &of_channel), (empty, &Map::identity(2)))?.result(0)?)
    }
}
