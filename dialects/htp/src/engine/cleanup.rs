//! Removes dead nodes and merges common subexpressions, as the framework does between passes.

use crate::dialect::NAMESPACE;
use skriptnd_mlir::Error;
use skriptnd_mlir::ir::{OperationExt, OperationLike, OperationRef, ValueExt, walk};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

fn is_node(op: OperationRef) -> bool {
    op.full_name().split('.').next() == Some(NAMESPACE)
}

/// Removes nodes that nothing uses.
pub fn remove_dead(container: OperationRef) -> Result<(), Error> {
    // Users stand behind what they use, so one way back finds all.
    for op in walk(container).into_iter().rev() {
        if is_node(op) && !op.is_used() {
            with_rewriter(op, |rewriter| rewriter.erase(op))?;
        }
    }
    Ok(())
}

/// Merges nodes of one block that compute the same.
pub fn merge_common(container: OperationRef) -> Result<(), Error> {
    let mut seen: HashMap<String, OperationRef> = HashMap::new();
    for op in walk(container).into_iter().filter(|op| is_node(*op)) {
        match seen.get(&key(op)).copied() {
            Some(first) => with_rewriter(op, |rewriter| rewriter.replace(op, &first.result_values()))?,
            None => {
                seen.insert(key(op), op);
            }
        }
    }
    Ok(())
}

/// What equal nodes have in common: block, name, operands, attributes, types.
fn key(op: OperationRef) -> String {
    let block = op.block().map(|b| b.to_raw().ptr as usize);
    let operands: Vec<usize> = op.operands().map(|operand| operand.key()).collect();
    let attributes: Vec<String> = op.attributes().map(|(name, value)| format!("{name:?}={value}")).collect();
    let types: Vec<String> = op.result_types().iter().map(ToString::to_string).collect();
    format!("{block:?} {} {operands:?} {attributes:?} {types:?}", op.full_name())
}
