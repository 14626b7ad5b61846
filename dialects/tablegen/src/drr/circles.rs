//! Patterns that undo each other: what one makes, the next one matches, and so on up to the first.

use std::collections::VecDeque;

use super::{
    index::{Features, Fit, Index},
    model::{Pattern, ResultNode, ResultOperation},
    taken::{Search, nested},
};
use crate::{error::Diagnostic, ods::Operation};

/// Patterns of one circle that a message names.
const SHOWN: usize = 5;

/// Who goes on with what each pattern makes.
pub struct Circles<'p> {
    patterns: &'p [&'p Pattern],
    operation: &'p dyn Fn(usize) -> Operation,
    /// What each makes for which other one.
    next: Vec<Vec<(&'p ResultOperation, usize)>>,
}

impl<'p> Circles<'p> {
    /// The patterns, in the order in which they are tried.
    pub fn new(patterns: &'p [&'p Pattern], operation: &'p dyn Fn(usize) -> Operation) -> Self {
        let features: Vec<_> = patterns.iter().map(|pattern| Features::asked(&pattern.source)).collect();
        let index = Index::new(features.iter().enumerate().collect());
        let mut circles = Self { patterns, operation, next: Vec::new() };
        for pattern in patterns {
            let search = Search { pattern, operation };
            let mut next = Vec::new();
            pattern.results.iter().for_each(|node| circles.go_on(&search, &index, node, &mut next));
            circles.next.push(next);
        }
        circles
    }

    /// Notes who certainly matches something made, or what is made inside of it: the pattern that is tried first does.
    fn go_on(
        &self,
        search: &Search<'p>,
        index: &Index,
        node: &'p ResultNode,
        next: &mut Vec<(&'p ResultOperation, usize)>,
    ) {
        let ResultNode::Operation(made) = node else { return };
        let accepts = |other: usize| search.is_matched_by(&self.patterns[other].source, made);
        match index.first(Fit::Covers, &search.features(made), usize::MAX, &accepts) {
            Some(other) => next.push((made, other)),
            None => nested(made).for_each(|inner| self.go_on(search, index, inner, next)),
        }
    }

    /// One warning for each circle.
    pub fn warnings(mut self) -> Vec<Diagnostic> {
        self.drop_ends();
        let mut warnings = Vec::new();
        for first in 0..self.patterns.len() {
            if let Some(circle) = self.circle(first) {
                warnings.push(self.warning(&circle));
                // Each pattern is told of once.
                circle.iter().for_each(|(index, _)| self.next[*index].clear());
            }
        }
        warnings
    }

    /// Drops the patterns after which nothing goes on.
    fn drop_ends(&mut self) {
        loop {
            let ends: Vec<bool> = self.next.iter().map(Vec::is_empty).collect();
            let count = |next: &[Vec<_>]| next.iter().map(Vec::len).sum::<usize>();
            let before = count(&self.next);
            self.next.iter_mut().for_each(|next| next.retain(|(_, other)| !ends[*other]));
            if count(&self.next) == before {
                return;
            }
        }
    }

    /// The shortest way from a pattern back to it, with what each makes.
    fn circle(&self, first: usize) -> Option<Vec<(usize, &'p ResultOperation)>> {
        let mut from: Vec<Option<(usize, &'p ResultOperation)>> = vec![None; self.patterns.len()];
        let mut waiting = VecDeque::from([first]);
        while let Some(at) = waiting.pop_front() {
            for (made, other) in &self.next[at] {
                if from[*other].is_none() {
                    from[*other] = Some((at, made));
                    waiting.push_back(*other);
                }
            }
        }
        let mut circle = vec![from[first]?];
        while let Some((at, _)) = circle.last().filter(|(at, _)| *at != first) {
            circle.push(from[*at]?);
        }
        circle.reverse();
        Some(circle)
    }

    fn warning(&self, circle: &[(usize, &ResultOperation)]) -> Diagnostic {
        let quoted = |(index, _): &(usize, _)| format!("'{}'", self.patterns[*index].name);
        let mut names: Vec<String> = circle.iter().take(SHOWN).map(quoted).collect();
        if circle.len() > SHOWN {
            names.push(format!("{} more", circle.len() - SHOWN));
        }
        let (last, others) = names.split_last().map_or(("", [].as_slice()), |(last, others)| (last, others));
        let how = match others.len() {
            1 => "each matches what the other makes",
            _ => "each matches what the one before it makes",
        };
        let message = format!("patterns {} and {last} undo each other without end: {how}", others.join(", "));
        let place = circle.first().map(|(_, made)| made.place.clone()).unwrap_or_default();
        circle.iter().take(SHOWN).skip(1).fold(Diagnostic::warning(place, message), |warning, (index, made)| {
            let name = (self.operation)(made.operation).name();
            match made.place.position() {
                Some((file, line, column)) => {
                    warning.note(format!("'{}' makes '{name}' at {file}:{line}:{column}", self.patterns[*index].name))
                }
                None => warning,
            }
        })
    }
}
