//! Polynomial arithmetic on [`SymExpr`]: sums of products with integer coefficients, factors and terms in order.

use super::{SymExpr, SymOp};
use crate::arithmetic;
use crate::compose::limits;
use std::collections::BTreeMap;

/// Factors of a term to its coefficient.
struct Polynomial(BTreeMap<Vec<SymExpr>, i64>);

impl Polynomial {
    fn of(expr: &SymExpr) -> Self {
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

    fn into_expr(self) -> SymExpr {
        let mut terms: Vec<SymExpr> = self.0.into_iter().map(|(factors, c)| product(factors, c)).collect();
        match terms.len() {
            0 => SymExpr::Const(0),
            1 => terms.remove(0),
            _ => SymExpr::Sum(terms),
        }
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
    /// Its value if it is known.
    pub fn as_known(&self) -> Option<i64> {
        match self {
            SymExpr::Const(value) => Some(*value),
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

    /// The polynomial divided by a number if every coefficient is divisible.
    fn exact_quotient(&self, divisor: i64) -> Option<SymExpr> {
        let mut polynomial = Polynomial::of(self);
        for coefficient in polynomial.0.values_mut() {
            if coefficient.checked_rem(divisor)? != 0 {
                return None;
            }
            *coefficient /= divisor;
        }
        Some(polynomial.into_expr())
    }

    /// Applies an operation that has no polynomial form; `None` on overflow and division by zero.
    pub fn apply(op: SymOp, parts: Vec<SymExpr>) -> Option<SymExpr> {
        if let Some(known) = parts.iter().map(SymExpr::as_known).collect::<Option<Vec<i64>>>() {
            return op.evaluate(&known).map(SymExpr::Const);
        }
        Some(simplified(op, &parts).unwrap_or(SymExpr::Apply(op, parts)))
    }

    /// Its value where `lookup` gives those of the symbols; `None` if one is missing or on overflow.
    pub fn evaluate(&self, lookup: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        match self {
            SymExpr::Const(value) => Some(*value),
            SymExpr::Symbol(name) => lookup(name),
            SymExpr::Sum(terms) => terms.iter().try_fold(0i64, |sum, t| sum.checked_add(t.evaluate(lookup)?)),
            SymExpr::Product(factors) => factors.iter().try_fold(1i64, |p, t| p.checked_mul(t.evaluate(lookup)?)),
            SymExpr::Apply(SymOp::Select, parts) if parts.len() == 3 => {
                let taken = if parts[0].evaluate(lookup)? != 0 { &parts[1] } else { &parts[2] };
                taken.evaluate(lookup)
            }
            SymExpr::Apply(op, parts) => {
                let values = parts.iter().map(|p| p.evaluate(lookup)).collect::<Option<Vec<i64>>>()?;
                op.evaluate(&values)
            }
        }
    }

    /// The expression with some symbols replaced; `None` on overflow.
    pub fn substitute(&self, lookup: &dyn Fn(&str) -> Option<SymExpr>) -> Option<SymExpr> {
        let all = |parts: &[SymExpr]| parts.iter().map(|p| p.substitute(lookup)).collect::<Option<Vec<_>>>();
        match self {
            SymExpr::Const(_) => Some(self.clone()),
            SymExpr::Symbol(name) => Some(lookup(name).unwrap_or_else(|| self.clone())),
            SymExpr::Sum(terms) => all(terms)?.iter().try_fold(SymExpr::Const(0), |sum, t| sum.plus(t)),
            SymExpr::Product(factors) => all(factors)?.iter().try_fold(SymExpr::Const(1), |p, t| p.times(t)),
            SymExpr::Apply(op, parts) => SymExpr::apply(*op, all(parts)?),
        }
    }

    /// Calls `visit` with every symbol.
    pub fn symbols(&self, visit: &mut dyn FnMut(&std::sync::Arc<str>)) {
        match self {
            SymExpr::Const(_) => {}
            SymExpr::Symbol(name) => visit(name),
            SymExpr::Sum(parts) | SymExpr::Product(parts) | SymExpr::Apply(_, parts) => {
                parts.iter().for_each(|part| part.symbols(visit));
            }
        }
    }
}

/// What can be said without knowing the values.
fn simplified(op: SymOp, parts: &[SymExpr]) -> Option<SymExpr> {
    use SymExpr::Const;
    let (a, b) = (parts.first()?, parts.get(1));
    match (op, b) {
        (SymOp::FloorDiv | SymOp::CeilDiv, Some(Const(divisor))) => a.exact_quotient(*divisor),
        (SymOp::Mod, Some(Const(divisor))) => a.exact_quotient(*divisor).map(|_| Const(0)),
        (SymOp::FloorDiv | SymOp::CeilDiv, Some(b)) if a == b => Some(Const(1)),
        (SymOp::Mod, Some(b)) if a == b => Some(Const(0)),
        (SymOp::Pow, Some(Const(exponent @ 0..=8))) => (0..*exponent).try_fold(Const(1), |p, _| p.times(a)),
        (SymOp::Min | SymOp::Max, Some(b)) => {
            let difference = a.minus(b)?.as_known()?;
            Some(if (difference < 0) == (op == SymOp::Min) { a.clone() } else { b.clone() })
        }
        (SymOp::Lt | SymOp::Le | SymOp::Eq | SymOp::Ne, Some(b)) => {
            let difference = a.minus(b)?.as_known()?;
            op.evaluate(&[difference, 0]).map(Const)
        }
        (SymOp::And, Some(b)) => match (a, b) {
            (Const(0), _) | (_, Const(0)) => Some(Const(0)),
            (Const(_), other) | (other, Const(_)) => Some(other.clone()),
            _ => (a == b).then(|| a.clone()),
        },
        (SymOp::Or, Some(b)) => match (a, b) {
            (Const(0), other) | (other, Const(0)) => Some(other.clone()),
            (Const(_), _) | (_, Const(_)) => Some(Const(1)),
            _ => (a == b).then(|| a.clone()),
        },
        (SymOp::Not, None) => match a {
            SymExpr::Apply(SymOp::Not, inner) => inner.first().cloned(),
            SymExpr::Apply(SymOp::Eq, p) => Some(SymExpr::Apply(SymOp::Ne, p.clone())),
            SymExpr::Apply(SymOp::Ne, p) => Some(SymExpr::Apply(SymOp::Eq, p.clone())),
            _ => None,
        },
        (SymOp::Select, Some(then)) => {
            let otherwise = parts.get(2)?;
            match a {
                Const(0) => Some(otherwise.clone()),
                Const(_) => Some(then.clone()),
                _ => (then == otherwise).then(|| then.clone()),
            }
        }
        _ => None,
    }
}

impl SymOp {
    /// The operation on known values; `None` on overflow, division by zero and wrong number of operands.
    pub fn evaluate(self, values: &[i64]) -> Option<i64> {
        let truth = |condition: bool| Some(i64::from(condition));
        match (self, values) {
            (SymOp::FloorDiv, [a, b]) => arithmetic::floor_div(*a, *b).exact().ok(),
            (SymOp::CeilDiv, [a, b]) => arithmetic::ceil_div(*a, *b).exact().ok(),
            (SymOp::Mod, [a, b]) => arithmetic::floor_mod(*a, *b).exact().ok(),
            (SymOp::Pow, [a, b]) => arithmetic::power(*a, *b).exact().ok(),
            (SymOp::Min, [a, b]) => Some(*a.min(b)),
            (SymOp::Max, [a, b]) => Some(*a.max(b)),
            (SymOp::Abs, [a]) => a.checked_abs(),
            (SymOp::Lt, [a, b]) => truth(a < b),
            (SymOp::Le, [a, b]) => truth(a <= b),
            (SymOp::Eq, [a, b]) => truth(a == b),
            (SymOp::Ne, [a, b]) => truth(a != b),
            (SymOp::Not, [a]) => truth(*a == 0),
            (SymOp::And, [a, b]) => truth(*a != 0 && *b != 0),
            (SymOp::Or, [a, b]) => truth(*a != 0 || *b != 0),
            (SymOp::Select, [c, a, b]) => Some(if *c != 0 { *a } else { *b }),
            _ => None,
        }
    }
}
