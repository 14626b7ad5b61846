//! What goes on with a product element by element, and what it begins with.

use crate::views::structured::Structured;
use skriptnd_mlir::ir::{OperationRef, Value, types};
use skriptnd_mlir::ops;

/// Operations that go on with the elements of a product, at most.
const MOST_FOLLOWING: usize = 16;

/// What a product begins with, and what goes on with its results.
pub(super) fn around<'c: 'a, 'a>(structured: &Structured<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let first = structured.outputs.first().and_then(Value::defining_operation);
    first.into_iter().chain(following(structured.operation))
}

/// What goes on with the results of a product, one behind the other.
pub(super) fn following<'c: 'a, 'a>(product: OperationRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let next = |last: &OperationRef<'c, 'a>| last.result(0).ok().and_then(only_reader);
    std::iter::successors(next(&product), next).take(MOST_FOLLOWING)
}

/// What alone goes on with a tensor, element by element: one kernel does both, also where it has other dimensions between.
fn only_reader<'c: 'a, 'a>(result: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    let is_read =
        |user: &OperationRef<'c, 'a>| user.result_count() == 0 || user.result_values().iter().any(Value::is_used);
    let mut readers = result.uses().into_iter().map(|(user, _)| user).filter(is_read);
    let reader = readers.next().filter(|_| readers.next().is_none())?;
    if [ops::tensor::EXPAND_SHAPE, ops::tensor::COLLAPSE_SHAPE].contains(&reader.full_name()) {
        return Some(reader);
    }
    let structured = Structured::read(reader)?;
    let is_plain = structured.operation.result_count() == 1 && structured.is_parallel();
    let is_same = types::shape(result.r#type()) == types::shape(reader.result(0).ok()?.r#type());
    (is_plain && is_same).then_some(reader)
}
