//! Which form of a convolution is expected to take least time. It is that for one image, however many there are: so what is
//! computed of an image does not depend on those beside it.

use super::convolution::{Convolution, SIDE};
use super::transforms::Tile;
use crate::nest::cost::cost;
use crate::nest::plain::{product, scaled};
use crate::nest::search::choose;
use crate::nest::space::Space;
use crate::target::Target;

/// How much of the direct form's cycles the other form may take at most: its memory is more than it looks like.
const LEAST_GAIN: f64 = 0.9;
/// Bytes of filters that come from memory in a cycle: in a network those of other layers have taken their place in the caches.
const FILTER_BYTES: f64 = 5.0;

/// The tiles of Winograd's form, if it is better than the direct one.
pub fn best(convolution: &Convolution<'_, '_>, target: &Target) -> Option<Tile> {
    let area = convolution.usual[0].checked_mul(convolution.usual[1])?;
    let (inputs, outputs) = (convolution.inputs, convolution.outputs);
    // Without channels that fill vectors nothing is won.
    if inputs.min(outputs) < 2 * target.isa.lanes().max(4) || area == 0 {
        return None;
    }
    let cycles = |space: Space| cost(&space, &choose(&space, target), target);
    let filters = |points: i64| (points * 4) as f64 * inputs as f64 * outputs as f64 / FILTER_BYTES;
    let direct = cycles(product(area, outputs, inputs.checked_mul(SIDE * SIDE)?)) + filters(SIDE * SIDE);
    let forecasts = [Tile::Four, Tile::Two].into_iter().filter_map(|tile| {
        let [down, across] = convolution.usual_tiles(tile);
        let (tiles, points) = (down.checked_mul(across)?, tile.points());
        let products = (points * points) as f64 * cycles(product(tiles, outputs, inputs)) + filters(points * points);
        let moved = |each: i64, channels: i64| Some(cycles(scaled(each.checked_mul(tiles)?.checked_mul(channels)?)));
        let written = points * tile.outputs() + tile.outputs() * tile.outputs();
        Some((products + moved(points * points, inputs)? + moved(written, outputs)?, tile))
    });
    let best = forecasts.min_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|(cycles, _)| *cycles < LEAST_GAIN * direct).map(|(_, tile)| tile)
}
