//! What each rule did.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// A pattern by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub name: String,
    /// File, line and column; empty if they are unknown.
    pub place: String,
    /// The name of the operation that it begins with; empty for any.
    pub root: String,
}

/// What one rule did in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleStatistics {
    /// The rule's name.
    pub rule: String,
    /// Its file, line and column, if known.
    pub place: String,
    /// How many operations of the kind that it begins with were visited: at each of them it is asked.
    pub tried: u64,
    /// At how many of them the operations, operands and attributes that it asks for were there. That it was not applied to
    /// all of these has two reasons: a native constraint refused, or a rule of greater benefit went first. A rule in Rust
    /// says only whether it rewrites, so that it has matched as often as it was applied.
    pub matched: u64,
    /// How often its rewrite was done, without a failure.
    pub applied: u64,
    /// How long its rewrites took; finding what matches is shared by all rules and does not count.
    pub time: Duration,
}

/// What is counted while a driver runs.
#[derive(Default)]
pub(super) struct Counts {
    visits: HashMap<String, u64>,
    /// By the benefits by which MLIR orders the rules.
    matches: HashMap<u32, u64>,
    rules: HashMap<String, RuleStatistics>,
}

impl Counts {
    pub fn visited(&mut self, operation: &str) {
        match self.visits.get_mut(operation) {
            Some(count) => *count += 1,
            None => drop(self.visits.insert(operation.to_string(), 1)),
        }
    }

    /// The structure of the rule in PDL of this rank is there.
    pub fn matched(&mut self, rank: u32) {
        *self.matches.entry(rank).or_default() += 1;
    }

    /// A rule in Rust matched and rewrote.
    pub fn rewritten(&mut self, rule: &str) {
        self.rules.entry(rule.to_string()).or_default().matched += 1;
    }

    pub fn applied(&mut self, rule: &str, time: Duration) {
        let entry = self.rules.entry(rule.to_string()).or_default();
        entry.applied += 1;
        entry.time += time;
    }

    /// What each rule did, in the order of the rules; rules of one name count together.
    pub fn finish(mut self, rules: &[Rule], ranks: &[u16]) -> Vec<RuleStatistics> {
        let mut seen: BTreeMap<String, (usize, RuleStatistics)> = BTreeMap::new();
        for (rule, rank) in rules.iter().zip(ranks) {
            let matches = self.matches.get(&u32::from(*rank)).copied().unwrap_or_default();
            if let Some((_, known)) = seen.get_mut(&rule.name) {
                known.matched += matches;
                continue;
            }
            let mut counted = self.rules.remove(&rule.name).unwrap_or_default();
            counted.matched += matches;
            let tried = self.visits.get(&rule.root).copied().unwrap_or_default();
            let number = seen.len();
            let (name, place) = (rule.name.clone(), rule.place.clone());
            seen.insert(rule.name.clone(), (number, RuleStatistics { rule: name, place, tried, ..counted }));
        }
        let mut statistics: Vec<_> = seen.into_values().collect();
        statistics.sort_by_key(|(number, _)| *number);
        statistics.into_iter().map(|(_, statistics)| statistics).collect()
    }
}
