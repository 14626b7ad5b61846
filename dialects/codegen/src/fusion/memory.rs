//! Memory behind values: that of which a memref is a view, or in which a tensor lies where everything is computed in place.

use crate::views::shapes::outputs;
use skriptnd_mlir::ir::{OperationRef, Value, types};
use skriptnd_mlir::ops::{bufferization, linalg, memref, tensor};

/// What the memory of a value is said to be that of.
fn step<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<(OperationRef<'c, 'a>, Value<'c, 'a>)> {
    let made = value.defining_operation()?;
    let place = match made.full_name() {
        _ if is_view(made) => 0,
        tensor::INSERT | tensor::INSERT_SLICE | bufferization::MATERIALIZE => 1,
        linalg::GENERIC => {
            let number = made.results().position(|result| result.key() == value.key())?;
            (made.operand_count() + number).checked_sub(made.result_count())?
        }
        _ => return None,
    };
    Some((made, made.operand(place).ok()?))
}

/// The last of the values that a memory is that of, as long as the operations between may be passed.
fn origin<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    passes: impl Fn(OperationRef<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>) -> bool,
) -> Value<'c, 'a> {
    let mut value = value;
    while let Some((_, of)) = step(value).filter(|(made, of)| passes(*made, *of, value)) {
        value = of;
    }
    value
}

/// The memory that a view belongs to, or that a tensor lies in.
pub fn root<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Value<'c, 'a> {
    origin(memory, |_, _, _| true)
}

/// The memory that a view begins at the begin of.
pub fn base<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Value<'c, 'a> {
    origin(memory, |made, _, _| !is_view(made) || is_reshape(made) || is_cast(made))
}

/// The memory that a view has the strides of: it has more or fewer dimensions of extent 1.
pub fn without_units<'c: 'a, 'a>(memory: Value<'c, 'a>) -> Value<'c, 'a> {
    let others = |value: Value<'c, 'a>| {
        let shape = types::shape(value.r#type()).unwrap_or_default();
        shape.into_iter().filter(|extent| *extent != Some(1)).collect::<Vec<_>>()
    };
    origin(memory, |made, of, view| !is_view(made) || is_reshape(made) && others(of) == others(view))
}

fn is_reshape(operation: OperationRef<'_, '_>) -> bool {
    matches!(
        operation.full_name(),
        memref::COLLAPSE_SHAPE | memref::EXPAND_SHAPE | tensor::COLLAPSE_SHAPE | tensor::EXPAND_SHAPE
    )
}

fn is_cast(operation: OperationRef<'_, '_>) -> bool {
    matches!(operation.full_name(), memref::CAST | tensor::CAST)
}

/// Operations whose result is the memory of their first operand, or a part of it.
pub fn is_view(operation: OperationRef<'_, '_>) -> bool {
    let others = matches!(
        operation.full_name(),
        memref::SUBVIEW
            | memref::REINTERPRET_CAST
            | memref::BASE
            | memref::TRANSPOSE
            | memref::MEMORY_SPACE_CAST
            | memref::ASSUME_ALIGNMENT
            | tensor::EXTRACT_SLICE
            | bufferization::TO_TENSOR
            | bufferization::TO_BUFFER
    );
    others || is_reshape(operation) || is_cast(operation)
}

/// Operations that touch no memory.
pub fn is_harmless(operation: OperationRef<'_, '_>) -> bool {
    let name = operation.full_name();
    is_view(operation) || [memref::ALLOC, memref::GET_GLOBAL, memref::DIM].contains(&name) || name.starts_with("arith.")
}

/// Keys of the memory that an operation on memrefs writes; none if that is unknown.
pub fn written(operation: OperationRef<'_, '_>) -> Option<Vec<usize>> {
    match operation.full_name() {
        memref::COPY => Some(vec![root(operation.operand(1).ok()?).key()]),
        _ => Some(outputs(operation)?.into_iter().map(|output| root(output).key()).collect()),
    }
}
