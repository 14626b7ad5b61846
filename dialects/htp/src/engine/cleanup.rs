//! Removes dead nodes and merges common subexpressions, as the framework does between passes.

use crate::dialect::NAMESPACE;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, OperationRef, Type, walk};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashMap;

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
        if is_node(op) && !op.is_used() {
            with_rewriter(op, |rewriter| rewriter.erase(op))?;
        }
    }
    Ok(())
}

/// What nodes that compute the same have in common, but the block: name, operands, attributes and types of the results.
type Computation<'c> = (String, Vec<usize>, Vec<(&'c str, Attribute<'c>)>, Vec<Type<'c>>);

/// Merges nodes of one block that compute the same.
pub fn merge_common(container: OperationRef) -> Result<(), Failure> {
    let mut seen: HashMap<Computation, Vec<OperationRef>> = HashMap::new();
    for op in walk(container).into_iter().filter(|op| is_node(*op)) {
        let operands = op.operands().map(|operand| operand.key()).collect();
        let computation = (op.full_name().to_owned(), operands, op.attributes().collect(), op.result_types());
        let alike = seen.entry(computation).or_default();
        match alike.iter().find(|first| first.block() == op.block()) {
            Some(first) => with_rewriter(op, |rewriter| rewriter.replace(op, &first.result_values()))?,
            None => alike.push(op),
        }
    }
    Ok(())
}
