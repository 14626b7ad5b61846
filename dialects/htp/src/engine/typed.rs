//! What the condition of a rule says of the types of one op: most rules of a large file are left out by that alone.

use crate::apply::{Bindings, Elements, Environment, Evaluation, Graph, Identity, OutputDef};
use crate::dialect;
use crate::grammar::model::*;
use crate::grammar::root_outputs;

/// The types of an op: of its operands, then of its results.
#[derive(Debug)]
pub struct Signature {
    pub operands: usize,
    /// `None` where a type is no tensor of static shape.
    pub outputs: Vec<Option<OutputDef>>,
}

/// A signature as a graph: a node is a place in it.
impl Graph for Signature {
    type Node = usize;

    fn output_def(&self, node: usize) -> Option<OutputDef> {
        self.outputs.get(node).cloned().flatten()
    }

    fn op_called(&self, qualified: &str) -> String {
        dialect::operation_name(qualified)
    }

    fn op_name(&self, _: usize) -> Option<String> {
        None
    }

    fn inputs(&self, _: usize) -> Vec<usize> {
        Vec::new()
    }

    fn outputs(&self, node: usize) -> Vec<usize> {
        vec![node]
    }

    fn constant(&self, _: usize) -> Option<Elements> {
        None
    }

    fn identity(&self, _: usize) -> Identity {
        Identity::default()
    }
}

/// What a rule asks of the types of one op of its match.
#[derive(Debug)]
pub struct Asked<'r> {
    /// The op, as MLIR calls it.
    pub op: String,
    operands: usize,
    open: bool,
    is_root: bool,
    /// How many outputs it may have beside one.
    outputs: Option<usize>,
    /// The tag of its output.
    tag: Option<&'r str>,
    /// The tags of its operands, with their places.
    tags: Vec<(&'r str, usize)>,
    conditions: Vec<&'r Expr>,
}

/// What a rule asks of each op of its match.
pub fn asked(rule: &Rule) -> Vec<Asked<'_>> {
    let conjuncts = conjuncts(&rule.constraint);
    let (mut all, mut pending) = (Vec::new(), vec![&rule.pattern]);
    while let Some(op) = pending.pop() {
        let (mut tags, is_root) = (Vec::new(), std::ptr::eq(op, &rule.pattern));
        for (place, operand) in op.operands.iter().enumerate() {
            match operand {
                MatchOperand::Tag(tag, _) => tags.push((tag.as_str(), place)),
                MatchOperand::Op(inner) => {
                    tags.extend(inner.tag.as_deref().map(|tag| (tag, place)));
                    pending.push(inner);
                }
            }
        }
        let name = dialect::operation_name(&op.name.qualified(&rule.package));
        let (operands, open, tag) = (op.operands.len(), op.open, op.tag.as_deref());
        let outputs = root_outputs(rule).filter(|_| is_root);
        let mut asked = Asked { op: name, operands, open, is_root, outputs, tag, tags, conditions: Vec::new() };
        asked.conditions = conjuncts.iter().copied().filter(|conjunct| asked.tells(conjunct)).collect();
        all.push(asked);
    }
    all
}

fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Reduce(Reduction::And, operands) => operands.iter().flat_map(conjuncts).collect(),
        _ => vec![condition],
    }
}

impl<'r> Asked<'r> {
    /// Whether the types of a signature meet all that is asked.
    pub fn holds(&self, with: &Signature, environment: &Environment) -> bool {
        let fits = if self.open { with.operands >= self.operands } else { with.operands == self.operands };
        let results = with.outputs.len() - with.operands;
        if !fits || (results != 1 && Some(results) != self.outputs) {
            return false;
        }
        let root = with.operands;
        let own = self.tag.map(|tag| (tag, root));
        let tags = self.tags.iter().copied().chain(own).collect();
        let bindings = Bindings { root, tags };
        let evaluation = Evaluation::new(with, &bindings, environment);
        self.conditions.iter().all(|condition| evaluation.holds(condition))
    }

    /// Whether the types of this op alone tell what an expression is.
    fn tells(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Bool(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::DType(_)
            | ExprKind::ChunkSize(..) => true,
            ExprKind::Cast(inner)
            | ExprKind::Not(inner)
            | ExprKind::Neg(inner)
            | ExprKind::Abs(inner)
            | ExprKind::IsPow2(inner) => self.tells(inner),
            ExprKind::Select(condition, first, second) => {
                [condition, first, second].iter().all(|part| self.tells(part))
            }
            ExprKind::Reduce(_, operands) => operands.iter().all(|operand| self.tells(operand)),
            ExprKind::Arithmetic(_, a, b) | ExprKind::Compare(_, a, b) => self.tells(a) && self.tells(b),
            ExprKind::Property(property, of) => {
                !matches!(property, Property::Inputs | Property::Outputs) && self.has(of)
            }
            ExprKind::DimOf(of, index) => self.has(of) && self.tells(index),
            ExprKind::Same(sameness, a, b) => *sameness != Sameness::Op && self.has(a) && self.has(b),
            ExprKind::Option(_) | ExprKind::ConstantValue(..) | ExprKind::Split(..) | ExprKind::External(..) => false,
        }
    }

    fn has(&self, operand: &OperandRef) -> bool {
        match &operand.kind {
            OperandRefKind::Root => self.is_root,
            OperandRefKind::Tag(tag) => {
                self.tag == Some(tag.as_str()) || self.tags.iter().any(|(known, _)| known == tag)
            }
            OperandRefKind::Input(..) | OperandRefKind::Output(..) | OperandRefKind::Select(..) => false,
        }
    }
}
