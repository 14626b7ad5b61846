//! From a definition to what MLIR registers.

use crate::infer::{result_types, verify_results};
use crate::parse::parse_operation;
use crate::print::print_operation;
use crate::verify::verify;
use crate::{Affected, DeclaredEffect, GroupArity, OperationDefinition, ValueDefinition};
use skriptnd_mlir::dialect::{Arity, Effect, EffectTarget, Effects, OperationSpec, Trait, ValueNames};
use skriptnd_mlir::ir::{Attribute, OperationRef};

/// The specification of a declared operation: its traits, effects, assembly, and a verifier of its constraints.
pub fn specification(definition: &'static OperationDefinition) -> OperationSpec {
    specification_with(definition, |_| false)
}

/// The same; attributes that `exempt` holds for need not be of the declared kind.
pub fn specification_with(
    definition: &'static OperationDefinition,
    exempt: fn(Attribute<'_>) -> bool,
) -> OperationSpec {
    let mut specification = OperationSpec::new(definition.name)
        .with_traits(definition.traits.iter().copied())
        .operands(arity(definition.operands))
        .results(arity(definition.results))
        .regions(count(definition.regions.iter().map(|region| region.variadic)))
        .successors(count(definition.successors.iter().map(|successor| successor.variadic)))
        .attributes(definition.attributes.iter().map(|attribute| attribute.name))
        .parent(definition.parents.iter().copied())
        .verifier(move |operation: OperationRef<'_, '_>| verify(operation, definition, exempt));
    if definition.has_trait(Trait::AttrSizedOperandSegments) {
        specification = specification.attribute(crate::access::OPERAND_SEGMENTS);
    }
    if definition.has_trait(Trait::AttrSizedResultSegments) {
        specification = specification.attribute(crate::access::RESULT_SEGMENTS);
    }
    if definition.results.len() > 1 && definition.results.iter().any(|result| !result.name.is_empty()) {
        specification = specification.result_names(|operation| definition.result_names(operation));
    }
    if let Some(terminator) = definition.implicit_terminator {
        specification = specification.implicit_terminator(terminator);
    }
    if let Some(kinds) = definition.effects {
        specification = specification.effects(effects(definition, kinds));
    }
    if let Some(inferred) = definition.inferred {
        specification =
            specification.type_inference(move |input| result_types(definition, inferred, input)).further_verifier(
                move |operation| verify_results(operation, |input| result_types(definition, inferred, input)),
            );
    }
    match &definition.format {
        Some(format) => specification.assembly(
            move |parser| parse_operation(parser, definition, format),
            move |operation, printer| print_operation(operation, printer, definition, format.elements),
        ),
        None => specification,
    }
}

/// Effects on groups of values are computed: which operands belong to one, the operation says.
fn effects(definition: &'static OperationDefinition, effects: &'static [DeclaredEffect]) -> Effects {
    match effects {
        [] => Effects::None,
        effects => Effects::Computed(Box::new(move |operation| {
            effects.iter().flat_map(|effect| definition.affected(operation, *effect)).collect()
        })),
    }
}

impl OperationDefinition {
    /// Several results are called in text what they are called in the declaration.
    fn result_names<'c, 'a>(&self, operation: OperationRef<'c, 'a>) -> ValueNames<'c, 'a> {
        let groups = self.results.iter().enumerate();
        let first = |index| self.result_group(operation, index).first().copied();
        groups.filter_map(|(index, result)| Some((first(index)?, result.name.to_string()))).collect()
    }

    fn affected(&self, operation: OperationRef<'_, '_>, effect: DeclaredEffect) -> Vec<Effect> {
        let of = |target| Effect { kind: effect.kind, target };
        match effect.of {
            Affected::Anything => vec![of(EffectTarget::Anything)],
            Affected::Operand(index) => {
                let group = self.operand_extent(operation, index);
                group.map(|operand| of(EffectTarget::Operand(operand))).collect()
            }
            Affected::Result(index) => {
                let group = self.result_extent(operation, index);
                group.map(|result| of(EffectTarget::Result(result))).collect()
            }
        }
    }
}

fn arity(values: &[ValueDefinition]) -> Arity {
    let minimum = values.iter().filter(|value| value.arity == GroupArity::One).count();
    match values.iter().any(|value| value.arity == GroupArity::Variadic) {
        true => Arity::at_least(minimum),
        false => Arity::between(minimum, values.len()),
    }
}

fn count(variadic: impl Iterator<Item = bool>) -> Arity {
    let variadic: Vec<bool> = variadic.collect();
    let single = variadic.iter().filter(|variadic| !**variadic).count();
    if single == variadic.len() { Arity::exactly(single) } else { Arity::at_least(single) }
}
