//! Matching, pass by pass, straight from the definition.

use super::facts::{Facts, Match};
use super::graph::{NodeId, Output, PlainGraph};
use super::replace::Builder;
use crate::apply::{Environment, Limits};
use crate::grammar::model::*;
use crate::grammar::root_outputs;
use std::collections::BTreeMap;

/// Rules that still apply at the limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotEnding {
    /// Indices of the rules.
    pub rules: Vec<usize>,
}

/// Applies the rules, pass by pass; returns how often each was applied.
pub fn run(
    graph: &mut PlainGraph,
    rules: &[Rule],
    environment: &Environment,
    limits: Limits,
) -> Result<BTreeMap<usize, usize>, NotEnding> {
    let mut passes: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (index, rule) in rules.iter().enumerate() {
        passes.entry(rule.pass.number).or_default().push(index);
    }
    let mut counts = BTreeMap::new();
    graph.clean();
    for members in passes.values() {
        let (mut sweeps, mut left) = (0, limits.applications);
        loop {
            let applied = sweep(graph, rules, members, environment, left);
            left -= applied.len();
            if applied.is_empty() {
                break;
            }
            sweeps += 1;
            graph.remove_dead();
            if sweeps > limits.sweeps || left == 0 {
                return Err(NotEnding { rules: applied });
            }
            for rule in applied {
                *counts.entry(rule).or_default() += 1;
            }
        }
        graph.clean();
    }
    Ok(counts)
}

/// Tries the rules at each node that is there at the start, in order; returns those that were applied, `most` at most.
fn sweep(
    graph: &mut PlainGraph,
    rules: &[Rule],
    members: &[usize],
    environment: &Environment,
    most: usize,
) -> Vec<usize> {
    let mut applied = Vec::new();
    for root in graph.order().to_vec() {
        if applied.len() == most {
            break;
        }
        let found = members.iter().find(|index| replace_at(graph, &rules[**index], root, environment));
        applied.extend(found);
    }
    applied
}

fn replace_at(graph: &mut PlainGraph, rule: &Rule, root: NodeId, environment: &Environment) -> bool {
    let mut tags = Vec::new();
    let outputs = graph.node(root).outputs.clone();
    let is_root = outputs.len() == 1 || Some(outputs.len()) == root_outputs(rule);
    if !is_root
        || !environment.options.allow(&rule.flags)
        || !matches(graph, &rule.pattern, root, &rule.package, &mut tags)
    {
        return false;
    }
    let found = Match { root: root.output(0), tags };
    let facts = Facts { graph, found: &found, environment, scopes: &[] };
    if facts.truth(&rule.constraint) != Some(true) {
        return false;
    }
    // Built in a copy: a replacement that turns out to be undefined leaves nothing behind.
    let mut changed = graph.clone();
    let mut builder = Builder::new(&mut changed, &found, environment, &rule.package);
    match builder.whole(&rule.replacement, &outputs[0]) {
        Some(new) if new != root.output(0) && builder.output_def(new) == outputs[0] && builder.is_valid(new) => {
            // Several outputs are replaced one by one, and are what they were.
            let with: Vec<Output> = match outputs.len() {
                1 => vec![new],
                count => (0..count).map(|index| new.node.output(index)).collect(),
            };
            if with.len() > 1 {
                changed.node_mut(new.node).outputs = outputs;
            }
            changed.supersede(root, &with, graph.ever());
            *graph = changed;
            true
        }
        _ => false,
    }
}

/// Ops of a match have one output each; of the root it is asked before.
fn matches<'r>(
    graph: &PlainGraph,
    pattern: &'r MatchOp,
    at: NodeId,
    package: &str,
    tags: &mut Vec<(&'r str, Output)>,
) -> bool {
    let node = graph.node(at);
    let count = pattern.operands.len();
    let fits = if pattern.open { node.inputs.len() >= count } else { node.inputs.len() == count };
    if node.op.as_deref() != Some(pattern.name.qualified(package).as_str()) || !fits {
        return false;
    }
    if pattern.tag.as_ref().is_some_and(|tag| !bind(tags, tag, at.output(0))) {
        return false;
    }
    let inputs = node.inputs.iter().copied();
    pattern.operands.iter().zip(inputs).all(|(operand, input)| match operand {
        MatchOperand::Tag(tag, _) => bind(tags, tag, input),
        MatchOperand::Op(op) => {
            graph.node(input.node).outputs.len() == 1 && matches(graph, op, input.node, package, tags)
        }
    })
}

/// Binds a tag, or compares with what it is bound to.
fn bind<'r>(tags: &mut Vec<(&'r str, Output)>, tag: &'r str, output: Output) -> bool {
    match tags.iter().find(|(bound, _)| *bound == tag) {
        Some((_, bound)) => *bound == output,
        None => {
            tags.push((tag, output));
            true
        }
    }
}
