//! What whole numbers an expression can come to, whatever the graph: by its operators, and by what the match says.

use super::constant::whole;
use crate::apply::plan::MAX_RANK;
use crate::grammar::model::*;
use strum::VariantArray;

/// From the least to the greatest number that something can be, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least number.
    pub least: i128,
    /// The greatest number.
    pub most: i128,
}

const INT: Range = Range { least: i32::MIN as i128, most: i32::MAX as i128 };
const SIZE: Range = Range { least: 0, most: u64::MAX as i128 };

impl Range {
    /// Only this number.
    pub fn only(value: i128) -> Self {
        Range { least: value, most: value }
    }

    fn holds(self, inner: Range) -> bool {
        self.least <= inner.least && inner.most <= self.most
    }

    fn hull(self, other: Range) -> Self {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// Whether two numbers of the ranges can be so, and whether they can be not so.
    pub fn compare(self, comparison: Comparison, other: Range) -> (bool, bool) {
        let apart = self.most < other.least || other.most < self.least;
        let same = self.least == self.most && self == other;
        match comparison {
            Comparison::Eq => (!apart, !same),
            Comparison::Ne => (!same, !apart),
            Comparison::Lt => (self.least < other.most, self.most >= other.least),
            Comparison::Le => (self.least <= other.most, self.most > other.least),
            Comparison::Gt | Comparison::Ge => other.compare(comparison.mirrored(), self),
        }
    }

    /// The numbers of this range that are so, compared with a number; `None` if there are none.
    pub fn narrowed(self, comparison: Comparison, value: i128) -> Option<Self> {
        let Range { mut least, mut most } = self;
        match comparison {
            Comparison::Eq => (least, most) = (least.max(value), most.min(value)),
            Comparison::Ne => {
                least += i128::from(least == value);
                most -= i128::from(most == value);
            }
            Comparison::Lt => most = most.min(value - 1),
            Comparison::Le => most = most.min(value),
            Comparison::Gt => least = least.max(value + 1),
            Comparison::Ge => least = least.max(value),
        }
        (least <= most).then_some(Range { least, most })
    }
}

/// What a type can hold; dtypes are counted.
fn all(ty: Type) -> Option<Range> {
    match ty {
        Type::Bool => Some(Range { least: 0, most: 1 }),
        Type::Int => Some(INT),
        Type::Size => Some(SIZE),
        Type::DType => Some(Range { least: 0, most: DType::VARIANTS.len() as i128 - 1 }),
        Type::Float => None,
    }
}

/// What an expression can come to where the pattern matches; `None` if it is a float.
pub fn range(expr: &Expr, pattern: &MatchOp) -> Option<Range> {
    let all = all(expr.ty)?;
    if let Some(value) = whole(expr) {
        return Some(Range::only(value));
    }
    let of = |expr: &Expr| range(expr, pattern);
    let found = match &expr.kind {
        ExprKind::DType(tag) => Some(Range::only(*tag as i128)),
        ExprKind::Property(property, operand) => Some(property_range(*property, operand, pattern, all)),
        ExprKind::Cast(inner) => of(inner),
        ExprKind::Neg(inner) => of(inner).map(|inner| Range { least: -inner.most, most: -inner.least }),
        ExprKind::Abs(inner) => of(inner).map(absolute),
        ExprKind::Select(_, first, second) => of(first).zip(of(second)).map(|(first, second)| first.hull(second)),
        ExprKind::Reduce(operator, operands) => {
            // What wraps around in between may come to anything.
            let mut operands = operands.iter().map(|operand| of(operand).filter(|range| all.holds(*range)));
            let step = |total: Range, next: Option<Range>| reduced(*operator, total, next?).filter(|t| all.holds(*t));
            operands.next().flatten().and_then(|first| operands.try_fold(first, step))
        }
        ExprKind::Arithmetic(operator, first, second) => {
            let operands = of(first).zip(of(second)).filter(|(a, b)| all.holds(*a) && all.holds(*b));
            operands.and_then(|(first, second)| calculated(*operator, first, second))
        }
        _ => None,
    };
    Some(found.filter(|found| all.holds(*found)).unwrap_or(all))
}

/// The number of operands is what the match tells.
fn property_range(property: Property, operand: &OperandRef, pattern: &MatchOp, all: Range) -> Range {
    match (property, matched(pattern, operand)) {
        (Property::Inputs, Some(op)) => {
            let count = op.operands.len() as i128;
            Range { least: count, most: if op.open { all.most } else { count } }
        }
        (Property::Outputs, Some(_)) => Range { least: 1, ..all },
        (Property::Rank, _) => Range { least: 0, most: MAX_RANK.into() },
        (Property::ElementSize, _) => Range { least: 0, most: 8 },
        _ => all,
    }
}

/// The op of the match that an operand is.
pub fn matched<'r>(pattern: &'r MatchOp, operand: &OperandRef) -> Option<&'r MatchOp> {
    match &operand.kind {
        OperandRefKind::Root => Some(pattern),
        OperandRefKind::Tag(tag) => named(pattern, tag),
        _ => None,
    }
}

/// The op that `LET` names so.
fn named<'r>(within: &'r MatchOp, tag: &str) -> Option<&'r MatchOp> {
    if within.tag.as_deref() == Some(tag) {
        return Some(within);
    }
    within.operands.iter().find_map(|operand| match operand {
        MatchOperand::Op(op) => named(op, tag),
        MatchOperand::Tag(..) => None,
    })
}

fn absolute(range: Range) -> Range {
    let most = range.least.abs().max(range.most.abs());
    let least = if range.least <= 0 && range.most >= 0 { 0 } else { range.least.abs().min(range.most.abs()) };
    Range { least, most }
}

fn reduced(operator: Reduction, a: Range, b: Range) -> Option<Range> {
    Some(match operator {
        Reduction::Add => Range { least: a.least + b.least, most: a.most + b.most },
        Reduction::Mul if a.least >= 0 && b.least >= 0 => {
            Range { least: a.least.checked_mul(b.least)?, most: a.most.checked_mul(b.most)? }
        }
        Reduction::Min => Range { least: a.least.min(b.least), most: a.most.min(b.most) },
        Reduction::Max => Range { least: a.least.max(b.least), most: a.most.max(b.most) },
        Reduction::And | Reduction::Or | Reduction::Xor | Reduction::Mul => return None,
    })
}

fn calculated(operator: Arithmetic, a: Range, b: Range) -> Option<Range> {
    match operator {
        Arithmetic::Sub => Some(Range { least: a.least - b.most, most: a.most - b.least }),
        // Of numbers above 0 these agree with those of mathematics.
        _ if a.least < 0 || b.least < 1 => None,
        Arithmetic::Div => Some(Range { least: a.least / b.most, most: a.most / b.least }),
        Arithmetic::Rem | Arithmetic::Mod => Some(Range { least: 0, most: a.most.min(b.most - 1) }),
        Arithmetic::RoundUp => Some(Range { least: a.least, most: a.most + b.most - 1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: Range = Range { least: 2, most: 5 };

    #[test]
    fn ranges_decide_comparisons_where_they_can() {
        for (comparison, value, expected) in [
            (Comparison::Eq, 1, (false, true)),
            (Comparison::Eq, 3, (true, true)),
            (Comparison::Ne, 6, (true, false)),
            (Comparison::Lt, 2, (false, true)),
            (Comparison::Lt, 6, (true, false)),
            (Comparison::Le, 5, (true, false)),
            (Comparison::Gt, 5, (false, true)),
            (Comparison::Gt, 4, (true, true)),
            (Comparison::Ge, 2, (true, false)),
        ] {
            assert_eq!(FEW.compare(comparison, Range::only(value)), expected, "{comparison:?} {value}");
        }
        assert_eq!(Range::only(3).compare(Comparison::Eq, Range::only(3)), (true, false));
    }

    #[test]
    fn ranges_are_narrowed_until_nothing_is_left() {
        let narrow = FEW.narrowed(Comparison::Gt, 3).unwrap();
        assert_eq!(narrow, Range { least: 4, most: 5 });
        assert_eq!(narrow.narrowed(Comparison::Le, 3), None);
        assert_eq!(narrow.narrowed(Comparison::Ne, 4), Some(Range::only(5)));
        assert_eq!(FEW.narrowed(Comparison::Ne, 4), Some(FEW));
        assert_eq!(Range::only(5).narrowed(Comparison::Ne, 5), None);
    }

    #[test]
    fn arithmetic_of_ranges() {
        let signed = Range { least: -3, most: 2 };
        assert_eq!(absolute(signed), Range { least: 0, most: 3 });
        assert_eq!(absolute(Range { least: -3, most: -2 }), Range { least: 2, most: 3 });
        assert_eq!(reduced(Reduction::Add, FEW, signed), Some(Range { least: -1, most: 7 }));
        assert_eq!(reduced(Reduction::Mul, FEW, FEW), Some(Range { least: 4, most: 25 }));
        assert_eq!(reduced(Reduction::Mul, SIZE, SIZE), None);
        assert_eq!(calculated(Arithmetic::Mod, SIZE, Range::only(8)), Some(Range { least: 0, most: 7 }));
        assert_eq!(calculated(Arithmetic::Div, FEW, Range::only(2)), Some(Range { least: 1, most: 2 }));
        assert_eq!(calculated(Arithmetic::Div, FEW, signed), None);
        assert_eq!(calculated(Arithmetic::Sub, FEW, FEW), Some(Range { least: -3, most: 3 }));
    }
}
