//! What is known of extents before the run that gives them values: their largest values, and that none is negative.

use skriptnd_language::compose::extent::{Extent, SymExpr, SymOp};
use std::collections::HashMap;
use std::sync::Arc;

/// What an extent without a bound is taken for where a size is only estimated.
const TYPICAL: i64 = 64;

/// The largest values of symbols, as far as they have any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits(HashMap<Arc<str>, i64>);

impl Limits {
    /// Takes the bound of an extent that is a symbol.
    pub fn add(&mut self, extent: &Extent) {
        if let (SymExpr::Symbol(name), Some(bound)) = (&extent.value, extent.bound) {
            self.0.insert(name.clone(), bound);
        }
    }

    fn get(&self, name: &str) -> Option<i64> {
        self.0.get(name).copied()
    }

    /// Whether an expression is nowhere negative.
    pub fn is_never_negative(&self, expr: &SymExpr) -> bool {
        expr.is_never_negative(&|name| self.get(name))
    }

    /// Whether `a <= b` wherever both have values.
    pub fn is_at_most(&self, a: &SymExpr, b: &SymExpr) -> bool {
        b.minus(a).is_some_and(|difference| self.is_never_negative(&difference))
    }

    /// The expression, or 0 where it is negative.
    pub fn not_negative(&self, expr: SymExpr) -> Option<SymExpr> {
        let zero = SymExpr::Const(0);
        if self.is_never_negative(&expr) {
            Some(expr)
        } else if self.is_at_most(&expr, &zero) {
            Some(zero)
        } else {
            SymExpr::apply(SymOp::Max, vec![expr, zero])
        }
    }

    /// The largest value.
    pub fn upper_bound(&self, expr: &SymExpr) -> Option<i64> {
        expr.upper_bound(&|name| self.get(name))
    }

    /// A value that a run might find.
    pub fn estimate(&self, expr: &SymExpr) -> Option<i64> {
        expr.evaluate(&|name| Some(self.get(name).map_or(TYPICAL, |bound| bound.min(TYPICAL))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_never_negative() {
        let n = SymExpr::Symbol("n".into());
        let less = n.minus(&SymExpr::Const(3)).unwrap();
        let mut limits = Limits::default();
        assert!(limits.is_never_negative(&n) && !limits.is_never_negative(&less));
        assert_eq!(limits.not_negative(less.clone()).unwrap().to_string(), "0 >> n - 3");
        limits.add(&Extent { value: n.clone(), bound: Some(3) });
        assert_eq!(limits.not_negative(less), Some(SymExpr::Const(0)));
        assert!(limits.is_at_most(&n, &SymExpr::Const(3)));
    }
}
