//! Rules of one pass that can match the same node: the one that stands first goes first.

use crate::grammar::model::*;

/// Pairs of rules by index, the earlier one first, whose patterns fit one node.
pub fn overlaps(rules: &[Rule]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (later, rule) in rules.iter().enumerate() {
        for (earlier, other) in rules[..later].iter().enumerate() {
            if other.pass.number == rule.pass.number
                && fit(&other.pattern, &other.package, &rule.pattern, &rule.package)
            {
                found.push((earlier, later));
            }
        }
    }
    found
}

/// Whether one op can be what both patterns ask for.
fn fit(first: &MatchOp, package: &str, second: &MatchOp, other: &str) -> bool {
    let (least, most) = if first.operands.len() <= second.operands.len() { (first, second) } else { (second, first) };
    let counts = least.operands.len() == most.operands.len() || least.open;
    let operands = first.operands.iter().zip(&second.operands);
    first.name.qualified(package) == second.name.qualified(other)
        && counts
        && operands.into_iter().all(|pair| match pair {
            (MatchOperand::Op(first), MatchOperand::Op(second)) => fit(first, package, second, other),
            _ => true,
        })
}
