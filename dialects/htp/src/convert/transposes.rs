//! Transposes that cancel.

use super::builder::{Nodes, replace};
use crate::apply::{Elements, Graph};
use crate::engine::{IrGraph, remove_dead};
use crate::generated::operations::TransposeOp;
use skriptnd_mlir::diagnostics::Failure;
use skriptnd_mlir::ir::{OperationRef, Value, walk};

/// Merges each transpose with the transpose before it, and removes those that move nothing.
pub fn cancel(container: OperationRef<'_, '_>) -> Result<(), Failure> {
    for op in walk(container) {
        let Some((input, permutation)) = TransposeOp::new(op).and_then(transpose) else { continue };
        let inner = input.defining_operation().and_then(TransposeOp::new).and_then(transpose);
        let merges = inner.is_some();
        let (input, permutation) = match inner {
            None => (input, permutation),
            Some((origin, first)) => {
                let composed = permutation.iter().map(|axis| first.get(*axis).copied()).collect::<Option<Vec<_>>>();
                (origin, composed.ok_or("has an operand of another rank")?)
            }
        };
        let nothing_moves = permutation.iter().copied().eq(0..permutation.len());
        if nothing_moves {
            replace::<Failure>(op, |_| Ok(vec![input]))?;
        } else if merges {
            replace(op, |to| to.transpose(input, &permutation).map(|value| vec![value]))?;
        }
    }
    remove_dead(container)
}

/// Input and permutation of a transpose.
pub fn transpose<'c: 'a, 'a>(op: TransposeOp<'c, 'a>) -> Option<(Value<'c, 'a>, Vec<usize>)> {
    let Some(Elements::Ints(axes)) = IrGraph::default().constant(op.permutation().ok()?) else { return None };
    let axes = axes.into_iter().map(|axis| usize::try_from(axis).ok()).collect::<Option<Vec<_>>>()?;
    Some((op.input().ok()?, axes))
}
