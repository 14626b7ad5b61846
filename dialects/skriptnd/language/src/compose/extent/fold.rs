//! Folds over packs whose length only the run knows: an expression of the position for the items, and the length.

use super::evaluate::Lookup;
use super::interval::{Bound, Interval};
use super::{FOLDED_ITEMS, Fold, FoldOp, NoValue, POSITION, SymExpr};
use std::sync::Arc;

impl FoldOp {
    pub(super) const ALL: [FoldOp; 6] =
        [FoldOp::Sum, FoldOp::Product, FoldOp::Min, FoldOp::Max, FoldOp::All, FoldOp::Any];

    pub(super) fn named(name: &str) -> Option<FoldOp> {
        FoldOp::ALL.into_iter().find(|op| op.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            FoldOp::Sum => "sum",
            FoldOp::Product => "product",
            FoldOp::Min => "minimum",
            FoldOp::Max => "maximum",
            FoldOp::All => "conjunction",
            FoldOp::Any => "disjunction",
        }
    }

    /// The fold of no items, if it has a value.
    pub fn empty(self) -> Option<i64> {
        match self {
            FoldOp::Sum | FoldOp::Any => Some(0),
            FoldOp::Product | FoldOp::All => Some(1),
            FoldOp::Min | FoldOp::Max => None,
        }
    }

    fn step(self, folded: i64, item: i64) -> Option<i64> {
        match self {
            FoldOp::Sum => folded.checked_add(item),
            FoldOp::Product => folded.checked_mul(item),
            FoldOp::Min => Some(folded.min(item)),
            FoldOp::Max => Some(folded.max(item)),
            FoldOp::All => Some(i64::from(folded != 0 && item != 0)),
            FoldOp::Any => Some(i64::from(folded != 0 || item != 0)),
        }
    }
}

impl SymExpr {
    /// The fold of so many items; none if each of them is a fold itself.
    pub fn folded(op: FoldOp, item: SymExpr, length: SymExpr) -> Option<SymExpr> {
        (!item.folds()).then(|| SymExpr::Fold(Box::new(Fold { op, item, length })))
    }
}

impl Fold {
    pub(super) fn value(&self, lookup: Lookup<'_>) -> Result<i64, NoValue> {
        let length = self.length.value(lookup)?;
        if length > FOLDED_ITEMS {
            return Err(NoValue::Undefined);
        }
        let mut folded = self.op.empty();
        for at in 0..length {
            let item = self.item.value(&|name| if name == POSITION { Some(at) } else { lookup(name) })?;
            folded = Some(match folded {
                Some(before) => self.op.step(before, item).ok_or(NoValue::Undefined)?,
                None => item,
            });
        }
        folded.ok_or(NoValue::Undefined)
    }

    pub(super) fn interval(&self, bound: Bound<'_>) -> Option<Interval> {
        let length = self.length.interval(bound)?;
        let last = i64::try_from((length.high - 1).max(0)).ok();
        let item = self.item.interval(&|name| if name == POSITION { last } else { bound(name) })?;
        match self.op {
            FoldOp::Min | FoldOp::Max => Some(item),
            FoldOp::All | FoldOp::Any => Some(Interval { low: 0, high: 1 }),
            FoldOp::Sum => Some(item.times(Interval { low: length.low.max(0), high: length.high.max(0) })),
            FoldOp::Product => None,
        }
    }

    /// The symbols of the items and of the length, but for the position.
    pub(super) fn symbols(&self, visit: &mut dyn FnMut(&Arc<str>)) {
        self.length.symbols(visit);
        self.item.symbols(&mut |name| {
            if **name != *POSITION {
                visit(name);
            }
        });
    }

    pub(super) fn substitute(&self, lookup: &dyn Fn(&str) -> Option<SymExpr>) -> Option<SymExpr> {
        let item = self.item.substitute(&|name| if name == POSITION { None } else { lookup(name) })?;
        let folded = SymExpr::folded(self.op, item, self.length.substitute(lookup)?)?;
        match folded.value(&|_| None) {
            Ok(value) => Some(SymExpr::Const(value)),
            Err(NoValue::Open) => Some(folded),
            Err(NoValue::Undefined) => None,
        }
    }
}
