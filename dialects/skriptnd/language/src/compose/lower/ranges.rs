//! The values that integer expressions of a formula can have, by interval arithmetic.

use crate::compose::extent::SymOp;
use crate::compose::extent::interval::{Interval, apply};
use crate::compose::formula::{FormulaConstant, Guard, LoopIndex, ScalarExpr, ScalarKind, TensorRef};
use crate::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};

/// What the range of an expression depends on.
pub(crate) struct Ranges<'a> {
    /// The loops, whose indices are at least 0 and below the extents.
    pub(crate) loops: &'a [LoopIndex],
    pub(crate) constants: &'a [FormulaConstant],
}

impl Ranges<'_> {
    /// Smallest and largest value; none if they depend on data, or may be beyond 64 bits.
    pub(crate) fn of(&self, expr: &ScalarExpr) -> Option<Interval> {
        match &expr.kind {
            _ if expr.dtype != ScalarType::Int => None,
            ScalarKind::Const(Value::Int(value)) => Some(Interval::known(*value)),
            ScalarKind::Index(number) => {
                let extent = self.loops.get(*number)?.extent;
                Some(Interval { low: 0, high: i128::from(extent.max(1)) - 1 })
            }
            ScalarKind::Unary(UnaryOp::Plus, a) => self.of(a),
            ScalarKind::Unary(UnaryOp::Neg, a) => Some(self.of(a)?.times(Interval::known(-1))),
            ScalarKind::Binary(op, a, b) => self.binary(*op, self.of(a)?, self.of(b)?),
            ScalarKind::Select(_, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                Some(Interval { low: a.low.min(b.low), high: a.high.max(b.high) })
            }
            ScalarKind::Builtin(Builtin::Abs, a) => apply(SymOp::Abs, &[self.of(a)?]),
            ScalarKind::Cast(a) if a.dtype == ScalarType::Bool => Some(Interval { low: 0, high: 1 }),
            ScalarKind::Access { tensor: TensorRef::Constant(number), indices } => {
                let items = self.constants.get(*number).map(|constant| &constant.value);
                // A guard may let the whole iteration go, which narrows the range.
                indices.iter().all(|index| !matches!(index.guard, Guard::Remap { .. })).then_some(())?;
                of_items(items?)
            }
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
        match op {
            BinaryOp::Add => Some(a.plus(b)),
            BinaryOp::Sub => Some(a.plus(b.times(Interval::known(-1)))),
            BinaryOp::Mul => Some(a.times(b)),
            BinaryOp::Div => apply(SymOp::FloorDiv, &[a, b]),
            BinaryOp::CeilDiv => apply(SymOp::CeilDiv, &[a, b]),
            BinaryOp::Mod => apply(SymOp::Mod, &[a, b]),
            BinaryOp::Min => apply(SymOp::Min, &[a, b]),
            BinaryOp::Max => apply(SymOp::Max, &[a, b]),
            _ => None,
        }
    }
}

/// Of all values of a constant.
fn of_items(value: &Value) -> Option<Interval> {
    match value {
        Value::Int(value) => Some(Interval::known(*value)),
        Value::Repeat(item, _) => of_items(item),
        Value::Pack(items) => {
            let items = items.iter().map(of_items).collect::<Option<Vec<_>>>()?;
            let (low, high) = (items.iter().map(|item| item.low).min()?, items.iter().map(|item| item.high).max()?);
            Some(Interval { low, high })
        }
        _ => None,
    }
}
