//! Affine forms that count through a range in the manner of digits: what collapsed and expanded shapes are made of.

use skriptnd_language::compose::formula::LinearForm;

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
    pub fn of(form: &LinearForm, extents: &[i64]) -> Option<Self> {
        let mut terms = form.terms().to_vec();
        terms.sort_by_key(|&(number, coefficient)| (coefficient, extents.get(number).copied()));
        let stride = terms.first()?.1;
        let mut volume = stride;
        for &(number, coefficient) in &terms {
            if coefficient != volume || coefficient <= 0 {
                return None;
            }
            volume = volume.checked_mul(*extents.get(number)?)?;
        }
        Some(MixedRadix { stride, loops: terms.iter().rev().map(|term| term.0).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits() {
        let radix =
            |terms: &[(usize, i64)], extents: &[i64]| MixedRadix::of(&LinearForm::sum(5, terms).unwrap(), extents);
        assert_eq!(radix(&[(0, 12), (1, 4), (2, 1)], &[2, 3, 4]), Some(MixedRadix { stride: 1, loops: vec![0, 1, 2] }));
        assert_eq!(radix(&[(0, 2), (1, 6)], &[3, 5]), Some(MixedRadix { stride: 2, loops: vec![1, 0] }));
        assert_eq!(radix(&[(0, 1), (1, 1)], &[3, 3]), None, "a window");
        assert_eq!(radix(&[(0, -1)], &[3]), None, "backwards");
    }
}
