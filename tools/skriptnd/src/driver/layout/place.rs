//! How far to the right slots stand.

use super::GAP;
use super::slots::Slots;

/// How often the rows are looked at, downwards and upwards.
const SWEEPS: usize = 6;
/// What is free on both sides of bends and boxes.
const FREE: i64 = 12;

/// The left and the right side of each slot. Slots stand below their neighbours as far as those beside them let them.
pub fn sides(slots: &Slots) -> Vec<(i64, i64)> {
    let mut centres = vec![0.0; slots.row_of.len()];
    for row in &slots.rows {
        settle(slots, row, &mut centres, |_, _| (0.0, 1.0));
    }
    for _ in 0..SWEEPS {
        for row in slots.rows.iter().rev() {
            settle(slots, row, &mut centres, |slot, centres| wish(slots, &slots.below, slot, centres));
        }
        for row in &slots.rows {
            settle(slots, row, &mut centres, |slot, centres| wish(slots, &slots.above, slot, centres));
        }
    }
    let left = |slot: usize| centres[slot].round() as i64 - slots.widths[slot] / 2;
    let least = (0..centres.len()).map(left).min().unwrap_or(0);
    (0..centres.len()).map(|slot| (left(slot) - least + GAP, left(slot) - least + GAP + slots.widths[slot])).collect()
}

/// Where a slot would stand, and how much that matters. Boxes stand below boxes, and edges bend around them.
fn wish(slots: &Slots, neighbours: &[Vec<usize>], slot: usize, centres: &[f64]) -> (f64, f64) {
    let mean = |bends: bool| {
        let near = || neighbours[slot].iter().filter(|&&other| slots.is_bend(other) == bends);
        let count = near().count();
        (count > 0).then(|| near().map(|&other| centres[other]).sum::<f64>() / count as f64)
    };
    match (slots.is_bend(slot), mean(false), mean(true)) {
        (_, None, None) => (centres[slot], 1e-7),
        (false, Some(boxes), _) => (boxes, 1.0),
        (false, None, Some(bends)) => (bends, 0.5),
        (true, _, Some(bends)) => (bends, 1e-3),
        (true, Some(boxes), None) => (boxes, 1e-5),
    }
}

/// Places the slots of a row in their order, as near as possible to where they would stand: the least squares under the
/// condition that they don't overlap, by pooling neighbours that are in each other's way.
fn settle(slots: &Slots, row: &[usize], centres: &mut [f64], wish: impl Fn(usize, &[f64]) -> (f64, f64)) {
    let mut offset = 0;
    // Of each pool: how many slots, the sum of the weights and the place of the first one if all are moved to the left.
    let mut pools: Vec<(usize, f64, f64)> = Vec::new();
    let mut offsets = Vec::with_capacity(row.len());
    for (at, &slot) in row.iter().enumerate() {
        if at > 0 {
            offset += slots.widths[row[at - 1]] / 2 + slots.widths[slot] / 2 + 2 * FREE;
        }
        offsets.push(offset as f64);
        let (place, weight) = wish(slot, centres);
        let mut pool = (1, weight, place - offset as f64);
        while let Some(&(count, weight, place)) = pools.last().filter(|before| before.2 > pool.2) {
            pools.pop();
            let together = weight + pool.1;
            pool = (count + pool.0, together, (weight * place + pool.1 * pool.2) / together);
        }
        pools.push(pool);
    }
    let places = pools.iter().flat_map(|&(count, _, place)| std::iter::repeat_n(place, count));
    for ((&slot, place), offset) in row.iter().zip(places).zip(offsets) {
        centres[slot] = place + offset;
    }
}
