//! Affine forms that count through a range in the manner of digits: what collapsed and expanded shapes are made of.

use super::form::IndexForm;
use skriptnd_language::compose::extent::SymExpr;

/// A form that counts through a range in the manner of digits: every value exactly once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixedRadix {
    /// The distance of neighbouring values.
    pub stride: i64,
    /// The loops, most significant first.
    pub loops: Vec<usize>,
}

impl MixedRadix {
    /// Whether the loops of a form count through a range, each value once: the coefficient of each is the volume of
    /// the less significant ones.
    pub fn of(form: &IndexForm, extents: &[SymExpr]) -> Option<Self> {
        let known = form.terms().iter().filter_map(|(_, coefficient)| coefficient.as_known());
        let stride = known.min().filter(|stride| *stride > 0)?;
        let mut rest = form.terms().to_vec();
        let (mut volume, mut loops) = (SymExpr::Const(stride), Vec::new());
        while !rest.is_empty() {
            // Of equal coefficients that of a loop of one iteration comes first: the volume stays.
            let next = (0..rest.len()).filter(|&at| rest[at].1 == volume);
            let next = next.min_by_key(|&at| extents.get(rest[at].0) != Some(&SymExpr::Const(1)))?;
            let (number, _) = rest.remove(next);
            volume = volume.times(extents.get(number)?)?;
            loops.insert(0, number);
        }
        Some(MixedRadix { stride, loops })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn radix(terms: &[(usize, i64)], extents: &[i64]) -> Option<MixedRadix> {
        let extents: Vec<_> = extents.iter().copied().map(SymExpr::Const).collect();
        MixedRadix::of(&IndexForm::sum(5, terms), &extents)
    }

    #[test]
    fn digits() {
        assert_eq!(radix(&[(0, 12), (1, 4), (2, 1)], &[2, 3, 4]), Some(MixedRadix { stride: 1, loops: vec![0, 1, 2] }));
        assert_eq!(radix(&[(0, 2), (1, 6)], &[3, 5]), Some(MixedRadix { stride: 2, loops: vec![1, 0] }));
        assert_eq!(radix(&[(0, 1), (1, 1)], &[3, 3]), None, "a window");
        assert_eq!(radix(&[(0, -1)], &[3]), None, "backwards");
        assert_eq!(radix(&[(0, 1), (1, 1)], &[1, 3]), Some(MixedRadix { stride: 1, loops: vec![1, 0] }));
    }

    #[test]
    fn digits_of_extents_that_a_run_knows() {
        let (h, w) = (SymExpr::Symbol("h".into()), SymExpr::Symbol("w".into()));
        let form = IndexForm::index(0).scaled(&w).unwrap().plus(&IndexForm::index(1)).unwrap();
        let extents = [h.clone(), w.clone()];
        assert_eq!(MixedRadix::of(&form, &extents), Some(MixedRadix { stride: 1, loops: vec![0, 1] }));
        assert_eq!(MixedRadix::of(&form, &[w, h]), None);
    }
}
