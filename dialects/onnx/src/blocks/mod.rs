//! Operators for what is repeated: runs of statements that are the same but for the tensors that they go to, as the layers of a
//! network are. Where runs begin and end is told by the modules of the program that the model is of ([`modules`]), or by the
//! statements alone ([`repeats`]); [`chosen`] says which are worth an operator, [`unify`] makes one.

mod chosen;
mod facts;
mod group;
mod lines;
mod modules;
mod names;
mod repeats;
mod symbols;
mod tokens;
mod unify;

use crate::made::Made;
use crate::scope::Scope;
use facts::Facts;
pub(crate) use facts::Type;
use group::Group;
use names::{Naming, Taken};
use skriptnd_syntax::build::{Computation, Graph, Operator, Statement};
use std::collections::HashMap;
use std::ops::Range;
use tokens::Tokens;
use unify::Block;

/// Statements of fewer are no block.
const FEWEST: usize = 4;

/// A statement with the statements that it stands for by their numbers, once they are put together.
#[derive(Debug, Clone)]
struct Part {
    statement: Statement,
    begin: usize,
    end: usize,
}

/// Puts operators in the place of what is repeated in a graph whose statements are those of the modules beside them.
pub(crate) fn factored(
    graph: &mut Graph,
    scopes: &[Scope],
    types: HashMap<String, Type>,
    origins: &mut Made,
) -> Vec<Operator> {
    let mut parts: Vec<Part> = std::mem::take(&mut graph.statements)
        .into_iter()
        .enumerate()
        .map(|(at, statement)| Part { statement, begin: at, end: at + 1 })
        .collect();
    let facts = Facts::of(graph, &parts, scopes, types);
    let tokens = Tokens::of(&parts, &facts);
    let of_modules = modules::groups(scopes, &tokens);
    let mut groups = chosen::chosen(of_modules, &parts, &facts, &tokens);
    if groups.is_empty() {
        groups = chosen::chosen(repeats::groups(&tokens), &parts, &facts, &tokens);
    }
    // What is inside of others comes first.
    groups.sort_by_key(|group| (group.length, group.runs[0].begin));
    let mut taken = Taken::default();
    let made = |group: &Group| {
        let (spans, mut block) = made(&parts, group, &facts, &mut taken, origins)?;
        tell_origins(&mut block, &parts, &spans, origins);
        replace(&mut parts, &spans, block.calls);
        Some(block.operator)
    };
    let operators = groups.iter().filter_map(made).collect();
    graph.statements = parts.into_iter().map(|part| part.statement).collect();
    operators
}

/// The operator for a group's runs with the places of those, where it makes the text shorter.
fn made(
    parts: &[Part],
    group: &Group,
    facts: &Facts,
    taken: &mut Taken,
    origins: &Made,
) -> Option<(Vec<Range<usize>>, Block)> {
    let span = |begin: usize| {
        let first = parts.binary_search_by_key(&begin, |part| part.begin).ok()?;
        let behind = parts.partition_point(|part| part.begin < begin + group.length);
        (parts[behind - 1].end == begin + group.length).then_some(first..behind)
    };
    let mut group = group.clone();
    group.runs.retain(|run| span(run.begin).is_some());
    let spans: Vec<Range<usize>> = group.runs.iter().filter_map(|run| span(run.begin)).collect();
    let runs: Vec<&[Part]> = spans.iter().map(|span| &parts[span.clone()]).collect();
    let naming = Naming::of(&group, &facts.scopes);
    let mut block = unify::unified(&runs, facts, &naming)?;
    if !chosen::is_shorter(&block, &runs, &group, facts) {
        return None;
    }
    let nodes: Vec<&str> =
        runs.iter().flat_map(|run| run.iter()).filter_map(|part| origins.name(&part.statement)).collect();
    let like = naming.name.or_else(|| names::told_by_statements(&block.operator.statements, &nodes));
    block.operator.name = taken.operator(like.as_deref());
    for call in &mut block.calls {
        if let Computation::Invocation(call) = &mut call.value {
            call.operator.clone_from(&block.operator.name);
            call.label = call.label.as_deref().map(|label| taken.label(label));
        }
    }
    Some((spans, block))
}

/// Says what the statements of an operator and its applications are made of: of those that they stand for.
fn tell_origins(block: &mut Block, parts: &[Part], spans: &[Range<usize>], origins: &mut Made) {
    for (at, statement) in block.operator.statements.iter_mut().enumerate() {
        statement.origin = origins.joined(spans.iter().map(|span| &parts[span.start + at].statement));
    }
    for (call, span) in block.calls.iter_mut().zip(spans) {
        call.origin = origins.joined(parts[span.clone()].iter().map(|part| &part.statement));
    }
}

/// Puts applications in the place of runs.
fn replace(parts: &mut Vec<Part>, spans: &[Range<usize>], calls: Vec<Statement>) {
    let mut old = std::mem::take(parts).into_iter();
    let mut next = 0;
    for (span, statement) in spans.iter().zip(calls) {
        parts.extend(old.by_ref().take(span.start - next));
        let mut run = old.by_ref().take(span.len());
        if let Some(first) = run.next() {
            let end = run.last().map_or(first.end, |last| last.end);
            parts.push(Part { statement, begin: first.begin, end });
        }
        next = span.end;
    }
    parts.extend(old);
}
