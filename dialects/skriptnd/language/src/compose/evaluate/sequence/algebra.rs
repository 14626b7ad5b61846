//! Packs whose length only the run knows (sections 2.4 and 3.1): what such a pack holds at a position is an expression
//! of the position. A run has plain packs instead.

use crate::compose::evaluate::operators::binary;
use crate::compose::evaluate::{choose_by_extents, convert, undefined};
use crate::compose::extent::{FoldOp, RealExpr, SymExpr, SymOp};
use crate::compose::term::{Sequence, Term};
use crate::compose::value::POSITION;
use skriptnd_syntax::ast::BinaryOp;

/// Packs of at most so many items are folded item by item.
const FOLDED_ITEMS: i64 = 64;

/// Sums of polynomials up to this degree have a closed form here.
const DEGREE: usize = 3;

/// The number of an item.
pub(crate) fn position() -> SymExpr {
    SymExpr::Symbol(POSITION.into())
}

impl Sequence {
    /// The item at a position that counts from the end if it is negative; beyond the pack it has no value. None if
    /// there can't be such an item.
    pub(crate) fn checked_at(&self, index: &SymExpr) -> Option<Term> {
        let negative = less(index, &SymExpr::Const(0))?;
        let position = SymExpr::apply(SymOp::Select, vec![negative, index.plus(&self.length)?, index.clone()])?;
        let inside = both(at_most(&SymExpr::Const(0), &position)?, less(&position, &self.length)?)?;
        match inside {
            SymExpr::Const(0) => None,
            inside => choose_by_extents(&inside, &self.at(&position)?, &undefined(self.item.dtype()?)?),
        }
    }

    /// The fold of all items; none if it has to wait for the run.
    pub(crate) fn fold(&self, op: BinaryOp) -> Option<Term> {
        let empty = SymExpr::apply(SymOp::Eq, vec![self.length.clone(), SymExpr::Const(0)])?;
        let closed = match op {
            BinaryOp::Add | BinaryOp::Mul => self.total(op, &self.length),
            BinaryOp::Min | BinaryOp::Max => self
                .extremum(op)
                .and_then(|extremum| choose_by_extents(&empty, &undefined(self.item.dtype()?)?, &extremum)),
            BinaryOp::And if self.is_uniform() => binary(BinaryOp::Or, &Term::condition(empty), &self.item).ok(),
            BinaryOp::Or if self.is_uniform() => {
                let some = SymExpr::apply(SymOp::Not, vec![empty])?;
                binary(BinaryOp::And, &Term::condition(some), &self.item).ok()
            }
            _ => None,
        };
        closed.or_else(|| self.fold_each(op)).or_else(|| self.fold_in_run(op))
    }

    /// A fold that goes through the items when the run knows how many there are.
    fn fold_in_run(&self, op: BinaryOp) -> Option<Term> {
        let folded = |op, item| SymExpr::folded(op, item, self.length.clone());
        let number = |op| Some(Term::extent(folded(op, self.item.as_extent()?)?));
        let truth = |op| Some(Term::condition(folded(op, self.item.as_condition()?)?));
        match op {
            BinaryOp::Add => number(FoldOp::Sum),
            BinaryOp::Mul => number(FoldOp::Product),
            BinaryOp::Min => number(FoldOp::Min),
            BinaryOp::Max => number(FoldOp::Max),
            BinaryOp::And => truth(FoldOp::All),
            BinaryOp::Or => truth(FoldOp::Any),
            _ => None,
        }
    }

    /// The pack with another item at a position, which counts from the end if it is negative. If there is no such
    /// position, no item has a value.
    pub(crate) fn replaced(&self, index: i64, value: &Term) -> Option<Sequence> {
        let at = if index < 0 { self.length.plus(&SymExpr::Const(index))? } else { SymExpr::Const(index) };
        let here = SymExpr::apply(SymOp::Eq, vec![position(), at.clone()])?;
        let item = choose_by_extents(&here, value, &self.item)?;
        let inside = both(at_most(&SymExpr::Const(0), &at)?, less(&at, &self.length)?)?;
        let item = choose_by_extents(&inside, &item, &undefined(item.dtype()?)?)?;
        Some(Sequence { length: self.length.clone(), item })
    }

    /// The folds of the items up to each one.
    pub(crate) fn cumulative(&self, op: BinaryOp) -> Option<Sequence> {
        let up_to = position().plus(&SymExpr::Const(1))?;
        let item = match op {
            BinaryOp::Add | BinaryOp::Mul => self.total(op, &up_to)?,
            BinaryOp::Min | BinaryOp::Max => match self.grows()? {
                grows if grows == (op == BinaryOp::Max) => self.item.clone(),
                _ => self.at(&SymExpr::Const(0))?,
            },
            BinaryOp::And | BinaryOp::Or if self.is_uniform() => self.item.clone(),
            _ => return None,
        };
        Some(Sequence { length: self.length.clone(), item })
    }

    /// Whether a comparison holds between consecutive items, and `!=` between all of them.
    pub(crate) fn compare(&self, op: BinaryOp) -> Option<Term> {
        let short = at_most(&self.length, &SymExpr::Const(1)).map(Term::condition)?;
        let next = self.at(&position().plus(&SymExpr::Const(1))?)?;
        let strictly = || self.differences().and_then(|d| d.get(1).map(|step| step.as_known().is_some_and(|s| s != 0)));
        if op == BinaryOp::Ne && !self.is_uniform() && strictly() != Some(true) {
            return None;
        }
        match binary(op, &self.item, &next).ok()? {
            Term::Bool(true) => Some(Term::Bool(true)),
            Term::Bool(false) => Some(short),
            holds if self.is_uniform() => binary(BinaryOp::Or, &short, &holds).ok(),
            _ => None,
        }
    }

    /// Whether an item equals the value.
    pub(crate) fn contains(&self, value: &Term) -> Option<Term> {
        let known_step = self.differences().filter(|steps| steps.len() == 2);
        let step = known_step.and_then(|steps| steps[1].as_known()).filter(|step| *step != 0);
        if let (Some(step), Some(value)) = (step, value.as_extent()) {
            let distance = value.minus(&self.at(&SymExpr::Const(0))?.as_extent()?)?;
            let (distance, step) = (distance.scaled(step.signum())?, SymExpr::Const(step.checked_abs()?));
            let rest = SymExpr::apply(SymOp::Mod, vec![distance.clone(), step.clone()])?;
            let whole = SymExpr::apply(SymOp::Eq, vec![rest, SymExpr::Const(0)])?;
            let at = SymExpr::apply(SymOp::FloorDiv, vec![distance, step])?;
            let inside = both(at_most(&SymExpr::Const(0), &at)?, less(&at, &self.length)?)?;
            return Some(Term::condition(both(whole, inside)?));
        }
        if !(Sequence { length: self.length.clone(), item: value.clone() }).is_uniform() {
            return None;
        }
        let item = binary(BinaryOp::Eq, &self.item, value).ok()?;
        Sequence { length: self.length.clone(), item }.fold(BinaryOp::Or)
    }

    /// The sum or product of the first items.
    fn total(&self, op: BinaryOp, count: &SymExpr) -> Option<Term> {
        if let (BinaryOp::Add, Term::SymbolicReal(RealExpr::Int(whole))) = (op, &self.item) {
            let whole = Sequence { length: self.length.clone(), item: Term::extent(whole.clone()) };
            return whole.total(op, count)?.as_extent().map(RealExpr::of).map(Term::real);
        }
        if self.is_uniform() {
            let repeated = if op == BinaryOp::Add { BinaryOp::Mul } else { BinaryOp::Pow };
            let count = match self.item {
                Term::Real(_) | Term::SymbolicReal(_) => Term::real(RealExpr::of(count.clone())),
                _ => Term::extent(count.clone()),
            };
            return binary(repeated, &self.item, &count).ok();
        }
        if op == BinaryOp::Mul {
            return None;
        }
        // Newton's forward differences: the sum is that of the products of the differences and binomial coefficients.
        let mut sum = SymExpr::Const(0);
        let (mut falling, mut factorial) = (count.clone(), 1);
        for (at, difference) in (1..).zip(self.differences()?) {
            let product = difference.times(&falling)?;
            sum = sum.plus(&SymExpr::apply(SymOp::FloorDiv, vec![product, SymExpr::Const(factorial)])?)?;
            falling = falling.times(&count.minus(&SymExpr::Const(at))?)?;
            factorial *= at + 1;
        }
        Some(Term::extent(sum))
    }

    /// The first item, the difference of the first two, the difference of these and so on, if they end: then the items
    /// are a polynomial of the position.
    fn differences(&self) -> Option<Vec<SymExpr>> {
        let mut found = Vec::new();
        let mut current = Sequence { length: self.length.clone(), item: Term::extent(self.item.as_extent()?) };
        for _ in 0..=DEGREE {
            found.push(current.at(&SymExpr::Const(0))?.as_extent()?);
            if current.is_uniform() {
                return Some(found);
            }
            let next = current.at(&position().plus(&SymExpr::Const(1))?)?.as_extent()?;
            current.item = Term::extent(next.minus(&current.item.as_extent()?)?);
        }
        None
    }

    /// Whether the items never fall, or never rise; none if neither is certain.
    fn grows(&self) -> Option<bool> {
        if self.is_uniform() {
            return Some(true);
        }
        let next = self.at(&position().plus(&SymExpr::Const(1))?)?;
        match binary(BinaryOp::Le, &self.item, &next).ok()? {
            Term::Bool(true) => Some(true),
            _ => (binary(BinaryOp::Ge, &self.item, &next).ok()? == Term::Bool(true)).then_some(false),
        }
    }

    fn extremum(&self, op: BinaryOp) -> Option<Term> {
        let last = self.length.minus(&SymExpr::Const(1))?;
        if self.grows()? == (op == BinaryOp::Max) { self.at(&last) } else { self.at(&SymExpr::Const(0)) }
    }

    /// The fold of a pack that is short for sure.
    fn fold_each(&self, op: BinaryOp) -> Option<Term> {
        let bound = self.length.upper_bound(&|_| None).filter(|bound| *bound <= FOLDED_ITEMS)?;
        let mut folded = match (op, self.item.dtype()?) {
            (BinaryOp::Add | BinaryOp::Mul, dtype) => convert(&Term::Int((op == BinaryOp::Mul).into()), dtype)?,
            (BinaryOp::And | BinaryOp::Or, _) => Term::Bool(op == BinaryOp::And),
            (BinaryOp::Min | BinaryOp::Max, dtype) => undefined(dtype)?,
            _ => return None,
        };
        for at in 0..bound {
            let item = self.at(&SymExpr::Const(at))?;
            let first = at == 0 && matches!(op, BinaryOp::Min | BinaryOp::Max);
            let with_item = if first { item } else { binary(op, &folded, &item).ok()? };
            folded = choose_by_extents(&less(&SymExpr::Const(at), &self.length)?, &with_item, &folded)?;
        }
        Some(folded)
    }
}

pub(crate) fn less(a: &SymExpr, b: &SymExpr) -> Option<SymExpr> {
    SymExpr::apply(SymOp::Lt, vec![a.clone(), b.clone()])
}

pub(crate) fn at_most(a: &SymExpr, b: &SymExpr) -> Option<SymExpr> {
    SymExpr::apply(SymOp::Le, vec![a.clone(), b.clone()])
}

fn both(a: SymExpr, b: SymExpr) -> Option<SymExpr> {
    SymExpr::apply(SymOp::And, vec![a, b])
}
