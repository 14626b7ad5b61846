//! Affine forms over the loops of a formula: what indexing maps and slices are made of.

use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::Value;
use skriptnd_language::syntax::ast::{BinaryOp, UnaryOp};

/// `constant + sum of coefficient * loop index`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct LinearForm {
    /// The constant part.
    pub constant: i64,
    /// Loop and coefficient, sorted by loop; no coefficient is 0.
    pub terms: Vec<(usize, i64)>,
}

/// A form that counts through a range in the manner of digits: every value exactly once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixedRadix {
    /// The distance of neighbouring values.
    pub stride: i64,
    /// The loops, most significant first.
    pub loops: Vec<usize>,
}

impl LinearForm {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        LinearForm { constant: value, terms: Vec::new() }
    }

    /// The index of a loop.
    pub fn index(number: usize) -> Self {
        LinearForm { constant: 0, terms: vec![(number, 1)] }
    }

    /// The form of an integer expression; none if it is not affine or does not fit. `locals` are the forms of the
    /// intermediate values.
    pub fn of(expression: &ScalarExpr, locals: &[Option<LinearForm>]) -> Option<LinearForm> {
        match &expression.kind {
            ScalarKind::Const(Value::Int(value)) => Some(LinearForm::constant(*value)),
            ScalarKind::Index(number) => Some(LinearForm::index(*number)),
            ScalarKind::Local(number) => locals.get(*number)?.clone(),
            ScalarKind::Unary(UnaryOp::Plus, a) => LinearForm::of(a, locals),
            ScalarKind::Unary(UnaryOp::Neg, a) => LinearForm::default().plus(&LinearForm::of(a, locals)?, -1),
            ScalarKind::Binary(op, a, b) => {
                let (a, b) = (LinearForm::of(a, locals)?, LinearForm::of(b, locals)?);
                match op {
                    BinaryOp::Add => a.plus(&b, 1),
                    BinaryOp::Sub => a.plus(&b, -1),
                    BinaryOp::Mul if a.terms.is_empty() => LinearForm::default().plus(&b, a.constant),
                    BinaryOp::Mul if b.terms.is_empty() => LinearForm::default().plus(&a, b.constant),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `self + factor * other`; none on overflow.
    pub fn plus(&self, other: &LinearForm, factor: i64) -> Option<LinearForm> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for &(number, coefficient) in &other.terms {
            let added = coefficient.checked_mul(factor)?;
            match sum.terms.binary_search_by_key(&number, |term| term.0) {
                Ok(at) => sum.terms[at].1 = sum.terms[at].1.checked_add(added)?,
                Err(at) => sum.terms.insert(at, (number, added)),
            }
        }
        sum.terms.retain(|term| term.1 != 0);
        Some(sum)
    }

    /// The form without the loops that are marked: their index is always 0.
    pub fn without(&self, fixed: &[bool]) -> LinearForm {
        let keep = |term: &&(usize, i64)| !fixed.get(term.0).copied().unwrap_or(false);
        LinearForm { constant: self.constant, terms: self.terms.iter().filter(keep).copied().collect() }
    }

    /// Smallest and largest value over all iterations, of which there is at least one; none if that does not fit.
    pub fn range(&self, extents: &[i64]) -> Option<(i64, i64)> {
        let (mut low, mut high) = (self.constant, self.constant);
        for &(number, coefficient) in &self.terms {
            let span = coefficient.checked_mul(extents.get(number)? - 1)?;
            low = low.checked_add(span.min(0))?;
            high = high.checked_add(span.max(0))?;
        }
        Some((low, high))
    }

    /// The loop whose index it is, if it is nothing else.
    pub fn as_index(&self) -> Option<usize> {
        match (self.constant, self.terms.as_slice()) {
            (0, &[(number, 1)]) => Some(number),
            _ => None,
        }
    }

    /// Whether the loops count through a range, each value once: the coefficient of each is the volume of the less
    /// significant ones.
    pub fn mixed_radix(&self, extents: &[i64]) -> Option<MixedRadix> {
        let mut terms = self.terms.clone();
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
    use crate::lowering::testing::{add, index, int, mul, sub};

    #[test]
    fn sums_and_products() {
        let expression = sub(sub(add(mul(int(3), index(1)), index(0)), int(2)), index(1));
        let form = LinearForm::of(&expression, &[]).unwrap();
        assert_eq!(form, LinearForm { constant: -2, terms: vec![(0, 1), (1, 2)] });
        assert_eq!(form.range(&[4, 3]), Some((-2, 5)));
        assert_eq!(LinearForm::of(&sub(index(0), index(0)), &[]), Some(LinearForm::constant(0)));
        assert_eq!(LinearForm::of(&mul(index(0), index(1)), &[]), None);
        assert_eq!(LinearForm::of(&mul(int(i64::MAX), add(int(2), index(0))), &[]), None, "overflow");
    }

    #[test]
    fn digits() {
        let form = |terms: &[(usize, i64)]| LinearForm { constant: 5, terms: terms.to_vec() };
        let radix = form(&[(0, 12), (1, 4), (2, 1)]).mixed_radix(&[2, 3, 4]).unwrap();
        assert_eq!(radix, MixedRadix { stride: 1, loops: vec![0, 1, 2] });
        let strided = form(&[(0, 2), (1, 6)]).mixed_radix(&[3, 5]).unwrap();
        assert_eq!(strided, MixedRadix { stride: 2, loops: vec![1, 0] });
        assert_eq!(form(&[(0, 1), (1, 1)]).mixed_radix(&[3, 3]), None, "a window");
        assert_eq!(form(&[(0, -1)]).mixed_radix(&[3]), None, "backwards");
    }
}
