//! Which layouts contractions want: the channels of their results, and of what they read, innermost.

use super::reshapes::{Order, Reshape, is_identity};
use super::roles::Roles;
use crate::target::Target;
use crate::views::shapes::volume;
use crate::views::structured::Structured;
use skriptnd_mlir::ir::affine::Expr;
use skriptnd_mlir::ir::{OperationRef, Value, types};
use skriptnd_mlir::ops::tensor;

/// Fewer input channels than these are read as they lie: converting an image costs more than it brings.
const LEAST_CHANNELS: i64 = 8;
/// The same where vectors are whole only: atoms multiply groups of channels then, and those that lie apart are loaded byte by byte.
const LEAST_GROUPED: i64 = 2;

/// Channels that fill vectors of most targets.
const LEAST_LANES: i64 = 16;

/// Taps along a line from which on it is better to convert an image, and the width up to which it always is.
const MANY_TAPS: i64 = 5;
const NARROW: i64 = 8;

/// Pixels that are enough for vectors along them.
const LEAST_PIXELS: i64 = 160;
/// The same of a line, where windows go along it.
const LEAST_WIDTH: i64 = 56;

/// The layouts that a contraction wants.
pub(super) struct Wanted<'c, 'a> {
    /// Its result with the order that puts the channels last, and likewise its input.
    pub(super) orders: Vec<(Value<'c, 'a>, Order)>,
    /// Whether vectors along pixels that lie last are as good, of reals.
    pub(super) takes_pixels: bool,
    /// The same where nothing around it wants others: with others, borders between are in the way.
    pub(super) is_alone_as_it_is: bool,
}

impl<'c: 'a, 'a> Wanted<'c, 'a> {
    /// What an operation on tensors whose dimensions may be in any order wants, if it is a contraction.
    pub(super) fn of(operation: OperationRef<'c, 'a>, target: &Target) -> Option<Self> {
        let structured = Structured::read(operation)?;
        let Some(roles) = Roles::of(&structured) else { return Wanted::of_windows(&structured) };
        let output = structured.output_map()?.as_dims()?;
        let place = output.iter().position(|&dim| dim == roles.channel)?;
        // Of several matrices, each times a vector of its own, the number is no channel: nothing slides along them.
        let are_several = roles.depthwise && structured.maps[roles.input].as_dims().is_some();
        if roles.reuse <= 1 || output.len() < 3 || are_several {
            return None;
        }
        let result = *operation.result_values().first()?;
        let group = Group::of(&structured, &roles, result);
        let order = last(output.len(), place, group.is_some());
        let input = input_channels(&structured, &roles, group.as_ref(), target).map(|place| {
            let value = structured.inputs[roles.input];
            (value, last(structured.maps[roles.input].results.len(), place, group.is_some_and(|group| group.of_input)))
        });
        let orders = [(result, order)].into_iter().chain(input).collect();
        let pixels = &output[place + 1..];
        let is_real = roles.sum.is_real();
        let is_scattered = result.uses().iter().any(|(user, _)| has_strides(*user, tensor::INSERT_SLICE));
        let takes_pixels = is_real && !is_scattered && is_pointwise(&structured, &roles, pixels);
        let is_alone_as_it_is = is_real
            && match roles.depthwise {
                true => has_wide_lines(&structured, &roles, pixels),
                false => has_few_of_many(&structured, &roles, &output),
            };
        Some(Wanted { orders, takes_pixels, is_alone_as_it_is })
    }

    /// What large windows want that go by several pixels at a time, such as those of a pooling: of these there are no vectors of neighbours.
    fn of_windows(structured: &Structured<'c, 'a>) -> Option<Self> {
        let (input, map, output) =
            (*structured.inputs.first()?, &structured.maps[0], structured.output_map()?.as_dims()?);
        let (pixel, line) = (*output.last()?, map.results.last()?);
        let inside = (0..structured.extents.len()).find(|&dim| structured.reduced[dim] && line.uses(dim))?;
        let (width, taps) = (structured.extents[pixel], structured.extents[inside]);
        let goes_far = line.coefficient(pixel)? > 1 && width > 1;
        let is_window = goes_far && (taps >= MANY_TAPS || width <= NARROW);
        let is_channel = |&place: &usize| map.results.get(place).and_then(Expr::as_dim) == Some(output[place]);
        let place = (0..output.len()).filter(is_channel).max_by_key(|&place| structured.extents[output[place]])?;
        let result = *structured.operation.result_values().first()?;
        let is_real = types::element(result.r#type()).is_float() && structured.operation.result_count() == 1;
        let is_wide = structured.extents[output[place]] >= LEAST_LANES && output.len() == map.results.len();
        let order = last(output.len(), place, false);
        let orders = vec![(result, order.clone()), (input, order)];
        (is_real && is_window && is_wide).then_some(Wanted { orders, takes_pixels: false, is_alone_as_it_is: false })
    }

    /// Whether all lies so already.
    pub(super) fn is_there(&self) -> bool {
        self.orders.iter().all(|(_, order)| is_identity(order))
    }
}

/// Whether each of many groups has few results of few channels, as where a convolution channel by channel gives several for each: they
/// leave most of a vector empty.
fn has_few_of_many(structured: &Structured<'_, '_>, roles: &Roles, output: &[usize]) -> bool {
    let uses = |operand: usize, dim: usize| structured.maps[operand].results.iter().any(|expr| expr.uses(dim));
    let extent = |dim: usize| structured.extents[dim];
    let is_group = |dim: &&usize| uses(roles.input, **dim) && uses(roles.filter, **dim) && extent(**dim) > 1;
    let channels = structured.maps[roles.input].results.iter().filter_map(Expr::as_dim);
    let channels: i64 = channels.filter(|&dim| structured.reduced[dim]).map(extent).product();
    let few = extent(roles.channel).max(channels) < LEAST_CHANNELS;
    few && output.iter().any(|dim| is_group(&dim))
}

/// Whether windows of a convolution channel by channel go along wide lines of an image pixel by pixel.
fn has_wide_lines(structured: &Structured<'_, '_>, roles: &Roles, pixels: &[usize]) -> bool {
    let Some(&last) = pixels.last().filter(|last| structured.extents[**last] >= LEAST_WIDTH) else { return false };
    let line = structured.maps[roles.input].results.last();
    line.is_some_and(|line| line.coefficient(last) == Some(1))
}

/// Whether a contraction is a product of a matrix with many pixels, which lie last in what it reads, as in its result.
fn is_pointwise(structured: &Structured<'_, '_>, roles: &Roles, pixels: &[usize]) -> bool {
    let is_wide = volume(&pixels.iter().map(|dim| structured.extents[*dim]).collect::<Vec<_>>()) >= LEAST_PIXELS;
    let input = structured.maps[roles.input].as_dims();
    let lie_last = !roles.depthwise
        && input.is_some_and(|input| input.ends_with(pixels))
        && !is_strided(structured.inputs[roles.input]);
    let filter = structured.maps[roles.filter].as_dims();
    let is_apart = filter.is_some_and(|filter| filter.iter().all(|dim| !pixels.contains(dim)));
    is_wide && lie_last && is_apart
}

/// Whether a value has some of another's elements only, which do not lie beside each other.
fn is_strided(value: Value<'_, '_>) -> bool {
    value.defining_operation().is_some_and(|definition| has_strides(definition, tensor::EXTRACT_SLICE))
}

/// Whether an operation is a slice of this name whose elements do not lie beside each other.
fn has_strides(slice: OperationRef<'_, '_>, name: &str) -> bool {
    let strides = slice.get_integers("static_strides").filter(|_| slice.full_name() == name);
    strides.is_some_and(|strides| strides.iter().any(|stride| *stride != 1))
}

/// The order that moves a dimension behind all others, and the one before it with it if they belong together.
fn last(rank: usize, place: usize, with_previous: bool) -> Order {
    let first = if with_previous { place - 1 } else { place };
    (0..rank).filter(|dim| !(first..=place).contains(dim)).chain(first..=place).collect()
}

/// The place of the channels in the input: the largest dimension that is reduced and no part of a window.
fn input_channels(
    structured: &Structured<'_, '_>,
    roles: &Roles,
    group: Option<&Group>,
    target: &Target,
) -> Option<usize> {
    let exprs = &structured.maps[roles.input].results;
    let channels = (0..exprs.len()).filter_map(|place| Some((place, exprs[place].as_dim()?)));
    let reduced = channels.filter(|&(_, dim)| structured.reduced[dim]);
    let (place, dim) = reduced.max_by_key(|&(_, dim)| structured.extents[dim])?;
    let groups = group.filter(|group| group.of_input).map_or(1, |group| group.extent);
    let least = if target.isa.only_whole && !roles.sum.is_real() { LEAST_GROUPED } else { LEAST_CHANNELS };
    (exprs.len() >= 3 && structured.extents[dim] * groups >= least).then_some(place)
}

/// The groups of a convolution, whose channels are one dimension of the tensors around it.
struct Group {
    extent: i64,
    /// Whether the input's channels are split likewise.
    of_input: bool,
}

impl Group {
    /// The dimension before the channels, if input and filter have it and the result's reader merges the two.
    fn of(structured: &Structured<'_, '_>, roles: &Roles, result: Value<'_, '_>) -> Option<Group> {
        let output = structured.output_map()?.as_dims()?;
        let place = output.iter().position(|&dim| dim == roles.channel)?;
        let before = place.checked_sub(1)?;
        let group = *output.get(before)?;
        let (input, filter) = (&structured.maps[roles.input].results, &structured.maps[roles.filter].results);
        let is_common = filter.contains(&Expr::Dim(group)) && input.contains(&Expr::Dim(group));
        let uses = result.uses();
        let merges = |(user, _): &(OperationRef<'_, '_>, usize)| {
            user.full_name() == tensor::COLLAPSE_SHAPE
                && Reshape::of(*user).is_some_and(|reshape| reshape.joins(before))
        };
        if roles.depthwise || !is_common || uses.is_empty() || !uses.iter().all(merges) {
            return None;
        }
        let place = input.iter().position(|expr| *expr == Expr::Dim(group))?;
        let source = structured.inputs[roles.input].defining_operation().and_then(Reshape::of);
        let next = input.get(place + 1).and_then(Expr::as_dim);
        let of_input =
            next.is_some_and(|dim| structured.reduced[dim]) && source.is_some_and(|source| source.joins(place));
        Some(Group { extent: structured.extents[group], of_input })
    }
}
