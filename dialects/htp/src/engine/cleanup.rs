//! Removes dead nodes and merges common subexpressions, as the framework does between passes.

use crate::dialect::NAMESPACE;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, walk};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

fn is_node(op: OperationRef) -> bool {
    op.full_name().split('.').next() == Some(NAMESPACE)
}

/// Removes dead nodes, and merges common subexpressions.
pub fn clean(container: OperationRef) -> Result<(), Failure> {
    remove_dead(container)?;
    merge_common(container)
}

/// Removes nodes that nothing uses.
pub fn remove_dead(container: OperationRef) -> Result<(), Failure> {
    // Users stand behind what they use, so one way back finds all.
    for op in walk(container).into_iter().rev() {
        if !op.is_used() && is_node(op) {
            with_rewriter(op, |rewriter| rewriter.erase(op))?;
        }
    }
    Ok(())
}

/// Merges nodes of one block that compute the same.
pub fn merge_common(container: OperationRef) -> Result<(), Failure> {
    // Nodes with the number of the one before that has the same hash: a graph of any size takes two allocations.
    let mut kept: Vec<(OperationRef, Option<usize>)> = Vec::new();
    let mut last: HashMap<u64, usize> = HashMap::new();
    let mut nodes: HashMap<usize, bool> = HashMap::new();
    for op in walk(container) {
        if !*nodes.entry(op.name_key()).or_insert_with(|| is_node(op)) {
            continue;
        }
        let hash = hash(op);
        let before = last.get(&hash).copied();
        let mut alike = std::iter::successors(before, |index| kept[*index].1).map(|index| kept[index].0);
        match alike.find(|first| computes_same(*first, op)) {
            Some(first) => with_rewriter(op, |rewriter| rewriter.replace(op, &first.result_values()))?,
            None => {
                last.insert(hash, kept.len());
                kept.push((op, before));
            }
        }
    }
    Ok(())
}

/// Whether two nodes of one block have the same name, operands, attributes and types of results.
fn computes_same(first: OperationRef, second: OperationRef) -> bool {
    first.block() == second.block()
        && first.name_key() == second.name_key()
        && first.operands().map(|operand| operand.key()).eq(second.operands().map(|operand| operand.key()))
        && first.attribute_dictionary() == second.attribute_dictionary()
        && first.result_types() == second.result_types()
}

/// Equal for nodes that compute the same.
fn hash(op: OperationRef) -> u64 {
    let mut hasher = DefaultHasher::new();
    op.name_key().hash(&mut hasher);
    op.operands().for_each(|operand| operand.key().hash(&mut hasher));
    op.attribute_dictionary().hash(&mut hasher);
    hasher.finish()
}
