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

/// What parts of the form take of the cycles that they take for reals.
struct Shares {
    /// Products and their sums.
    products: f64,
    /// The image at the points.
    image: f64,
}

const REALS: Shares = Shares { products: 1.0, image: 1.0 };
/// Pairs of words are multiplied at once, and added up elsewhere; vectors have twice as many words, and caches.
const INTEGERS: Shares = Shares { products: 0.625, image: 0.25 };

/// The tiles of Winograd's form, if it is better than the direct one.
pub fn best(convolution: &Convolution<'_, '_>, target: &Target) -> Option<Tile> {
    let area = convolution.usual[0].checked_mul(convolution.usual[1])?;
    let (inputs, outputs) = (convolution.inputs, convolution.outputs);
    // Without channels that fill vectors nothing is won.
    if inputs.min(outputs) < 2 * target.isa.lanes().max(4) || area == 0 {
        return None;
    }
    let (tiles, shares, [whole, at_points]) = match convolution.is_of_integers() {
        true => (&[Tile::Two][..], INTEGERS, [1, 2]),
        false => (&[Tile::Four, Tile::Two][..], REALS, [4, 4]),
    };
    let cycles = |space: Space| cost(&space, &choose(&space, target), target);
    let multiplied = |rows: i64, terms: i64| shares.products * cycles(product(rows, outputs, terms));
    let filters = |bytes: i64| bytes as f64 * inputs as f64 * outputs as f64 / FILTER_BYTES;
    let direct = multiplied(area, inputs.checked_mul(SIDE * SIDE)?) + filters(SIDE * SIDE * whole);
    let forecasts = tiles.iter().filter_map(|&tile| {
        let [down, across] = convolution.usual_tiles(tile);
        let (tiles, points) = (down.checked_mul(across)?, tile.points());
        let products = (points * points) as f64 * multiplied(tiles, inputs) + filters(points * points * at_points);
        let moved = |each: i64, channels: i64| Some(cycles(scaled(each.checked_mul(tiles)?.checked_mul(channels)?)));
        let written = points * tile.outputs() + tile.outputs() * tile.outputs();
        Some((products + shares.image * moved(points * points, inputs)? + moved(written, outputs)?, tile))
    });
    let best = forecasts.min_by(|(one, _), (other, _)| one.total_cmp(other));
    best.filter(|(cycles, _)| *cycles < LEAST_GAIN * direct).map(|(_, tile)| tile)
}
