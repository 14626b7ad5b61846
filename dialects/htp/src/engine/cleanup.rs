//! Removes dead nodes and merges common subexpressions, as the framework does between passes.

use crate::dialect::NAMESPACE;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, walk};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

fn is_node(op: OperationRef) -> bool {
    op.full_name().split('.').next() == Some(NAMESPACE)
}

/// Removes nodes that nothing uses.
pub fn remove_dead(container: OperationRef) -> Result<(), Failure> {
    // Users stand behind what they use, so one way back finds all.
    for op in walk(container).into_iter().rev() {
        if is_node(op) && !op.is_used() {
            with_rewriter(op, |rewriter| rewriter.erase(op))?;
        }
    }
    Ok(())
}

/// Merges nodes of one block that compute the same.
pub fn merge_common(container: OperationRef) -> Result<(), Failure> {
    let mut seen: HashMap<(String, Vec<usize>), Vec<OperationRef>> = HashMap::new();
    for op in walk(container).into_iter().filter(|op| is_node(*op)) {
        let operands = op.operands().map(|operand| operand.key()).collect();
        let alike = seen.entry((op.full_name().to_owned(), operands)).or_default();
        match alike.iter().find(|first| computes_same(**first, op)) {
            Some(first) => with_rewriter(op, |rewriter| rewriter.replace(op, &first.result_values()))?,
            None => alike.push(op),
        }
    }
    Ok(())
}

/// Whether ops of one name on the same operands have all else in common.
fn computes_same(a: OperationRef, b: OperationRef) -> bool {
    a.block() == b.block() && a.attributes().eq(b.attributes()) && a.result_types() == b.result_types()
}
