//! Expressions that grow with symbols.

use super::{SymExpr, SymOp};

impl SymExpr {
    /// An expression that is nowhere smaller than this one, and nowhere shrinks as one of some symbols grows; none if none is
    /// known.
    pub fn growing(&self, is_asked: &dyn Fn(&str) -> bool) -> Option<SymExpr> {
        if depends(self, is_asked) { growing(self, is_asked) } else { Some(self.clone()) }
    }
}

fn growing(expr: &SymExpr, is_asked: &dyn Fn(&str) -> bool) -> Option<SymExpr> {
    let all = |parts: &[SymExpr]| parts.iter().map(|part| part.growing(is_asked)).collect::<Option<Vec<_>>>();
    match expr {
        SymExpr::Symbol(_) => Some(expr.clone()),
        SymExpr::Sum(terms) => {
            // What is taken off is nothing at least.
            let is_taken_off = |term: &&SymExpr| depends(term, is_asked) && is_negative_product(term);
            let left = terms.iter().filter(|term| !is_taken_off(term));
            left.map(|term| term.growing(is_asked)).try_fold(SymExpr::Const(0), |sum, term| sum.plus(&term?))
        }
        SymExpr::Product(factors) if factors.iter().all(is_not_negative) => Some(expr.clone()),
        SymExpr::Apply(op @ (SymOp::FloorDiv | SymOp::CeilDiv), parts) => match parts.as_slice() {
            [dividend, divisor @ SymExpr::Const(1..)] => {
                SymExpr::apply(*op, vec![dividend.growing(is_asked)?, divisor.clone()])
            }
            _ => None,
        },
        SymExpr::Apply(op @ (SymOp::Min | SymOp::Max), parts) => SymExpr::apply(*op, all(parts)?),
        _ => None,
    }
}

fn depends(expr: &SymExpr, is_asked: &dyn Fn(&str) -> bool) -> bool {
    let mut found = false;
    expr.symbols(&mut |symbol| found |= is_asked(symbol));
    found
}

/// A symbol or a number that is not negative.
fn is_not_negative(factor: &SymExpr) -> bool {
    matches!(factor, SymExpr::Symbol(_) | SymExpr::Const(0..))
}

/// A product of symbols with a negative number.
fn is_negative_product(term: &SymExpr) -> bool {
    match term {
        SymExpr::Product(factors) => {
            let numbers = factors.iter().filter(|factor| matches!(factor, SymExpr::Const(..0))).count();
            numbers == 1 && factors.iter().all(|factor| matches!(factor, SymExpr::Const(_)) || is_not_negative(factor))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_off_is_left_out() {
        let parsed = |text: &str| text.parse::<SymExpr>().unwrap();
        let grown = |text: &str| parsed(text).growing(&|name| name == "n").map(|grown| grown.to_string());
        assert_eq!(grown("2 * n + m - 1"), Some(parsed("2 * n + m - 1").to_string()));
        assert_eq!(grown("m - 2 * n").as_deref(), Some("m"));
        assert_eq!(grown("m - k").as_deref(), Some("m - k"));
        assert_eq!(grown("n / m"), None);
        assert!(grown("(n + 1) / 2 >> m").is_some());
    }
}
