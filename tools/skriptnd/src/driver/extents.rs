//! The extents of inputs that no file gives: those that other inputs tell, and the largest of those that none does.

use crate::failure::print_message;
use skriptnd_language::compose::extent::{Extent, SymExpr};
use skriptnd_runtime::metadata::OPEN_BOUND;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The value of extents whose bound stands for none: enough for networks that halve images five times.
const TYPICAL: i64 = 32;

/// The values of symbols (specification, section 3.1).
#[derive(Default)]
pub struct Extents {
    /// What is given, with its values as bounds.
    given: Vec<Extent>,
    values: HashMap<Arc<str>, i64>,
    /// Whether what has no value is as large as its bound.
    are_settled: bool,
    /// Those that are as large as [`TYPICAL`], as they have no bound of their own.
    open: Vec<Arc<str>>,
}

impl Extents {
    /// What shapes tell that are declared with these extents. Those that don't fit are told of where all inputs are checked.
    pub fn told(shapes: &[(Vec<Extent>, Vec<usize>)]) -> Extents {
        let fitting = shapes.iter().filter(|(declared, shape)| declared.len() == shape.len());
        let given = fitting.flat_map(|(declared, shape)| declared.iter().zip(shape)).filter_map(|(extent, value)| {
            let value = i64::try_from(*value).ok().filter(|value| extent.bound.is_none_or(|bound| *value <= bound))?;
            Some(Extent { value: extent.value.clone(), bound: Some(value) })
        });
        let mut told = Extents { given: given.collect(), ..Extents::default() };
        told.solve();
        told
    }

    /// Finds the symbols that follow from what is given. One may follow only when others are known.
    fn solve(&mut self) {
        loop {
            let known = self.values.len();
            for at in 0..self.given.len() {
                let Extent { value, bound } = self.known(&self.given[at]);
                if let Some((symbol, value)) = bound.and_then(|given| value.solve(given)) {
                    self.values.entry(symbol).or_insert(value);
                }
            }
            if self.values.len() == known {
                return;
            }
        }
    }

    /// Gives symbols without a value, one after the other, the largest one with which none of these extents exceeds its bound; a
    /// small one where that stands for none.
    pub fn settle(&mut self, extents: &[&Extent]) {
        self.are_settled = true;
        let all: Vec<Extent> = extents.iter().copied().chain(&self.given).cloned().collect();
        let (mut symbols, mut seen) = (Vec::new(), HashSet::new());
        let mut add = |symbol: &Arc<str>| symbols.extend(seen.insert(symbol.clone()).then(|| symbol.clone()));
        all.iter().for_each(|extent| extent.value.symbols(&mut add));
        for symbol in symbols {
            if self.values.contains_key(&symbol) {
                continue;
            }
            if let Some(largest) = all.iter().filter_map(|extent| self.largest(extent, &symbol)).min() {
                let is_open = largest >= OPEN_BOUND;
                self.open.extend(is_open.then(|| symbol.clone()));
                self.values.insert(symbol, if is_open { TYPICAL } else { largest.max(0) });
                self.solve();
            }
        }
    }

    /// Says on the standard error stream which extents were made up.
    pub fn tell_open(&self) {
        for symbol in &self.open {
            print_message(format_args!(
                "skriptnd: note: extent `{symbol}` is open: random inputs take {TYPICAL}; `--bound {symbol}=N` of an ONNX model, \
                 or an input from a file, gives another\n"
            ));
        }
    }

    /// The largest value of a symbol with which an extent does not exceed its bound; others without a value may be 0.
    fn largest(&self, extent: &Extent, symbol: &str) -> Option<i64> {
        let value = |other: &str| self.values.get(other).copied().unwrap_or(0);
        let others = |other: &str| (*other != *symbol).then(|| SymExpr::Const(value(other)));
        let alone = Extent { value: extent.value.substitute(&others)?, bound: extent.bound };
        alone.symbol_bound().map(|(_, largest)| largest)
    }

    /// An extent with the values of the symbols that have one.
    fn known(&self, extent: &Extent) -> Extent {
        let value = |symbol: &str| self.values.get(symbol).copied().map(SymExpr::Const);
        let expression = extent.value.substitute(&value).unwrap_or_else(|| extent.value.clone());
        let bound = extent.bound.filter(|_| expression.as_known().is_none());
        Extent { value: expression, bound }
    }

    /// An extent as far as it is decided.
    pub fn decided(&self, extent: &Extent) -> Extent {
        let known = self.known(extent);
        known.bound.filter(|_| self.are_settled).map_or(known, Extent::known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(text: &str) -> Extent {
        let (value, bound) = text.split_once('|').unwrap_or((text, ""));
        Extent { value: value.parse().unwrap(), bound: bound.parse().ok() }
    }

    /// The extents of what is made up beside given ones.
    fn made_up(given: &[(&str, usize)], others: &[&str]) -> Vec<String> {
        let given: Vec<_> = given.iter().map(|(text, value)| (extent(text), *value)).collect();
        let others: Vec<_> = others.iter().map(|text| extent(text)).collect();
        let told: Vec<_> = given.iter().map(|(extent, value)| (vec![extent.clone()], vec![*value])).collect();
        let mut extents = Extents::told(&told);
        extents.settle(&given.iter().map(|(extent, _)| extent).chain(&others).collect::<Vec<_>>());
        others.iter().map(|other| extents.decided(other).value.to_string()).collect()
    }

    #[test]
    fn given_inputs_tell_extents() {
        for value in [0, 1, 2, 8] {
            assert_eq!(
                made_up(&[("n|8", value)], &["n|8", "2 * n + 1"]),
                [value.to_string(), (2 * value + 1).to_string()]
            );
        }
        assert_eq!(made_up(&[("2 * n|8", 6)], &["n"]), ["3"]);
        assert_eq!(made_up(&[("n + m|9", 5), ("n|4", 3)], &["m|4"]), ["2"]);
        assert_eq!(made_up(&[("n", 5)], &["n", "m", "3"]), ["5", "m", "3"]);
    }

    #[test]
    fn others_are_as_large_as_all_bounds_let_them() {
        assert_eq!(made_up(&[], &["n|8", "2 * n|10", "m|0"]), ["5", "10", "0"]);
        assert_eq!(made_up(&[("n|8", 9)], &["n|8"]), ["8"]);
        assert_eq!(made_up(&[("n|8", 3)], &["n + m|8"]), ["8"]);
        assert_eq!(made_up(&[("n + m|9", 4)], &["n|3", "m|5"]), ["0", "4"]);
        assert_eq!(made_up(&[], &["n|8", "m|8", "n + m|8"]), ["8", "0", "8"]);
        assert_eq!(made_up(&[], &["n * m|8"]), ["8"]);
        assert_eq!(made_up(&[], &["n|2147483647", "2 * n", "m|2147483646"]), ["32", "64", "2147483646"]);
    }
}
