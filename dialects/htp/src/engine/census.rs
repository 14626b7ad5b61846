//! Which ops a graph has, and which rules can match there.

use super::typed::{Asked, Signature, asked};
use crate::apply::Environment;
use crate::apply::plan::{CONCAT_OP, CONST_OP, SHAPE_OP, SLICE_OP};
use crate::dialect::{self, encoding};
use crate::grammar::model::*;
use skriptnd_mlir::ir::{OperationRef, Type, walk};
use std::collections::{HashMap, HashSet};

/// Names of ops, as MLIR has them.
pub type Names = HashSet<String>;

/// The ops of a graph, and the types that they have there.
#[derive(Debug, Default)]
pub struct Census {
    ops: HashMap<String, Vec<Signature>>,
}

impl Census {
    /// Of the ops inside a container.
    pub fn of(container: OperationRef<'_, '_>) -> Self {
        // Most ops are like one before: nothing is kept of them but what is compared.
        let mut seen: HashMap<(usize, usize), HashSet<Vec<Type<'_>>>> = HashMap::new();
        let (mut census, mut types) = (Census::default(), Vec::new());
        for op in walk(container) {
            let operands = op.operand_count();
            types.clear();
            types.extend(op.operands().chain(op.results()).map(|value| value.r#type()));
            let of_op = seen.entry((op.name_key(), operands)).or_default();
            if !of_op.contains(types.as_slice()) {
                let outputs = types.iter().copied().map(encoding::output_def).collect();
                census.ops.entry(op.full_name().to_owned()).or_default().push(Signature { operands, outputs });
                of_op.insert(types.clone());
            }
        }
        census
    }
}

/// What a rule has to do with ops.
#[derive(Debug, Default)]
pub struct Needs<'r> {
    /// The ops of its match, and what it asks of their types.
    matched: Vec<Asked<'r>>,
    /// The ops that its replacement may make.
    made: Names,
    /// Whether an external function makes whatever it likes.
    makes_any: bool,
}

impl<'r> Needs<'r> {
    /// Of a rule.
    pub fn of(rule: &'r Rule) -> Self {
        let mut needs = Needs { matched: asked(rule), ..Needs::default() };
        needs.replacement(&rule.replacement, &rule.package);
        needs
    }

    fn makes(&mut self, names: &[&str]) {
        self.made.extend(names.iter().map(|name| dialect::operation_name(name)));
    }

    fn replacement(&mut self, part: &Replacement, package: &str) {
        match &part.kind {
            ReplacementKind::Existing(_) | ReplacementKind::IterInput(..) => {}
            ReplacementKind::Op(name, operands) | ReplacementKind::MultiOut(_, _, name, operands) => {
                self.makes(&[&name.qualified(package)]);
                operands.iter().for_each(|operand| self.replacement(operand, package));
            }
            ReplacementKind::Wrap(name, inner, _) => {
                self.makes(&[&name.qualified(package)]);
                self.replacement(inner, package);
            }
            ReplacementKind::Constant(_) => self.makes(&[SHAPE_OP, CONST_OP]),
            ReplacementKind::Modified(modifier, body) => {
                if let Modifier::Size(shape) = modifier {
                    self.replacement(shape, package);
                }
                self.replacement(body, package);
            }
            ReplacementKind::Select(_, first, second) => {
                self.replacement(first, package);
                self.replacement(second, package);
            }
            ReplacementKind::AutoSplit(_, _, _, body) => {
                self.makes(&[CONST_OP, CONCAT_OP]);
                self.replacement(body, package);
            }
            ReplacementKind::Iterate(base, _, _, _, body) => {
                self.replacement(base, package);
                self.replacement(body, package);
            }
            ReplacementKind::Slice(operand, start, size) => {
                self.makes(&[SLICE_OP]);
                [operand, start, size].into_iter().for_each(|part| self.replacement(part, package));
            }
            ReplacementKind::TypicalSlice(operand, ..) => {
                self.makes(&[SHAPE_OP, SLICE_OP]);
                self.replacement(operand, package);
            }
            ReplacementKind::ExternalReplace(_) => self.makes_any = true,
            ReplacementKind::ShapeFunction(_, _, operands) => {
                self.makes(&[SHAPE_OP]);
                for operand in operands {
                    if let ApplyOperand::Node(node) = operand {
                        self.replacement(node, package);
                    }
                }
            }
        }
    }
}

/// The ops of a rule's match, as MLIR calls them.
pub fn matched_ops(rule: &Rule) -> Vec<String> {
    let (mut names, mut pending) = (Vec::new(), vec![&rule.pattern]);
    while let Some(op) = pending.pop() {
        names.push(dialect::operation_name(&op.name.qualified(&rule.package)));
        let inner = op.operands.iter();
        pending.extend(inner.filter_map(|o| if let MatchOperand::Op(op) = o { Some(op) } else { None }));
    }
    names
}

/// The rules among `members` that can match: their ops are in the graph with types of which the conditions hold, or other
/// such rules may make them. The types of what is there stay: what takes a node's place has its output definition.
pub fn live(needs: &[Needs<'_>], members: &[usize], present: &Census, environment: &Environment) -> Vec<usize> {
    let mut made: HashSet<&str> = HashSet::new();
    let mut any = false;
    let mut waiting: Vec<usize> = members.to_vec();
    loop {
        let before = waiting.len();
        waiting.retain(|index| {
            let Needs { matched, made: makes, makes_any } = &needs[*index];
            let is_there = |asked: &Asked<'_>| {
                let signatures = present.ops.get(&asked.op).map_or(&[][..], Vec::as_slice);
                made.contains(asked.op.as_str()) || signatures.iter().any(|with| asked.holds(with, environment))
            };
            let can_match = any || matched.iter().all(is_there);
            if can_match {
                made.extend(makes.iter().map(String::as_str));
                any |= makes_any;
            }
            !can_match
        });
        if waiting.len() == before || waiting.is_empty() {
            break;
        }
    }
    let waiting: HashSet<usize> = waiting.into_iter().collect();
    members.iter().copied().filter(|index| !waiting.contains(index)).collect()
}
