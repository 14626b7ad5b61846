//! Affine forms over loop indices. Nearly every tensor access is affine; then addresses need no arithmetic per
//! element, and guards become intervals.

use super::{ScalarExpr, ScalarKind};
use crate::compose::value::Value;
use skriptnd_syntax::ast::{BinaryOp, UnaryOp};

/// `constant + sum of coefficient * loop index`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct LinearForm {
    constant: i64,
    /// Loop and coefficient, by loop; no coefficient is 0.
    terms: Vec<(usize, i64)>,
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

    /// A constant and multiples of loop indices; none on overflow.
    pub fn sum(constant: i64, terms: &[(usize, i64)]) -> Option<Self> {
        let add = |sum: LinearForm, &(number, coefficient): &(usize, i64)| sum.plus(&Self::index(number), coefficient);
        terms.iter().try_fold(LinearForm::constant(constant), add)
    }

    /// The form of an integer expression; none if it is not affine or does not fit. `locals` are the forms of the
    /// intermediate values.
    pub fn of(expression: &ScalarExpr, locals: &[Option<LinearForm>]) -> Option<LinearForm> {
        match &expression.kind {
            ScalarKind::Const(Value::Int(value)) => Some(LinearForm::constant(*value)),
            ScalarKind::Index(number) => Some(LinearForm::index(*number)),
            ScalarKind::Local(number) => locals.get(*number)?.clone(),
            ScalarKind::Unary(UnaryOp::Plus, a) => LinearForm::of(a, locals),
            ScalarKind::Unary(UnaryOp::Neg, a) => LinearForm::of(a, locals)?.scaled(-1),
            ScalarKind::Binary(BinaryOp::Add, a, b) => LinearForm::of(a, locals)?.plus(&LinearForm::of(b, locals)?, 1),
            ScalarKind::Binary(BinaryOp::Sub, a, b) => LinearForm::of(a, locals)?.plus(&LinearForm::of(b, locals)?, -1),
            ScalarKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (LinearForm::of(a, locals)?, LinearForm::of(b, locals)?);
                match (a.as_constant(), b.as_constant()) {
                    (Some(factor), _) => b.scaled(factor),
                    (_, Some(factor)) => a.scaled(factor),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(crate) fn scaled(&self, factor: i64) -> Option<LinearForm> {
        LinearForm::default().plus(self, factor)
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

    /// The part that no loop changes.
    pub fn offset(&self) -> i64 {
        self.constant
    }

    /// Loop and coefficient, sorted by loop; no coefficient is 0.
    pub fn terms(&self) -> &[(usize, i64)] {
        &self.terms
    }

    /// The form without its constant part.
    pub fn without_offset(&self) -> LinearForm {
        LinearForm { constant: 0, terms: self.terms.clone() }
    }

    /// The form without the loops that are marked: their index is always 0.
    pub fn without(&self, fixed: &[bool]) -> LinearForm {
        let keep = |term: &&(usize, i64)| !fixed.get(term.0).copied().unwrap_or(false);
        LinearForm { constant: self.constant, terms: self.terms.iter().filter(keep).copied().collect() }
    }

    /// The loop whose index it is, if it is nothing else.
    pub fn as_index(&self) -> Option<usize> {
        match (self.constant, self.terms.as_slice()) {
            (0, &[(number, 1)]) => Some(number),
            _ => None,
        }
    }

    fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The coefficient of a loop's index.
    pub fn coefficient(&self, number: usize) -> i64 {
        self.terms.iter().find(|term| term.0 == number).map_or(0, |term| term.1)
    }

    /// The loops that matter.
    pub fn loops(&self) -> impl Iterator<Item = usize> {
        self.terms.iter().map(|term| term.0)
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

    /// The same however large the values are.
    pub(crate) fn wide_range(&self, extents: &[i64]) -> Option<(i128, i128)> {
        let (mut low, mut high) = (i128::from(self.constant), i128::from(self.constant));
        for &(number, coefficient) in &self.terms {
            let span = i128::from(coefficient) * (i128::from(*extents.get(number)?) - 1);
            low = low.checked_add(span.min(0))?;
            high = high.checked_add(span.max(0))?;
        }
        Some((low, high))
    }

    /// The value at a position of one loop where there is no other, however large it is.
    pub(crate) fn wide_at(&self, number: usize, position: i64) -> i128 {
        i128::from(self.constant) + i128::from(self.coefficient(number)) * i128::from(position)
    }

    /// The value in one iteration. It does not overflow where [`range`](Self::range) gave an answer.
    pub fn at(&self, position: &[i64]) -> i64 {
        self.terms.iter().fold(self.constant, |sum, &(number, coefficient)| sum + coefficient * position[number])
    }
}

impl LinearForm {
    /// As it would be written with these names of the indices.
    pub(crate) fn text(&self, names: &[&str]) -> String {
        let mut text = String::new();
        for &(number, coefficient) in &self.terms {
            let name = names.get(number).copied().unwrap_or("?");
            let sign = match (text.is_empty(), coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let factor = coefficient.unsigned_abs();
            text += &if factor == 1 { format!("{sign}{name}") } else { format!("{sign}{factor} * {name}") };
        }
        match self.constant {
            constant if text.is_empty() => constant.to_string(),
            0 => text,
            constant => format!("{text} {} {}", if constant < 0 { '-' } else { '+' }, constant.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose::evaluate::scalar::{binary, int};
    use crate::compose::value::ScalarType;

    fn index(number: usize) -> ScalarExpr {
        ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(number) }
    }

    fn times(a: ScalarExpr, b: ScalarExpr) -> ScalarExpr {
        binary(BinaryOp::Mul, a, b).unwrap()
    }

    #[test]
    fn affine_expressions() {
        let sum = binary(BinaryOp::Add, times(int(3), index(1)), index(0)).unwrap();
        let rest = binary(BinaryOp::Add, index(1), int(2)).unwrap();
        let expression = binary(BinaryOp::Sub, sum, rest).unwrap();
        let form = LinearForm::of(&expression, &[]).unwrap();
        assert_eq!((form.coefficient(0), form.coefficient(1), form.coefficient(2)), (1, 2, 0));
        assert_eq!(form.at(&[5, 7]), 3 * 7 + 5 - 2 - 7);
        assert_eq!(form.text(&["i", "j"]), "i + 2 * j - 2");
        assert_eq!(form.range(&[4, 3]), Some((-2, -2 + 3 + 4)));
        let vanishing = LinearForm::of(&binary(BinaryOp::Sub, index(0), index(0)).unwrap(), &[]).unwrap();
        assert_eq!(vanishing, LinearForm::constant(0));
    }

    #[test]
    fn products_of_indices_and_overflow_are_not_affine() {
        assert_eq!(LinearForm::of(&times(index(0), index(1)), &[]), None);
        let two_more = binary(BinaryOp::Add, index(0), int(2)).unwrap();
        assert_eq!(LinearForm::of(&times(int(i64::MAX), two_more), &[]), None);
        let wide = LinearForm::of(&times(int(i64::MAX), index(0)), &[]).unwrap();
        assert_eq!(wide.range(&[3]), None);
    }
}
