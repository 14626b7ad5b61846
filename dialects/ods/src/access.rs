//! Operands and results of an operation by their declaration.

use crate::parts::Parts;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Attribute, OperationRef, Value};
use skriptnd_mlir::predicate;

/// The attribute that sizes operand groups.
pub(crate) const OPERAND_SEGMENTS: &str = "operandSegmentSizes";
/// The attribute that sizes result groups.
pub(crate) const RESULT_SEGMENTS: &str = "resultSegmentSizes";

/// How many values stand for a declared operand or result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupArity {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// The shape of an operation: what its typed view and its builder need to know of its declaration.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    /// The whole name.
    pub name: &'static str,
    /// How many values stand for each declared operand.
    pub operands: &'static [GroupArity],
    /// How many values stand for each declared result.
    pub results: &'static [GroupArity],
    /// The declared regions.
    pub regions: &'static [RegionSignature],
    /// Whether an attribute sizes the operand groups.
    pub operand_segments: bool,
    /// Whether an attribute sizes the result groups.
    pub result_segments: bool,
}

/// A declared region, as far as building needs it.
#[derive(Debug, Clone, Copy)]
pub struct RegionSignature {
    /// Its name, empty where it has none.
    pub name: &'static str,
    /// Whether any number of regions stands for it.
    pub variadic: bool,
}

impl Signature {
    /// The values that stand for the declared operand of an index; none if the operation is malformed.
    pub fn operand_group<'c, P: Parts<'c>>(&self, of: P, index: usize) -> Vec<P::Value> {
        operand_group(of, self.operands.iter().copied(), self.operand_segments, index)
    }

    /// Which operands stand for the declared one of an index.
    pub fn operand_range<'c, P: Parts<'c>>(&self, of: P, index: usize) -> std::ops::Range<usize> {
        let segments = self.operand_segments.then(|| of.attribute(OPERAND_SEGMENTS)).flatten();
        range(group_sizes(segments, self.operands.iter().copied(), of.operand_count()), index)
    }

    /// The same in groups, whose sizes an attribute says; none if it is not right.
    pub fn operand_groups<'c, P: Parts<'c>>(&self, of: P, index: usize, sizes: &str) -> Vec<Vec<P::Value>> {
        grouped(self.operand_group(of, index), of.attribute(sizes))
    }

    /// The values that stand for the declared result of an index; none if the operation is malformed.
    pub fn result_group<'c, 'a>(&self, operation: OperationRef<'c, 'a>, index: usize) -> Vec<Value<'c, 'a>> {
        result_group(operation, self.results.iter().copied(), self.result_segments, index)
    }

    /// The value of a declared operand that must be there.
    pub fn operand<'c, P: Parts<'c>>(&self, of: P, index: usize) -> Result<P::Value, Failure> {
        let missing = || Failure::new(format!("'{}' has no operand #{index}", self.name));
        self.operand_group(of, index).first().copied().ok_or_else(missing)
    }

    /// The value of a declared result that must be there.
    pub fn result<'c, 'a>(&self, operation: OperationRef<'c, 'a>, index: usize) -> Result<Value<'c, 'a>, Failure> {
        let missing = || Failure::new(format!("'{}' has no result #{index}", self.name));
        self.result_group(operation, index).first().copied().ok_or_else(missing)
    }

    /// What an attribute that must be there is read as.
    pub fn required<T>(&self, name: &str, value: Option<T>) -> Result<T, Failure> {
        value.ok_or_else(|| Failure::new(format!("'{}' has no attribute '{name}' of the declared kind", self.name)))
    }
}

/// The values of an operand group; `sized` where an attribute sizes the groups.
pub(crate) fn operand_group<'c, P: Parts<'c>>(
    of: P,
    declared: impl Iterator<Item = GroupArity> + Clone,
    sized: bool,
    index: usize,
) -> Vec<P::Value> {
    let segments = sized.then(|| of.attribute(OPERAND_SEGMENTS)).flatten();
    let sizes = group_sizes(segments, declared, of.operand_count());
    sizes
        .as_deref()
        .and_then(|sizes| extent(sizes, index))
        .map_or(Vec::new(), |(start, count)| of.operands(start, count))
}

/// Values in groups of these sizes; none if they are not those of so many values.
pub(crate) fn grouped<V: Copy>(values: Vec<V>, sizes: Option<Attribute<'_>>) -> Vec<Vec<V>> {
    let sizes = sizes.map(predicate::integers).unwrap_or_default();
    let groups = sizes.len();
    let Some(sizes) = segment_sizes(&sizes, groups, values.len()) else { return Vec::new() };
    let mut rest = values.into_iter();
    sizes.into_iter().map(|size| rest.by_ref().take(size).collect()).collect()
}

/// The values of a result group; `sized` where an attribute sizes the groups.
pub(crate) fn result_group<'c, 'a>(
    operation: OperationRef<'c, 'a>,
    declared: impl Iterator<Item = GroupArity> + Clone,
    sized: bool,
    index: usize,
) -> Vec<Value<'c, 'a>> {
    let segments = sized.then(|| operation.get(RESULT_SEGMENTS)).flatten();
    let sizes = group_sizes(segments, declared, operation.result_count());
    let Some((start, count)) = sizes.as_deref().and_then(|sizes| extent(sizes, index)) else { return Vec::new() };
    operation.results().skip(start).take(count).collect()
}

/// The positions of a group; none if the operation is malformed.
pub(crate) fn range(sizes: Option<Vec<usize>>, index: usize) -> std::ops::Range<usize> {
    let (start, count) = sizes.as_deref().and_then(|sizes| extent(sizes, index)).unwrap_or_default();
    start..start + count
}

/// Where a group begins and how many belong to it.
pub(crate) fn extent(sizes: &[usize], index: usize) -> Option<(usize, usize)> {
    Some((sizes[..index.min(sizes.len())].iter().sum(), *sizes.get(index)?))
}

/// How many values stand for each declaration: by the segment attribute; without one, all groups of open size share
/// what the single ones leave.
pub(crate) fn group_sizes(
    segments: Option<Attribute<'_>>,
    declared: impl Iterator<Item = GroupArity> + Clone,
    count: usize,
) -> Option<Vec<usize>> {
    match segments {
        Some(attribute) => segment_sizes(&predicate::integers(attribute), declared.count(), count),
        None => shared_sizes(declared, count),
    }
}

/// The sizes that a segment attribute says, if they are those of all groups.
pub(crate) fn segment_sizes(sizes: &[i64], groups: usize, count: usize) -> Option<Vec<usize>> {
    let sizes: Vec<usize> = sizes.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect();
    let sound =
        sizes.len() == groups && sizes.iter().try_fold(0usize, |sum, size| sum.checked_add(*size)) == Some(count);
    sound.then_some(sizes)
}

/// The sizes where all groups of open size are equal.
pub(crate) fn shared_sizes(declared: impl Iterator<Item = GroupArity> + Clone, count: usize) -> Option<Vec<usize>> {
    let groups = declared.clone().count();
    let single = declared.clone().filter(|arity| *arity == GroupArity::One).count();
    let open = groups - single;
    let rest = count.checked_sub(single)?;
    if open == 0 {
        return (rest == 0).then(|| vec![1; groups]);
    }
    let size = (rest % open == 0).then(|| rest / open)?;
    Some(declared.map(|arity| if arity == GroupArity::One { 1 } else { size }).collect())
}
