//! Expressions of extents as the language has them. They are read back as what they were: `int(n < 2)` of a condition that
//! is counted, `[0:n]` for the numbers of the items of a pack.

use crate::compose::extent::{Fold, FoldOp, Level, POSITION, RealExpr, SymExpr, SymOp, level_of};
use std::fmt;

/// What an expression holds that the language has no form for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unspellable(pub &'static str);

impl fmt::Display for Unspellable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

type Spelled = Result<String, Unspellable>;

/// How many items the pack has whose items are spelled, if it is one.
#[derive(Clone, Copy)]
struct Numbers<'t>(Option<&'t str>);

/// A whole number.
pub(super) fn whole(expr: &SymExpr) -> Spelled {
    Numbers(None).whole(expr, Level::Any)
}

/// A condition.
pub(super) fn condition(expr: &SymExpr) -> Spelled {
    Numbers(None).condition(expr, Level::Any)
}

/// A real.
pub(super) fn real(expr: &RealExpr) -> Spelled {
    Numbers(None).real(expr, Level::Any)
}

/// What an item of a pack depends on its number by.
pub(super) enum Item<'e> {
    /// A whole number.
    Whole(&'e SymExpr),
    /// A condition.
    Condition(&'e SymExpr),
    /// A real.
    Real(&'e RealExpr),
}

/// A pack of so many items, each of which depends on its number.
pub(super) fn pack(item: &Item<'_>, length: &SymExpr) -> Spelled {
    let length = whole(length)?;
    let numbers = Numbers(Some(&length));
    match item {
        Item::Whole(item) => numbers.whole(item, Level::Any),
        Item::Condition(item) => numbers.condition(item, Level::Any),
        Item::Real(item) => numbers.real(item, Level::Any),
    }
}

fn is_condition(expr: &SymExpr) -> bool {
    match expr {
        SymExpr::Compared(..) => true,
        SymExpr::Apply(op, parts) => match op {
            SymOp::Select => {
                let may_be =
                    |part: &SymExpr| is_condition(part) || is_undefined(part) || matches!(part, SymExpr::Const(0 | 1));
                parts[1..].iter().any(is_condition) && parts[1..].iter().all(may_be)
            }
            SymOp::Lt | SymOp::Le | SymOp::Eq | SymOp::Ne | SymOp::Not | SymOp::And | SymOp::Or => true,
            _ => false,
        },
        SymExpr::Fold(fold) => matches!(fold.op, FoldOp::All | FoldOp::Any),
        _ => false,
    }
}

/// `0 - x` without the sign.
fn positive(term: &SymExpr) -> Option<SymExpr> {
    match term {
        SymExpr::Const(value) if *value < 0 => value.checked_neg().map(SymExpr::Const),
        SymExpr::Product(factors) => match factors.as_slice() {
            [SymExpr::Const(-1), factor] => Some(factor.clone()),
            [SymExpr::Const(-1), rest @ ..] => Some(SymExpr::Product(rest.to_vec())),
            [SymExpr::Const(value @ ..0), rest @ ..] => {
                let first = SymExpr::Const(value.checked_neg()?);
                Some(SymExpr::Product([first].into_iter().chain(rest.iter().cloned()).collect()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What may stand behind a sign: it binds more than `/`, which rounds downwards.
fn negated(positive: &SymExpr) -> Level {
    let first = match positive {
        SymExpr::Product(factors) => factors.first(),
        other => Some(other),
    };
    if matches!(first, Some(SymExpr::Apply(..))) { Level::Atom } else { Level::Product }
}

fn depends_on_number(symbols: impl FnOnce(&mut dyn FnMut(&std::sync::Arc<str>))) -> bool {
    let mut depends = false;
    symbols(&mut |symbol| depends |= &**symbol == POSITION);
    depends
}

/// `(text)` where it binds less than what is around it.
fn within(text: String, level: Level, around: Level) -> String {
    if level < around { format!("({text})") } else { text }
}

impl Numbers<'_> {
    fn whole(self, expr: &SymExpr, around: Level) -> Spelled {
        if is_condition(expr) {
            return Ok(format!("int({})", self.condition(expr, Level::Any)?));
        }
        let (text, level) = match expr {
            SymExpr::Const(i64::MAX) => ("int(inf)".into(), Level::Atom),
            SymExpr::Const(i64::MIN) => ("int(-inf)".into(), Level::Atom),
            SymExpr::Const(value) => (value.to_string(), if *value < 0 { Level::Sum } else { Level::Atom }),
            SymExpr::Symbol(name) if &**name == POSITION => match self.0 {
                Some(length) => (format!("[0:{length}]"), Level::Atom),
                None => return Err(Unspellable("the number of an item outside of its pack")),
            },
            SymExpr::Symbol(name) => (name.to_string(), Level::Atom),
            SymExpr::Sum(terms) => (self.sum(terms)?, Level::Sum),
            SymExpr::Product(factors) => match positive(expr) {
                Some(positive) => (format!("-{}", self.whole(&positive, negated(&positive))?), Level::Sum),
                None => (self.product(factors)?, Level::Product),
            },
            SymExpr::Truncated(real) => (format!("int({})", self.real(real, Level::Any)?), Level::Atom),
            SymExpr::Apply(op, parts) => self.applied(*op, parts)?,
            SymExpr::Fold(fold) => (self.fold(fold)?, Level::Atom),
            SymExpr::Compared(..) => return self.condition(expr, around),
        };
        Ok(within(text, level, around))
    }

    /// Constants behind the other terms, negative ones subtracted.
    fn sum(self, terms: &[SymExpr]) -> Spelled {
        let rank = |term: &SymExpr| (matches!(term, SymExpr::Const(_)), positive(term).is_some());
        let mut sorted: Vec<&SymExpr> = terms.iter().collect();
        sorted.sort_by_key(|term| rank(term));
        let mut text = String::new();
        for (at, term) in sorted.into_iter().enumerate() {
            match positive(term).filter(|_| at > 0) {
                Some(positive) => text += &format!(" - {}", self.whole(&positive, Level::Product)?),
                None if at > 0 => text += &format!(" + {}", self.whole(term, Level::Product)?),
                None => text += &self.whole(term, Level::Sum)?,
            }
        }
        Ok(text)
    }

    /// `/` and `*` bind alike, from the left.
    fn product(self, factors: &[SymExpr]) -> Spelled {
        let level = |at: usize| if at == 0 { Level::Product } else { Level::Power };
        let factors = factors.iter().enumerate().map(|(at, factor)| self.whole(factor, level(at)));
        Ok(factors.collect::<Result<Vec<_>, _>>()?.join(" * "))
    }

    fn applied(self, op: SymOp, parts: &[SymExpr]) -> Result<(String, Level), Unspellable> {
        match op {
            SymOp::Abs | SymOp::Sign => {
                let name = if op == SymOp::Abs { "abs" } else { "sign" };
                return Ok((format!("`{name}`({})", self.whole(&parts[0], Level::Any)?), Level::Atom));
            }
            SymOp::Select => return Ok((self.select(parts, false)?, Level::Any)),
            _ => {}
        }
        if parts == [SymExpr::Const(1), SymExpr::Const(0)] {
            return Err(Unspellable("an item that its pack never has"));
        }
        // What binds alike from the left stands without parentheses there.
        let level = op.level();
        let first = if level == Level::Product { Level::Product } else { level.next() };
        let part = |(at, part): (usize, &SymExpr)| self.whole(part, if at == 0 { first } else { level.next() });
        Ok((parts.iter().enumerate().map(part).collect::<Result<Vec<_>, _>>()?.join(op.infix()), level))
    }

    /// Where a side has no value, it is divided by the condition, which is 0 there.
    fn select(self, parts: &[SymExpr], are_conditions: bool) -> Spelled {
        let [decided, then, otherwise] = parts else { return Err(Unspellable("a choice of other than two")) };
        let condition = self.condition(decided, Level::Logic)?;
        let depends = |part: &SymExpr| depends_on_number(|visit| part.symbols(visit));
        let is_pack = (depends(then) || depends(otherwise)) && !depends(decided);
        let side = |part: &SymExpr, decides: String| {
            let text = match is_undefined(part) {
                true if are_conditions => format!("1 / int({decides}) == 1"),
                true => format!("1 / int({decides})"),
                false if are_conditions => self.condition(part, Level::Logic)?,
                false => self.whole(part, Level::Logic)?,
            };
            Ok(self.like_a_pack(text, is_pack && !depends(part)))
        };
        Ok(format!(
            "{condition} ? {} : {}",
            side(then, format!("!({condition})"))?,
            side(otherwise, condition.clone())?
        ))
    }

    /// Either all that is chosen from are packs, or none.
    fn like_a_pack(self, text: String, is_one_among_packs: bool) -> String {
        match self.0.filter(|_| is_one_among_packs) {
            Some(length) => format!("[{text} ..({length})]"),
            None => text,
        }
    }

    fn fold(self, fold: &Fold) -> Spelled {
        if depends_on_number(|visit| fold.length.symbols(visit)) {
            return Err(Unspellable("a fold over packs of several lengths"));
        }
        let length = whole(&fold.length)?;
        let numbers = Numbers(Some(&length));
        let item = match fold.op {
            FoldOp::All | FoldOp::Any => numbers.condition(&fold.item, Level::Atom)?,
            _ => numbers.whole(&fold.item, Level::Atom)?,
        };
        let is_numbered = depends_on_number(|visit| fold.item.symbols(visit));
        let items = if is_numbered { item } else { format!("[{item} ..({length})]") };
        Ok(match fold.op {
            FoldOp::Sum => format!("({items} + ..)"),
            FoldOp::Product => format!("({items} * ..)"),
            FoldOp::All => format!("({items} && ..)"),
            FoldOp::Any => format!("({items} || ..)"),
            // Of no items there is no such value; whoever asks for it has an answer.
            FoldOp::Min => format!("(({items} << ..) ?? 0)"),
            FoldOp::Max => format!("(({items} >> ..) ?? 0)"),
        })
    }

    fn condition(self, expr: &SymExpr, around: Level) -> Spelled {
        let (text, level) = match expr {
            SymExpr::Const(value) => (if *value != 0 { "true" } else { "false" }.into(), Level::Atom),
            SymExpr::Compared(op, sides) => {
                let sides = [self.real(&sides[0], Level::Extremum)?, self.real(&sides[1], Level::Extremum)?];
                (sides.join(op.infix()), Level::Comparison)
            }
            SymExpr::Fold(fold) if is_condition(expr) => (self.fold(fold)?, Level::Atom),
            SymExpr::Apply(SymOp::Select, parts) => (self.select(parts, true)?, Level::Any),
            SymExpr::Apply(SymOp::Not, parts) => {
                (format!("!{}", self.condition(&parts[0], Level::Atom)?), Level::Power)
            }
            SymExpr::Apply(op @ (SymOp::And | SymOp::Or), parts) => {
                let parts = parts.iter().map(|part| self.condition(part, Level::Comparison));
                (parts.collect::<Result<Vec<_>, _>>()?.join(op.infix()), Level::Logic)
            }
            SymExpr::Apply(op @ (SymOp::Lt | SymOp::Le | SymOp::Eq | SymOp::Ne), parts) => {
                let are_conditions = matches!(op, SymOp::Eq | SymOp::Ne) && parts.iter().all(is_condition);
                let side = |part: &SymExpr| match are_conditions {
                    true => self.condition(part, Level::Extremum),
                    false => self.whole(part, Level::Extremum),
                };
                (parts.iter().map(side).collect::<Result<Vec<_>, _>>()?.join(op.infix()), Level::Comparison)
            }
            other => (format!("{} != 0", self.whole(other, Level::Extremum)?), Level::Comparison),
        };
        Ok(within(text, level, around))
    }

    fn real(self, expr: &RealExpr, around: Level) -> Spelled {
        let (text, level) = match expr {
            RealExpr::Const(value) if value.get().is_nan() => ("inf - inf".into(), Level::Sum),
            RealExpr::Const(value) => {
                (format!("{:?}", value.get()), if value.get() < 0.0 { Level::Sum } else { Level::Atom })
            }
            RealExpr::Int(expr) => (format!("real({})", self.whole(expr, Level::Any)?), Level::Atom),
            RealExpr::Unary(_, value) => (format!("-{}", self.real(value, Level::Power)?), Level::Sum),
            RealExpr::Builtin(function, value) => {
                (format!("`{function}`({})", self.real(value, Level::Any)?), Level::Atom)
            }
            RealExpr::Binary(op, sides) => {
                let level = level_of(*op);
                let first = if level == Level::Product || level == Level::Sum { level } else { level.next() };
                let (left, right) = (self.real(&sides[0], first)?, self.real(&sides[1], level.next())?);
                (format!("{left} {} {right}", op.symbol()), level)
            }
            RealExpr::Select(decided, sides) => (self.real_select(decided, sides)?, Level::Any),
        };
        Ok(within(text, level, around))
    }

    fn real_select(self, decided: &SymExpr, sides: &[RealExpr; 2]) -> Spelled {
        let condition = self.condition(decided, Level::Logic)?;
        let depends = |side: &RealExpr| depends_on_number(|visit| side.symbols(visit));
        let is_pack = sides.iter().any(depends) && !depends_on_number(|visit| decided.symbols(visit));
        let side = |at: usize, decides: String| {
            let text = match &sides[at] {
                RealExpr::Int(expr) if is_undefined(expr) => format!("real(1 / int({decides}))"),
                side => self.real(side, Level::Logic)?,
            };
            Ok(self.like_a_pack(text, is_pack && !depends(&sides[at])))
        };
        Ok(format!("{condition} ? {} : {}", side(0, format!("!({condition})"))?, side(1, condition.clone())?))
    }
}

fn is_undefined(expr: &SymExpr) -> bool {
    matches!(expr, SymExpr::Apply(SymOp::FloorDiv, parts) if parts.as_slice() == [SymExpr::Const(1), SymExpr::Const(0)])
}
