//! The dialect as it is registered: declarations from `td/skriptnd`, meaning from the SkriptND definitions.

use crate::generated::{self, definitions};
use crate::hooks::Hooks;
use crate::{assembly, call, operator, passes};
use skriptnd_mlir::dialect::{DialectSpec, OperationSpec, UnknownOperations};
use skriptnd_mlir::ir::OperationRef;
use skriptnd_mlir::{Error, Registry};
use skriptnd_ods::{OperationDefinition, specification_with};

/// Registers the dialect with a registry, and its passes with the process.
pub fn register(registry: &mut Registry) -> Result<(), Error> {
    registry.add_dialect(dialect())?;
    passes::register()
}

/// The dialect. Operators that it does not declare are the custom ones of models; they are pure as all operators are.
pub fn dialect() -> DialectSpec {
    let unknown = UnknownOperations {
        pure: true,
        assembly: Some((Box::new(assembly::parse_operator), Box::new(assembly::print_operator))),
    };
    let operators = definitions::ALL.iter().filter(|definition| call::operator_path(definition.name).is_some());
    generated::dialect(Hooks)
        .with_operations(operators.map(|definition| operator(definition)))
        .allow_unknown_operations(unknown)
}

/// A declared operator: verified, and its results inferred, by its definition in SkriptND.
fn operator(definition: &'static OperationDefinition) -> OperationSpec {
    specification_with(definition, call::is_symbolic)
        .further_verifier(|operation: OperationRef<'_, '_>| operator::verify(operation))
        .assembly(assembly::parse_operator, assembly::print_operator)
        .type_inference(move |input| operator::infer(definition.name, input))
}
