//! Types that follow from the declaration: one way for assembly, builders and upstream's inference.

use crate::reference::{Reference, TypeSource};
use crate::{OperationDefinition, predicate};
use skriptnd_mlir::Failure;
use skriptnd_mlir::dialect::InferenceInput;
use skriptnd_mlir::ir::{Attribute, Context, OperationRef, Type, attributes, types};

impl TypeSource {
    /// The types: so many, or as many as those that they follow from, which `known` tells. None where they do not follow.
    pub(crate) fn types<'c>(
        &self,
        context: &'c Context,
        count: Option<usize>,
        known: impl Fn(Reference) -> Option<Vec<Type<'c>>>,
    ) -> Option<Vec<Type<'c>>> {
        let repeated = |types: Vec<Type<'c>>| match (types.as_slice(), count) {
            ([single], Some(count)) => vec![*single; count],
            _ => types,
        };
        match self {
            Self::Text | Self::Inferred => None,
            Self::Built(text) => types::parse(context, text).map(|found| vec![found; count.unwrap_or(1)]),
            Self::Made(make) => Some(vec![make(context); count.unwrap_or(1)]),
            Self::Same(of) => known(*of).map(repeated),
            Self::Transformed(of, make) => known(*of).map(|types| repeated(types.into_iter().map(make).collect())),
            Self::ElementsOf(of) => {
                let shaped = *known(*of)?.first()?;
                let elements = usize::try_from(predicate::get_num_elements(shaped)).ok()?;
                Some(vec![predicate::element_type(shaped); elements])
            }
        }
    }
}

/// The type that an attribute is or, if it is none, has.
pub(crate) fn type_of(attribute: Attribute<'_>) -> Type<'_> {
    attributes::as_type(attribute).unwrap_or_else(|| attribute.r#type())
}

/// The types of all results, each by its source.
pub(crate) fn result_types<'c>(
    definition: &OperationDefinition,
    sources: &[TypeSource],
    input: &InferenceInput<'c, '_>,
) -> Result<Vec<Type<'c>>, Failure> {
    let mut found: Vec<Option<Type<'c>>> = vec![None; sources.len()];
    // One may follow from the next.
    for _ in 0..sources.len() {
        for (index, source) in sources.iter().enumerate() {
            if found[index].is_none() {
                let known = |of| known_types(definition, input, &found, of);
                found[index] = source.types(input.context, Some(1), known).and_then(|types| types.first().copied());
            }
        }
    }
    let missing =
        |index: usize| Failure::new(format!("the type of result #{index} does not follow from what is given"));
    found.into_iter().enumerate().map(|(index, found)| found.ok_or_else(|| missing(index))).collect()
}

/// Requires of an operation the types of results that are inferred, with upstream's message.
pub fn verify_results(
    operation: OperationRef<'_, '_>,
    infer: impl for<'c, 'a> FnOnce(&InferenceInput<'c, 'a>) -> Result<Vec<Type<'c>>, Failure>,
) -> Result<(), Failure> {
    verify_compatible_results(operation, infer, |inferred, found| inferred == found)
}

/// The same, with types that need only be compatible with those that are inferred.
pub fn verify_compatible_results(
    operation: OperationRef<'_, '_>,
    infer: impl for<'c, 'a> FnOnce(&InferenceInput<'c, 'a>) -> Result<Vec<Type<'c>>, Failure>,
    are_compatible: impl FnOnce(&[Type<'_>], &[Type<'_>]) -> bool,
) -> Result<(), Failure> {
    let input = InferenceInput {
        context: operation.context(),
        location: Some(operation.location()),
        operands: operation.operands().collect(),
        attributes: operation.attributes().collect(),
        regions: operation.regions().collect(),
    };
    let (inferred, found) = (infer(&input)?, operation.result_types());
    let list = |types: &[Type<'_>]| {
        types.iter().map(|r#type| format!("'{type}'", r#type = r#type)).collect::<Vec<_>>().join(", ")
    };
    match are_compatible(&inferred, &found) {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "inferred type(s) {} are incompatible with return type(s) of operation {}",
            list(&inferred),
            list(&found)
        ))),
    }
}

fn known_types<'c>(
    definition: &OperationDefinition,
    input: &InferenceInput<'c, '_>,
    results: &[Option<Type<'c>>],
    of: Reference,
) -> Option<Vec<Type<'c>>> {
    match of {
        Reference::Operand(index) => {
            Some(definition.operand_group_of(input, index).iter().map(|value| value.r#type()).collect())
        }
        Reference::Result(index) => results[index].map(|found| vec![found]),
        Reference::Attribute(index) => {
            let declared = &definition.attributes[index];
            let default = || attributes::parse(input.context, declared.default?);
            let attribute = input.attribute(declared.name).or_else(default)?;
            Some(vec![type_of(attribute)])
        }
        _ => None,
    }
}
