//! Operations that may be computed elsewhere, and what they depend on.

use crate::Error;
use skriptnd_mlir::ir::{OperationRef, Value, block_arguments, region_blocks, walk};
use std::collections::{HashMap, HashSet};

/// Operations without effects, whose order does not matter.
pub fn is_pure(operation: OperationRef<'_, '_>) -> bool {
    let name = operation.full_name();
    ["linalg.", "tensor.", "arith.", "math."].iter().any(|dialect| name.starts_with(dialect))
}

/// Operands of an operation and of those inside it, as far as they come from outside.
pub fn outside_operands<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let operations = walk(operation);
    let mut inside: HashSet<usize> = HashSet::new();
    for inner in operations.iter().skip(1) {
        inside.extend(inner.result_values().iter().map(Value::key));
    }
    for owner in &operations {
        for block in owner.regions().flat_map(region_blocks) {
            inside.extend(block_arguments(block).map(|argument| argument.key()));
        }
    }
    let operands = operations.iter().flat_map(|inner| inner.operands().collect::<Vec<_>>());
    operands.filter(|operand| !inside.contains(&operand.key())).collect()
}

/// Values from outside that operations inside a copied operation use.
pub fn rename_captured<'c: 'a, 'a>(
    copied: OperationRef<'c, 'a>,
    known: &HashMap<usize, Value<'c, 'a>>,
) -> Result<(), Error> {
    for inside in walk(copied).into_iter().skip(1) {
        for (index, operand) in inside.operands().collect::<Vec<_>>().into_iter().enumerate() {
            if let Some(value) = known.get(&operand.key()) {
                inside.set_operand(index, *value)?;
            }
        }
    }
    Ok(())
}
