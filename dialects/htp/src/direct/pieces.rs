//! Splits, slices and iterations.

use super::graph::Output;
use super::replace::{Around, Builder};
use crate::apply::plan::{CONCAT_OP, MAX_PIECES, SLICE_OP};
use crate::apply::{Elements, OutputDef, Scope, SplitRecord};
use crate::grammar::model::*;

impl Builder<'_> {
    pub(super) fn split(
        &mut self,
        dimension: &Expr,
        tag: &str,
        size: &Expr,
        body: &Replacement,
        around: &Around,
    ) -> Option<Output> {
        let dimension = usize::try_from(self.whole_number(dimension)?).ok()?;
        let size = self.whole_number(size).filter(|size| *size > 0)?;
        let extent = i64::try_from(*around.output.dims.get(dimension)?).ok()?;
        if extent == 0 || (extent - 1) / size >= MAX_PIECES {
            return None;
        }
        let mut parts = Vec::new();
        let mut start = 0;
        while start < extent {
            let part = size.min(extent - start);
            let mut within = around.clone();
            within.output.dims[dimension] = part as u64;
            if within.unsplit.is_none() {
                within.unsplit = Some(around.output.dims.clone());
            }
            let original = self.id(self.found.root)?;
            within.identity.history.push(SplitRecord { dimension: dimension as i64, original, size });
            let scope =
                Scope { tag: tag.to_owned(), dimension: dimension as u64, start: start as u64, size: part as u64 };
            self.scopes.push(scope);
            let built = self.build(body, &within);
            self.scopes.pop();
            parts.push(built?);
            start += size;
        }
        if parts.len() == 1 {
            return parts.pop();
        }
        let axis = self.array(Elements::Ints(vec![dimension as i64]));
        parts.insert(0, axis);
        Some(self.add(CONCAT_OP, parts, around))
    }

    pub(super) fn iterate(
        &mut self,
        base: &Replacement,
        tag: &str,
        low: &Expr,
        high: &Expr,
        body: &Replacement,
        around: &Around,
    ) -> Option<Output> {
        let (low, high) = (self.whole_number(low)?, self.whole_number(high)?);
        if low < 0 || high.max(0) - low > MAX_PIECES {
            return None;
        }
        let base = self.build(base, around)?;
        let op = self.graph.node(base.node).op.clone()?;
        let mut inputs = self.graph.node(base.node).inputs.clone();
        for step in low..high {
            self.scopes.push(Scope { tag: tag.to_owned(), dimension: 0, start: step as u64, size: 1 });
            let built = self.build(body, &Around { outputs: 1, ..around.clone() });
            self.scopes.pop();
            inputs.push(built?);
        }
        Some(self.add(&op, inputs, around))
    }

    pub(super) fn slice(&mut self, of: Output, start: Output, size: Output) -> Option<Output> {
        let whole = self.output_def(of);
        let (from, extents) = (self.output_def(start).dims, self.output_def(size).dims);
        if from.len() != whole.dims.len() || extents.len() != whole.dims.len() {
            return None;
        }
        for (axis, extent) in whole.dims.iter().enumerate() {
            if from[axis] > *extent || extents[axis] > extent - from[axis] {
                return None;
            }
        }
        let output = OutputDef { encoding: whole.encoding.sliced(&from, &extents)?, dims: extents };
        Some(self.add_once(SLICE_OP, &[of, start, size], output, None))
    }

    /// What a slice takes: it is made before the split.
    pub(super) fn sliced(&mut self, operand: &Replacement, around: &Around) -> Option<Output> {
        let mut before = around.clone();
        if let Some(dims) = before.unsplit.take() {
            before.output.dims = dims;
        }
        self.build(operand, &before)
    }

    pub(super) fn typical_slice(
        &mut self,
        operand: &Replacement,
        tag: &str,
        dimension: Option<&Expr>,
        around: &Around,
    ) -> Option<Output> {
        let operand = self.sliced(operand, around)?;
        let scope = self.scope(tag)?;
        let dimension = match dimension {
            Some(dimension) => usize::try_from(self.whole_number(dimension)?).ok()?,
            None => usize::try_from(scope.dimension).ok()?,
        };
        let mut size = self.output_def(operand).dims;
        let mut start = vec![0; size.len()];
        *size.get_mut(dimension)? = scope.size;
        start[dimension] = scope.start;
        let (start, size) = (self.shape(start), self.shape(size));
        self.slice(operand, start, size)
    }
}
