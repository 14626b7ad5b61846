//! Source patterns by what tells them apart, so that those that may meet are found without asking all of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::model::{AttributeMatch, AttributeTest, OperandMatch, SourceOperation};
use crate::ods::Constraint;

/// Patterns that are not divided any further.
const LEAF: usize = 4;

/// What a source pattern fixes: which operation makes an operand, which attribute it is, by the position in the pattern.
#[derive(Debug, Clone, Default)]
pub struct Features(BTreeMap<String, String>);

impl Features {
    /// What two patterns must agree on to match at one operation; there is more.
    pub fn fixed(source: &SourceOperation) -> Self {
        let mut features = Self::default();
        features.source("", source, false);
        features
    }

    /// What a pattern asks for, its constraints on arguments included.
    pub fn asked(source: &SourceOperation) -> Self {
        let mut features = Self::default();
        features.source("", source, true);
        features
    }

    /// Fixes a position.
    pub fn fix(&mut self, at: &str, value: impl Into<String>) {
        self.0.insert(at.to_string(), value.into());
    }

    /// The operation at a position.
    pub fn operation(&mut self, at: &str, operation: usize) {
        self.fix(at, format!("operation {operation}"));
    }

    /// What a source pattern fixes, at a position.
    pub fn source(&mut self, at: &str, source: &SourceOperation, with_constraints: bool) {
        self.operation(at, source.operation);
        for (index, operand) in source.operands.iter().enumerate() {
            self.operand(&operand_of(at, index), operand, with_constraints);
        }
        for (index, attribute) in source.attributes.iter().enumerate() {
            self.attribute(&attribute_of(at, index), attribute, with_constraints);
        }
    }

    /// What is said of an operand.
    pub fn operand(&mut self, at: &str, operand: &OperandMatch, with_constraints: bool) {
        match operand {
            OperandMatch::Capture { constraint: Some(constraint), .. } if with_constraints => {
                self.fix(at, constrained(constraint));
            }
            OperandMatch::Capture { .. } | OperandMatch::Native(_) => {}
            OperandMatch::Nested(source) => self.source(at, source, with_constraints),
            OperandMatch::Group { items, .. } => {
                self.fix(&size_of(at), items.len().to_string());
                for (index, item) in items.iter().enumerate() {
                    self.operand(&operand_of(at, index), item, with_constraints);
                }
            }
        }
    }

    /// What is said of an attribute.
    pub fn attribute(&mut self, at: &str, attribute: &AttributeMatch, with_constraints: bool) {
        match &attribute.test {
            Some(AttributeTest::Constant(text)) => self.fix(at, constant(text)),
            Some(AttributeTest::Absent) => self.fix(at, ABSENT),
            Some(AttributeTest::Constraint(constraint)) if with_constraints => self.fix(at, constrained(constraint)),
            Some(AttributeTest::Constraint(_) | AttributeTest::Native(_)) | None => {}
        }
    }
}

/// What stands for an attribute that is not there.
pub const ABSENT: &str = "absent";

/// What stands for a constant.
pub fn constant(text: &str) -> String {
    format!("= {text}")
}

fn constrained(constraint: &Constraint) -> String {
    format!("{} {}", constraint.definition, constraint.predicate.text())
}

/// The position of an operand, or of an item of a group.
pub fn operand_of(at: &str, index: usize) -> String {
    format!("{at}.{index}")
}

/// The position of an attribute.
pub fn attribute_of(at: &str, index: usize) -> String {
    format!("{at}@{index}")
}

/// The position of the size of a group.
pub fn size_of(at: &str) -> String {
    format!("{at}#")
}

/// How a pattern that is looked for is to fit what is asked of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It fixes nothing otherwise.
    Meets,
    /// It fixes nothing that is not fixed so.
    Covers,
}

/// Patterns by their numbers, divided by the position that tells most of them apart.
pub enum Index {
    /// Some that are alike.
    Leaf(Vec<usize>),
    /// Those that fix a position, by how they do, and the others.
    Split {
        /// The position.
        position: String,
        /// The least number in it.
        first: usize,
        /// Those that fix it.
        cases: HashMap<String, Index>,
        /// The others.
        open: Box<Index>,
    },
}

impl Index {
    /// Some patterns with what they fix, in the order of their numbers.
    pub fn new(patterns: Vec<(usize, &Features)>) -> Self {
        let leaf = |patterns: &[(usize, &Features)]| Self::Leaf(patterns.iter().map(|(number, _)| *number).collect());
        if patterns.len() <= LEAF {
            return leaf(&patterns);
        }
        let mut values: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
        for (position, value) in patterns.iter().flat_map(|(_, features)| &features.0) {
            values.entry(position).or_default().insert(value);
        }
        let best = values.into_iter().max_by_key(|(_, values)| values.len()).filter(|(_, values)| values.len() > 1);
        let Some(position) = best.map(|(position, _)| position.to_string()) else { return leaf(&patterns) };
        let first = patterns.first().map_or(usize::MAX, |(number, _)| *number);
        let mut open = Vec::new();
        let mut cases: HashMap<String, Vec<(usize, &Features)>> = HashMap::new();
        for (number, features) in patterns {
            match features.0.get(&position) {
                Some(value) => cases.entry(value.clone()).or_default().push((number, features)),
                None => open.push((number, features)),
            }
        }
        let cases = cases.into_iter().map(|(value, patterns)| (value, Self::new(patterns))).collect();
        Self::Split { position, first, cases, open: Self::new(open).into() }
    }

    /// The first number below `bound` that fits and is accepted.
    pub fn first(&self, fit: Fit, of: &Features, bound: usize, accepts: &dyn Fn(usize) -> bool) -> Option<usize> {
        match self {
            Self::Leaf(numbers) => numbers.iter().copied().take_while(|number| *number < bound).find(|it| accepts(*it)),
            Self::Split { first, .. } if *first >= bound => None,
            Self::Split { .. } => {
                let narrow =
                    |found: Option<usize>, part: &Self| part.first(fit, of, found.unwrap_or(bound), accepts).or(found);
                self.parts(fit, of).into_iter().fold(None, narrow)
            }
        }
    }

    /// The parts in which something may fit.
    fn parts(&self, fit: Fit, of: &Features) -> Vec<&Self> {
        let Self::Split { position, cases, open, .. } = self else { return Vec::new() };
        let mut parts = vec![&**open];
        match (of.0.get(position), fit) {
            (Some(value), _) => parts.extend(cases.get(value)),
            (None, Fit::Meets) => parts.extend(cases.values()),
            (None, Fit::Covers) => {}
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn few_are_asked() {
        let features: Vec<Features> = (0..2000)
            .map(|number: usize| {
                let mut features = Features::default();
                features.fix("", "operation 0");
                features.fix(".0", format!("operation {}", number % 40));
                features.fix("@0", constant(&number.to_string()));
                features
            })
            .collect();
        let index = Index::new(features.iter().enumerate().collect());
        let asked = Cell::new(0);
        for (number, features) in features.iter().enumerate() {
            for fit in [Fit::Meets, Fit::Covers] {
                let accepts = |_| {
                    asked.set(asked.get() + 1);
                    false
                };
                assert_eq!(index.first(fit, features, number, &accepts), None);
            }
        }
        assert!(asked.get() < 20_000, "{}", asked.get());
    }

    #[test]
    fn what_is_not_fixed_fits_everything() {
        let of = |fixed: &[(&str, &str)]| {
            let mut features = Features::default();
            fixed.iter().for_each(|(at, value)| features.fix(at, *value));
            features
        };
        let mut all: Vec<Features> = (0..20).map(|number| of(&[("@0", &number.to_string()), (".0", "a")])).collect();
        all.insert(7, of(&[(".0", "a")]));
        let index = Index::new(all.iter().enumerate().collect());
        let first = |fit, fixed: &[(&str, &str)], bound| index.first(fit, &of(fixed), bound, &|_| true);
        assert_eq!(first(Fit::Covers, &[("@0", "9"), (".0", "a")], 21), Some(7));
        assert_eq!(first(Fit::Covers, &[("@0", "3"), (".0", "a")], 21), Some(3));
        assert_eq!(first(Fit::Covers, &[(".0", "a")], 7), None);
        assert_eq!(first(Fit::Meets, &[], 21), Some(0));
        assert_eq!(first(Fit::Meets, &[("@0", "15")], 10), Some(7));
    }
}
