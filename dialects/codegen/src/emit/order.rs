//! What may be computed later than where it stands: which memory operations read and write, and what stands between them.

use crate::structured::{Structured, outputs};
use skriptnd_mlir::ir::{OperationRef, Value, types};
use skriptnd_mlir::ops::memref;

/// How many operations may stand between two that become one kernel. Without a limit, the time to look for them would grow
/// with the square of the graph.
pub(super) const MOST_BETWEEN: usize = 256;

/// The memory that a view belongs to.
pub fn root<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut memory = memory;
    while let Some(view) = memory.defining_operation().filter(|operation| is_view(*operation)) {
        match view.operand(0) {
            Ok(source) => memory = source,
            Err(_) => break,
        }
    }
    memory
}

/// The memory that a view begins at the begin of.
pub(super) fn base<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Value<'c, 'a> {
    let mut memory = memory;
    while let Some(view) = memory.defining_operation() {
        match view.operand(0) {
            Ok(source) if is_reshape(view) || view.full_name() == memref::CAST => memory = source,
            _ => break,
        }
    }
    memory
}

/// The memory that a view has the strides of: it has more or fewer dimensions of extent 1.
pub(super) fn without_units<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Value<'c, 'a> {
    let others = |value: Value<'c, 'a>| {
        let shape = types::shape(value.r#type()).unwrap_or_default();
        shape.into_iter().filter(|extent| *extent != Some(1)).collect::<Vec<_>>()
    };
    let mut memory = memory;
    while let Some(view) = memory.defining_operation() {
        match view.operand(0) {
            Ok(source) if is_reshape(view) && others(source) == others(memory) => memory = source,
            _ => break,
        }
    }
    memory
}

fn is_reshape(operation: OperationRef<'_, '_>) -> bool {
    matches!(operation.full_name(), memref::COLLAPSE_SHAPE | memref::EXPAND_SHAPE)
}

/// Operations whose result is the memory of their first operand.
pub fn is_view(operation: OperationRef<'_, '_>) -> bool {
    matches!(
        operation.full_name(),
        memref::SUBVIEW
            | memref::COLLAPSE_SHAPE
            | memref::EXPAND_SHAPE
            | memref::REINTERPRET_CAST
            | memref::BASE
            | memref::CAST
            | memref::TRANSPOSE
            | memref::MEMORY_SPACE_CAST
            | memref::ASSUME_ALIGNMENT
    )
}

/// Operations that touch no memory.
pub(super) fn is_harmless(operation: OperationRef<'_, '_>) -> bool {
    let name = operation.full_name();
    is_view(operation) || name == memref::ALLOC || name == memref::GET_GLOBAL || name.starts_with("arith.")
}

/// Keys of the memory that an operation writes; none if that is unknown.
pub(super) fn written(operation: OperationRef<'_, '_>) -> Option<Vec<usize>> {
    match operation.full_name() {
        memref::COPY => Some(vec![root(operation.operand(1).ok()?).key()]),
        _ => Some(outputs(operation)?.into_iter().map(|output| root(output).key()).collect()),
    }
}

/// The operation before `place` in its block that last touched the memory.
pub(super) fn previous_access<'c: 'a, 'a>(
    place: OperationRef<'c, 'a>,
    memory: Value<'c, 'a>,
) -> Option<OperationRef<'c, 'a>> {
    let key = root(memory).key();
    let mut before = place.previous();
    for _ in 0..MOST_BETWEEN {
        let operation = before?;
        let asks = operation.full_name() == memref::DIM;
        if operation.operands().any(|operand| root(operand).key() == key) && !is_view(operation) && !asks {
            return Some(operation);
        }
        if operation.region_count() > 0 && outputs(operation).is_none() {
            return None;
        }
        before = operation.previous();
    }
    None
}

/// Whether what `early` reads is not written before `late`.
pub(super) fn inputs_stay(early: &Structured<'_, '_>, late: OperationRef<'_, '_>) -> bool {
    let kept: Vec<usize> = early.inputs.iter().map(|input| root(*input).key()).collect();
    writes_nothing_of(&kept, early.operation, late)
}

/// Whether no operation between two of a block writes any of this memory.
pub(super) fn writes_nothing_of(kept: &[usize], early: OperationRef<'_, '_>, late: OperationRef<'_, '_>) -> bool {
    let mut between = early.next();
    for _ in 0..MOST_BETWEEN {
        let Some(operation) = between else { return false };
        if operation == late {
            return true;
        }
        let writes = || written(operation).is_none_or(|roots| roots.iter().any(|key| kept.contains(key)));
        if !is_harmless(operation) && writes() {
            return false;
        }
        between = operation.next();
    }
    false
}
