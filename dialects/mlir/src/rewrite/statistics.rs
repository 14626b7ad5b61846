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
    /// How many operations of the kind that it begins with were visited.
    pub tried: u64,
    /// How often all that it asks for was there.
    pub matched: u64,
    /// How often it was applied.
    pub applied: u64,
    /// How long its rewriting took; what matches is shared by all rules.
    pub time: Duration,
}

/// What is counted while a driver runs.
#[derive(Default)]
pub(super) struct Counts {
    visits: HashMap<String, u64>,
    rules: HashMap<String, RuleStatistics>,
}

impl Counts {
    pub fn visited(&mut self, operation: &str) {
        match self.visits.get_mut(operation) {
            Some(count) => *count += 1,
            None => drop(self.visits.insert(operation.to_string(), 1)),
        }
    }

    pub fn matched(&mut self, rule: &str) {
        self.rules.entry(rule.to_string()).or_default().matched += 1;
    }

    pub fn applied(&mut self, rule: &str, time: Duration) {
        let entry = self.rules.entry(rule.to_string()).or_default();
        entry.applied += 1;
        entry.time += time;
    }

    /// What each rule did, in the order of the rules.
    pub fn finish<'r>(mut self, rules: impl Iterator<Item = &'r Rule>) -> Vec<RuleStatistics> {
        let mut seen = BTreeMap::new();
        for rule in rules {
            if seen.contains_key(&rule.name) {
                continue;
            }
            let counted = self.rules.remove(&rule.name).unwrap_or_default();
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
