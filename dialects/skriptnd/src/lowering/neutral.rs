//! When padding does the same as skipping (specification, section 2.12, "Handling tensor boundaries"): if the value
//! becomes the neutral element of the accumulation wherever the padded access has a certain value.

use skriptnd_language::arithmetic;
use skriptnd_language::compose::formula::{Assignment, ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::{AssignOp, BinaryOp, UnaryOp};

/// What an access may be padded with so that the assignment does nothing there; none if nothing does. `access` is
/// compared structurally, so that all its occurrences are padded together.
pub fn padding_value(assignment: &Assignment, access: &ScalarExpr) -> Option<Value> {
    let neutral = arithmetic::neutral(arithmetic::accumulator(assignment.op)?, access.dtype)?;
    let occurs = assignment.condition.iter().any(|condition| Search { assignment, access }.occurs(condition));
    let neutral_everywhere = |value: &ScalarExpr| {
        let search = Search { assignment, access };
        if assignment.op == AssignOp::Add { search.vanishes(value) } else { search.is_access(value) }
    };
    (!occurs && assignment.values.iter().all(neutral_everywhere)).then_some(neutral.into())
}

struct Search<'a> {
    assignment: &'a Assignment,
    access: &'a ScalarExpr,
}

impl Search<'_> {
    /// The expression that an intermediate value stands for.
    fn resolve<'e>(&'e self, expression: &'e ScalarExpr) -> &'e ScalarExpr {
        let mut current = expression;
        while let ScalarKind::Local(number) = current.kind {
            match self.assignment.locals.get(number) {
                Some(local) => current = local,
                None => break,
            }
        }
        current
    }

    fn is_access(&self, expression: &ScalarExpr) -> bool {
        self.resolve(expression) == self.access
    }

    /// Whether the expression is 0 where the access is, whatever (finite) elements the others are.
    fn vanishes(&self, expression: &ScalarExpr) -> bool {
        let expression = self.resolve(expression);
        if expression == self.access {
            return true;
        }
        match &expression.kind {
            ScalarKind::Unary(UnaryOp::Plus | UnaryOp::Neg, a) => self.vanishes(a),
            ScalarKind::Binary(BinaryOp::Mul, a, b) => {
                (self.vanishes(a) && self.is_finite(b)) || (self.vanishes(b) && self.is_finite(a))
            }
            ScalarKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => self.vanishes(a) && self.vanishes(b),
            ScalarKind::Binary(BinaryOp::Div, a, b) => self.vanishes(a) && is_nonzero(b),
            ScalarKind::Binary(BinaryOp::Pow, a, b) => self.vanishes(a) && is_positive(b),
            ScalarKind::Builtin(function, a) => arithmetic::keeps_zero(*function) && self.vanishes(a),
            _ => false,
        }
    }

    /// Whether the expression is neither infinite nor NaN where the elements in it are not: a product or a sum may be too
    /// large, most functions can be infinite.
    fn is_finite(&self, expression: &ScalarExpr) -> bool {
        let expression = self.resolve(expression);
        if expression.dtype != ScalarType::Real {
            return true;
        }
        match &expression.kind {
            ScalarKind::Const(Value::Real(value)) => value.is_finite(),
            ScalarKind::Access { .. } => true,
            ScalarKind::Unary(UnaryOp::Plus | UnaryOp::Neg, a) | ScalarKind::Cast(a) => self.is_finite(a),
            ScalarKind::Select(_, a, b) => self.is_finite(a) && self.is_finite(b),
            ScalarKind::Binary(BinaryOp::Mul, a, b) => {
                (self.vanishes(a) && self.is_finite(b)) || (self.vanishes(b) && self.is_finite(a))
            }
            _ => false,
        }
    }

    fn occurs(&self, expression: &ScalarExpr) -> bool {
        let mut found = expression == self.access;
        super::walk::children(expression, &mut |child| found = found || self.occurs(child));
        found
    }
}

fn is_nonzero(expression: &ScalarExpr) -> bool {
    match &expression.kind {
        ScalarKind::Const(Value::Real(value)) => *value != 0.0 && !value.is_nan(),
        ScalarKind::Const(Value::Int(value)) => *value != 0,
        ScalarKind::Cast(inner) => is_nonzero(inner),
        _ => false,
    }
}

fn is_positive(expression: &ScalarExpr) -> bool {
    match &expression.kind {
        ScalarKind::Const(Value::Real(value)) => *value > 0.0,
        ScalarKind::Const(Value::Int(value)) => *value > 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lowering::testing::{add, assign, bare, binary, index, input, mul, real, skip};

    fn guarded() -> ScalarExpr {
        input(0, vec![skip(add(index(0), index(1)))])
    }

    fn value(op: AssignOp, value: ScalarExpr) -> Option<Value> {
        padding_value(&assign(&[4, 3], op, vec![bare(index(0))], value), &guarded())
    }

    #[test]
    fn sums_of_products() {
        let weight = input(1, vec![bare(index(1))]);
        assert_eq!(value(AssignOp::Add, mul(guarded(), weight.clone())), Some(Value::Real(0.0)));
        assert_eq!(value(AssignOp::Add, mul(guarded(), guarded())), Some(Value::Real(0.0)));
        assert_eq!(value(AssignOp::Add, binary(BinaryOp::Div, guarded(), real(3.0))), Some(Value::Real(0.0)));
        assert_eq!(value(AssignOp::Add, add(guarded(), weight.clone())), None, "the other summand counts");
        assert_eq!(value(AssignOp::Add, binary(BinaryOp::Div, guarded(), weight.clone())), None, "0 / 0");
        let large = mul(real(1e30), weight.clone());
        assert_eq!(value(AssignOp::Add, mul(guarded(), large)), None, "0 * inf");
        assert_eq!(value(AssignOp::Add, mul(guarded(), real(f64::INFINITY))), None, "0 * inf");
        assert_eq!(value(AssignOp::Add, mul(mul(guarded(), weight.clone()), weight.clone())), Some(Value::Real(0.0)));
        assert_eq!(value(AssignOp::Add, real(1.0)), None, "a skipped iteration would be counted");
    }

    #[test]
    fn extremes_take_the_access_only() {
        assert_eq!(value(AssignOp::Max, guarded()), Some(Value::Real(f64::NEG_INFINITY)));
        assert_eq!(value(AssignOp::Min, guarded()), Some(Value::Real(f64::INFINITY)));
        assert_eq!(value(AssignOp::Max, mul(guarded(), real(-1.0))), None);
        assert_eq!(value(AssignOp::Set, guarded()), None);
    }

    #[test]
    fn a_condition_on_the_access_needs_the_test() {
        let mut assignment = assign(&[4, 3], AssignOp::Add, vec![bare(index(0))], guarded());
        assignment.condition = Some(binary(BinaryOp::Gt, guarded(), real(0.0)));
        assert_eq!(padding_value(&assignment, &guarded()), None);
    }

    #[test]
    fn intermediate_values_are_looked_through() {
        let mut assignment = assign(&[4, 3], AssignOp::Add, vec![bare(index(0))], real(0.0));
        assignment.locals = vec![guarded()];
        let local = ScalarExpr { dtype: ScalarType::Real, kind: ScalarKind::Local(0) };
        assignment.values = vec![mul(local.clone(), local)];
        assert_eq!(padding_value(&assignment, &guarded()), Some(Value::Real(0.0)));
    }
}
