//! Declared operands and results of operations, where PDL cannot tell them apart.

use std::ops::Range;

use skriptnd_mlir::ir::{OperationRef, Value, attributes};
use skriptnd_mlir::rewrite::PdlValue;

use super::Given;

/// Which values of an operation a part is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Its operands.
    Operands,
    /// Its results.
    Results,
}

/// A declared operand or result of an operation, or one value of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'s> {
    /// Which values it is of.
    pub side: Side,
    /// Whether each declared operand or result is a group.
    pub groups: &'s [bool],
    /// Which of them it is.
    pub index: usize,
    /// Which value of the group, if it is one.
    pub item: Option<usize>,
}

impl Part<'_> {
    /// The values; none if the operation is not grouped as declared, or has no such value.
    pub fn values<'c: 'a, 'a>(&self, operation: OperationRef<'c, 'a>) -> Option<Vec<Value<'c, 'a>>> {
        let all = all(operation, self.side);
        let range = ranges(operation, self.side, self.groups, all.len())?.get(self.index)?.clone();
        let values = all.get(range)?;
        match self.item {
            Some(item) => Some(vec![*values.get(item)?]),
            None => Some(values.to_vec()),
        }
    }
}

fn all<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, side: Side) -> Vec<Value<'c, 'a>> {
    match side {
        Side::Operands => operation.operands().collect(),
        Side::Results => operation.results().collect(),
    }
}

/// Where each declared operand or result is: as the segment attribute says, or groups share what single values leave.
fn ranges(operation: OperationRef<'_, '_>, side: Side, groups: &[bool], count: usize) -> Option<Vec<Range<usize>>> {
    let segments = match side {
        Side::Operands => "operandSegmentSizes",
        Side::Results => "resultSegmentSizes",
    };
    let sizes: Vec<usize> = match operation.get(segments).and_then(attributes::as_integers) {
        Some(sizes) => sizes.into_iter().map(|size| usize::try_from(size).ok()).collect::<Option<_>>()?,
        None => {
            let several = groups.iter().filter(|group| **group).count();
            let rest = count.checked_sub(groups.len() - several)?;
            if rest != 0 && (several == 0 || rest % several != 0) {
                return None;
            }
            groups.iter().map(|group| if *group { rest / several } else { 1 }).collect()
        }
    };
    if sizes.len() != groups.len() || sizes.iter().sum::<usize>() != count {
        return None;
    }
    let range = |end: &mut usize, size: usize| {
        *end += size;
        Some(*end - size..*end)
    };
    Some(sizes.into_iter().scan(0, range).collect())
}

/// Whether the operands of an operation are grouped as declared, into groups of these sizes; a negative one admits any.
pub fn grouped<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>]) -> Option<bool> {
    let mut given = Given::new(arguments);
    let operation = given.operation()?;
    let groups: Vec<bool> = attributes::as_integers(given.attribute()?)?.into_iter().map(|group| group != 0).collect();
    let wanted = attributes::as_integers(given.attribute()?)?;
    let Some(ranges) = ranges(operation, Side::Operands, &groups, operation.operands().count()) else {
        return Some(false);
    };
    Some(ranges.iter().zip(wanted).all(|(range, size)| usize::try_from(size).map_or(true, |size| size == range.len())))
}

/// Whether some operands of an operation are the same as others, or as a value or values.
pub fn equal<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>]) -> Option<bool> {
    let mut given = Given::new(arguments);
    let part = next(&mut given, Side::Operands)?;
    let other = match given.rest.first()? {
        // A part of another operation.
        _ if given.rest.len() > 1 => next(&mut given, Side::Operands)?,
        _ => given.values()?,
    };
    Some(part == other)
}

/// The part that the arguments say: an operation, which of its values are groups, and the index, maybe with an item.
fn read<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>], side: Side) -> Option<Vec<Value<'c, 'a>>> {
    next(&mut Given::new(arguments), side)
}

fn next<'c: 'a, 'a>(given: &mut Given<'c, 'a, '_>, side: Side) -> Option<Vec<Value<'c, 'a>>> {
    let operation = given.operation()?;
    let groups: Vec<bool> = attributes::as_integers(given.attribute()?)?.into_iter().map(|group| group != 0).collect();
    let path = attributes::as_integers(given.attribute()?)?;
    let mut path = path.into_iter().map(|index| usize::try_from(index).ok());
    Part { side, groups: &groups, index: path.next()??, item: path.next().flatten() }.values(operation)
}

/// One value.
pub fn value<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>], side: Side) -> Option<Vec<PdlValue<'c, 'a>>> {
    read(arguments, side)?.first().map(|value| vec![PdlValue::Value(*value)])
}

/// Any number of values.
pub fn values<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>], side: Side) -> Option<Vec<PdlValue<'c, 'a>>> {
    Some(vec![PdlValue::Values(read(arguments, side)?)])
}

/// The types of any number of results.
pub fn types<'c: 'a, 'a>(arguments: &[PdlValue<'c, 'a>]) -> Option<Vec<PdlValue<'c, 'a>>> {
    let types = read(arguments, Side::Results)?.iter().map(|value| value.r#type()).collect();
    Some(vec![PdlValue::Types(types)])
}
