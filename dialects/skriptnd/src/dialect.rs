//! The dialect as it is registered: declarations from `td/skriptnd`, meaning from the SkriptND definitions.

use crate::generated::definitions;
use crate::generated::operations::{ConstantOp, ConstantOpBuilder, FormulaOp, GraphOp};
use crate::names::NAMESPACE;
use crate::{assembly, call, constant, formula, graph, operator, passes};
use skriptnd_mlir::dialect::{DialectSpec, OperationSpec, UnknownOperations};
use skriptnd_mlir::ir::OperationRef;
use skriptnd_mlir::{Error, Registry};
use skriptnd_ods::{OperationDefinition, specification, specification_with};

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
    DialectSpec::new(NAMESPACE)
        .with_operations(definitions::ALL.iter().map(|definition| operation(definition)))
        .allow_unknown_operations(unknown)
        .constant_materializer(|builder, value, r#type| {
            let constant = ConstantOpBuilder::new(builder).value_attribute(Some(value)).output_type(r#type);
            constant.build().ok().map(ConstantOp::operation)
        })
}

/// A declared operation with its generated verifier and assembly, and what is written by hand. Operators are verified
/// and their results inferred by their definitions in SkriptND.
fn operation(definition: &'static OperationDefinition) -> OperationSpec {
    let name = definition.name;
    if call::operator_path(name).is_some() {
        let verifier = Box::new(|operation: OperationRef<'_, '_>| operator::verify(operation));
        return specification_with(definition, Some(verifier), call::is_symbolic)
            .assembly(assembly::parse_operator, assembly::print_operator)
            .type_inference(move |input| operator::infer(name, input));
    }
    match name {
        GraphOp::NAME => {
            let verifier = Box::new(|operation: OperationRef<'_, '_>| graph::verify(operation));
            let operators = |operation: OperationRef<'_, '_>| graph::verify_operators(operation);
            specification(definition, Some(verifier))
                .function()
                .region_verifier(operators)
                .assembly(assembly::parse_graph, assembly::print_graph)
        }
        FormulaOp::NAME => {
            specification(definition, Some(Box::new(|operation: OperationRef<'_, '_>| formula::verify(operation))))
        }
        ConstantOp::NAME => constant::specify(specification(definition, None)),
        _ => specification(definition, None),
    }
}
