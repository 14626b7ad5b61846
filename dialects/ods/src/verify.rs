//! The verifier that follows from declared constraints. The messages are upstream's.

use crate::access::{OPERAND_SEGMENTS, RESULT_SEGMENTS, group_sizes};
use crate::{GroupArity, OperationDefinition, ValueDefinition, predicate};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::Trait;
use skriptnd_mlir::ir::{Attribute, OperationRef, Type};

/// Checks an operation against its declaration. Attributes that `exempt` holds for need not be of the declared kind.
pub fn verify(
    operation: OperationRef<'_, '_>,
    definition: &OperationDefinition,
    exempt: fn(Attribute<'_>) -> bool,
) -> Result<(), Failure> {
    verify_attributes(operation, definition, exempt)?;
    let operands: Vec<Type> = operation.operands().map(|value| value.r#type()).collect();
    let results: Vec<Type> = operation.results().map(|value| value.r#type()).collect();
    let sized = definition.has_trait(Trait::AttrSizedOperandSegments).then_some(OPERAND_SEGMENTS);
    verify_values(operation, definition.operands, &operands, "operand", sized)?;
    let sized = definition.has_trait(Trait::AttrSizedResultSegments).then_some(RESULT_SEGMENTS);
    verify_values(operation, definition.results, &results, "result", sized)?;
    verify_regions(operation, definition)?;
    match definition.predicates.iter().find(|predicate| !(predicate.holds)(operation)) {
        Some(predicate) => Err(Failure::new(format!("failed to verify that {}", predicate.summary))),
        None => Ok(()),
    }
}

fn verify_attributes(
    operation: OperationRef<'_, '_>,
    definition: &OperationDefinition,
    exempt: fn(Attribute<'_>) -> bool,
) -> Result<(), Failure> {
    for declared in definition.attributes {
        let what = if declared.property { "property" } else { "attribute" };
        match operation.get(declared.name) {
            None if declared.required => {
                return Err(Failure::new(format!("requires {what} '{}'", declared.name)));
            }
            Some(attribute) if !(declared.accepts)(attribute) && !exempt(attribute) => {
                return Err(Failure::new(format!(
                    "{what} '{}' failed to satisfy constraint: {}",
                    declared.name, declared.summary
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

fn verify_values(
    operation: OperationRef<'_, '_>,
    declared: &[ValueDefinition],
    types: &[Type<'_>],
    what: &str,
    segments: Option<&str>,
) -> Result<(), Failure> {
    if let Some(segments) = segments {
        verify_segments(operation, Some(declared.len()), types.len(), what, segments)?;
    }
    let sizes = group_sizes(
        segments.and_then(|name| operation.get(name)),
        declared.iter().map(|value| value.arity),
        types.len(),
    )
    .ok_or_else(|| Failure::new(format!("has {} {what}s, which do not fit its declaration", types.len())))?;
    let mut start = 0;
    for (value, size) in declared.iter().zip(sizes) {
        if let Some(groups) = value.groups {
            verify_segments(operation, None, size, value.name, groups)?;
        }
        if size < value.minimum {
            let minimum = value.minimum;
            let message =
                format!("{what} group starting at #{start} requires at least {minimum} elements, but found {size}");
            return Err(Failure::new(message));
        }
        let expected = match value.arity {
            GroupArity::One if size != 1 => Some("exactly 1 element"),
            GroupArity::Optional if size > 1 => Some("0 or 1 element"),
            _ => None,
        };
        if let Some(expected) = expected {
            return Err(Failure::new(format!(
                "{what} group starting at #{start} requires {expected}, but found {size}"
            )));
        }
        for (offset, r#type) in types[start..start + size].iter().enumerate() {
            if !(value.accepts)(*r#type) {
                let index = start + offset;
                return Err(Failure::new(format!(
                    "{what} #{index} must be {}, but got '{type}'",
                    value.summary,
                    r#type = r#type
                )));
            }
        }
        start += size;
    }
    Ok(())
}

fn verify_segments(
    operation: OperationRef<'_, '_>,
    groups: Option<usize>,
    count: usize,
    what: &str,
    name: &str,
) -> Result<(), Failure> {
    let Some(sizes) = operation.get(name).filter(|sizes| predicate::is_dense_i32_array_attr(*sizes)) else {
        return Err(Failure::new(format!("requires dense i32 array attribute '{name}'")));
    };
    let sizes = predicate::integers(sizes);
    if sizes.iter().any(|size| *size < 0) {
        return Err(Failure::new(format!("'{name}' attribute cannot have negative elements")));
    }
    if let Some(groups) = groups.filter(|groups| sizes.len() != *groups) {
        return Err(Failure::new(format!(
            "'{name}' attribute for specifying {what} segments must have {groups} elements, but got {}",
            sizes.len()
        )));
    }
    let sum = sizes.iter().fold(0i64, |sum, size| sum.saturating_add(*size));
    match usize::try_from(sum) == Ok(count) {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "{what} count ({count}) does not match with the total size ({sum}) specified in attribute '{name}'"
        ))),
    }
}

fn verify_regions(operation: OperationRef<'_, '_>, definition: &OperationDefinition) -> Result<(), Failure> {
    for (index, region) in operation.regions().enumerate() {
        // A variadic region is the last one.
        let Some(declared) = definition.regions.get(index).or(definition.regions.last()) else { continue };
        if !(declared.accepts)(region) {
            let name = if declared.name.is_empty() { String::new() } else { format!(" ('{}')", declared.name) };
            return Err(Failure::new(format!(
                "region #{index}{name} failed to verify constraint: {}",
                declared.summary
            )));
        }
    }
    Ok(())
}
