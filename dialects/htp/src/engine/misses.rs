//! Why rules were not applied: of each the node that came nearest to it.

mod node;

use crate::apply::Environment;
use crate::dialect::{self, NAMESPACE};
use crate::grammar::model::Rule;
use node::examine;
use skriptnd_mlir::diagnostics::Position;
use skriptnd_mlir::ir::{OperationRef, walk};
use skriptnd_source::Span;
use skriptnd_source::diagnostics::nearest;
use std::collections::HashMap;

/// Nodes that are looked at for one rule.
const MOST_NODES: usize = 256;

/// How far a rule came: the further, the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// The graph has no op like the root.
    Nothing,
    /// So many parts of the match were there.
    Match(usize),
    /// All of the match, and so many of the conditions.
    Condition(usize),
    /// All but the replacement, which is undefined.
    Replacement,
    /// All; another rule went first.
    Turn,
}

/// A rule that was not applied, and its nearest node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    /// The rule's index.
    pub rule: usize,
    /// How near the node came.
    pub reached: Reached,
    /// What is not as the rule wants it.
    pub reason: String,
    /// The part of the rule that wants it.
    pub span: Span,
    /// Where the model's source has the node; `None` where that is not known, or no node is like the root.
    pub position: Option<Position>,
}

/// The nodes of a graph by their names.
struct Nodes<'c, 'a>(HashMap<String, Vec<OperationRef<'c, 'a>>>);

impl<'c: 'a, 'a> Nodes<'c, 'a> {
    fn of(container: OperationRef<'c, 'a>) -> Self {
        let mut nodes: HashMap<String, Vec<OperationRef<'c, 'a>>> = HashMap::new();
        for op in walk(container) {
            let name = op.full_name();
            if name.split('.').next() == Some(NAMESPACE) {
                match nodes.get_mut(name) {
                    Some(alike) if alike.len() < MOST_NODES => alike.push(op),
                    Some(_) => {}
                    None => drop(nodes.insert(name.to_owned(), vec![op])),
                }
            }
        }
        Nodes(nodes)
    }

    /// The name of an op in the graph that may have been meant by another: with another package, or misspelt.
    fn meant_by(&self, name: &str) -> Option<&str> {
        let bare = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let mut names: Vec<(String, &str)> =
            self.0.keys().map(|op| (bare(&dialect::qualified_name(op)), op.as_str())).collect();
        names.sort_unstable();
        let wanted = bare(name);
        let same = names.iter().find(|(known, _)| *known == wanted).map(|(_, op)| *op);
        same.or_else(|| {
            let known = nearest(&wanted, names.iter().map(|(name, _)| name.as_str()))?;
            names.iter().find(|(name, _)| name == known).map(|(_, op)| *op)
        })
    }
}

/// The misses of some rules of a pass, on the graph that the pass leaves. `replaced` tells of ops that rules have replaced: by
/// which one last, and how many.
pub fn misses(
    container: OperationRef<'_, '_>,
    rules: &[Rule],
    missed: &[usize],
    replaced: &HashMap<String, (usize, usize)>,
    environment: &Environment,
) -> Vec<Miss> {
    if missed.is_empty() {
        return Vec::new();
    }
    let nodes = Nodes::of(container);
    missed.iter().map(|index| miss(&nodes, rules, *index, replaced, environment)).collect()
}

/// Of the misses of the same rules on the graph that the pass was given and on the one that it leaves, those that say more: a
/// rule may have come nearest to what others have replaced meanwhile.
pub fn nearest_of(before: Vec<Miss>, after: Vec<Miss>) -> Vec<Miss> {
    let of_rule = |after: Miss| {
        let early = before.iter().find(|early| early.rule == after.rule && early.reached != Reached::Turn);
        early.filter(|early| early.reached > after.reached).cloned().unwrap_or(after)
    };
    after.into_iter().map(of_rule).collect()
}

fn miss(
    nodes: &Nodes<'_, '_>,
    rules: &[Rule],
    index: usize,
    replaced: &HashMap<String, (usize, usize)>,
    environment: &Environment,
) -> Miss {
    let rule = &rules[index];
    let name = dialect::operation_name(&rule.pattern.name.qualified(&rule.package));
    let candidates = nodes.0.get(&name).map_or(&[][..], Vec::as_slice);
    let mut best: Option<Miss> = None;
    for node in candidates {
        let found = Miss { rule: index, ..examine(rule, *node, environment) };
        // Nothing is nearer; and a replacement may take long to plan.
        if found.reached >= Reached::Replacement {
            return found;
        }
        if best.as_ref().is_none_or(|best| found.reached > best.reached) {
            best = Some(found);
        }
    }
    best.unwrap_or_else(|| {
        let name = rule.pattern.name.qualified(&rule.package);
        let taken = replaced.get(&dialect::operation_name(&name));
        let reason = match (taken, nodes.meant_by(&name)) {
            (Some((by, count)), _) => {
                let all = if *count == 1 { "the only one was".to_owned() } else { format!("all {count} were") };
                format!("no op `{name}` is left: {all} replaced before, last by rule {}", rules[*by].name)
            }
            (None, Some(meant)) => {
                format!("the graph has no op `{name}`; the nearest is `{}`", dialect::qualified_name(meant))
            }
            (None, None) => format!("the graph has no op `{name}`"),
        };
        let taken_from = nodes.meant_by(&name).and_then(|meant| nodes.0.get(meant)).and_then(|ops| ops.first());
        let position = taken_from.filter(|_| taken.is_none()).and_then(|op| Position::of(op.location()));
        Miss { rule: index, reached: Reached::Nothing, reason, span: rule.pattern.name.span, position }
    })
}
