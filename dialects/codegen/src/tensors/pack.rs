//! Filters in the order in which a convolution or a product of matrices reads them: panels as wide as a tile of
//! accumulators, the reduced dimensions inside in the order of the input, channels innermost. The iteration space stays
//! as it is; panels are quotients and remainders in the filter's indexing map.

use super::following::{around, following};
use super::fusible::is_extension;
use super::groups::group;
use super::open_groups::OpenGroups;
use super::operations::{copy_body, extent, padded, set_maps, tensor};
use super::pixels::Pixels;
use super::roles::{Roles, is_fixed};
use super::transposed::source;
use crate::Error;
use crate::nest::cost::accumulator_tile;
use crate::nest::parts::even_share;
use crate::target::Target;
use crate::views::structured::{Structured, copy};
use skriptnd_mlir::ir::affine::{Expr, Map};
use skriptnd_mlir::ir::{Builder, OperationRef, Value, block_arguments, operations_named, types};
use skriptnd_mlir::ops::{self, linalg};
use skriptnd_mlir::rewrite::with_rewriter;

/// Filters that are not known before the run are packed only if each element is used so often, where they don't lie as vectors want them.
const LEAST_REUSE: i64 = 8;
/// The same where they do, and where their rows lie in the same places of pages then: each pushes others out of the cache.
const PAGE_REUSE: i64 = 64;
const PAGE: i64 = 4096;

/// How many times the results of a pixel, at least, fill a vector where vectors go along what is added up for them instead.
const EMPTY: i64 = 2;

/// Vectors that a tile of accumulators may have along channels.
const MOST_VECTORS: i64 = 4;

/// Elements of rows that are several tiles: from one to the next, each tile reads lines that lie apart, which comes slower than what lies beside each other.
const FAR: i64 = 256;

/// Packs the filters of all contractions in a function. Returns how many were packed.
pub fn pack_filters<'c: 'a, 'a>(function: OperationRef<'c, 'a>, target: &Target) -> Result<usize, Error> {
    let mut packed = 0;
    for operation in operations_named(function, linalg::GENERIC) {
        let Some(structured) = Structured::read(operation).filter(|view| view.operation.result_count() == 1) else {
            continue;
        };
        let Some(roles) = Roles::of(&structured) else { continue };
        let seen = if roles.sum.is_real() { target.for_reals() } else { target.clone() };
        let groups = group(&structured, &roles, &seen);
        if let Some(groups) = groups.and_then(|groups| OpenGroups::of(&structured, &roles, groups, &seen)) {
            groups.apply(&structured)?;
            packed += 1;
        } else if let Some(packing) = Packing::of(&structured, &roles, &seen) {
            packing.apply(&structured, roles.filter)?;
            packed += 1;
        }
    }
    Ok(packed)
}

/// Packs a weight of few bits and its scales, which are such operands of a product, in the same panels. Its input and the dimension of its
/// channels are those of the product with reals.
pub(super) fn pack_weight<'c: 'a, 'a>(
    product: OperationRef<'c, 'a>,
    operands: [usize; 2],
    roles: &Roles,
    target: &Target,
) -> Result<(), Error> {
    let (_, vectors) = accumulator_tile(target, roles.reuse);
    let tile = vectors * target.isa.lanes();
    let has_panels = target.isa.lanes() > 1 && !target.isa.is_scalable();
    for operand in operands {
        let Some(structured) = Structured::read(product) else { continue };
        let panel = (has_panels && structured.extents[roles.channel] > tile).then_some(tile);
        let packing = Packing::with(&structured, (roles.input, operand, roles.channel), (panel, None, false));
        packing.map_or(Ok(()), |packing| packing.apply(&structured, operand))?;
    }
    Ok(())
}

/// How one filter is stored.
struct Packing {
    /// The dimension of the iteration space along which vectors go.
    channel: usize,
    /// Dimensions of the iteration space outside a panel, then inside without the channel.
    outside: Vec<usize>,
    inside: Vec<usize>,
    /// Channels in a panel; none if all are in one.
    panel: Option<i64>,
    /// A reduced dimension that is cut into groups whose products are added at once, and their length.
    group: Option<(usize, i64)>,
    /// For how many pixels the groups of all channels are repeated.
    pixels: Option<Pixels>,
    /// Whether the channel is the outermost dimension: vectors go along a reduced one.
    is_few: bool,
}

impl Packing {
    /// None where the filter is good as it is.
    fn of(structured: &Structured<'_, '_>, roles: &Roles, target: &Target) -> Option<Packing> {
        let filter = structured.maps[roles.filter].as_dims()?;
        let output = structured.output_map()?.as_dims()?;
        let group = group(structured, roles, target);
        let is_few = group.is_none() && has_few_channels(structured, roles, target);
        if !is_worth(structured, roles, (group.is_some(), is_few), target) {
            return None;
        }
        if output.last() != Some(&roles.channel) && !roles.depthwise {
            return None;
        }
        // Panels are whole, and so are groups; what lies outside of both may be open.
        let is_cut = |dim: usize| dim == roles.channel || group.is_none_or(|(grouped, _)| grouped == dim);
        if filter.iter().any(|&dim| structured.open[dim].is_some() && is_cut(dim)) {
            return None;
        }
        let (_, vectors) = accumulator_tile(target, roles.reuse);
        let vectors = if target.isa.only_whole { even_vectors(structured, roles, (vectors, target)) } else { vectors };
        let tile = vectors * target.isa.lanes();
        // No panel is a multiple of vectors whose length only the processor knows; atoms take others.
        let has_panels = target.isa.lanes() > 1 && (group.is_some() || !target.isa.is_scalable());
        let wide = structured.extents[roles.channel] > tile && has_panels && !roles.depthwise;
        // Of groups there are whole panels, so that whole vectors can be read, and results be written.
        let lanes = match group {
            Some((_, size)) if roles.depthwise && target.isa.only_whole => target.isa.lanes() * size,
            _ => lanes_of_results(structured.operation, target),
        };
        // Several pixels in a vector repeat channels.
        let channels = structured.extents[roles.channel];
        let has_own_groups = roles.depthwise && target.isa.only_whole;
        let fills = has_own_groups || channels % target.isa.lanes() == 0 && has_pixels(structured, roles.filter);
        let repeats = fills && lanes > channels && lanes % channels == 0;
        let tile = (tile + lanes - 1) / lanes * lanes;
        let narrow = (structured.extents[roles.channel] + lanes - 1) / lanes * lanes;
        let pixels = group.and_then(|_| Pixels::of(structured, roles, target));
        let repeats = repeats || pixels.is_some();
        let panel = if wide { Some(tile) } else { group.filter(|_| !repeats).map(|_| narrow) };
        let packing = Packing::with(structured, (roles.input, roles.filter, roles.channel), (panel, group, is_few))?;
        Some(Packing { pixels, ..packing })
    }

    /// In panels, or without, with the reduced dimensions in the order of an input; none where an operand is good as it is.
    fn with(
        structured: &Structured<'_, '_>,
        (input, operand, channel): (usize, usize, usize),
        (panel, group, is_few): (Option<i64>, Option<(usize, i64)>, bool),
    ) -> Option<Packing> {
        let dims = structured.maps[operand].as_dims().filter(|dims| dims.contains(&channel))?;
        let others = dims.iter().copied().filter(|&dim| dim != channel);
        let (mut inside, outside): (Vec<usize>, Vec<usize>) = others.partition(|&dim| structured.reduced[dim]);
        let place = |dim: usize| structured.maps[input].results.iter().position(|expr| expr.uses(dim));
        inside.sort_by_key(|&dim| place(dim));
        let packing = Packing { channel, outside, inside, panel, group, pixels: None, is_few };
        let others = packing.outside.iter().chain(&packing.inside).copied();
        let stored: Vec<usize> = match is_few {
            true => [channel].into_iter().chain(others).collect(),
            false => others.chain([channel]).collect(),
        };
        (packing.panel.is_some() || packing.group.is_some() || stored != dims).then_some(packing)
    }

    fn apply(&self, structured: &Structured<'_, '_>, operand: usize) -> Result<(), Error> {
        let operation = structured.operation;
        // What is transposed before is packed from where it lies.
        let as_it_is = || (structured.inputs[operand], structured.maps[operand].clone());
        let (source, map) = source(as_it_is().0, &structured.maps[operand]).unwrap_or_else(as_it_is);
        let Some(filter) = map.as_dims() else { return Ok(()) };
        if let Some(pixels) = &self.pixels {
            for around in around(structured) {
                pixels.repeat(around)?;
            }
        }
        let stored = self.stored(structured);
        let high: Vec<i64> = filter.iter().map(|&dim| self.missing(structured, dim)).collect();
        let mut ready = source;
        if high.iter().any(|&missing| missing > 0) {
            ready = padded(operation, source, &high, 0)?;
        }
        let packed = copied(structured, (ready, &filter), &stored)?;
        let mut maps = structured.maps.clone();
        maps[operand] = Map { dims: structured.extents.len(), results: stored.iter().map(Part::index).collect() };
        let is_plain = |dim: usize| maps.iter().flat_map(|map| &map.results).any(|expr| expr.as_dim() == Some(dim));
        if let Some((dim, _)) = self.group.filter(|(dim, _)| !is_plain(*dim)) {
            return with_extent(structured, (operand, packed), maps, dim);
        }
        operation.set_operand(operand, packed)?;
        set_maps(operation, &maps);
        Ok(())
    }

    /// How long the parts are into which a dimension is cut.
    fn length(&self, dim: usize) -> Option<i64> {
        let group = self.group.filter(|(grouped, _)| *grouped == dim).map(|(_, length)| length);
        if dim == self.channel { self.panel } else { group }
    }

    /// By how much a dimension grows to have whole parts.
    fn missing(&self, structured: &Structured<'_, '_>, dim: usize) -> i64 {
        let extent = structured.extents[dim];
        self.length(dim).map_or(0, |length| (length - extent % length) % length)
    }

    /// The dimensions of the packed filter: whole ones, and parts of those that are cut, which lie innermost: the channels
    /// of a panel and in them groups.
    fn stored(&self, structured: &Structured<'_, '_>) -> Vec<Part> {
        let part = |dim: usize, piece: Piece| {
            let (extent, length) = (structured.extents[dim], self.length(dim).unwrap_or(1));
            let extent = match piece {
                Piece::Whole => extent,
                Piece::Number => (extent + length - 1) / length,
                Piece::Inside => length,
            };
            Part { dim, piece, length, extent }
        };
        let outer = |dim: usize| part(dim, if self.length(dim).is_some() { Piece::Number } else { Piece::Whole });
        let panels = self.panel.map(|_| outer(self.channel));
        let channel = part(self.channel, if self.panel.is_some() { Piece::Inside } else { Piece::Whole });
        let group = self.group.map(|(dim, _)| part(dim, Piece::Inside));
        let pixels = self.pixels.map(|Pixels { dim, count, .. }| Part {
            dim,
            piece: Piece::Inside,
            length: count,
            extent: count,
        });
        if self.is_few {
            let others = self.outside.iter().chain(&self.inside);
            return [channel].into_iter().chain(others.map(|&dim| outer(dim))).collect();
        }
        let is_open = |dim: &usize| structured.open[*dim].is_some();
        let outside: Vec<usize> = match self.inside.iter().rposition(is_open) {
            // How far panels lie from each other is known.
            Some(last) => self.outside.iter().chain(&self.inside[..=last]).copied().collect(),
            None => self.outside.clone(),
        };
        let inside = self.inside.iter().filter(|dim| !outside.contains(dim));
        let outside = outside.iter().map(|&dim| outer(dim)).chain(panels);
        outside.chain(inside.map(|&dim| outer(dim))).chain(pixels).chain([channel]).chain(group).collect()
    }
}

/// The same operation with another filter and an operand that is not read, which tells the extent of a dimension that no other one does.
fn with_extent<'c: 'a, 'a>(
    structured: &Structured<'c, 'a>,
    (filter, packed): (usize, Value<'c, 'a>),
    mut maps: Vec<Map>,
    dim: usize,
) -> Result<(), Error> {
    let operation = structured.operation;
    let builder = Builder::before(operation)?;
    let kind = tensor(types::element(packed.r#type()), &[structured.extents[dim]])?;
    let mut inputs = structured.inputs.clone();
    inputs[filter] = packed;
    let count = inputs.len();
    inputs.push(ops::tensor::empty(&builder, kind, &[])?);
    maps.insert(count, Map { dims: structured.extents.len(), results: vec![Expr::Dim(dim)] });
    let made = linalg::generic(&builder, &inputs, &structured.outputs, &maps, &structured.reduced)?;
    let (read, rest) = made.arguments.split_at(count);
    let arguments = read.iter().chain(&rest[1..]).copied();
    let known = block_arguments(structured.body).map(|own| own.key()).zip(arguments).collect();
    let results = copy_body(structured.body, &made.builder, known)?;
    linalg::r#yield(&made.builder, &results)?;
    let results = made.operation.result_values();
    Ok(with_rewriter(operation, |rewriter| rewriter.replace(operation, &results))?)
}

/// Whether it is worth it to pack a filter, for the sake of groups or of few channels.
fn is_worth(
    structured: &Structured<'_, '_>,
    roles: &Roles,
    (has_groups, is_few): (bool, bool),
    target: &Target,
) -> bool {
    let last = structured.maps[roles.filter].results.last().and_then(Expr::as_dim);
    let (lies_near, is_fixed) = (last == Some(roles.channel), is_fixed(structured.inputs[roles.filter]));
    match roles.reuse {
        // Used once, it is read as it is, or where the elements of a tile are far apart.
        ..=1 => is_fixed && (has_groups || is_few || lies_near && structured.extents[roles.channel] >= FAR),
        reuse if !has_groups && (lies_near || roles.depthwise) => {
            is_fixed || reuse >= least_reuse(structured, roles, target)
        }
        reuse => is_fixed || reuse >= LEAST_REUSE,
    }
}

/// How often elements of a filter that only a run knows, and whose channels lie beside each other, must be used to be packed.
fn least_reuse(structured: &Structured<'_, '_>, roles: &Roles, target: &Target) -> i64 {
    let row = structured.extents[roles.channel].saturating_mul(roles.numbers[1].element().bytes());
    // The longer vectors are, the less products take, and the more of each line of the cache is loaded at once as it is.
    let often = target.isa.lanes() * target.isa.lanes();
    match row {
        row if row % PAGE == 0 => PAGE_REUSE,
        row if row > PAGE => often,
        _ => 2 * often,
    }
}

/// Whether the channels of results leave most of a vector empty, and those of what is read, which lie beside each other, fill several.
fn has_few_channels(structured: &Structured<'_, '_>, roles: &Roles, target: &Target) -> bool {
    let lanes = target.isa.lanes();
    let last = structured.maps[roles.input].results.last().and_then(Expr::as_dim);
    let fills = |dim: usize| structured.reduced[dim] && structured.extents[dim] >= 2 * lanes;
    let has_known_length = !target.isa.is_scalable() && !roles.depthwise;
    // Of what only a run knows, products would be added in another order by how many there are.
    let may_turn = has_known_length && is_fixed(structured.inputs[roles.filter]);
    may_turn && structured.extents[roles.channel] * EMPTY <= lanes && last.is_some_and(fills)
}

/// Bytes of what is summed up.
const WORD: i64 = 4;

/// How many results fill a vector: where there are whole vectors only, those that become bytes have the lanes of several of words.
fn lanes_of_results(product: OperationRef<'_, '_>, target: &Target) -> i64 {
    let lanes = target.isa.lanes();
    if !target.isa.only_whole {
        return lanes;
    }
    let last = following(product).last().unwrap_or(product);
    // What is extended behind that is stored before.
    let extended = Structured::read(last).filter(is_extension).and_then(|extended| extended.inputs.first().copied());
    let stored = extended.or_else(|| last.result(0).ok());
    let stored = stored.and_then(|result| types::width(types::element(result.r#type())));
    lanes * (WORD / i64::from(stored.unwrap_or(0) / 8).clamp(1, WORD)).max(1)
}

/// Vectors of a panel, as many in each, rather than that the last one is mostly empty.
fn even_vectors(structured: &Structured<'_, '_>, roles: &Roles, (vectors, target): (i64, &Target)) -> i64 {
    let lanes = target.isa.lanes();
    let all = (structured.extents[roles.channel] + lanes - 1) / lanes;
    if all % vectors == 0 { vectors } else { even_share(all, MOST_VECTORS) }
}

/// Whether results of neighbouring pixels lie beside each other, each with all of its channels: a vector may have those of several.
fn has_pixels(structured: &Structured<'_, '_>, filter: usize) -> bool {
    let Some(output) = structured.output_map().and_then(Map::as_dims) else { return false };
    let [.., pixel, _] = output[..] else { return false };
    let is_own = !structured.maps[filter].results.iter().any(|expr| expr.uses(pixel));
    is_own && structured.extents[pixel] > 1
}

/// A copy of a filter as the parts of its dimensions lie in it.
fn copied<'c: 'a, 'a>(
    structured: &Structured<'c, 'a>,
    (source, filter): (Value<'c, 'a>, &[usize]),
    stored: &[Part],
) -> Result<Value<'c, 'a>, Error> {
    let builder = Builder::before(structured.operation)?;
    let is_open = |part: &Part| structured.open[part.dim].is_some();
    let shape: Vec<_> = stored.iter().map(|part| (!is_open(part)).then_some(part.extent.unsigned_abs())).collect();
    let place = |part: &Part| filter.iter().position(|dim| *dim == part.dim).unwrap_or(0);
    let open = stored.iter().filter(|part| is_open(part)).map(|part| extent(&builder, source, place(part)));
    let open = open.collect::<Result<Vec<_>, _>>()?;
    let kind = types::tensor(types::element(source.r#type()), &shape);
    let kind = kind.ok_or_else(|| Error::malformed("no tensor of such elements"))?;
    let empty = ops::tensor::empty(&builder, kind, &open)?;
    let identity = Map::identity(stored.len());
    Ok(copy(builder, (source, &source_map(filter, stored)), (empty, &identity))?.result(0)?)
}

/// What a dimension of a packed filter is of one of its own.
struct Part {
    dim: usize,
    piece: Piece,
    /// Of a part, if it is cut.
    length: i64,
    extent: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Whole,
    /// Which part.
    Number,
    /// The place in the part.
    Inside,
}

impl Part {
    /// The index for one of the dimension.
    fn index(&self) -> Expr {
        let dim = Expr::Dim(self.dim);
        match self.piece {
            Piece::Whole => dim,
            Piece::Number => Expr::FloorDiv(Box::new(dim), self.length),
            Piece::Inside => Expr::Mod(Box::new(dim), self.length),
        }
    }
}

/// Where the packed filter's elements come from.
fn source_map(filter: &[usize], stored: &[Part]) -> Map {
    let index = |dim: usize| {
        let parts = stored.iter().enumerate().filter(|(_, part)| part.dim == dim);
        let terms = parts.map(|(place, part)| match part.piece {
            Piece::Number => Expr::Dim(place).times(part.length),
            Piece::Whole | Piece::Inside => Expr::Dim(place),
        });
        terms.reduce(Expr::plus).unwrap_or(Expr::Const(0))
    };
    Map { dims: stored.len(), results: filter.iter().map(|&dim| index(dim)).collect() }
}
