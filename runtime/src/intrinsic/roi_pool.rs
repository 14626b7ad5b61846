use super::{Call, room};
use crate::tensor::{Tensor, TensorData};

/// The largest element in each bin of each region.
pub(super) fn max_roi_pool(call: &Call) -> Result<Vec<Tensor>, String> {
    pool(call, |bin| bin.reduce(f32::max).unwrap_or(0.0))
}

/// The mean of each bin of each region.
pub(super) fn avg_roi_pool(call: &Call) -> Result<Vec<Tensor>, String> {
    pool(call, |bin| {
        let (sum, count) = bin.fold((0.0, 0.0), |(sum, count), item| (sum + f64::from(item), count + 1.0));
        if count == 0.0 { 0.0 } else { (sum / count) as f32 }
    })
}

/// A region is given by its first and its last corner, both inclusive and rounded to whole positions, the coordinates
/// of a corner in reverse order of the spatial dimensions. It is divided into bins that overlap where its extent is
/// no multiple of their number, and is at least one element wide; empty bins give 0.
fn pool(call: &Call, reduce: impl Fn(&mut dyn Iterator<Item = f32>) -> f32) -> Result<Vec<Tensor>, String> {
    let (shape, items) = call.reals(0)?;
    let (region_shape, regions) = call.reals(1)?;
    let (_, batch_items) = call.ints(2)?;
    let bins = call.extents("output_size")?;
    let [batch, channels, spatial @ ..] = shape else { return Err("the input needs two dimensions or more".into()) };
    let count = batch_items.len();
    if bins.len() != spatial.len() || region_shape != [count, 2 * spatial.len()] {
        return Err(format!("regions of shape {region_shape:?} don't fit to an input of shape {shape:?}"));
    }
    let shape = [&[count, *channels], &bins[..]].concat();
    let area: usize = spatial.iter().product();
    let mut result = room(&shape)?;
    for (number, (region, &item)) in regions.chunks(2 * spatial.len().max(1)).zip(batch_items).enumerate() {
        let known = usize::try_from(item).ok().filter(|item| item < batch);
        let item = known.ok_or_else(|| format!("region {number} lies in batch item {item}, but there are {batch}"))?;
        for channel in 0..*channels {
            let plane = &items[(item * channels + channel) * area..][..area];
            for_each_position(&bins, |bin| {
                let ranges: Vec<_> = (0..bins.len()).map(|at| bin_range(region, spatial, &bins, bin, at)).collect();
                result.push(reduce(&mut elements(plane, spatial, &ranges)));
            });
        }
    }
    Ok(vec![Tensor { shape, data: TensorData::F32(result) }])
}

/// Coordinates count as this far outside at most, so that bins are divided exactly; those that are no number are 0.
const FARTHEST: i64 = 1 << 30;

/// The positions that a bin covers in one dimension.
fn bin_range(region: &[f32], spatial: &[usize], bins: &[usize], bin: &[usize], at: usize) -> (usize, usize) {
    let (rank, extent) = (spatial.len(), spatial[at] as i64);
    let coordinate = |corner: usize| (region[corner * rank + rank - 1 - at].round() as i64).clamp(-FARTHEST, FARTHEST);
    let first = coordinate(0);
    let size = (coordinate(1) - first + 1).max(1);
    let (bin, bins) = (bin[at] as i64, bins[at] as i64);
    let low = first + bin.saturating_mul(size) / bins;
    let high = first + (bin + 1).saturating_mul(size).saturating_add(bins - 1) / bins;
    (low.clamp(0, extent) as usize, high.clamp(0, extent) as usize)
}

/// The elements within ranges of all dimensions.
fn elements<'a>(
    plane: &'a [f32],
    spatial: &'a [usize],
    ranges: &'a [(usize, usize)],
) -> impl Iterator<Item = f32> + 'a {
    let lengths: Vec<usize> = ranges.iter().map(|&(low, high)| high.saturating_sub(low)).collect();
    let total: usize = lengths.iter().product();
    (0..total).map(move |flat| {
        let (mut rest, mut offset, mut stride) = (flat, 0, 1);
        for at in (0..spatial.len()).rev() {
            offset += (ranges[at].0 + rest % lengths[at]) * stride;
            rest /= lengths[at];
            stride *= spatial[at];
        }
        plane[offset]
    })
}

fn for_each_position(extents: &[usize], mut visit: impl FnMut(&[usize])) {
    let total: usize = extents.iter().product();
    let mut position = vec![0; extents.len()];
    for _ in 0..total {
        visit(&position);
        for at in (0..extents.len()).rev() {
            position[at] += 1;
            if position[at] < extents[at] {
                break;
            }
            position[at] = 0;
        }
    }
}
