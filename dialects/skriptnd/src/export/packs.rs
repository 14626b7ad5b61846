//! Packs of tensors.

use super::writer::{Pack, Writer};
use skriptnd_language::compose::extent::SymExpr;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_syntax::build::Expression;
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many combinations of extents are tried to find out which part of a pack has a length.
const TRIED: i64 = 4096;

impl Writer {
    /// Notes a pack and its items; `length` where only the run knows how many there are.
    pub(super) fn define_pack(&mut self, name: &str, items: &[Value<'_, '_>], is_open: bool, length: Option<SymExpr>) {
        for (at, item) in items.iter().enumerate() {
            self.define(*item, Expression::Name(format!("{name}[{at}]")));
        }
        self.define_whole(Expression::Name(name.to_owned()), items, is_open, length);
    }

    /// Notes what stands for a pack of these items.
    pub(super) fn define_whole(
        &mut self,
        whole: Expression,
        items: &[Value<'_, '_>],
        is_open: bool,
        length: Option<SymExpr>,
    ) {
        self.packs.push(Pack { items: items.iter().map(Value::key).collect(), whole, is_open, length });
    }

    /// The expression of a pack: its name, a part of one, or the list of its items; `length` where only the run knows it.
    pub(super) fn pack(&self, items: &[Value<'_, '_>], length: Option<&str>) -> Result<Expression, Failure> {
        let keys: Vec<usize> = items.iter().map(Value::key).collect();
        let length = length.filter(|text| text.parse::<i64>().is_err());
        let parsed =
            length.map(|text| text.parse().map_err(|()| format!("has `{text}`, which is no extent"))).transpose()?;
        if let Some(pack) = self.packs.iter().rev().find(|pack| pack.is_it(&keys, parsed.as_ref())) {
            return Ok(pack.whole.clone());
        }
        if let Some(length) = parsed {
            let part = self.packs.iter().rev().find_map(|pack| self.open_part(pack, &keys, &length));
            return part.ok_or_else(|| "has a part of a pack whose length only the run knows".into());
        }
        if let Some(part) = self.part(&keys) {
            return Ok(part);
        }
        Ok(Expression::List(items.iter().map(|item| self.value(*item)).collect::<Result<_, _>>()?))
    }

    /// Several items of a pack of a known length, one after the other.
    fn part(&self, keys: &[usize]) -> Option<Expression> {
        if keys.len() < 2 {
            return None;
        }
        let (pack, from) =
            self.packs.iter().rev().filter(|pack| !pack.is_open).find_map(|pack| Some((pack, pack.place(keys)?)))?;
        let Expression::Name(name) = &pack.whole else { return None };
        let to = from + keys.len();
        let begin = if from > 0 { from.to_string() } else { String::new() };
        let end = if to < pack.items.len() { to.to_string() } else { String::new() };
        Some(Expression::Name(format!("{name}[{begin}:{end}]")))
    }

    /// A part of a pack of an open length that has so many items, whatever the extents are.
    fn open_part(&self, pack: &Pack, keys: &[usize], length: &SymExpr) -> Option<Expression> {
        let (from, whole) = (pack.place(keys)?, pack.length.as_ref()?);
        let Expression::Name(name) = &pack.whole else { return None };
        let lengths = self.lengths(whole, length)?;
        let (from, to) = (i64::try_from(from).ok()?, i64::try_from(pack.place(keys)? + keys.len()).ok()?);
        let is_as_long = |end: &dyn Fn(i64) -> i64| {
            lengths.iter().all(|(all, part)| (end(*all).clamp(0, *all) - from.min(*all)).max(0) == *part)
        };
        let begin = if from > 0 { from.to_string() } else { String::new() };
        let all = i64::try_from(pack.items.len()).ok()?;
        if is_as_long(&|all| all) {
            return Some(Expression::Name(format!("{name}[{begin}:]")));
        }
        if is_as_long(&|_| to) {
            return Some(Expression::Name(format!("{name}[{begin}:{to}]")));
        }
        let back = (1..=all).find(|back| is_as_long(&|all| all - back))?;
        Some(Expression::Name(format!("{name}[{begin}:-{back}]")))
    }

    /// The values of two lengths for all extents, if these are few.
    fn lengths(&self, whole: &SymExpr, part: &SymExpr) -> Option<Vec<(i64, i64)>> {
        let mut symbols = BTreeSet::new();
        whole.symbols(&mut |symbol| _ = symbols.insert(symbol.clone()));
        part.symbols(&mut |symbol| _ = symbols.insert(symbol.clone()));
        let bounded = symbols.into_iter().map(|symbol| Some((self.limits.get(&symbol)?.checked_add(1)?, symbol)));
        let bounded: Vec<(i64, Arc<str>)> = bounded.collect::<Option<_>>()?;
        let count = bounded.iter().try_fold(1, |count: i64, (values, _)| count.checked_mul(*values))?;
        let value = |expr: &SymExpr, number: i64| {
            let lookup = |name: &str| {
                let mut rest = number;
                for (values, symbol) in &bounded {
                    if **symbol == *name {
                        return Some(rest % values);
                    }
                    rest /= values;
                }
                None
            };
            expr.value(&lookup).ok()
        };
        (count <= TRIED).then_some(())?;
        (0..count).map(|number| Some((value(whole, number)?, value(part, number)?))).collect()
    }
}

impl Pack {
    fn is_it(&self, keys: &[usize], length: Option<&SymExpr>) -> bool {
        !keys.is_empty()
            && self.items == keys
            && match (length, &self.length) {
                (None, _) => true,
                (Some(length), Some(own)) => length == own,
                (Some(_), None) => self.is_open,
            }
    }

    /// Where these items stand among its own.
    fn place(&self, keys: &[usize]) -> Option<usize> {
        if keys.is_empty() {
            return None;
        }
        self.items.windows(keys.len()).position(|window| window == keys)
    }
}
