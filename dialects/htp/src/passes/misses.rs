//! What is said of rules that were not applied.

use super::location;
use crate::commands::RuleSet;
use crate::engine::{Miss, Reached};
use skriptnd_mlir::diagnostics::Severity;
use skriptnd_mlir::ir::{OperationRef, emit, emit_with};

/// Rules of which it is said: of a package with many rules most have nothing to do with a model.
const MOST_TOLD: usize = 8;

/// A remark for each of the rules that came nearest to a node, with both places, and one for how many further there are.
pub fn report(op: OperationRef<'_, '_>, rules: &RuleSet, misses: &[Miss]) {
    let mut nearest: Vec<&Miss> = misses.iter().collect();
    nearest.sort_by_key(|miss| std::cmp::Reverse(miss.reached));
    let (told, further) = nearest.split_at(nearest.len().min(MOST_TOLD));
    for miss in told {
        let place = location(op, rules, miss.span);
        let mut notes: Vec<String> = miss.position.iter().map(|node| format!("{node}: the nearest node")).collect();
        notes.push(format!("rule {} fails in {}", rules.rules[miss.rule].name, stage(miss.reached)));
        emit_with(place, Severity::Remark, &format!("this rule is not applied: {}", miss.reason), &notes);
    }
    if !further.is_empty() {
        let count = further.len();
        let rules = if count == 1 { "1 further rule is".to_owned() } else { format!("{count} further rules are") };
        let message = format!("{rules} not applied; `skriptnd rules explain FILE --on MODEL` tells why");
        emit(op.location(), Severity::Remark, &message);
    }
}

fn stage(reached: Reached) -> &'static str {
    match reached {
        Reached::Nothing | Reached::Match(_) => "its match",
        Reached::Condition(_) => "its constraint",
        Reached::Replacement => "its replacement",
        Reached::Turn => "its turn",
    }
}
