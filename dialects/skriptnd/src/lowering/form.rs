//! Affine forms of indices. What they are made of may depend on extents that only a run knows: `i * w + j - 1`.

use super::limits::Limits;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::{Symbolic, Value};
use skriptnd_syntax::ast::{BinaryOp, UnaryOp};

/// `offset + sum of coefficient * loop index`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexForm {
    offset: SymExpr,
    /// Loop and coefficient, by loop; no coefficient is 0.
    terms: Vec<(usize, SymExpr)>,
}

impl IndexForm {
    /// What no loop changes.
    pub fn constant(offset: SymExpr) -> Self {
        IndexForm { offset, terms: Vec::new() }
    }

    /// The index of a loop.
    pub fn index(number: usize) -> Self {
        IndexForm { offset: SymExpr::Const(0), terms: vec![(number, SymExpr::Const(1))] }
    }

    /// The form of an integer expression; none if it is not affine. `locals` are the forms of the intermediate values.
    pub fn of(expression: &ScalarExpr, locals: &[Option<IndexForm>]) -> Option<IndexForm> {
        match &expression.kind {
            ScalarKind::Const(Value::Int(value)) => Some(IndexForm::constant(SymExpr::Const(*value))),
            ScalarKind::Const(Value::Symbolic(Symbolic::Int(expr))) => Some(IndexForm::constant(expr.clone())),
            ScalarKind::Index(number) => Some(IndexForm::index(*number)),
            ScalarKind::Local(number) => locals.get(*number)?.clone(),
            ScalarKind::Unary(UnaryOp::Plus, a) => IndexForm::of(a, locals),
            ScalarKind::Unary(UnaryOp::Neg, a) => IndexForm::of(a, locals)?.scaled(&SymExpr::Const(-1)),
            ScalarKind::Binary(op, a, b) => {
                let (a, b) = (IndexForm::of(a, locals)?, IndexForm::of(b, locals)?);
                match op {
                    BinaryOp::Add => a.plus(&b),
                    BinaryOp::Sub => a.plus(&b.scaled(&SymExpr::Const(-1))?),
                    BinaryOp::Mul if a.terms.is_empty() => b.scaled(&a.offset),
                    BinaryOp::Mul if b.terms.is_empty() => a.scaled(&b.offset),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A multiple; none on overflow.
    pub fn scaled(&self, factor: &SymExpr) -> Option<IndexForm> {
        let scaled = |(number, coefficient): &(usize, SymExpr)| Some((*number, coefficient.times(factor)?));
        let terms = self.terms.iter().map(scaled).collect::<Option<_>>()?;
        Some(IndexForm { offset: self.offset.times(factor)?, terms }.compact())
    }

    /// The sum; none on overflow.
    pub fn plus(&self, other: &IndexForm) -> Option<IndexForm> {
        let mut sum = IndexForm { offset: self.offset.plus(&other.offset)?, terms: self.terms.clone() };
        for (number, coefficient) in &other.terms {
            match sum.terms.binary_search_by_key(number, |term| term.0) {
                Ok(at) => sum.terms[at].1 = sum.terms[at].1.plus(coefficient)?,
                Err(at) => sum.terms.insert(at, (*number, coefficient.clone())),
            }
        }
        Some(sum.compact())
    }

    fn compact(mut self) -> Self {
        self.terms.retain(|term| term.1 != SymExpr::Const(0));
        self
    }

    /// The part that no loop changes.
    pub fn offset(&self) -> &SymExpr {
        &self.offset
    }

    /// Loop and coefficient, sorted by loop; no coefficient is 0.
    pub fn terms(&self) -> &[(usize, SymExpr)] {
        &self.terms
    }

    /// The same if all coefficients are known.
    pub fn known_terms(&self) -> Option<Vec<(usize, i64)>> {
        self.terms.iter().map(|(number, coefficient)| Some((*number, coefficient.as_known()?))).collect()
    }

    /// The form without its constant part.
    pub fn without_offset(&self) -> IndexForm {
        IndexForm { offset: SymExpr::Const(0), terms: self.terms.clone() }
    }

    /// The form without the loops that are marked: their index is always 0.
    pub fn without(&self, fixed: &[bool]) -> IndexForm {
        let keep = |term: &&(usize, SymExpr)| !fixed.get(term.0).copied().unwrap_or(false);
        IndexForm { offset: self.offset.clone(), terms: self.terms.iter().filter(keep).cloned().collect() }
    }

    /// The loop whose index it is, if it is nothing else.
    pub fn as_index(&self) -> Option<usize> {
        match (&self.offset, self.terms.as_slice()) {
            (SymExpr::Const(0), [(number, SymExpr::Const(1))]) => Some(*number),
            _ => None,
        }
    }

    /// Smallest and largest value over all iterations, of which there is at least one.
    pub fn range(&self, extents: &[SymExpr], limits: &Limits) -> Option<(SymExpr, SymExpr)> {
        let (mut low, mut high) = (self.offset.clone(), self.offset.clone());
        for (number, coefficient) in &self.terms {
            let last = extents.get(*number)?.minus(&SymExpr::Const(1))?;
            let span = coefficient.times(&last)?;
            if limits.is_never_negative(coefficient) {
                high = high.plus(&span)?;
            } else if limits.is_at_most(coefficient, &SymExpr::Const(0)) {
                low = low.plus(&span)?;
            } else {
                return None;
            }
        }
        Some((low, high))
    }
}

#[cfg(test)]
impl IndexForm {
    /// Of known parts.
    pub fn sum(offset: i64, terms: &[(usize, i64)]) -> Self {
        let add = |sum: IndexForm, &(number, coefficient): &(usize, i64)| {
            sum.plus(&IndexForm::index(number).scaled(&SymExpr::Const(coefficient)).unwrap()).unwrap()
        };
        terms.iter().fold(IndexForm::constant(SymExpr::Const(offset)), add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lowering::testing::{add, index, int, mul, sub};
    use skriptnd_language::compose::value::ScalarType;

    fn symbol(name: &str) -> ScalarExpr {
        let value = Value::Symbolic(Symbolic::Int(SymExpr::Symbol(name.into())));
        ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Const(value) }
    }

    #[test]
    fn coefficients_may_be_extents() {
        let form = IndexForm::of(&add(mul(index(0), symbol("w")), sub(index(1), int(1))), &[]).unwrap();
        let (w, h) = (SymExpr::Symbol("w".into()), SymExpr::Symbol("h".into()));
        assert_eq!(form.terms(), [(0, w.clone()), (1, SymExpr::Const(1))]);
        let (low, high) = form.range(&[h.clone(), w.clone()], &Limits::default()).unwrap();
        assert_eq!(low, SymExpr::Const(-1));
        assert_eq!(high, h.times(&w).unwrap().minus(&SymExpr::Const(2)).unwrap());
        assert_eq!(IndexForm::of(&mul(index(0), index(1)), &[]), None);
        let vanishing = IndexForm::of(&sub(index(0), index(0)), &[]).unwrap();
        assert_eq!(vanishing, IndexForm::constant(SymExpr::Const(0)));
    }
}
