//! From formulas to programs.

use super::fault::FormulaFault;
use super::nodes::{NodeId, PerNode};
use super::program::{Access, Bounds, Check, ComputedIndex, LoopSet, Node, NodeKind, Program};
use super::storage::Tensors;
use super::{contraction, schedule};
use skriptnd_language::arithmetic;
use skriptnd_language::compose::formula::{
    AccessIndex, Assignment, Guard, LinearForm, ScalarExpr, ScalarKind, TensorRef,
};
use skriptnd_language::compose::value::{ScalarType, Value};
use skriptnd_syntax::ast::{BinaryOp, UnaryOp};

/// Deepest nesting of an expression.
const MAX_DEPTH: usize = 4000;

/// Compiles one assignment.
pub(super) fn compile(assignment: &Assignment, tensors: Tensors) -> Result<Program, FormulaFault> {
    let mut compiler = Compiler {
        tensors,
        extents: assignment.loops.iter().map(|index| index.extent).collect(),
        written: assignment.targets.iter().map(|target| target.tensor).collect(),
        nodes: PerNode::new(),
        locals: Vec::new(),
        local_forms: Vec::new(),
    };
    for local in &assignment.locals {
        let node = compiler.root(local)?;
        let form = LinearForm::of(local, &compiler.local_forms);
        compiler.locals.push(node);
        compiler.local_forms.push(form);
    }
    let condition_start = compiler.nodes.next();
    let condition = assignment.condition.as_ref().map(|condition| compiler.root(condition)).transpose()?;
    let condition_nodes = condition_start..compiler.nodes.next();
    let mut targets = Vec::new();
    let mut values = Vec::new();
    for (target, value) in assignment.targets.iter().zip(&assignment.values) {
        let dtype = compiler.tensors.shape(target.tensor)?.dtype;
        let node = compiler.root(value)?;
        values.push(compiler.converted(node, dtype, None));
        targets.push(compiler.access(target.tensor, &target.indices, None)?);
    }
    if values.len() != assignment.values.len() || values.len() != assignment.targets.len() {
        return Err(FormulaFault::Inconsistent("targets and values differ in number"));
    }
    let Compiler { extents, nodes, .. } = compiler;
    let (op, span) = (assignment.op, assignment.span);
    let schedule = Default::default();
    let contraction = None;
    let mut program =
        Program { extents, nodes, targets, values, condition, condition_nodes, op, span, schedule, contraction };
    program.schedule = schedule::choose(&program);
    program.contraction = contraction::recognise(&program);
    Ok(program)
}

struct Compiler<'a> {
    tensors: Tensors<'a>,
    extents: Vec<i64>,
    written: Vec<TensorRef>,
    nodes: PerNode<Node>,
    locals: Vec<NodeId>,
    local_forms: Vec<Option<LinearForm>>,
}

impl Compiler<'_> {
    /// An expression that is not part of another one.
    fn root(&mut self, expression: &ScalarExpr) -> Result<NodeId, FormulaFault> {
        check_depth(expression)?;
        self.expression(expression, None)
    }

    fn expression(&mut self, expression: &ScalarExpr, mask: Option<NodeId>) -> Result<NodeId, FormulaFault> {
        let dtype = expression.dtype;
        if let Some(form) = self.affine(expression) {
            return Ok(self.push(NodeKind::Affine(form), ScalarType::Int, mask));
        }
        let kind = match &expression.kind {
            ScalarKind::Const(value) => constant(value, dtype)?,
            ScalarKind::Index(number) => {
                NodeKind::Affine(self.index(*number).ok_or(FormulaFault::Inconsistent("an index without a loop"))?)
            }
            ScalarKind::Local(number) => {
                let node = self.locals.get(*number).copied();
                return node.ok_or(FormulaFault::Inconsistent("a local value is used before it is computed"));
            }
            ScalarKind::Access { tensor, indices } => {
                let dtype = self.tensors.shape(*tensor)?.dtype;
                let access = self.access(*tensor, indices, mask)?;
                return Ok(self.push(NodeKind::Load(access), dtype, mask));
            }
            ScalarKind::Unary(op, a) => NodeKind::Unary(*op, self.expression(a, mask)?),
            ScalarKind::Binary(op, a, b) => {
                let (a, b) = (self.expression(a, mask)?, self.expression(b, mask)?);
                NodeKind::Binary(*op, a, b)
            }
            ScalarKind::Select(condition, a, b) => return self.select(condition, a, b, dtype, mask),
            ScalarKind::Cast(a) => {
                let a = self.expression(a, mask)?;
                return Ok(self.converted(a, dtype, mask));
            }
            ScalarKind::Builtin(function, a) => NodeKind::Builtin(*function, self.expression(a, mask)?),
        };
        Ok(self.push(kind, dtype, mask))
    }

    /// The affine form of an integer expression if no iteration overflows.
    fn affine(&self, expression: &ScalarExpr) -> Option<LinearForm> {
        if expression.dtype != ScalarType::Int {
            return None;
        }
        let form = LinearForm::of(expression, &self.local_forms)?;
        form.range(&self.extents).map(|_| form)
    }

    fn index(&self, number: usize) -> Option<LinearForm> {
        let index = ScalarExpr { dtype: ScalarType::Int, kind: ScalarKind::Index(number) };
        self.affine(&index)
    }

    fn select(
        &mut self,
        condition: &ScalarExpr,
        a: &ScalarExpr,
        b: &ScalarExpr,
        dtype: ScalarType,
        mask: Option<NodeId>,
    ) -> Result<NodeId, FormulaFault> {
        let condition = self.expression(condition, mask)?;
        let taken = self.push(NodeKind::Mask(mask, condition, true), ScalarType::Bool, None);
        let a = self.expression(a, Some(taken))?;
        let a = self.converted(a, dtype, Some(taken));
        let refused = self.push(NodeKind::Mask(mask, condition, false), ScalarType::Bool, None);
        let b = self.expression(b, Some(refused))?;
        let b = self.converted(b, dtype, Some(refused));
        Ok(self.push(NodeKind::Select(condition, a, b), dtype, mask))
    }

    fn converted(&mut self, node: NodeId, dtype: ScalarType, mask: Option<NodeId>) -> NodeId {
        if self.nodes[node].dtype == dtype { node } else { self.push(NodeKind::Cast(node), dtype, mask) }
    }

    fn access(
        &mut self,
        tensor: TensorRef,
        indices: &[AccessIndex],
        mask: Option<NodeId>,
    ) -> Result<Access, FormulaFault> {
        let shape = self.tensors.shape(tensor)?.shape.clone();
        if shape.len() != indices.len() {
            return Err(FormulaFault::Inconsistent("an access has not as many indices as its tensor dimensions"));
        }
        let mut access =
            Access { tensor, offset: LinearForm::constant(0), checks: vec![], computed: vec![], forms: vec![] };
        for (dimension, index) in indices.iter().enumerate() {
            let stride = shape[dimension + 1..].iter().product::<usize>() as i64;
            let skip = matches!(index.guard, Guard::Skip);
            let bounds = Bounds { dimension, extent: shape[dimension] as i64, skip };
            let form = match index.guard {
                Guard::Remap { .. } => None,
                _ => self.affine(&index.index),
            };
            let offset = form.as_ref().and_then(|form| self.add_offset(&access.offset, form, stride));
            if let (Some(form), Some(offset)) = (&form, offset) {
                access.offset = offset;
                let range = form.range(&self.extents);
                if range.is_none_or(|(low, high)| low < 0 || high >= bounds.extent) {
                    access.checks.push(Check { form: form.clone(), bounds });
                }
            } else {
                let node = self.computed_index(index, bounds.extent, mask)?;
                access.computed.push(ComputedIndex { node, stride, bounds });
            }
            access.forms.push(form);
        }
        Ok(access)
    }

    /// The address with one more index, if no iteration overflows.
    fn add_offset(&self, offset: &LinearForm, index: &LinearForm, stride: i64) -> Option<LinearForm> {
        let sum = offset.plus(index, stride)?;
        sum.range(&self.extents).map(|_| sum)
    }

    /// `|i <> below : above|` is a choice; what it chooses must be inside.
    fn computed_index(
        &mut self,
        index: &AccessIndex,
        extent: i64,
        mask: Option<NodeId>,
    ) -> Result<NodeId, FormulaFault> {
        let node = self.expression(&index.index, mask)?;
        let Guard::Remap { below, above } = &index.guard else { return Ok(node) };
        let (below, above) = (self.expression(below, mask)?, self.expression(above, mask)?);
        let (zero, extent) = (self.int(0), self.int(extent));
        let is_below = self.push(NodeKind::Binary(BinaryOp::Lt, node, zero), ScalarType::Bool, mask);
        let is_above = self.push(NodeKind::Binary(BinaryOp::Ge, node, extent), ScalarType::Bool, mask);
        let clipped = self.push(NodeKind::Select(is_above, above, node), ScalarType::Int, mask);
        Ok(self.push(NodeKind::Select(is_below, below, clipped), ScalarType::Int, mask))
    }

    fn int(&mut self, value: i64) -> NodeId {
        self.push(NodeKind::Int(value), ScalarType::Int, None)
    }

    fn push(&mut self, kind: NodeKind, dtype: ScalarType, mask: Option<NodeId>) -> NodeId {
        let operands = operands(&kind);
        let own = match &kind {
            NodeKind::Affine(form) => LoopSet::of(form.loops()),
            NodeKind::Load(access) => {
                let checked = access.checks.iter().flat_map(|check| check.form.loops());
                LoopSet::of(access.offset.loops().chain(checked))
            }
            _ => LoopSet::default(),
        };
        let loops = operands.iter().chain(&mask).fold(own, |set, &node| set.union(self.nodes[node].loops));
        let volatile = match &kind {
            NodeKind::Load(access) => {
                !access.checks.is_empty() || !access.computed.is_empty() || self.written.contains(&access.tensor)
            }
            NodeKind::Binary(op, ..) => dtype == ScalarType::Int && arithmetic::may_be_undefined(*op),
            _ => false,
        };
        let volatile = volatile || operands.iter().any(|&node| self.nodes[node].volatile);
        self.nodes.push(Node { kind, dtype, mask, loops, volatile })
    }
}

/// The nodes whose values a node uses.
pub(super) fn operands(kind: &NodeKind) -> Vec<NodeId> {
    match kind {
        NodeKind::Real(_) | NodeKind::Int(_) | NodeKind::Bool(_) | NodeKind::Affine(_) => vec![],
        NodeKind::Load(access) => access.computed.iter().map(|index| index.node).collect(),
        NodeKind::Unary(_, a) | NodeKind::Cast(a) | NodeKind::Builtin(_, a) => vec![*a],
        NodeKind::Binary(_, a, b) => vec![*a, *b],
        NodeKind::Select(c, a, b) => vec![*c, *a, *b],
        NodeKind::Mask(outer, condition, _) => outer.iter().copied().chain([*condition]).collect(),
    }
}

fn constant(value: &Value, dtype: ScalarType) -> Result<NodeKind, FormulaFault> {
    Ok(match (value, dtype) {
        (Value::Real(value), ScalarType::Real) => NodeKind::Real(*value as f32),
        (Value::Int(value), ScalarType::Real) => NodeKind::Real(*value as f32),
        (Value::Int(value), ScalarType::Int) => NodeKind::Int(*value),
        (Value::Bool(value), ScalarType::Bool) => NodeKind::Bool(*value),
        _ => return Err(FormulaFault::Inconsistent("a constant has not the type of its expression")),
    })
}

/// Refuses expressions that recursion can't follow.
pub(super) fn check_depth(expression: &ScalarExpr) -> Result<(), FormulaFault> {
    if is_deeper_than(expression, MAX_DEPTH) { Err(FormulaFault::TooDeep(MAX_DEPTH)) } else { Ok(()) }
}

/// Without recursion: the answer decides whether there may be any.
fn is_deeper_than(expression: &ScalarExpr, limit: usize) -> bool {
    let mut pending = vec![(expression, 1)];
    while let Some((expression, depth)) = pending.pop() {
        if depth > limit {
            return true;
        }
        match &expression.kind {
            ScalarKind::Const(_) | ScalarKind::Index(_) | ScalarKind::Local(_) => {}
            ScalarKind::Access { indices, .. } => {
                for index in indices {
                    pending.push((&index.index, depth + 1));
                    if let Guard::Remap { below, above } = &index.guard {
                        pending.extend([(&**below, depth + 1), (&**above, depth + 1)]);
                    }
                }
            }
            ScalarKind::Unary(UnaryOp::Plus | UnaryOp::Neg | UnaryOp::Not, a)
            | ScalarKind::Cast(a)
            | ScalarKind::Builtin(_, a) => pending.push((a, depth + 1)),
            ScalarKind::Binary(_, a, b) => pending.extend([(&**a, depth + 1), (&**b, depth + 1)]),
            ScalarKind::Select(c, a, b) => pending.extend([c, a, b].map(|part| (&**part, depth + 1))),
        }
    }
    false
}
