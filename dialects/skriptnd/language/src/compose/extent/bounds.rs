//! Upper bounds of expressions, and conditions that bounds decide (specification, section 3.1). Where interval
//! arithmetic is too coarse and the symbols have few values, all of them are tried.

use super::polynomial::Polynomial;
use super::{NoValue, SymExpr, SymOp};
use std::collections::HashMap;
use std::sync::Arc;

/// How many combinations of values are tried at most.
const TRIED: i64 = 1 << 10;
/// More than any extent.
const LARGE: i64 = 1 << 40;
/// Bounds beyond this one, of products of large bounds, are this one: nothing is as large.
const LARGEST: i128 = (1 << 62) - 1;

impl SymExpr {
    /// The largest value that the expression can have where `bound` gives the largest values of the symbols.
    pub fn upper_bound(&self, bound: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        if self.is_unbounded(bound) {
            return None;
        }
        let is_open = || {
            let mut open = false;
            self.symbols(&mut |symbol| open |= bound(symbol).is_none());
            open
        };
        let range = self.interval(bound).filter(|range| range.is_finite() || !is_open());
        let coarse = range.and_then(|range| i64::try_from(range.high.min(LARGEST)).ok());
        // Most extents grow with their symbols, and then the bound is exact.
        let corner = self.evaluate(bound);
        if corner.is_some() && corner == coarse {
            return coarse;
        }
        let mut largest = None;
        let tried = self.try_values(bound, &mut |value| {
            largest = largest.max(Some(value));
            true
        });
        if tried.is_some() && largest.is_some() { largest } else { coarse }
    }

    /// Whether it grows with a symbol that has no bound.
    fn is_unbounded(&self, bound: &dyn Fn(&str) -> Option<i64>) -> bool {
        let mut open = false;
        self.symbols(&mut |symbol| open |= bound(symbol).is_none());
        let most = |large: i64| self.interval(&|symbol| bound(symbol).or(Some(large))).map(|range| range.high);
        open && most(LARGE) != most(2 * LARGE)
    }

    /// The smallest value that the expression can have.
    pub fn lower_bound(&self, bound: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        let negative = self.scaled(-1)?;
        negative.upper_bound(bound)?.checked_neg()
    }

    /// Whether the expression is nowhere negative, symbols without a bound being as large as they may.
    pub fn is_never_negative(&self, bound: &dyn Fn(&str) -> Option<i64>) -> bool {
        let coarse = self.interval(bound).is_some_and(|range| range.low >= 0);
        coarse
            || self.try_values(bound, &mut |value| value >= 0).is_some()
            || self.below_quotients().is_some_and(|below| below.is_never_negative(bound))
    }

    /// What is negative wherever the expression is, with one quotient less: `x / d` is at most as great as the fraction, and less than
    /// one below it.
    fn below_quotients(&self) -> Option<SymExpr> {
        let polynomial = Polynomial::of(self);
        let mut quotients = polynomial.symbolic().filter_map(|(factors, coefficient)| match factors.as_slice() {
            [quotient @ SymExpr::Apply(SymOp::FloorDiv, parts)] => match parts.as_slice() {
                [of, SymExpr::Const(divisor @ 2..)] => Some((quotient, of, *divisor, coefficient)),
                _ => None,
            },
            _ => None,
        });
        let (quotient, of, divisor, coefficient) = quotients.next()?;
        let least = if coefficient > 0 { of.shifted(1 - divisor)? } else { of.clone() };
        let rest = self.minus(&quotient.scaled(coefficient)?)?;
        rest.scaled(divisor)?.plus(&least.scaled(coefficient)?)
    }

    /// Whether the expression is true (not zero) for all values of the symbols up to their bounds, or for none.
    pub fn truth(&self, bound: &dyn Fn(&str) -> Option<i64>) -> Option<bool> {
        match self.interval(bound) {
            Some(range) if (range.low, range.high) == (0, 0) => return Some(false),
            Some(range) if range.low > 0 || range.high < 0 => return Some(true),
            _ => {}
        }
        let mut first = None;
        let complete = self.try_values(bound, &mut |value| *first.get_or_insert(value != 0) == (value != 0));
        first.filter(|_| complete == Some(true))
    }

    /// Calls `visit` with the values of the expression for all values of its symbols, as long as it wants more.
    /// Whether the expression has a value for all of them; none if they were not all tried.
    fn try_values(&self, bound: &dyn Fn(&str) -> Option<i64>, visit: &mut dyn FnMut(i64) -> bool) -> Option<bool> {
        if self.folds() {
            return None;
        }
        let mut names: Vec<Arc<str>> = Vec::new();
        self.symbols(&mut |name| {
            if !names.contains(name) {
                names.push(name.clone());
            }
        });
        let bounds = names.iter().map(|name| bound(name)).collect::<Option<Vec<i64>>>()?;
        let count = bounds.iter().try_fold(1i64, |count, bound| count.checked_mul(bound.checked_add(1)?));
        let count = count.filter(|count| (1..=TRIED).contains(count))?;
        let mut complete = true;
        for number in 0..count {
            let mut rest = number;
            let mut values: HashMap<&str, i64> = HashMap::with_capacity(names.len());
            for (name, bound) in names.iter().zip(&bounds) {
                // From the bounds downwards: the corners tell most.
                values.insert(name, bound - rest % (bound + 1));
                rest /= bound + 1;
            }
            match self.value(&|name| values.get(name).copied()) {
                Ok(value) if visit(value) => {}
                Err(NoValue::Undefined) => complete = false,
                _ => return None,
            }
        }
        Some(complete)
    }
}
