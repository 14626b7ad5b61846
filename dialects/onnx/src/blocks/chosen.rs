//! Which runs of statements get an operator: those that make the text shorter, the outer ones before those inside of them.

use super::facts::Facts;
use super::group::{Group, Run};
use super::names::Naming;
use super::tokens::{Likeness, Tokens};
use super::unify::{Block, unified};
use super::{FEWEST, Part, lines};
use skriptnd_syntax::build::Statement;
use std::collections::{BTreeMap, HashSet};

/// Operators with more attributes are not read more easily than what they stand for.
const MOST_ATTRIBUTES: usize = 4;

/// An operator whose borders no module tells makes a graph shorter by this part of it at least.
const PARTS: usize = 20;

/// The innermost run that a statement is in, by the number of its group and its begin.
type Owner = Option<(usize, usize)>;

/// Those groups that make the text shorter; who comes first is taken first.
pub(super) fn chosen(candidates: Vec<Group>, parts: &[Part], facts: &Facts, tokens: &Tokens) -> Vec<Group> {
    let mut owners: Vec<Owner> = vec![None; parts.len()];
    let mut chosen: Vec<Group> = Vec::new();
    for candidate in candidates {
        let groups = match accepted(&candidate, parts, facts, &owners) {
            Accepted::Yes(group) => vec![group],
            Accepted::TooLong => Vec::new(),
            Accepted::TooDifferent => {
                let apart = of_same_values(&candidate, tokens).into_iter();
                apart.filter_map(|group| accepted(&group, parts, facts, &owners).group()).collect()
            }
        };
        for group in groups {
            own(&group, chosen.len(), &mut owners);
            chosen.push(group);
        }
    }
    chosen
}

/// Whether runs get an operator.
enum Accepted {
    /// These of them do.
    Yes(Group),
    /// The text would not be shorter.
    TooLong,
    /// One operator can't stand for all.
    TooDifferent,
}

impl Accepted {
    fn group(self) -> Option<Group> {
        match self {
            Accepted::Yes(group) => Some(group),
            Accepted::TooLong | Accepted::TooDifferent => None,
        }
    }
}

fn accepted(candidate: &Group, parts: &[Part], facts: &Facts, owners: &[Owner]) -> Accepted {
    let mut group = candidate.clone();
    let mut end = 0;
    group.runs.retain(|run| {
        let is_free = run.begin >= end && owners[run.begin] == owners[run.begin + candidate.length - 1];
        if is_free {
            end = run.begin + candidate.length;
        }
        is_free
    });
    let site =
        |run: &Run| owners[run.begin].map_or((usize::MAX, run.begin), |(group, begin)| (group, run.begin - begin));
    let sites: HashSet<(usize, usize)> = group.runs.iter().map(site).collect();
    group.sites = sites.len();
    group.inner = sites.iter().filter(|(owner, _)| *owner != usize::MAX).count();
    // What each run would be shorter by, were it one word.
    if group.sites < 2 || (group.sites - 1) * (group.length - 1) < FEWEST {
        return Accepted::TooLong;
    }
    let runs: Vec<&[Part]> = group.runs.iter().map(|run| &parts[run.begin..run.begin + group.length]).collect();
    match unified(&runs, facts, &Naming::of(&group, &facts.scopes)) {
        Some(block) if block.operator.attributes.len() > MOST_ATTRIBUTES => Accepted::TooDifferent,
        Some(block) if is_shorter(&block, &runs, &group, facts) => Accepted::Yes(group),
        Some(_) => Accepted::TooLong,
        None => Accepted::TooDifferent,
    }
}

/// The runs that have the same numbers and extents, too.
fn of_same_values(group: &Group, tokens: &Tokens) -> Vec<Group> {
    let mut alike: BTreeMap<u64, Vec<Run>> = BTreeMap::new();
    for run in &group.runs {
        alike.entry(tokens.of_run(run.begin, run.begin + group.length, Likeness::Values)).or_default().push(*run);
    }
    let mut groups: Vec<Vec<Run>> = alike.into_values().filter(|runs| runs.len() > 1).collect();
    groups.sort_by_key(|runs| runs[0].begin);
    groups.into_iter().map(|runs| Group { length: group.length, runs, sites: 0, inner: 0 }).collect()
}

fn own(group: &Group, number: usize, owners: &mut [Owner]) {
    for run in &group.runs {
        let around = owners[run.begin];
        let inside = owners[run.begin..run.begin + group.length].iter_mut();
        inside.filter(|owner| **owner == around).for_each(|owner| *owner = Some((number, run.begin)));
    }
}

/// Whether the text is shorter where an operator is applied in the place of runs than where their statements stand.
pub(super) fn is_shorter(block: &Block, runs: &[&[Part]], group: &Group, facts: &Facts) -> bool {
    let of_statements = |statements: &[Statement]| statements.iter().map(lines::of_statement).sum::<usize>();
    let of_runs: usize = runs.iter().flat_map(|run| run.iter()).map(|part| lines::of_statement(&part.statement)).sum();
    let operator = lines::of_operator(&block.operator) + of_statements(&block.operator.statements);
    // Where borders are told by nothing but the repetition, it has to be worth it.
    let is_told = group.runs.iter().all(|run| run.depth.is_some());
    let least = if is_told { 1 } else { (2 * FEWEST).max(facts.scopes.len() / PARTS) };
    // Those of the runs that are in runs of other groups are there once, with names that are as short as the operator's.
    let outer = |lines: usize| (group.sites - group.inner) * lines / runs.len().max(1);
    let inner = |lines: usize| group.inner * lines;
    outer(of_runs) + inner(of_statements(&block.operator.statements))
        >= outer(of_statements(&block.calls)) + inner(1) + operator + least
}
