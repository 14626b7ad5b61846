//! Views: how a tensor is padded, sliced and reshaped so that an access with affine indices becomes one with plain
//! loop indices, or with sums of them where windows overlap.

use super::mixed_radix::MixedRadix;
use skriptnd_language::compose::formula::{Guard, LinearForm};
use skriptnd_language::compose::value::Value;

/// Padding may multiply the number of elements by this much, and add some more, before it costs more than tests.
const PADDING_FACTOR: i64 = 8;
const PADDING_ALLOWANCE: i64 = 1 << 16;

/// One dimension of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceDimension {
    /// First index.
    pub offset: i64,
    /// How many.
    pub size: i64,
    /// Their distance.
    pub stride: i64,
}

/// A tensor seen through padding, then a slice, then a reshape.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Elements added below and above, per dimension; all 0 without padding.
    pub padding: Vec<(i64, i64)>,
    /// What the padding consists of.
    pub fill: Option<Value>,
    /// The part that is used of the padded tensor, per dimension.
    pub slice: Vec<SliceDimension>,
    /// Extents of the padded tensor.
    pub padded: Vec<i64>,
    /// For each dimension of the slice the extents that it is split into; empty where it is dropped (of extent 1).
    pub split: Vec<Vec<i64>>,
    /// For each dimension behind the split the index that it is accessed with.
    pub indices: Vec<LinearForm>,
}

/// One dimension of an access.
#[derive(Debug, Clone)]
pub struct AccessDimension<'a> {
    /// The index; none if it is not affine.
    pub form: Option<LinearForm>,
    /// What happens outside of the tensor.
    pub guard: &'a Guard,
    /// The extent of the tensor.
    pub extent: i64,
}

impl View {
    /// The view for an access; none if its elements have to be fetched one by one. `fill` is what may be found outside
    /// in place of skipping, if anything may.
    pub fn new(dimensions: &[AccessDimension<'_>], extents: &[i64], fill: Option<Value>) -> Option<View> {
        let mut view = View {
            padding: Vec::new(),
            fill: None,
            slice: Vec::new(),
            padded: Vec::new(),
            split: Vec::new(),
            indices: Vec::new(),
        };
        for dimension in dimensions {
            view.add(dimension, extents, fill.is_some())?;
        }
        if view.is_padded() {
            let original = dimensions.iter().try_fold(1i64, |volume, d| volume.checked_mul(d.extent))?;
            let padded = view.padded.iter().try_fold(1i64, |volume, extent| volume.checked_mul(*extent))?;
            if padded > original.checked_mul(PADDING_FACTOR)?.checked_add(PADDING_ALLOWANCE)? {
                return None;
            }
            view.fill = fill;
        }
        Some(view)
    }

    fn add(&mut self, dimension: &AccessDimension<'_>, extents: &[i64], may_pad: bool) -> Option<()> {
        let form = dimension.form.as_ref()?;
        let (low, high) = form.range(extents)?;
        let below = low.checked_neg()?.max(0);
        let above = (high.checked_sub(dimension.extent)?.checked_add(1)?).max(0);
        if (below, above) != (0, 0) && !(may_pad && *dimension.guard == Guard::Skip) {
            return None;
        }
        let padded = dimension.extent.checked_add(below)?.checked_add(above)?;
        let offset = form.offset().checked_add(below)?;
        if form.terms().iter().any(|term| term.1 < 0) || padded <= 0 {
            return None;
        }
        let count = |number: usize| extents.get(number).copied();
        if form.terms().is_empty() {
            self.slice.push(SliceDimension { offset, size: 1, stride: 1 });
            self.split.push(Vec::new());
        } else if let Some(radix) = MixedRadix::of(form, extents) {
            let split = radix.loops.iter().map(|&number| count(number)).collect::<Option<Vec<_>>>()?;
            let size = split.iter().product();
            let stride = if size == 1 { 1 } else { radix.stride };
            self.slice.push(SliceDimension { offset, size, stride });
            self.split.push(split);
            self.indices.extend(radix.loops.into_iter().map(LinearForm::index));
        } else {
            let size = if offset == 0 { padded } else { high - low + 1 };
            self.slice.push(SliceDimension { offset, size, stride: 1 });
            self.split.push(vec![size]);
            self.indices.push(form.without_offset());
        }
        self.padding.push((below, above));
        self.padded.push(padded);
        Some(())
    }

    /// Whether anything is added.
    pub fn is_padded(&self) -> bool {
        self.padding.iter().any(|&padding| padding != (0, 0))
    }

    /// Whether a part is left out.
    pub fn is_sliced(&self) -> bool {
        let whole =
            |(slice, &extent): (&SliceDimension, &i64)| *slice == SliceDimension { offset: 0, size: extent, stride: 1 };
        !self.slice.iter().zip(&self.padded).all(whole)
    }

    /// Whether dimensions are split or dropped.
    pub fn is_reshaped(&self) -> bool {
        self.split.iter().any(|parts| parts.len() != 1)
    }

    /// The extents behind the split.
    pub fn shape(&self) -> Vec<i64> {
        self.split.iter().flatten().copied().collect()
    }

    /// The loops it is accessed with, if each dimension has one of its own.
    pub fn loops(&self) -> Option<Vec<usize>> {
        let loops: Vec<usize> = self.indices.iter().map(LinearForm::as_index).collect::<Option<_>>()?;
        let distinct = loops.iter().enumerate().all(|(at, number)| !loops[..at].contains(number));
        distinct.then_some(loops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(constant: i64, terms: &[(usize, i64)]) -> Option<LinearForm> {
        LinearForm::sum(constant, terms)
    }

    fn view(
        dimensions: &[(Option<LinearForm>, &'static Guard, i64)],
        extents: &[i64],
        fill: Option<Value>,
    ) -> Option<View> {
        let dimension = |(form, guard, extent): &(Option<LinearForm>, &'static Guard, i64)| AccessDimension {
            form: form.clone(),
            guard,
            extent: *extent,
        };
        let dimensions: Vec<_> = dimensions.iter().map(dimension).collect();
        View::new(&dimensions, extents, fill)
    }

    #[test]
    fn a_guarded_window_is_padded_exactly() {
        // |2 * i + j - 1| of extent 6 for i < 3, j < 3: from -1 to 5.
        let guarded = (form(-1, &[(0, 2), (1, 1)]), &Guard::Skip, 6);
        let padded = view(std::slice::from_ref(&guarded), &[3, 3], Some(Value::Real(0.0))).unwrap();
        assert_eq!((padded.padding.as_slice(), padded.padded.as_slice()), ([(1, 0)].as_slice(), [7].as_slice()));
        assert!(!padded.is_sliced() && !padded.is_reshaped());
        assert_eq!(padded.indices, [form(0, &[(0, 2), (1, 1)]).unwrap()]);
        assert_eq!(view(&[guarded], &[3, 3], None), None, "nothing may stand for what is outside");
        let open = (form(-1, &[(0, 1)]), &Guard::None, 6);
        assert_eq!(view(&[open], &[6], Some(Value::Real(0.0))), None, "only skipping indices are padded");
    }

    #[test]
    fn digits_split_a_dimension_and_constants_drop_it() {
        // [g * 4 + m, 2] of [12, 3], g < 3, m < 4
        let split =
            view(&[(form(0, &[(0, 4), (1, 1)]), &Guard::None, 12), (form(2, &[]), &Guard::None, 3)], &[3, 4], None)
                .unwrap();
        assert_eq!(split.split, [vec![3, 4], vec![]]);
        assert_eq!(split.slice[1], SliceDimension { offset: 2, size: 1, stride: 1 });
        assert_eq!(split.loops(), Some(vec![0, 1]));
    }

    #[test]
    fn strides_and_offsets_are_sliced() {
        let strided = view(&[(form(3, &[(0, 2)]), &Guard::None, 10)], &[3], None).unwrap();
        assert_eq!(strided.slice, [SliceDimension { offset: 3, size: 3, stride: 2 }]);
        assert_eq!(strided.loops(), Some(vec![0]));
    }

    #[test]
    fn what_is_not_worth_padding_is_refused() {
        let far = (form(-(1 << 40), &[(0, 1)]), &Guard::Skip, 4);
        assert_eq!(view(&[far], &[4], Some(Value::Real(0.0))), None);
        let backwards = (form(3, &[(0, -1)]), &Guard::None, 4);
        assert_eq!(view(&[backwards], &[4], None), None);
    }
}
