//! The declared operations as MLIR registers them.

use crate::generated::definitions;
use crate::{assembly, call, operator};
use skriptnd_mlir::dialect::OperationSpec;
use skriptnd_mlir::ods::{OperationDefinition, specification};

/// All declared operations with their generated verifiers and assembly. Operators are verified by their definitions
/// in SkriptND as well; what else is written by hand is for the caller to add.
pub fn operations() -> Vec<OperationSpec> {
    definitions::ALL.iter().map(|definition| operation(definition)).collect()
}

fn operation(definition: &'static OperationDefinition) -> OperationSpec {
    if call::operator_path(definition.name).is_some() {
        let verifier = Box::new(|operation: skriptnd_mlir::ir::OperationRef<'_, '_>| operator::verify(operation));
        return specification(definition, Some(verifier)).assembly(assembly::parse_operator, assembly::print_operator);
    }
    match definition.name {
        "skriptnd.graph" => {
            specification(definition, None).function().assembly(assembly::parse_graph, assembly::print_graph)
        }
        _ => specification(definition, None),
    }
}
