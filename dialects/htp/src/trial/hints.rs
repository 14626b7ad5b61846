//! What a rule's condition compares with: graphs that have it meet the condition more often.

use crate::grammar::model::*;

/// The greatest extent of a graph that rules are tried on.
const LARGEST: i64 = 4096;

/// The greatest number of inputs that an operand gets.
const MOST_INPUTS: usize = 7;

/// Values that stand in a condition.
#[derive(Debug, Default)]
pub struct Hints {
    /// Extents of tensors: the whole numbers, one more, and some more.
    pub extents: Vec<u64>,
    /// Elements of constants.
    pub numbers: Vec<f64>,
    /// DTypes.
    pub dtypes: Vec<DType>,
    /// How many inputs the operands of the match have that are asked for some.
    pub inputs: usize,
}

impl Hints {
    /// Of a rule: of its condition, and of what its replacement chooses by and asks operands for.
    pub fn of(rule: &Rule) -> Self {
        let mut hints = Hints::default();
        hints.expr(&rule.constraint);
        let mut pending = vec![&rule.replacement];
        while let Some(part) = pending.pop() {
            if let ReplacementKind::Existing(operand) = &part.kind {
                hints.operand(operand);
            }
            if let ReplacementKind::Select(condition, ..) = &part.kind {
                hints.expr(condition);
            }
            pending.extend(part.kind.parts());
        }
        hints
    }

    /// The inputs of the root are those of the match.
    fn operand(&mut self, operand: &OperandRef) {
        if let OperandRefKind::Input(of, index) = &operand.kind {
            let index = if let ExprKind::Integer(index) = index.kind { usize::try_from(index).unwrap_or(0) } else { 0 };
            if !matches!(of.kind, OperandRefKind::Root) {
                self.inputs = self.inputs.max(index.min(MOST_INPUTS) + 1);
            }
            self.operand(of);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Integer(value) => {
                let extents = [*value, value.saturating_add(1), value.saturating_mul(2).saturating_add(3)];
                let extents = extents.into_iter().filter(|extent| (1..=LARGEST).contains(extent));
                self.extents.extend(extents.map(|extent| extent as u64));
                self.numbers.push(*value as f64);
            }
            ExprKind::Float(value) if value.is_finite() => self.numbers.push(f64::from(*value)),
            ExprKind::DType(dtype) if *dtype != DType::Unknown => self.dtypes.push(*dtype),
            ExprKind::Cast(inner) | ExprKind::Not(inner) | ExprKind::Neg(inner) => self.expr(inner),
            ExprKind::Abs(inner) | ExprKind::IsPow2(inner) => self.expr(inner),
            ExprKind::Select(condition, first, second) => {
                [condition, first, second].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Reduce(_, operands) | ExprKind::External(_, _, operands) => {
                operands.iter().for_each(|operand| self.expr(operand));
            }
            ExprKind::Arithmetic(_, first, second) | ExprKind::Compare(_, first, second) => {
                self.expr(first);
                self.expr(second);
            }
            ExprKind::Property(_, of) | ExprKind::DimOf(of, _) | ExprKind::ConstantValue(_, of, _) => self.operand(of),
            ExprKind::Same(_, first, second) => [first, second].into_iter().for_each(|of| self.operand(of)),
            _ => {}
        }
    }
}
