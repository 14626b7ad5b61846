//! Polynomial arithmetic on [`SymExpr`]: sums of products with integer coefficients, factors and terms in order.

use super::SymExpr;
use super::integer::floor_div;
use crate::compose::limits;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Factors of a term to its coefficient.
pub(super) struct Polynomial(pub(super) BTreeMap<Vec<SymExpr>, i64>);

impl Polynomial {
    pub(super) fn of(expr: &SymExpr) -> Self {
        let terms = match expr {
            SymExpr::Sum(terms) => terms.as_slice(),
            single => std::slice::from_ref(single),
        };
        Polynomial(terms.iter().map(term).filter(|(_, coefficient)| *coefficient != 0).collect())
    }

    fn add(mut self, other: &Polynomial, scale: i64) -> Option<Self> {
        for (factors, coefficient) in &other.0 {
            let scaled = coefficient.checked_mul(scale)?;
            let entry = self.0.entry(factors.clone()).or_insert(0);
            *entry = entry.checked_add(scaled)?;
        }
        self.0.retain(|_, coefficient| *coefficient != 0);
        (self.0.len() <= limits::SYMBOLIC_TERMS).then_some(self)
    }

    fn mul(&self, other: &Polynomial) -> Option<Self> {
        let mut product = Polynomial(BTreeMap::new());
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut factors = [left.as_slice(), right.as_slice()].concat();
                factors.sort();
                if factors.len() > limits::SYMBOLIC_TERMS {
                    return None;
                }
                product = product.add(&Polynomial(BTreeMap::from([(factors, a.checked_mul(*b)?)])), 1)?;
            }
        }
        Some(product)
    }

    pub(super) fn into_expr(self) -> SymExpr {
        let mut terms: Vec<SymExpr> = self.0.into_iter().map(|(factors, c)| product(factors, c)).collect();
        match terms.len() {
            0 => SymExpr::Const(0),
            1 => terms.remove(0),
            _ => SymExpr::Sum(terms),
        }
    }

    /// The coefficient of the term without factors.
    pub(super) fn constant(&self) -> i64 {
        self.0.get([].as_slice()).copied().unwrap_or(0)
    }

    /// The terms that have factors.
    pub(super) fn symbolic(&self) -> impl Iterator<Item = (&Vec<SymExpr>, i64)> {
        self.0.iter().filter(|(factors, _)| !factors.is_empty()).map(|(factors, coefficient)| (factors, *coefficient))
    }
}

/// Factors without the coefficient, and the coefficient.
fn term(expr: &SymExpr) -> (Vec<SymExpr>, i64) {
    match expr {
        SymExpr::Const(value) => (Vec::new(), *value),
        SymExpr::Product(factors) => match factors.split_first() {
            Some((SymExpr::Const(coefficient), rest)) => (rest.to_vec(), *coefficient),
            _ => (factors.clone(), 1),
        },
        atom => (vec![atom.clone()], 1),
    }
}

fn product(mut factors: Vec<SymExpr>, coefficient: i64) -> SymExpr {
    match (factors.len(), coefficient) {
        (0, c) => SymExpr::Const(c),
        (1, 1) => factors.remove(0),
        (_, 1) => SymExpr::Product(factors),
        (_, c) => {
            factors.insert(0, SymExpr::Const(c));
            SymExpr::Product(factors)
        }
    }
}

impl SymExpr {
    /// The symbol whose value follows from that of the expression, and its value: rounded down where there is none.
    pub fn solve(&self, value: i64) -> Option<(Arc<str>, i64)> {
        let (name, coefficient, offset) = self.affine()?;
        Some((name, floor_div(value.checked_sub(offset)?, coefficient)?))
    }

    /// As `coefficient * symbol + offset`.
    pub fn affine(&self) -> Option<(Arc<str>, i64, i64)> {
        let polynomial = Polynomial::of(self);
        let mut terms = polynomial.symbolic();
        match (terms.next(), terms.next()) {
            (Some((factors, coefficient)), None) => match factors.as_slice() {
                [SymExpr::Symbol(name)] => Some((name.clone(), coefficient, polynomial.constant())),
                _ => None,
            },
            _ => None,
        }
    }

    /// The sum, unless a coefficient overflows.
    pub fn plus(&self, other: &SymExpr) -> Option<SymExpr> {
        Some(Polynomial::of(self).add(&Polynomial::of(other), 1)?.into_expr())
    }

    /// The difference, unless a coefficient overflows.
    pub fn minus(&self, other: &SymExpr) -> Option<SymExpr> {
        Some(Polynomial::of(self).add(&Polynomial::of(other), -1)?.into_expr())
    }

    /// The product, unless a coefficient overflows.
    pub fn times(&self, other: &SymExpr) -> Option<SymExpr> {
        Some(Polynomial::of(self).mul(&Polynomial::of(other))?.into_expr())
    }

    /// The product with a number.
    pub(crate) fn scaled(&self, factor: i64) -> Option<SymExpr> {
        self.times(&SymExpr::Const(factor))
    }

    /// The sum with a number.
    pub(super) fn shifted(&self, offset: i64) -> Option<SymExpr> {
        self.plus(&SymExpr::Const(offset))
    }

    /// The expression with some symbols replaced; `None` on overflow and division by zero.
    pub fn substitute(&self, lookup: &dyn Fn(&str) -> Option<SymExpr>) -> Option<SymExpr> {
        let all = |parts: &[SymExpr]| parts.iter().map(|p| p.substitute(lookup)).collect::<Option<Vec<_>>>();
        match self {
            SymExpr::Const(_) => Some(self.clone()),
            SymExpr::Symbol(name) => Some(lookup(name).unwrap_or_else(|| self.clone())),
            SymExpr::Sum(terms) => all(terms)?.iter().try_fold(SymExpr::Const(0), |sum, t| sum.plus(t)),
            SymExpr::Product(factors) => all(factors)?.iter().try_fold(SymExpr::Const(1), |p, t| p.times(t)),
            // What is not chosen need not have a value.
            SymExpr::Apply(super::SymOp::Select, parts) if parts.len() == 3 => match parts[0].substitute(lookup)? {
                SymExpr::Const(0) => parts[2].substitute(lookup),
                SymExpr::Const(_) => parts[1].substitute(lookup),
                condition => SymExpr::apply(
                    super::SymOp::Select,
                    vec![condition, parts[1].substitute(lookup)?, parts[2].substitute(lookup)?],
                ),
            },
            SymExpr::Apply(..) if *self == SymExpr::undefined() => Some(self.clone()),
            SymExpr::Apply(op, parts) => SymExpr::apply(*op, all(parts)?),
            SymExpr::Truncated(real) => Some(real.substitute(lookup)?.truncated()),
            SymExpr::Compared(op, sides) => {
                Some(super::RealExpr::compare(*op, sides[0].substitute(lookup)?, sides[1].substitute(lookup)?))
            }
            SymExpr::Fold(fold) => fold.substitute(lookup),
        }
    }
}
