//! Rules that together make again what one of them has replaced: in one pass they apply for ever, in several they do nothing.
//!
//! What a rule makes of its own match is rewritten by all rules, at every op, until it is the match again. Only what every graph
//! has is followed: parts that a condition chooses, splits and functions are left out.

mod term;

use super::diagnostics;
use super::truth::{Facts, Outcomes};
use crate::grammar::model::Rule;
use crate::grammar::write::Writer;
use skriptnd_source::diagnostics::Diagnostics;
use std::collections::{BTreeSet, HashMap, VecDeque};
use term::{Term, Terms};

/// Applications that a circle has at most.
const MOST_STEPS: usize = 4;
/// Terms that are made of one match.
const MOST_TERMS: usize = 64;
/// Applications that are tried for one match.
const MOST_TRIED: usize = 20_000;

/// Warns of circles of rules.
pub fn check(rules: &[Rule], found: &mut Diagnostics) {
    let terms: Vec<Option<Terms>> = rules.iter().map(Terms::of).collect();
    let mut by_root: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, terms) in terms.iter().enumerate() {
        if let Some(terms) = terms {
            by_root.entry(terms.root()).or_default().push(index);
        }
    }
    let mut told: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    for index in 0..rules.len() {
        let Some(circle) = (Search { rules, terms: &terms, by_root: &by_root }).circle_from(index) else { continue };
        if told.insert(circle.iter().copied().collect()) {
            report(rules, &circle, found);
        }
    }
}

fn report(rules: &[Rule], circle: &[usize], found: &mut Diagnostics) {
    let (first, last) = (&rules[circle[0]], &rules[circle[circle.len() - 1]]);
    let ends = circle.iter().any(|rule| rules[*rule].pass.number != first.pass.number);
    let others: BTreeSet<usize> = circle.iter().copied().filter(|rule| rules[*rule].span != last.span).collect();
    let others: Vec<_> = others.into_iter().map(|rule| rules[rule].span).collect();
    found.push(match (others.is_empty(), ends) {
        (true, _) => diagnostics::makes_own_match(last.span),
        (false, true) => diagnostics::undoes(last.span, &others),
        (false, false) => diagnostics::never_ends(last.span, &others),
    });
}

/// What rules have made of a match, and what is known of it.
#[derive(Clone)]
struct State<'t> {
    term: Term<'t>,
    applied: Vec<usize>,
    facts: Facts,
}

struct Search<'s, 'r> {
    rules: &'r [Rule],
    terms: &'s [Option<Terms<'r>>],
    by_root: &'s HashMap<&'s str, Vec<usize>>,
}

impl<'r> Search<'_, 'r> {
    /// The rules that make again what the first of them has replaced, in the order in which they are applied.
    fn circle_from(&self, first: usize) -> Option<Vec<usize>> {
        let (rule, terms) = (&self.rules[first], self.terms[first].as_ref()?);
        let mut facts = Facts::default();
        let is_possible = Outcomes::of(&rule.constraint, &rule.pattern).holds
            && facts.add(&rule.constraint, false, &rule.pattern).is_none();
        // What is replaced by the same is told by itself.
        if !is_possible || terms.made == terms.matched {
            return None;
        }
        let mut pending = VecDeque::from([State { term: terms.made.clone(), applied: vec![first], facts }]);
        let (mut made, mut tried) = (1, 0);
        while let Some(state) = pending.pop_front() {
            for next in self.next(&state, &mut tried) {
                if next.term == terms.matched {
                    return Some(next.applied);
                }
                if next.applied.len() < MOST_STEPS && made < MOST_TERMS {
                    made += 1;
                    pending.push_back(next);
                }
            }
        }
        None
    }

    /// What one more application makes of a term.
    fn next(&self, state: &State<'r>, tried: &mut usize) -> Vec<State<'r>> {
        let pass = state.applied.last().map_or(i64::MIN, |rule| self.rules[*rule].pass.number);
        let mut found = Vec::new();
        for place in state.term.places() {
            let Some(name) = state.term.at(&place).and_then(Term::name) else { continue };
            for index in self.by_root.get(name).into_iter().flatten().copied() {
                if *tried == MOST_TRIED || self.rules[index].pass.number < pass {
                    continue;
                }
                *tried += 1;
                found.extend(self.applied(state, &place, index));
            }
        }
        found
    }

    fn applied(&self, state: &State<'r>, place: &[usize], index: usize) -> Option<State<'r>> {
        let (rule, terms) = (&self.rules[index], self.terms[index].as_ref()?);
        let (term, tags) = terms.apply(state.term.at(place)?)?;
        // What both rules call by a name of the first match is the same there.
        let unnamed = |tag: &str| format!("{tag} of application {}", state.applied.len());
        let mut renamed: Vec<(String, String)> = tags
            .into_iter()
            .map(|(tag, bound)| (tag.to_owned(), bound.map_or_else(|| unnamed(tag), str::to_owned)))
            .collect();
        let root = if place.is_empty() { "*".to_owned() } else { unnamed("*") };
        renamed.push(("*".to_owned(), root));
        let mut next = State { term: state.term.with(place, term), ..state.clone() };
        let writer = Writer { package: "", renamed: &renamed };
        let is_possible = Outcomes::of(&rule.constraint, &rule.pattern).holds
            && next.facts.add_as(&rule.constraint, false, &rule.pattern, writer).is_none();
        next.applied.push(index);
        is_possible.then_some(next)
    }
}
