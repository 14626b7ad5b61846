//! Packs of tensors.

use super::writer::{Pack, Writer};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::Value;
use skriptnd_syntax::build::Expression;

impl Writer {
    /// Notes a pack and its items.
    pub(super) fn define_pack(&mut self, name: &str, items: &[Value<'_, '_>], is_open: bool) {
        for (at, item) in items.iter().enumerate() {
            self.define(*item, Expression::Name(format!("{name}[{at}]")));
        }
        self.define_whole(Expression::Name(name.to_owned()), items, is_open);
    }

    /// Notes what stands for a pack of these items.
    pub(super) fn define_whole(&mut self, whole: Expression, items: &[Value<'_, '_>], is_open: bool) {
        self.packs.push(Pack { items: items.iter().map(Value::key).collect(), whole, is_open });
    }

    /// The expression of a pack: its name, a part of one, or the list of its items.
    pub(super) fn pack(&self, items: &[Value<'_, '_>], is_open: bool) -> Result<Expression, Failure> {
        let keys: Vec<usize> = items.iter().map(Value::key).collect();
        let is_it = |pack: &&Pack| pack.items == keys && (pack.is_open || !is_open);
        if let Some(pack) = self.packs.iter().rev().find(is_it).filter(|_| !keys.is_empty()) {
            return Ok(pack.whole.clone());
        }
        if is_open {
            return Err("has a part of a pack whose length only the run knows".into());
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
        let place = |pack: &Pack| pack.items.windows(keys.len()).position(|window| window == keys);
        let (pack, from) =
            self.packs.iter().rev().filter(|pack| !pack.is_open).find_map(|pack| Some((pack, place(pack)?)))?;
        let Expression::Name(name) = &pack.whole else { return None };
        let to = from + keys.len();
        let begin = if from > 0 { from.to_string() } else { String::new() };
        let end = if to < pack.items.len() { to.to_string() } else { String::new() };
        Some(Expression::Name(format!("{name}[{begin}:{end}]")))
    }
}
