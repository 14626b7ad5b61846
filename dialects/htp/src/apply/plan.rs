//! What a replacement will build, decided before anything is changed.

use super::{Bindings, Elements, Encoding, Evaluation, Graph, Options, OutputDef, Scalar};
use crate::grammar::model::*;

/// Elements that a rule may give to a constant.
const MAX_CONSTANT_ELEMENTS: i64 = 1 << 20;
/// The op that holds a shape: the shape of its output.
pub const SHAPE_OP: &str = "$Shape";
/// The op that holds a constant.
pub const CONST_OP: &str = "$Const";

/// A node of the graph after replacement.
#[derive(Debug, Clone, PartialEq)]
pub enum Planned<N> {
    /// One that is there.
    Existing(N),
    /// A shape.
    Shape(Vec<u64>),
    /// A constant.
    Constant(Elements, OutputDef),
    /// A new op.
    Op {
        /// The op's name, with package.
        name: String,
        /// The operands, in order.
        inputs: Vec<Planned<N>>,
        /// Shape and encoding of the result.
        output: OutputDef,
        /// The node whose id it inherits.
        id: N,
    },
}

/// The output definition and id that new ops get.
#[derive(Debug, Clone)]
struct Inherited<N> {
    output: OutputDef,
    id: N,
}

/// The replacement of a match, if the rule's condition holds and all of the replacement is defined. Its output
/// definition is the root's, so that the root's users stay well formed.
pub fn plan<G: Graph>(
    rule: &Rule,
    graph: &G,
    bindings: &Bindings<'_, G::Node>,
    options: &Options,
    package: &str,
) -> Option<Planned<G::Node>> {
    let evaluation = Evaluation { graph, bindings, options };
    if !evaluation.holds(&rule.constraint) {
        return None;
    }
    let output = graph.output_def(bindings.root)?;
    let planner = Planner { evaluation, package };
    let planned = planner.replacement(&rule.replacement, &Inherited { output: output.clone(), id: bindings.root })?;
    (planned != Planned::Existing(bindings.root) && planner.output_of(&planned)? == output).then_some(planned)
}

struct Planner<'a, G: Graph> {
    evaluation: Evaluation<'a, G>,
    package: &'a str,
}

impl<G: Graph> Planner<'_, G> {
    fn replacement(&self, part: &Replacement, inherited: &Inherited<G::Node>) -> Option<Planned<G::Node>> {
        match &part.kind {
            ReplacementKind::Existing(operand) => Some(Planned::Existing(self.evaluation.operand(operand)?)),
            ReplacementKind::Op(name, operands) => {
                let inputs =
                    operands.iter().map(|operand| self.replacement(operand, inherited)).collect::<Option<_>>()?;
                Some(self.op(name, inputs, inherited))
            }
            ReplacementKind::Wrap(name, inner, always) => self.wrap(name, inner, *always, inherited),
            ReplacementKind::Constant(builder) => self.constant(builder),
            ReplacementKind::Modified(modifier, body) => {
                let changed = self.modified(modifier, inherited)?;
                self.replacement(body, &changed)
            }
            ReplacementKind::Select(condition, first, second) => {
                let chosen = match self.evaluation.evaluate(condition)? {
                    Scalar::Bool(true) => first,
                    _ => second,
                };
                self.replacement(chosen, inherited)
            }
            // Refused before rules are applied.
            ReplacementKind::MultiOut(..)
            | ReplacementKind::AutoSplit(..)
            | ReplacementKind::Iterate(..)
            | ReplacementKind::IterInput(..)
            | ReplacementKind::Slice(..)
            | ReplacementKind::TypicalSlice(..)
            | ReplacementKind::ExternalReplace(_)
            | ReplacementKind::ShapeFunction(..) => None,
        }
    }

    fn op(&self, name: &OpName, inputs: Vec<Planned<G::Node>>, inherited: &Inherited<G::Node>) -> Planned<G::Node> {
        let Inherited { output, id } = inherited.clone();
        Planned::Op { name: name.qualified(self.package), inputs, output, id }
    }

    /// The wrapping op has the output of what it wraps; `WrapOp` around an op of its own name adds none.
    fn wrap(
        &self,
        name: &OpName,
        inner: &Replacement,
        always: bool,
        inherited: &Inherited<G::Node>,
    ) -> Option<Planned<G::Node>> {
        let inner = self.replacement(inner, inherited)?;
        let qualified = name.qualified(self.package);
        let wrapped_already = match &inner {
            Planned::Op { name, .. } => *name == qualified,
            Planned::Existing(node) => self.evaluation.graph.is_op(*node, &qualified),
            Planned::Shape(_) | Planned::Constant(..) => false,
        };
        if wrapped_already && !always {
            return Some(inner);
        }
        let output = self.output_of(&inner)?;
        Some(self.op(name, vec![inner], &Inherited { output, id: inherited.id }))
    }

    fn output_of(&self, planned: &Planned<G::Node>) -> Option<OutputDef> {
        match planned {
            Planned::Existing(node) => self.evaluation.graph.output_def(*node),
            Planned::Shape(dims) => Some(shape_output(dims.clone())),
            Planned::Constant(_, output) | Planned::Op { output, .. } => Some(output.clone()),
        }
    }

    fn modified(&self, modifier: &Modifier, outer: &Inherited<G::Node>) -> Option<Inherited<G::Node>> {
        let mut changed = outer.clone();
        let output = &mut changed.output;
        let def = |operand: &OperandRef| self.evaluation.graph.output_def(self.evaluation.operand(operand)?);
        match modifier {
            // The first operand is built with the outer definition.
            Modifier::Size(shape) => output.dims = self.output_of(&self.replacement(shape, outer)?)?.dims,
            Modifier::Type(operand) => output.encoding = def(operand)?.encoding,
            Modifier::SameOutput(operand) => *output = def(operand)?,
            Modifier::OutputType(dtype, zero_offset, step_size) => {
                let evaluate = |expr| self.evaluation.evaluate(expr);
                if let (Scalar::DType(dtype), Scalar::Int(zero_offset), Scalar::Float(step_size)) =
                    (evaluate(dtype)?, evaluate(zero_offset)?, evaluate(step_size)?)
                {
                    output.encoding = Encoding { dtype, zero_offset, step_size };
                }
            }
            Modifier::ResizeDim(dimension, extent) => {
                let dimension = usize::try_from(self.evaluation.integer(dimension)?).ok()?;
                *output.dims.get_mut(dimension)? = u64::try_from(self.evaluation.integer(extent)?).ok()?;
            }
            Modifier::SameId(operand) => changed.id = self.evaluation.operand(operand)?,
            Modifier::MultiOut(_) | Modifier::SplitHistory(..) => return None,
        }
        Some(changed)
    }

    fn constant(&self, builder: &ConstantBuilder) -> Option<Planned<G::Node>> {
        let evaluation = &self.evaluation;
        Some(match builder {
            ConstantBuilder::Shape(extents) => {
                let extent = |expr| u64::try_from(evaluation.integer(expr)?).ok();
                Planned::Shape(extents.iter().map(extent).collect::<Option<_>>()?)
            }
            ConstantBuilder::ShapeOf(operand) => {
                Planned::Shape(evaluation.graph.output_def(evaluation.operand(operand)?)?.dims)
            }
            ConstantBuilder::ScalarFloat(value) => array(Elements::Reals(vec![self.real(value)?])),
            ConstantBuilder::ScalarInt(value) => array(Elements::Ints(vec![self.int(value)?])),
            ConstantBuilder::FilledFloat(value, count) => {
                array(Elements::Reals(vec![self.real(value)?; self.count(count)?]))
            }
            ConstantBuilder::FilledInt(value, count) => {
                array(Elements::Ints(vec![self.int(value)?; self.count(count)?]))
            }
            ConstantBuilder::Ints(values) => {
                array(Elements::Ints(values.iter().map(|value| self.int(value)).collect::<Option<_>>()?))
            }
        })
    }

    fn real(&self, expr: &Expr) -> Option<f64> {
        match self.evaluation.evaluate(expr)?.convert(Type::Float)? {
            Scalar::Float(value) => Some(f64::from(value)),
            _ => None,
        }
    }

    fn int(&self, expr: &Expr) -> Option<i64> {
        match self.evaluation.evaluate(expr)?.convert(Type::Int)? {
            Scalar::Int(value) => Some(i64::from(value)),
            _ => None,
        }
    }

    fn count(&self, expr: &Expr) -> Option<usize> {
        let count = self.evaluation.integer(expr).filter(|count| (1..=MAX_CONSTANT_ELEMENTS).contains(count))?;
        usize::try_from(count).ok()
    }
}

/// The output of a shape op: what counts is the shape.
pub fn shape_output(dims: Vec<u64>) -> OutputDef {
    OutputDef { dims, encoding: Encoding::plain(DType::Int32) }
}

/// An array of shape `[1, 1, 1, n]`.
fn array<N>(elements: Elements) -> Planned<N> {
    let (count, dtype) = match &elements {
        Elements::Ints(values) => (values.len(), DType::Int32),
        Elements::Reals(values) => (values.len(), DType::Float32),
    };
    let output = OutputDef { dims: vec![1, 1, 1, count as u64], encoding: Encoding::plain(dtype) };
    Planned::Constant(elements, output)
}
