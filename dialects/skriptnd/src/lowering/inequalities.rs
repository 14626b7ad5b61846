//! What comparisons of indices say: affine forms that are not negative.

use super::form::IndexForm;
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_language::compose::formula::{ScalarExpr, ScalarKind};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::BinaryOp;

/// What follows from a condition.
#[derive(Debug, Default)]
pub struct Inequalities {
    /// Forms that are not negative where it holds.
    pub forms: Vec<IndexForm>,
    /// Whether it says more than that.
    pub says_more: bool,
}

impl Inequalities {
    /// Of a condition, in which intermediate values have these definitions and forms.
    pub fn of(condition: &ScalarExpr, locals: &[ScalarExpr], forms: &[Option<IndexForm>]) -> Inequalities {
        let mut found = Inequalities::default();
        let mut pending = vec![condition];
        while let Some(part) = pending.pop() {
            match &part.kind {
                ScalarKind::Const(Value::Bool(true)) => {}
                ScalarKind::Local(number) if *number < locals.len() => pending.push(&locals[*number]),
                ScalarKind::Binary(BinaryOp::And, a, b) => pending.extend([&**a, &**b]),
                ScalarKind::Binary(BinaryOp::Or, a, b) => match (decided(a), decided(b)) {
                    (Some(true), _) | (_, Some(true)) => {}
                    (Some(false), _) => pending.push(b),
                    (_, Some(false)) => pending.push(a),
                    _ => found.says_more = true,
                },
                ScalarKind::Binary(op, a, b) => match decided(part) {
                    Some(true) => {}
                    _ => found.compare(*op, a, b, forms),
                },
                _ => found.says_more = true,
            }
        }
        found
    }

    fn compare(&mut self, op: BinaryOp, a: &ScalarExpr, b: &ScalarExpr, forms: &[Option<IndexForm>]) {
        let difference = |more: &ScalarExpr, less: &ScalarExpr, margin: i64| {
            let integers = more.dtype == ScalarType::Int && less.dtype == ScalarType::Int;
            let less = IndexForm::of(less, forms).filter(|_| integers)?.scaled(&SymExpr::Const(-1))?;
            IndexForm::of(more, forms)?.plus(&less)?.plus(&IndexForm::constant(SymExpr::Const(-margin)))
        };
        let form = match op {
            BinaryOp::Ge => difference(a, b, 0),
            BinaryOp::Gt => difference(a, b, 1),
            BinaryOp::Le => difference(b, a, 0),
            BinaryOp::Lt => difference(b, a, 1),
            _ => None,
        };
        self.says_more |= form.is_none();
        self.forms.extend(form);
    }
}

/// Whether a condition without indices holds.
fn decided(condition: &ScalarExpr) -> Option<bool> {
    match &condition.kind {
        ScalarKind::Const(Value::Bool(value)) => Some(*value),
        ScalarKind::Binary(op, a, b) => {
            let number = |part: &ScalarExpr| match part.kind {
                ScalarKind::Const(Value::Int(value)) => Some(value),
                _ => None,
            };
            let (a, b) = (number(a)?, number(b)?);
            Some(match op {
                BinaryOp::Eq => a == b,
                BinaryOp::Ne => a != b,
                BinaryOp::Lt => a < b,
                BinaryOp::Le => a <= b,
                BinaryOp::Gt => a > b,
                BinaryOp::Ge => a >= b,
                _ => return None,
            })
        }
        _ => None,
    }
}
