//! Operands, results and attributes of an operation by their declaration.

use crate::{GroupArity, OperationDefinition, ValueDefinition, predicate};
use skriptnd_mlir::ir::{Attribute, OperationRef, Value};

/// The attribute that sizes operand groups.
pub(super) const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
/// The attribute that sizes result groups.
pub(super) const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// The values that stand for the declared operand of an index; none if the operation is malformed.
pub fn operand_group<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    definition: &OperationDefinition,
    index: usize,
) -> Vec<Value<'c, 'a>> {
    let sizes = group_sizes(operation, definition.operands, OPERAND_SEGMENTS, operation.operand_count());
    let Some((start, count)) = sizes.as_deref().and_then(|sizes| extent(sizes, index)) else { return Vec::new() };
    operation.operands().skip(start).take(count).collect()
}

/// The values that stand for the declared result of an index; none if the operation is malformed.
pub fn result_group<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    definition: &OperationDefinition,
    index: usize,
) -> Vec<Value<'c, 'a>> {
    let sizes = group_sizes(operation, definition.results, RESULT_SEGMENTS, operation.result_count());
    let Some((start, count)) = sizes.as_deref().and_then(|sizes| extent(sizes, index)) else { return Vec::new() };
    operation.results().skip(start).take(count).collect()
}

/// The attribute of a name.
pub fn attribute<'c>(operation: OperationRef<'c, '_>, name: &str) -> Option<Attribute<'c>> {
    operation.get(name)
}

fn extent(sizes: &[usize], index: usize) -> Option<(usize, usize)> {
    Some((sizes[..index.min(sizes.len())].iter().sum(), *sizes.get(index)?))
}

/// How many values stand for each declaration: by the segment attribute; without one, all groups of open size share
/// what the single ones leave.
pub(super) fn group_sizes(
    operation: OperationRef<'_, '_>,
    declared: &[ValueDefinition],
    segments: &str,
    count: usize,
) -> Option<Vec<usize>> {
    if let Some(attribute) = attribute(operation, segments) {
        let sizes: Vec<usize> =
            predicate::integers(attribute).into_iter().map(|size| usize::try_from(size).unwrap_or(0)).collect();
        let sound = sizes.len() == declared.len()
            && sizes.iter().try_fold(0usize, |sum, size| sum.checked_add(*size)) == Some(count);
        return sound.then_some(sizes);
    }
    let single = declared.iter().filter(|value| value.arity == GroupArity::One).count();
    let open = declared.len() - single;
    let rest = count.checked_sub(single)?;
    if open == 0 {
        return (rest == 0).then(|| vec![1; declared.len()]);
    }
    let size = (rest % open == 0).then(|| rest / open)?;
    Some(declared.iter().map(|value| if value.arity == GroupArity::One { 1 } else { size }).collect())
}
