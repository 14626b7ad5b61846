//! How many steps a loop over an open extent has at most: what each step gives has a place of its own in the text, and takes time
//! to compile.

use super::Translator;
use crate::extent::{Extent, LARGEST_OPEN};
use crate::node::Node;

/// Steps of a loop over extents that nobody gave a bound.
const MOST_STEPS: i64 = 4096;

impl Translator<'_> {
    /// Gives the extents without a bound that a number of steps follows from one with which the steps are few enough; a warning
    /// says which. Others stay.
    pub fn bound_steps(&mut self, node: &Node<'_>, steps: &Extent) {
        let is_in = |symbol: &str| steps.has_symbol(&|own| own == symbol);
        let mut open: Vec<String> = self.bounds.keys().filter(|symbol| is_in(symbol)).cloned().collect();
        open.retain(|symbol| self.bounds[symbol] == LARGEST_OPEN);
        open.sort();
        let known = |symbol: &str| self.bounds.get(symbol).copied();
        let with =
            |bound: i64| steps.greatest(&|own| if open.iter().any(|it| it == own) { Some(bound) } else { known(own) });
        let fits = |bound: &i64| with(*bound).is_some_and(|most| most <= MOST_STEPS);
        let largest = (0..31).map(|power| 1 << power).take_while(fits).last();
        let Some(bound) = largest.filter(|_| !open.is_empty()) else { return };
        for symbol in open {
            let text = format!(
                "its number of steps follows from `{symbol}`, which has no bound: {bound} is taken; `--bound {symbol}=N` gives another"
            );
            self.warn(node, &text);
            self.bounds.insert(symbol, bound);
        }
    }
}
