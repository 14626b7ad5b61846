//! Views: how a tensor is padded, sliced and reshaped so that an access with affine indices becomes one with plain
//! loop indices, or with sums of them where windows overlap.

use super::form::IndexForm;
use super::limits::Limits;
use super::mixed_radix::MixedRadix;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{Guard, TensorRef};
use skriptnd_language::compose::value::Value;

/// Padding may multiply the number of elements by this much, and add some more, before it costs more than tests.
const PADDING_FACTOR: i64 = 8;
const PADDING_ALLOWANCE: i64 = 1 << 16;

/// Dimensions of a tensor that padding may continue: for each there are three times as many parts.
const MOST_CONTINUED: usize = 3;

const ZERO: SymExpr = SymExpr::Const(0);
const ONE: SymExpr = SymExpr::Const(1);

/// What padding consists of.
#[derive(Debug, Clone, PartialEq)]
pub enum Fill {
    /// A constant.
    Constant(Value),
    /// The only element of a tensor without dimensions.
    Element(TensorRef),
}

/// One dimension of a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SliceDimension {
    /// First index.
    pub offset: SymExpr,
    /// How many.
    pub size: SymExpr,
    /// Their distance.
    pub stride: i64,
}

/// The index that stands for one outside of a dimension: a multiple of that by -1, 0 or 1, and a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outside {
    /// -1, 0 or 1.
    pub factor: i64,
    /// What is added.
    pub offset: SymExpr,
}

impl Outside {
    /// How one index depends on another; none if in another way, or if it is not inside for all from `first` to `last`.
    fn of(
        new: &IndexForm,
        index: &IndexForm,
        (first, last): (&SymExpr, &SymExpr),
        (extent, limits): (&SymExpr, &Limits),
    ) -> Option<Outside> {
        let outside = [0, 1, -1].into_iter().find_map(|factor| {
            let rest = new.plus(&index.scaled(&SymExpr::Const(-factor))?)?;
            rest.terms().is_empty().then(|| Outside { factor, offset: rest.offset().clone() })
        })?;
        let at = |index: &SymExpr| index.times(&SymExpr::Const(outside.factor))?.plus(&outside.offset);
        let is_inside =
            |index: SymExpr| Some(limits.is_never_negative(&index) && limits.is_at_most(&index, &extent.minus(&ONE)?));
        (is_inside(at(first)?)? && is_inside(at(last)?)?).then_some(outside)
    }
}

/// A dimension in whose padding elements of the tensor stand again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Continued {
    /// The extent without padding.
    pub extent: SymExpr,
    /// Which elements stand below; none if nothing does.
    pub below: Option<Outside>,
    /// Which stand above.
    pub above: Option<Outside>,
}

/// A tensor seen through padding, then a slice, then a reshape. Sizes may depend on extents that only a run knows.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Elements added below and above, per dimension; all 0 without padding.
    pub padding: Vec<(SymExpr, SymExpr)>,
    /// What the padding consists of, where it does not continue the tensor.
    pub fill: Option<Fill>,
    /// The dimensions that the padding continues.
    pub continued: Vec<Option<Continued>>,
    /// The part that is used of the padded tensor, per dimension.
    pub slice: Vec<SliceDimension>,
    /// Extents of the padded tensor.
    pub padded: Vec<SymExpr>,
    /// For each dimension of the slice the extents that it is split into; empty where it is dropped (of extent 1).
    pub split: Vec<Vec<SymExpr>>,
    /// Dimensions behind the split that are walked from their ends.
    pub reversed: Vec<usize>,
    /// For each dimension behind the split, and behind the reversal, the index that it is accessed with.
    pub indices: Vec<IndexForm>,
}

/// One dimension of an access.
#[derive(Debug, Clone)]
pub struct AccessDimension<'a> {
    /// The index; none if it is not affine.
    pub form: Option<IndexForm>,
    /// What happens outside of the tensor.
    pub guard: &'a Guard,
    /// What stands for an index below and above, if it is replaced.
    pub remapped: Option<[IndexForm; 2]>,
    /// The extent of the tensor.
    pub extent: SymExpr,
}

/// The loops around an access.
#[derive(Debug, Clone, Copy)]
pub struct Loops<'a> {
    /// How often each runs.
    pub extents: &'a [SymExpr],
    /// What is known of extents.
    pub limits: &'a Limits,
}

impl View {
    /// The view for an access; none if its elements have to be fetched one by one. `fill` is what may be found outside
    /// in place of skipping, if anything may.
    pub fn new(dimensions: &[AccessDimension<'_>], loops: Loops<'_>, fill: Option<Fill>) -> Option<View> {
        let mut view = View {
            padding: Vec::new(),
            fill: None,
            continued: Vec::new(),
            slice: Vec::new(),
            padded: Vec::new(),
            split: Vec::new(),
            reversed: Vec::new(),
            indices: Vec::new(),
        };
        for dimension in dimensions {
            view.add(dimension, loops, fill.is_some())?;
        }
        if view.is_padded() {
            let grown = |volume: i64, extent| volume.checked_mul(loops.limits.estimate(extent)?);
            let original = dimensions.iter().map(|dimension| &dimension.extent).try_fold(1, grown)?;
            let padded = view.padded.iter().try_fold(1, grown)?;
            if padded > original.checked_mul(PADDING_FACTOR)?.checked_add(PADDING_ALLOWANCE)? {
                return None;
            }
            view.fill = fill;
        }
        let continued = view.continued.iter().filter(|continued| continued.is_some());
        (continued.count() <= MOST_CONTINUED).then_some(view)
    }

    fn add(&mut self, dimension: &AccessDimension<'_>, loops: Loops<'_>, may_pad: bool) -> Option<()> {
        let (form, Loops { extents, limits }) = (dimension.form.as_ref()?, loops);
        let (low, high) = form.range(extents, limits)?;
        let below = limits.not_negative(ZERO.minus(&low)?)?;
        let above = limits.not_negative(high.minus(&dimension.extent)?.plus(&ONE)?)?;
        let is_padded = (&below, &above) != (&ZERO, &ZERO);
        self.continued.push(match dimension.guard {
            Guard::Remap { .. } if is_padded => Some(continued(dimension, (&below, &above), (&low, &high), limits)?),
            Guard::Skip if may_pad => None,
            _ if is_padded => return None,
            _ => None,
        });
        let padded = dimension.extent.plus(&below)?.plus(&above)?;
        let offset = form.offset().plus(&below)?;
        if padded.as_known().is_some_and(|padded| padded <= 0) {
            return None;
        }
        let rises = |term: &(usize, SymExpr)| limits.is_never_negative(&term.1);
        if !form.terms().iter().all(rises) {
            self.add_falling(form, extents, low.plus(&below)?)?;
        } else if form.terms().is_empty() {
            self.slice.push(SliceDimension { offset, size: ONE, stride: 1 });
            self.split.push(Vec::new());
        } else if let Some(radix) = MixedRadix::of(form, extents) {
            let split = radix.loops.iter().map(|&number| extents.get(number).cloned()).collect::<Option<Vec<_>>>()?;
            let size = split.iter().try_fold(ONE, |size, extent| size.times(extent))?;
            let stride = if size == ONE { 1 } else { radix.stride };
            self.slice.push(SliceDimension { offset, size, stride });
            self.split.push(split);
            self.indices.extend(radix.loops.into_iter().map(IndexForm::index));
        } else {
            form.known_terms()?;
            let used = limits.not_negative(high.minus(&low)?.plus(&ONE)?)?;
            let size = if offset == ZERO { padded.clone() } else { used };
            self.slice.push(SliceDimension { offset, size: size.clone(), stride: 1 });
            self.split.push(vec![size]);
            self.indices.push(form.without_offset());
        }
        self.padding.push((below, above));
        self.padded.push(padded);
        Some(())
    }

    /// A dimension of which a loop takes the elements from the last, or every `n`-th, to the first at `offset`.
    fn add_falling(&mut self, form: &IndexForm, extents: &[SymExpr], offset: SymExpr) -> Option<()> {
        let [(number, factor)] = *form.known_terms()?.as_slice() else { return None };
        let size = extents.get(number)?.clone();
        let stride = if size.as_known()? == 1 { 1 } else { factor.checked_neg()? };
        self.slice.push(SliceDimension { offset, size: size.clone(), stride });
        self.split.push(vec![size]);
        self.reversed.push(self.indices.len());
        self.indices.push(IndexForm::index(number));
        Some(())
    }

    /// Whether anything is added.
    pub fn is_padded(&self) -> bool {
        self.padding.iter().any(|padding| *padding != (ZERO, ZERO))
    }

    /// Whether a part is left out.
    pub fn is_sliced(&self) -> bool {
        let whole = |(slice, extent): (&SliceDimension, &SymExpr)| {
            (&slice.offset, &slice.size, slice.stride) == (&ZERO, extent, 1)
        };
        !self.slice.iter().zip(&self.padded).all(whole)
    }

    /// Whether dimensions are split or dropped.
    pub fn is_reshaped(&self) -> bool {
        self.split.iter().any(|parts| parts.len() != 1)
    }

    /// The extents behind the split.
    pub fn shape(&self) -> Vec<SymExpr> {
        self.split.iter().flatten().cloned().collect()
    }

    /// The loops it is accessed with, if each dimension has one of its own.
    pub fn loops(&self) -> Option<Vec<usize>> {
        let loops: Vec<usize> = self.indices.iter().map(IndexForm::as_index).collect::<Option<_>>()?;
        let distinct = loops.iter().enumerate().all(|(at, number)| !loops[..at].contains(number));
        distinct.then_some(loops)
    }
}

/// What stands in the padding of a dimension whose index is replaced where it is outside.
fn continued(
    dimension: &AccessDimension<'_>,
    (below, above): (&SymExpr, &SymExpr),
    (low, high): (&SymExpr, &SymExpr),
    limits: &Limits,
) -> Option<Continued> {
    let (form, [less, more]) = (dimension.form.as_ref()?, dimension.remapped.as_ref()?);
    let extent = &dimension.extent;
    let side = |new: &IndexForm, size: &SymExpr, ends| match *size == ZERO {
        true => Some(None),
        false => {
            let outside = Outside::of(new, form, ends, (extent, limits))?;
            // What is turned has as many elements as a map of indices says.
            (outside.factor >= 0 || size.as_known().is_some()).then_some(Some(outside))
        }
    };
    let below = side(less, below, (low, &SymExpr::Const(-1)))?;
    Some(Continued { extent: extent.clone(), below, above: side(more, above, (extent, high))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(offset: i64, terms: &[(usize, i64)]) -> Option<IndexForm> {
        Some(IndexForm::sum(offset, terms))
    }

    fn known(values: &[i64]) -> Vec<SymExpr> {
        values.iter().copied().map(SymExpr::Const).collect()
    }

    fn slice(offset: i64, size: i64, stride: i64) -> SliceDimension {
        SliceDimension { offset: SymExpr::Const(offset), size: SymExpr::Const(size), stride }
    }

    fn view(
        dimensions: &[(Option<IndexForm>, &'static Guard, i64)],
        extents: &[i64],
        fill: Option<Value>,
    ) -> Option<View> {
        let dimension = |(form, guard, extent): &(Option<IndexForm>, &'static Guard, i64)| AccessDimension {
            form: form.clone(),
            guard,
            remapped: None,
            extent: SymExpr::Const(*extent),
        };
        let dimensions: Vec<_> = dimensions.iter().map(dimension).collect();
        let loops = Loops { extents: &known(extents), limits: &Limits::default() };
        View::new(&dimensions, loops, fill.map(Fill::Constant))
    }

    #[test]
    fn a_window_over_an_extent_of_the_run_is_padded_by_what_it_needs() {
        // |2 * i + j - 1| of extent n for i < (n + 1) / 2, j < 3
        let n = SymExpr::Symbol("n".into());
        let count = "(n + 1) / 2".parse::<SymExpr>().unwrap();
        let dimension =
            AccessDimension { form: form(-1, &[(0, 2), (1, 1)]), guard: &Guard::Skip, remapped: None, extent: n };
        let loops = Loops { extents: &[count, SymExpr::Const(3)], limits: &Limits::default() };
        let view = View::new(&[dimension], loops, Some(Fill::Constant(Value::Real(0.0)))).unwrap();
        let at = |n: i64| {
            let value = |expr: &SymExpr| expr.evaluate(&|_| Some(n)).unwrap();
            (value(&view.padding[0].0), value(&view.padding[0].1), value(&view.padded[0]))
        };
        assert_eq!((at(6), at(7)), ((1, 0, 7), (1, 1, 9)));
    }

    #[test]
    fn a_guarded_window_is_padded_exactly() {
        // |2 * i + j - 1| of extent 6 for i < 3, j < 3: from -1 to 5.
        let guarded = (form(-1, &[(0, 2), (1, 1)]), &Guard::Skip, 6);
        let padded = view(std::slice::from_ref(&guarded), &[3, 3], Some(Value::Real(0.0))).unwrap();
        assert_eq!(
            (padded.padding.as_slice(), padded.padded.as_slice()),
            ([(ONE, ZERO)].as_slice(), known(&[7]).as_slice())
        );
        assert!(!padded.is_sliced() && !padded.is_reshaped());
        assert_eq!(padded.indices, [IndexForm::sum(0, &[(0, 2), (1, 1)])]);
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
        assert_eq!(split.split, [known(&[3, 4]), vec![]]);
        assert_eq!(split.slice[1], slice(2, 1, 1));
        assert_eq!(split.loops(), Some(vec![0, 1]));
    }

    #[test]
    fn strides_and_offsets_are_sliced() {
        let strided = view(&[(form(3, &[(0, 2)]), &Guard::None, 10)], &[3], None).unwrap();
        assert_eq!(strided.slice, [slice(3, 3, 2)]);
        assert_eq!(strided.loops(), Some(vec![0]));
    }

    #[test]
    fn what_is_not_worth_padding_is_refused() {
        let far = (form(-(1 << 40), &[(0, 1)]), &Guard::Skip, 4);
        assert_eq!(view(&[far], &[4], Some(Value::Real(0.0))), None);
        let both_ways = (form(3, &[(0, -1), (1, 1)]), &Guard::None, 8);
        assert_eq!(view(&[both_ways], &[4, 4], None), None);
    }

    #[test]
    fn what_is_read_backwards_is_a_slice_that_is_reversed() {
        // [6 - 2 * i] of extent 8 for i < 3: 6, 4, 2
        let backwards = view(&[(form(6, &[(0, -2)]), &Guard::None, 8)], &[3], None).unwrap();
        assert_eq!(
            (backwards.slice.as_slice(), backwards.reversed.as_slice()),
            ([slice(2, 3, 2)].as_slice(), [0].as_slice())
        );
        assert_eq!(backwards.loops(), Some(vec![0]));
    }
}
