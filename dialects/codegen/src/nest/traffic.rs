//! What a schedule brings from memory: the bytes of lines that come from behind a cache, for all loops around a tile.

use super::access::{Access, Step};
use super::cost::{Judge, LANE_BYTES, LINE};
use super::space::Space;

/// Cycles until the first line of those comes that lie beside each other in memory, and far from those before.
const JUMP: f64 = 8.0;

/// A loop around a tile.
struct Level {
    dim: usize,
    /// Elements of the dimension that it goes over.
    extent: i64,
    iterations: f64,
}

/// Whether each element is read once.
pub(super) fn streamed(space: &Space, access: &Access) -> bool {
    space.dims.iter().zip(&access.steps).all(|(dim, step)| dim.extent == 1 || step.moves())
}

impl Judge<'_> {
    /// Bytes that come from behind a cache of this size, for all operands together.
    pub(super) fn traffic(&self, cache: f64) -> f64 {
        let levels = self.levels();
        let inside: Vec<f64> = (0..=levels.len()).map(|level| self.working_set(&levels[..level])).collect();
        let mut total = 0.0;
        for walked in self.operands() {
            let mut traffic = self.footprint(walked, &[]);
            for level in 0..levels.len() {
                traffic = match inside[level] <= cache {
                    true => self.footprint(walked, &levels[..=level]),
                    false => traffic * levels[level].iterations,
                };
            }
            total += traffic;
        }
        total
    }

    /// Cycles that an iteration waits for operands that no cache holds, where what iterations read does not lie beside each other.
    pub(super) fn jumps(&self) -> f64 {
        let far = self.space.main.memory().filter(|(operand, access)| {
            let bytes = self.space.element(*operand).map_or(LANE_BYTES, |element| element.bytes());
            let whole: f64 = (0..self.space.dims.len()).map(|dim| self.extent(dim)).product();
            let distance = self.schedule.reductions().last().map_or(0, |dim| access.steps[*dim].typical());
            let is_far = distance * bytes >= LINE && whole * bytes as f64 > self.target.cache_bytes as f64;
            is_far && streamed(self.space, access)
        });
        JUMP * far.count() as f64
    }

    /// The loops around a tile, innermost first.
    fn levels(&self) -> Vec<Level> {
        let mut around: Vec<i64> = self.space.dims.iter().map(|dim| dim.extent).collect();
        let levels = self.schedule.around().iter().map(|own| {
            let extent = std::mem::replace(&mut around[own.dim], own.step);
            Level { dim: own.dim, extent, iterations: (extent as f64 / own.step as f64).ceil() }
        });
        let mut levels: Vec<Level> = levels.collect();
        levels.reverse();
        levels
    }

    /// Bytes of all that is read and written.
    pub(super) fn touched(&self) -> f64 {
        self.working_set(&self.levels())
    }

    fn working_set(&self, levels: &[Level]) -> f64 {
        self.operands().map(|walked| self.footprint(walked, levels)).sum()
    }

    /// What is read and written, once where several read what lies beside each other.
    fn operands(&self) -> impl Iterator<Item = (usize, &Access)> {
        let mut walked: Vec<(usize, &Access)> = Vec::new();
        for (operand, access) in self.space.walked() {
            let is_same = |known: &(usize, &Access)| known.0 == operand && known.1.steps == access.steps;
            if self.scaled.is_none() || !walked.iter().any(is_same) {
                walked.push((operand, access));
            }
        }
        walked.into_iter()
    }

    /// Bytes of the lines that an access touches in a tile and these loops around it.
    fn footprint(&self, (operand, access): (usize, &Access), levels: &[Level]) -> f64 {
        let bytes = self.space.element(operand).map_or(4, |element| element.bytes());
        let copy = self.packs.iter().find(|packed| packed.number == operand);
        let mut along: Vec<(i64, i64)> = Vec::new();
        for (dim, known) in self.space.dims.iter().enumerate() {
            let level = levels.iter().rev().find(|level| level.dim == dim).map(|level| level.extent);
            let block = self.schedule.blocks().filter(|(blocked, _)| *blocked == dim).map(|(_, each)| each);
            let tile = if known.is_reduced { block.unwrap_or(known.extent) } else { self.schedule.tile(dim) };
            let count = level.unwrap_or(tile).min(known.extent);
            let count = copy.map_or(count, |packed| count.min(packed.extents[dim]));
            match access.steps[dim] {
                step @ (Step::Linear(_) | Step::Open(_)) => along.push((step.typical(), count)),
                Step::Panel { size, outer, inner } => {
                    along.push((inner.abs(), count.min(size)));
                    along.push((outer.abs(), (count + size - 1) / size));
                }
            }
        }
        along.retain(|(distance, count)| *distance > 0 && *count > 1);
        along.sort_unstable_by_key(|(distance, _)| *distance);
        let along = without_overlaps(&along);
        // Elements that lie beside each other, and how many such runs there are.
        let (mut run, mut runs) = (1.0, 1.0);
        for (distance, count) in along {
            let count = count as f64;
            // Elements of one line lie beside each other as well.
            match (distance as f64 <= run || distance * bytes < LINE) && runs == 1.0 {
                true => run += distance as f64 * (count - 1.0),
                false => runs *= count,
            }
        }
        runs * (run * bytes as f64).max(LINE as f64)
    }
}

/// The same places with those once that several dimensions lead to, as windows that overlap. Distances are in their order.
fn without_overlaps(along: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut apart: Vec<(i64, i64)> = Vec::new();
    for &(distance, count) in along {
        match apart.last_mut().filter(|(nearer, near)| distance % *nearer == 0 && distance / *nearer <= *near) {
            Some((nearer, near)) => *near += (count - 1) * (distance / *nearer),
            None => apart.push((distance, count)),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    #[test]
    fn windows_that_overlap_touch_what_they_share_once() {
        // 28 windows of 5 that begin one after the other, and those of 28 lines of 32 elements.
        assert_eq!(super::without_overlaps(&[(1, 5), (1, 28), (32, 5), (32, 28)]), [(1, 32 * 32)]);
        // Every second of 16 lanes apart: 5 + 27 places; of windows that do not reach each other, all.
        assert_eq!(super::without_overlaps(&[(1, 16), (240, 5), (240, 28)]), [(1, 16), (240, 32)]);
        assert_eq!(super::without_overlaps(&[(1, 2), (4, 3), (24, 2)]), [(1, 2), (4, 3), (24, 2)]);
    }
}
