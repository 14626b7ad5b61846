//! Which ops a graph has, and which rules can match there.

use crate::apply::plan::{CONCAT_OP, CONST_OP, SHAPE_OP, SLICE_OP};
use crate::dialect;
use crate::grammar::model::*;
use skriptnd_mlir::ir::{OperationRef, walk};
use std::collections::HashSet;

/// Names of ops, as MLIR has them.
pub type Names = HashSet<String>;

/// The ops inside a container.
pub fn census(container: OperationRef<'_, '_>) -> Names {
    let mut names: HashSet<&str> = HashSet::new();
    names.extend(walk(container).into_iter().map(|op| op.full_name()));
    names.into_iter().map(str::to_owned).collect()
}

/// What a rule has to do with ops.
#[derive(Debug, Default)]
pub struct Needs {
    /// The ops of its match.
    matched: Names,
    /// The ops that its replacement may make.
    made: Names,
    /// Whether an external function makes whatever it likes.
    makes_any: bool,
}

impl Needs {
    /// Of a rule.
    pub fn of(rule: &Rule) -> Self {
        let mut needs = Needs { matched: matched_ops(rule).into_iter().collect(), ..Needs::default() };
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

/// The rules among `members` that can match: their ops are in the graph, or other such rules may make them.
pub fn live(needs: &[Needs], members: &[usize], present: &Names) -> Vec<usize> {
    let mut made: HashSet<&str> = HashSet::new();
    let mut any = false;
    let mut waiting: Vec<usize> = members.to_vec();
    loop {
        let before = waiting.len();
        waiting.retain(|index| {
            let Needs { matched, made: makes, makes_any } = &needs[*index];
            let can_match = any || matched.iter().all(|op| present.contains(op) || made.contains(op.as_str()));
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
