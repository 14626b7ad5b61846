//! Operators for what is repeated: runs of statements that are the same but for the tensors that they go to, as the layers of a
//! network are. Where runs begin and end is told by the modules of the program that the model is of ([`modules`]), or by the
//! statements alone ([`repeats`]); [`chosen`] says which are worth an operator, [`unify`] makes one.

mod chosen;
mod facts;
mod lines;
mod modules;
mod names;
mod repeats;
mod symbols;
mod tokens;
mod unify;

use crate::scope::Scope;
use chosen::Group;
use facts::Facts;
pub(crate) use facts::Type;
use skriptnd_syntax::build::{Graph, Operator, Statement};
use std::collections::HashMap;
use std::ops::Range;
use tokens::Tokens;
use unify::{Block, Naming};

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
pub(crate) fn factored(graph: &mut Graph, scopes: &[Scope], types: HashMap<String, Type>) -> Vec<Operator> {
    let mut parts: Vec<Part> = std::mem::take(&mut graph.statements)
        .into_iter()
        .enumerate()
        .map(|(at, statement)| Part { statement, begin: at, end: at + 1 })
        .collect();
    let facts = Facts::of(graph, &parts, types);
    let tokens = Tokens::of(&parts, &facts);
    let of_modules = modules::groups(scopes, &tokens);
    let mut groups = chosen::chosen(of_modules, &parts, &facts, &tokens);
    if groups.is_empty() {
        groups = chosen::chosen(repeats::groups(&tokens), &parts, &facts, &tokens);
    }
    // What is inside of others comes first.
    groups.sort_by_key(|group| group.length);
    let mut names = names::Operators::default();
    let mut operators = Vec::new();
    for group in &groups {
        if let Some((operator, made)) = replaced(&parts, group, scopes, &facts, &mut names) {
            operators.push(operator);
            parts = made;
        }
    }
    graph.statements = parts.into_iter().map(|part| part.statement).collect();
    operators
}

/// The statements with applications of an operator in the place of a group's runs, where that is shorter.
fn replaced(
    parts: &[Part],
    group: &Group,
    scopes: &[Scope],
    facts: &Facts,
    names: &mut names::Operators,
) -> Option<(Operator, Vec<Part>)> {
    let span = |begin: usize| {
        let first = parts.binary_search_by_key(&begin, |part| part.begin).ok()?;
        let behind = parts.partition_point(|part| part.begin < begin + group.length);
        (parts[behind - 1].end == begin + group.length).then_some(first..behind)
    };
    let spans: Vec<Option<Range<usize>>> = group.runs.iter().map(|run| span(run.begin)).collect();
    let mut is_whole = spans.iter().map(Option::is_some);
    let mut group = group.clone();
    group.runs.retain(|_| is_whole.next().unwrap_or(false));
    let spans: Vec<Range<usize>> = spans.into_iter().flatten().collect();
    let runs: Vec<&[Part]> = spans.iter().map(|span| &parts[span.clone()]).collect();
    let naming = Naming::of(&group, scopes);
    let block = unify::unified(&runs, facts, &naming)?;
    if !chosen::is_shorter(&block, &runs, &group) {
        return None;
    }
    let Block { mut operator, mut calls } = block;
    operator.name = names.fresh(naming.name.as_deref());
    calls.iter_mut().for_each(|call| unify::call_as(call, &operator.name));
    let mut made = Vec::new();
    let mut next = 0;
    for (span, call) in spans.into_iter().zip(calls) {
        made.extend_from_slice(&parts[next..span.start]);
        made.push(Part { statement: call, begin: parts[span.start].begin, end: parts[span.end - 1].end });
        next = span.end;
    }
    made.extend_from_slice(&parts[next..]);
    Some((operator, made))
}
