//! Ensembles of decision trees: tables of nodes, which a formula walks down as many levels as there are.

use super::{above, both, greatest, ints, labels, reals, rows, transformation, transformed};
use crate::element::ElementType;
use crate::extent::Extent;
use crate::node::Node;
use crate::ops::Results;
use crate::translate::Translator;
use crate::value::Tensor;
use std::collections::HashMap;

/// A node of a tree; that of a leaf is followed by itself.
#[derive(Debug, Clone, Copy)]
struct Branch {
    feature: i64,
    split: f64,
    /// The comparison: `<=`, `<`, `>=`, `>`, `==`, `!=`.
    mode: i64,
    /// Whether what is no number goes as if the comparison held.
    takes_missing: bool,
    yes: usize,
    no: usize,
}

/// What a leaf says for a target.
#[derive(Debug, Clone, Copy)]
struct Vote {
    leaf: usize,
    target: usize,
    weight: f64,
}

#[derive(Debug, Default)]
struct Trees {
    nodes: Vec<Branch>,
    roots: Vec<usize>,
    votes: Vec<Vote>,
}

fn leaf(at: usize) -> Branch {
    Branch { feature: 0, split: 0.0, mode: 0, takes_missing: false, yes: at, no: at }
}

/// Reals of an attribute, or of its variant for numbers of 64 bits.
fn numbers(node: &Node<'_>, name: &str) -> Result<Vec<f64>, String> {
    if let Some(values) = node.floats(name)? {
        return Ok(values);
    }
    Ok(node.tensor(&format!("{name}_as_tensor"))?.map(|tensor| tensor.reals().collect()).unwrap_or_default())
}

fn whole(node: &Node<'_>, name: &str, count: usize) -> Result<Vec<i64>, String> {
    let values = node.ints(name)?.unwrap_or_default();
    if values.len() == count {
        Ok(values)
    } else {
        Err(format!("its `{name}` are {}, where {count} are expected", values.len()))
    }
}

impl Trees {
    /// The trees of the older operators: all nodes in one list, with numbers of their own in each tree.
    fn of_nodes(node: &Node<'_>, votes: &str) -> Result<Trees, String> {
        let modes = node.strings("nodes_modes")?.unwrap_or_default();
        let count = modes.len();
        let trees = whole(node, "nodes_treeids", count)?;
        let own = whole(node, "nodes_nodeids", count)?;
        let features = whole(node, "nodes_featureids", count)?;
        let (yes, no) = (whole(node, "nodes_truenodeids", count)?, whole(node, "nodes_falsenodeids", count)?);
        let splits = numbers(node, "nodes_values")?;
        let missing = node.ints("nodes_missing_value_tracks_true")?.unwrap_or_default();
        let places: HashMap<(i64, i64), usize> = (0..count).map(|at| ((trees[at], own[at]), at)).collect();
        let place = |tree: i64, number: i64| {
            places.get(&(tree, number)).copied().ok_or_else(|| format!("tree {tree} has no node {number}"))
        };
        let mut found = Trees::default();
        for at in 0..count {
            if modes[at] == "LEAF" {
                found.nodes.push(leaf(at));
                continue;
            }
            let names = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"];
            let mode = names.iter().position(|name| *name == modes[at]);
            found.nodes.push(Branch {
                feature: features[at],
                split: splits.get(at).copied().ok_or("its `nodes_values` are too few")?,
                mode: mode.ok_or_else(|| format!("the mode `{}` of one of its nodes is not known", modes[at]))? as i64,
                takes_missing: missing.get(at) == Some(&1),
                yes: place(trees[at], yes[at])?,
                no: place(trees[at], no[at])?,
            });
        }
        found.roots = found.found_roots();
        found.votes = votes_of(node, votes, place)?;
        Ok(found)
    }

    /// The nodes that follow none.
    fn found_roots(&self) -> Vec<usize> {
        let mut is_below = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for next in [node.yes, node.no] {
                is_below[next] |= next != at;
            }
        }
        (0..self.nodes.len()).filter(|at| !is_below[*at]).collect()
    }

    /// The trees of the operator that has leaves of their own.
    fn of_leaves(node: &Node<'_>) -> Result<Trees, String> {
        let modes: Vec<i64> = node.tensor("nodes_modes")?.map(|modes| modes.ints().collect()).unwrap_or_default();
        let count = modes.len();
        let splits: Vec<f64> = node.tensor("nodes_splits")?.map(|splits| splits.reals().collect()).unwrap_or_default();
        let features = whole(node, "nodes_featureids", count)?;
        let missing = node.ints("nodes_missing_value_tracks_true")?.unwrap_or_default();
        let targets = node.ints("leaf_targetids")?.unwrap_or_default();
        let weights: Vec<f64> = node.tensor("leaf_weights")?.map(|given| given.reals().collect()).unwrap_or_default();
        if splits.len() != count || weights.len() != targets.len() {
            return Err("its splits and weights are not as many as its nodes and leaves".into());
        }
        let leaves = targets.len();
        let yes = followers(node, "nodes_truenodeids", "nodes_trueleafs", count, leaves)?;
        let no = followers(node, "nodes_falsenodeids", "nodes_falseleafs", count, leaves)?;
        let branch = |at: usize| Branch {
            feature: features[at],
            split: splits[at],
            mode: modes[at],
            takes_missing: missing.get(at) == Some(&1),
            yes: yes[at],
            no: no[at],
        };
        let mut found = Trees { nodes: (0..count).map(branch).collect(), ..Trees::default() };
        found.nodes.extend((count..count + targets.len()).map(leaf));
        let root = |root: &i64| usize::try_from(*root).ok().filter(|root| *root < count);
        let roots = node.ints("tree_roots")?.unwrap_or_default();
        found.roots = roots.iter().map(root).collect::<Option<_>>().ok_or("one of its roots is no node")?;
        found.votes = leaf_votes(&targets, &weights, count)?;
        let members: Vec<f64> =
            node.tensor("membership_values")?.map(|members| members.reals().collect()).unwrap_or_default();
        found.spread_members(count, &members)?;
        Ok(found)
    }

    /// Nodes that ask for the members of a set become one node for each of them.
    fn spread_members(&mut self, count: usize, members: &[f64]) -> Result<(), String> {
        let mut sets = members.split(|value| value.is_nan());
        for at in 0..count {
            if self.nodes[at].mode != 6 {
                continue;
            }
            let set = sets.next().ok_or("its `membership_values` are too few")?;
            let asked = self.nodes[at];
            let (first, rest) = set.split_first().ok_or("one of its sets of members is empty")?;
            self.nodes[at] = Branch { mode: 4, split: *first, ..asked };
            let mut last = at;
            for member in rest {
                let next = self.nodes.len();
                self.nodes[last].no = next;
                self.nodes.push(Branch { mode: 4, split: *member, ..asked });
                last = next;
            }
        }
        if self.nodes.iter().any(|node| !(0..=5).contains(&node.mode)) {
            return Err("the mode of one of its nodes is not known".into());
        }
        Ok(())
    }

    /// How many steps the deepest leaf is below its root.
    fn depth(&self) -> Result<i64, String> {
        let mut level = self.roots.clone();
        let mut depth = 0;
        loop {
            let is_inner = |at: &&usize| self.nodes[**at].yes != **at;
            level = level.iter().filter(is_inner).flat_map(|at| [self.nodes[*at].yes, self.nodes[*at].no]).collect();
            if level.is_empty() {
                return Ok(depth);
            }
            depth += 1;
            if level.len() > 2 * self.nodes.len() || depth > self.nodes.len() as i64 {
                return Err("its nodes are no trees: some lead back to others above them".into());
            }
        }
    }

    /// The table of what each node says for each target.
    fn table(&self, targets: usize, default: f64) -> Result<Tensor, String> {
        let mut table = vec![default; self.nodes.len() * targets];
        let mut is_said = vec![false; table.len()];
        for vote in &self.votes {
            if vote.target >= targets {
                return Err(format!("a leaf has a weight for target {}, where there are {targets}", vote.target));
            }
            let at = vote.leaf * targets + vote.target;
            table[at] = if is_said[at] { table[at] + vote.weight } else { vote.weight };
            is_said[at] = true;
        }
        Ok(reals(&table, vec![self.nodes.len(), targets]))
    }

    /// Where each row of the operand ends in each tree.
    fn leaves(&self, t: &mut Translator<'_>, rows: &Tensor) -> Result<Tensor, String> {
        if self.nodes.iter().any(|node| rows.shape[1].known().is_some_and(|most| !(0..most).contains(&node.feature))) {
            return Err("one of its nodes asks for a feature that its operand has not".into());
        }
        let column = |of: fn(&Branch) -> i64| ints(&self.nodes.iter().map(of).collect::<Vec<_>>());
        let splits = reals(&self.nodes.iter().map(|node| node.split).collect::<Vec<_>>(), vec![self.nodes.len()]);
        let roots = ints(&self.roots.iter().map(|root| *root as i64).collect::<Vec<_>>());
        let call = t.call("onnx.tree_leaves").int("depth", self.depth()?).on(rows).on(&roots);
        let call = call.on(&column(|node| node.feature)).on(&splits).on(&column(|node| node.mode));
        let call = call.on(&column(|node| i64::from(node.takes_missing)));
        let call = call.on(&column(|node| node.yes as i64)).on(&column(|node| node.no as i64));
        Ok(call.gives(ElementType::Int64, vec![rows.shape[0].clone(), (self.roots.len() as i64).into()]))
    }

    /// What all trees say together for each target.
    fn scores(&self, t: &mut Translator<'_>, rows: &Tensor, targets: usize, together: &str) -> Result<Tensor, String> {
        if self.roots.is_empty() {
            return Err("it has no trees".into());
        }
        let (name, default) = match together {
            "SUM" | "AVERAGE" => ("onnx.tree_sum", 0.0),
            "MIN" => ("onnx.tree_min", f64::INFINITY),
            "MAX" => ("onnx.tree_max", f64::NEG_INFINITY),
            other => return Err(format!("its `aggregate_function` is `{other}`")),
        };
        let leaves = self.leaves(t, rows)?;
        let table = self.table(targets, default)?;
        let shape = vec![rows.shape[0].clone(), Extent::from(targets as i64)];
        let sums = t.call(name).on(&leaves).on(&table).gives(ElementType::Float, shape);
        match together {
            "AVERAGE" => t.binary("math.div", &sums, &Tensor::real(self.roots.len() as f64)),
            _ => Ok(sums),
        }
    }
}

/// The weights of leaves in attributes that begin with `class` or `target`.
fn votes_of(node: &Node<'_>, of: &str, place: impl Fn(i64, i64) -> Result<usize, String>) -> Result<Vec<Vote>, String> {
    let weights = numbers(node, &format!("{of}_weights"))?;
    let count = weights.len();
    let trees = whole(node, &format!("{of}_treeids"), count)?;
    let nodes = whole(node, &format!("{of}_nodeids"), count)?;
    let targets = whole(node, &format!("{of}_ids"), count)?;
    let vote = |at: usize| {
        let target = usize::try_from(targets[at]).map_err(|_| "one of its targets is negative")?;
        Ok(Vote { leaf: place(trees[at], nodes[at])?, target, weight: weights[at] })
    };
    (0..count).map(vote).collect()
}

/// Where nodes lead: to one of `count` nodes, or to a leaf behind them.
fn followers(node: &Node<'_>, ids: &str, are_leaves: &str, count: usize, leaves: usize) -> Result<Vec<usize>, String> {
    let (ids, are_leaves) = (whole(node, ids, count)?, whole(node, are_leaves, count)?);
    let place = |(id, is_leaf): (&i64, &i64)| {
        let (begin, most) = if *is_leaf != 0 { (count, leaves) } else { (0, count) };
        let id = usize::try_from(*id).ok().filter(|id| *id < most);
        id.map(|id| begin + id).ok_or_else(|| "one of its nodes leads nowhere".to_owned())
    };
    ids.iter().zip(&are_leaves).map(place).collect()
}

/// The weights of leaves that stand behind `count` nodes.
fn leaf_votes(targets: &[i64], weights: &[f64], count: usize) -> Result<Vec<Vote>, String> {
    let vote = |(at, (target, weight)): (usize, (&i64, &f64))| {
        let target = usize::try_from(*target).map_err(|_| "one of its targets is negative")?;
        Ok(Vote { leaf: count + at, target, weight: *weight })
    };
    targets.iter().zip(weights).enumerate().map(vote).collect()
}

/// What is added to scores whatever the trees say.
fn with_base(t: &mut Translator<'_>, node: &Node<'_>, scores: Tensor) -> Result<Tensor, String> {
    let base = numbers(node, "base_values")?;
    match base.len() {
        0 => Ok(scores),
        count => t.binary("math.add", &scores, &reals(&base, vec![count])),
    }
}

pub(super) fn regressor(t: &mut Translator<'_>, node: &Node<'_>) -> Result<Tensor, String> {
    let rows = rows(t, node)?;
    let targets = usize::try_from(node.int_or("n_targets", 1)?).map_err(|_| "its `n_targets` is negative")?;
    let word = |number: i64, words: &[&str]| {
        let word = usize::try_from(number).ok().and_then(|at| words.get(at));
        word.map(|word| (*word).to_owned()).ok_or_else(|| format!("one of its attributes is {number}"))
    };
    if node.proto.op_type == "TreeEnsemble" {
        let together = word(node.int_or("aggregate_function", 1)?, &["AVERAGE", "SUM", "MIN", "MAX"])?;
        let names = ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"];
        let scores = Trees::of_leaves(node)?.scores(t, &rows, targets, &together)?;
        return transformed(t, &word(node.int_or("post_transform", 0)?, &names)?, &scores);
    }
    let together = node.string_or("aggregate_function", "SUM")?;
    let scores = Trees::of_nodes(node, "target")?.scores(t, &rows, targets, &together)?;
    let scores = with_base(t, node, scores)?;
    transformed(t, &transformation(node)?, &scores)
}

pub(super) fn classifier(t: &mut Translator<'_>, node: &Node<'_>) -> Results {
    let rows = rows(t, node)?;
    let labels = labels(node, "classlabels_int64s")?;
    let trees = Trees::of_nodes(node, "class")?;
    let first = trees.votes.first().ok_or("its leaves have no weights")?.target;
    let transformation = transformation(node)?;
    if labels.len() > 2 || first > 0 || trees.votes.iter().any(|vote| vote.target != first) {
        let classes = labels.len().max(first + 1);
        let scores = trees.scores(t, &rows, classes, "SUM")?;
        let scores = with_base(t, node, scores)?;
        return Ok(vec![greatest(t, &scores, &labels), transformed(t, &transformation, &scores)?]);
    }
    binary(t, node, trees, &rows, &labels)
}

/// Two classes, of which the leaves only weigh the first.
fn binary(t: &mut Translator<'_>, node: &Node<'_>, mut trees: Trees, rows: &Tensor, labels: &[i64]) -> Results {
    let are_shares = trees.votes.iter().all(|vote| vote.weight >= 0.0);
    trees.votes.iter_mut().for_each(|vote| vote.target = 0);
    let mut score = trees.scores(t, rows, 1, "SUM")?;
    if let Some(base) = numbers(node, "base_values")?.last() {
        score = t.binary("math.add", &score, &Tensor::real(*base))?;
    }
    let pair = match labels {
        [below, above, ..] => [*below, *above],
        [only] => [0, *only],
        [] => [0, 1],
    };
    let label = above(t, &score, if are_shares { 0.5 } else { 0.0 }, pair)?;
    match transformation(node)?.as_str() {
        "PROBIT" => Ok(vec![label, t.unary("onnx.probit", &score)]),
        "LOGISTIC" => {
            let scores = both(t, &score, false)?;
            Ok(vec![label, t.unary("nn.sigmoid", &scores)])
        }
        _ => Ok(vec![label, both(t, &score, are_shares)?]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(mode: i64, yes: usize, no: usize) -> Branch {
        Branch { feature: 0, split: 0.5, mode, takes_missing: false, yes, no }
    }

    #[test]
    fn trees_are_as_deep_as_their_deepest_leaf() {
        let nodes = vec![branch(0, 1, 2), leaf(1), branch(0, 3, 4), leaf(3), leaf(4)];
        let mut trees = Trees { nodes, ..Trees::default() };
        trees.roots = trees.found_roots();
        assert_eq!((trees.roots.as_slice(), trees.depth()), (&[0][..], Ok(2)));
        trees.nodes[2].no = 0;
        assert!(trees.depth().unwrap_err().contains("no trees"));
    }

    #[test]
    fn sets_become_chains_of_comparisons() {
        let mut trees = Trees { nodes: vec![branch(6, 1, 2), leaf(1), leaf(2)], ..Trees::default() };
        trees.spread_members(1, &[3.0, 5.0, f64::NAN]).unwrap();
        let chain: Vec<_> =
            [0, 3].map(|at: usize| (trees.nodes[at].split, trees.nodes[at].yes, trees.nodes[at].no)).into();
        assert_eq!(chain, [(3.0, 1, 3), (5.0, 1, 2)]);
        let mut bare = Trees { nodes: vec![branch(6, 1, 1), leaf(1)], ..Trees::default() };
        assert!(bare.spread_members(1, &[]).is_err());
    }

    #[test]
    fn weights_of_targets_that_there_are_not_are_refused() {
        let votes = vec![Vote { leaf: 0, target: 2, weight: 1.0 }];
        let trees = Trees { nodes: vec![leaf(0)], roots: vec![0], votes };
        assert!(trees.table(2, 0.0).unwrap_err().contains("target 2"));
        assert!(trees.table(3, 0.0).is_ok());
    }
}
