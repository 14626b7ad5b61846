//! Padding by less than nothing cuts elements off. Upstream's lowering inserts the source at a negative offset then, so
//! what is cut off is cut off first.

use super::operations::tensor;
use crate::Error;
use crate::views::shapes::static_shape;
use skriptnd_mlir::ir::{Builder, OperationRef, attributes, operations_named, types};
use skriptnd_mlir::ops::tensor::{Slice, extract_slice};
use skriptnd_mlir::ops::{Size, tensor};

/// What is kept of a dimension of the source, and what is added around it.
#[derive(Debug, PartialEq, Eq)]
struct Cut {
    offset: i64,
    size: i64,
    low: i64,
    high: i64,
}

impl Cut {
    /// Of a dimension of so many elements and the two ends of its padding; nothing where no elements are left over that
    /// could be a result.
    fn new(extent: i64, low: i64, high: i64) -> Option<Cut> {
        let result = extent.checked_add(low)?.checked_add(high).filter(|&result| result >= 0)?;
        let offset = low.checked_neg()?.clamp(0, extent);
        let end = (extent + high.min(0)).max(offset);
        // Where nothing is kept, all is padding.
        let kept_low = (offset + low).clamp(0, result);
        let size = end - offset;
        Some(Cut { offset, size, low: kept_low, high: result - kept_low - size })
    }
}

/// Lets every `tensor.pad` of a module add elements only: what it would cut off goes before.
///
/// # Errors
/// Where it cuts off of a dimension of which only the run knows how long it is.
pub fn cut_first<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Result<(), Error> {
    operations_named(module, tensor::PAD).into_iter().try_for_each(cut)
}

fn cut<'c: 'a, 'a>(pad: OperationRef<'c, 'a>) -> Result<(), Error> {
    let padding = |name| pad.get_integers(name).ok_or_else(|| Error::malformed("padding without numbers"));
    let (mut low, mut high) = (padding("static_low")?, padding("static_high")?);
    // What only the run knows is the least number.
    let cuts = |value: &i64| *value < 0 && *value != i64::MIN;
    if !low.iter().chain(&high).any(cuts) {
        return Ok(());
    }
    let source = pad.operand(0)?;
    let shape = static_shape(source.r#type()).filter(|shape| shape.len() == low.len() && low.len() == high.len());
    let unknown = || Error::Unsupported("padding by less than nothing beside extents that only the run knows".into());
    let shape = shape.ok_or_else(unknown)?;
    let (mut offsets, mut sizes) = (vec![0; shape.len()], shape);
    for index in 0..low.len() {
        if cuts(&low[index]) || cuts(&high[index]) {
            let cut = Cut::new(sizes[index], low[index], high[index]).ok_or_else(unknown)?;
            (offsets[index], sizes[index]) = (cut.offset, cut.size);
            (low[index], high[index]) = (cut.low, cut.high);
        }
    }
    let builder = Builder::before(pad)?;
    let kept = tensor(types::element(source.r#type()), &sizes)?;
    let known = |numbers: Vec<i64>| numbers.into_iter().map(Size::Known).collect();
    let slice = Slice { offsets: known(offsets), sizes: known(sizes), strides: vec![1; low.len()] };
    pad.set_operand(0, extract_slice(&builder, source, &slice, kept)?)?;
    pad.set("static_low", attributes::integers(pad.context(), &low));
    pad.set("static_high", attributes::integers(pad.context(), &high));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Cut;

    /// The elements of the result by the definition: item `i` is item `i - low` of the source, or padding.
    fn padded(extent: i64, low: i64, high: i64) -> Vec<Option<i64>> {
        (0..extent + low + high).map(|at| Some(at - low).filter(|item| (0..extent).contains(item))).collect()
    }

    #[test]
    fn cutting_first_gives_the_same_elements() {
        for (extent, low, high) in cases(0..5, -6..6) {
            let Some(cut) = Cut::new(extent, low, high) else {
                assert!(extent + low + high < 0);
                continue;
            };
            assert!(cut.low >= 0 && cut.high >= 0 && cut.size >= 0 && cut.offset + cut.size <= extent);
            let kept = padded(cut.size, cut.low, cut.high).into_iter().map(|item| Some(item? + cut.offset));
            assert_eq!(kept.collect::<Vec<_>>(), padded(extent, low, high), "{extent} {low} {high}");
        }
    }

    /// All extents with all paddings.
    fn cases(extents: std::ops::Range<i64>, ends: std::ops::Range<i64>) -> Vec<(i64, i64, i64)> {
        let pairs: Vec<_> = ends.clone().flat_map(|low| ends.clone().map(move |high| (low, high))).collect();
        extents
            .flat_map(|extent| pairs.iter().map(move |&(low, high)| (extent, low, high)).collect::<Vec<_>>())
            .collect()
    }
}
