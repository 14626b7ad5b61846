//! The values that integer expressions of a formula can have, by interval arithmetic.

use crate::compose::extent::SymOp;
use crate::compose::extent::interval::{Interval, apply};
use crate::compose::formula::{FormulaConstant, Guard, LoopIndex, ScalarExpr, ScalarKind, TensorRef};
use crate::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::{BinaryOp, Builtin, UnaryOp};

/// What the range of an expression depends on.
#[derive(Debug, Clone, Copy)]
pub struct Ranges<'a> {
    /// The loops, whose indices are at least 0 and below the extents.
    pub loops: &'a [LoopIndex],
    /// The constant tensors.
    pub constants: &'a [FormulaConstant],
    /// The ranges of intermediate values, as far as they are known.
    pub locals: &'a [Option<Interval>],
}

impl Ranges<'_> {
    /// Smallest and largest value; none if they depend on data, or may be beyond 64 bits.
    pub fn of(&self, expr: &ScalarExpr) -> Option<Interval> {
        self.half_open(expr).filter(|range| range.is_finite())
    }

    /// The same where an end may be open.
    fn half_open(&self, expr: &ScalarExpr) -> Option<Interval> {
        match &expr.kind {
            _ if expr.dtype != ScalarType::Int => None,
            ScalarKind::Const(Value::Int(value)) => Some(Interval::known(*value)),
            ScalarKind::Index(number) => {
                let extent = self.loops.get(*number)?.extent;
                Some(Interval { low: 0, high: i128::from(extent.max(1)) - 1 })
            }
            ScalarKind::Local(number) => *self.locals.get(*number)?,
            ScalarKind::Unary(UnaryOp::Plus, a) => self.of(a),
            ScalarKind::Unary(UnaryOp::Neg, a) => Some(self.of(a)?.times(Interval::known(-1))),
            // One side is enough to bound these.
            ScalarKind::Binary(op @ (BinaryOp::Min | BinaryOp::Max), a, b) => {
                apply(SymOp::of(*op)?.0, &[self.any(a), self.any(b)])
            }
            ScalarKind::Binary(BinaryOp::Mod, a, b) => apply(SymOp::Mod, &[self.any(a), self.of(b)?]),
            // What may be beyond 64 bits may wrap around: its range is not open but unknown.
            ScalarKind::Binary(op, a, b) => self.binary(*op, self.of(a)?, self.of(b)?).filter(|r| r.is_finite()),
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

    /// The range as far as it is known.
    fn any(&self, expr: &ScalarExpr) -> Interval {
        self.half_open(expr).unwrap_or(Interval { low: i64::MIN.into(), high: i64::MAX.into() })
    }

    fn binary(&self, op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
        match op {
            BinaryOp::Add => Some(a.plus(b)),
            BinaryOp::Sub => Some(a.plus(b.times(Interval::known(-1)))),
            BinaryOp::Mul => Some(a.times(b)),
            // These grow with both.
            BinaryOp::Pow if a.low >= 1 && b.low >= 0 => {
                Some(Interval { low: power(a.low, b.low)?, high: power(a.high, b.high)? })
            }
            op => apply(SymOp::of(op)?.0, &[a, b]),
        }
    }
}

fn power(base: i128, exponent: i128) -> Option<i128> {
    base.checked_pow(u32::try_from(exponent).ok()?)
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
