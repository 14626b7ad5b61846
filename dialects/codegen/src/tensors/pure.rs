//! Operations that may be computed elsewhere, and what they depend on.

use crate::Error;
use skriptnd_mlir::ir::{OperationRef, Value, walk};
use std::collections::HashMap;

/// Operations without effects, whose order does not matter.
pub fn is_pure(operation: OperationRef<'_, '_>) -> bool {
    let name = operation.full_name();
    ["linalg.", "tensor.", "arith.", "math."].iter().any(|dialect| name.starts_with(dialect))
}

/// Operands of an operation and of those inside it, as far as they come from outside.
pub fn outside_operands<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut operands: Vec<_> = operation.operands().collect();
    if operation.regions().next().is_some() {
        let inside = walk(operation).into_iter().skip(1).flat_map(|inner| inner.operands().collect::<Vec<_>>());
        operands.extend(inside.filter(|operand| !is_inside(*operand, operation)));
    }
    operands
}

/// Whether an operation is around a value.
fn is_inside<'c: 'a, 'a>(value: Value<'c, 'a>, operation: OperationRef<'c, 'a>) -> bool {
    let mut around = match value.defining_operation() {
        Some(definition) => definition.parent_operation(),
        None => value.as_argument().and_then(|(block, _)| block.parent_operation()),
    };
    while let Some(own) = around {
        if own.key() == operation.key() {
            return true;
        }
        around = own.parent_operation();
    }
    false
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
