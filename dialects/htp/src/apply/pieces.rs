//! Splits, slices and iterations.

use super::argument::Argument;
use super::functions::{size_along, start_along};
use super::plan::*;
use super::planner::{Inherited, Planner};
use super::{Elements, Graph, OutputDef, Scope, SplitRecord};
use crate::grammar::model::*;
use skriptnd_source::Span;

impl<G: Graph> Planner<'_, G> {
    /// One body for each slice of the output, put together along the dimension.
    pub(super) fn autosplit(
        &mut self,
        dimension: &Expr,
        tag: &str,
        size: &Expr,
        body: &Replacement,
        inherited: &Inherited<G::Node>,
    ) -> Option<Source<G::Node>> {
        let dimension = u64::try_from(self.evaluation.integer(dimension)?).ok()?;
        let axis = usize::try_from(dimension).ok()?;
        let size = u64::try_from(self.evaluation.integer(size)?).ok().filter(|size| *size > 0)?;
        let extent = inherited.output.dims.get(axis).copied()?;
        let count = extent.div_ceil(size);
        if !(1..=MAX_PIECES as u64).contains(&count) {
            let told = || format!("an extent of {extent} in slices of {size} is {count} slices, not 1 to {MAX_PIECES}");
            return self.refuse(body.span, told);
        }
        let mut pieces = Vec::new();
        for piece in 0..count {
            let start = piece * size;
            let scope = Scope { tag: tag.to_owned(), dimension, start, size: size.min(extent - start) };
            let mut inner = inherited.clone();
            inner.output.dims[axis] = scope.size;
            inner.whole.get_or_insert_with(|| inherited.output.dims.clone());
            let original = Id::Of(self.evaluation.bindings.root);
            inner.lineage.history.push(SplitRecord {
                dimension: dimension as i64,
                original,
                size: i64::try_from(size).ok()?,
            });
            pieces.push(self.within(scope, body, &inner)?);
        }
        if let [only] = pieces[..] {
            return Some(only);
        }
        let axis = self.array(Elements::Ints(vec![i64::try_from(dimension).ok()?]))?;
        pieces.insert(0, axis);
        self.make(CONCAT_OP, pieces, inherited)
    }

    /// The op of the base, with an input for each step behind its own.
    pub(super) fn iterate(
        &mut self,
        base: &Replacement,
        tag: &str,
        [low, high]: [&Expr; 2],
        body: &Replacement,
        inherited: &Inherited<G::Node>,
    ) -> Option<Source<G::Node>> {
        let (low, high) = (self.evaluation.integer(low)?, self.evaluation.integer(high)?);
        let (low, high) = (u64::try_from(low).ok()?, u64::try_from(high).unwrap_or(0));
        if high.saturating_sub(low) > MAX_PIECES as u64 {
            return None;
        }
        let base = self.part(base, inherited)?;
        let (op, mut inputs) = match base {
            Source::Existing(node) => {
                let inputs = self.evaluation.graph.inputs(node).into_iter().map(Source::Existing).collect();
                (self.evaluation.graph.op_name(node)?, inputs)
            }
            Source::New(node, _) => {
                let node = self.plan.nodes.get(node)?;
                (node.op.clone(), node.inputs.clone())
            }
        };
        let inner = Inherited { outputs: 1, ..inherited.clone() };
        for step in low..high {
            let scope = Scope { tag: tag.to_owned(), dimension: 0, start: step, size: 1 };
            inputs.push(self.within(scope, body, &inner)?);
        }
        let made = self.make("", inputs, inherited)?;
        if let Source::New(node, _) = made {
            self.plan.nodes[node].op = op;
        }
        Some(made)
    }

    fn within(&mut self, scope: Scope, body: &Replacement, inherited: &Inherited<G::Node>) -> Option<Source<G::Node>> {
        self.evaluation.scopes.push(scope);
        let built = self.part(body, inherited);
        self.evaluation.scopes.pop();
        built
    }

    /// `TYPICAL_SLICE`, and with a dimension `CHANGEDIM_SLICE`.
    pub(super) fn typical_slice(
        &mut self,
        operand: &Replacement,
        tag: &str,
        dimension: Option<&Expr>,
        inherited: &Inherited<G::Node>,
    ) -> Option<Source<G::Node>> {
        let span = operand.span;
        let operand = self.part(operand, &inherited.of_sliced())?;
        let split = self.evaluation.scope(tag)?.clone();
        let dimension = match dimension {
            Some(dimension) => u64::try_from(self.evaluation.integer(dimension)?).ok()?,
            None => split.dimension,
        };
        let arguments = [Argument::Node(self.output_of(operand)?, None)];
        let start = self.shape(start_along(&split, &arguments, dimension)?)?;
        let size = self.shape(size_along(&split, &arguments, dimension)?)?;
        self.slice(operand, start, size, span)
    }

    /// A part of a tensor: one node, however often it is taken. Undefined beyond the tensor.
    pub(super) fn slice(
        &mut self,
        operand: Source<G::Node>,
        start: Source<G::Node>,
        size: Source<G::Node>,
        span: Span,
    ) -> Option<Source<G::Node>> {
        let OutputDef { dims, encoding } = self.output_of(operand)?;
        let (from, extents) = (self.output_of(start)?.dims, self.output_of(size)?.dims);
        let fits = from.len() == dims.len()
            && extents.len() == dims.len()
            && dims
                .iter()
                .zip(from.iter().zip(&extents))
                .all(|(extent, (from, size))| from.checked_add(*size).is_some_and(|end| end <= *extent));
        if !fits {
            let told = || format!("a slice at {from:?} of size {extents:?} is not within a tensor of shape {dims:?}");
            return self.refuse(span, told);
        }
        let encoding = encoding.sliced(&from, &extents)?;
        let output = OutputDef { dims: extents, encoding };
        self.shared(SLICE_OP, vec![operand, start, size], output, None)
    }

    /// The extents that an external function gives.
    pub(super) fn shape_function(
        &mut self,
        function: &str,
        tag: Option<&str>,
        operands: &[ApplyOperand],
        inherited: &Inherited<G::Node>,
        span: Span,
    ) -> Option<Vec<u64>> {
        let mut arguments = Vec::with_capacity(operands.len());
        for operand in operands {
            arguments.push(match operand {
                ApplyOperand::Scalar(expr) => Argument::Scalar(self.evaluation.evaluate(expr)?),
                ApplyOperand::Node(node) => {
                    let node = self.part(node, inherited)?;
                    Argument::Node(self.output_of(node)?, self.elements_of(node))
                }
            });
        }
        let split = match tag {
            Some(tag) => Some(self.evaluation.scope(tag)?),
            None => None,
        };
        let (functions, split) = (&self.evaluation.environment.functions, split.cloned());
        let shape = functions.shape_of(function, split.as_ref(), &arguments);
        shape.or_else(|| self.refuse(span, || format!("`{function}` gives no shape for these operands")))
    }

    fn elements_of(&self, source: Source<G::Node>) -> Option<Elements> {
        match source {
            Source::Existing(node) => self.evaluation.graph.constant(node),
            Source::New(node, _) => self.plan.nodes.get(node)?.elements.clone(),
        }
    }
}
