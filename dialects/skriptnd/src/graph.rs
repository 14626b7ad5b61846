//! What `skriptnd.graph` must be.

use crate::call::operator_path;
use crate::generated::operations::{GraphOp, ReturnOp};
use crate::report::report;
use crate::{assembly, operator};
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{OperationRef, Type, block_arguments, block_operations, types, walk};

/// Arguments and returned values have the types of the graph.
pub fn verify<'c: 'a, 'a>(graph: GraphOp<'c, 'a>) -> Result<(), Failure> {
    let (inputs, outputs) = types::function_parts(graph.function_type()?).ok_or("needs a function type")?;
    let block = graph.body()?.first_block().ok_or("needs a body")?;
    let arguments: Vec<Type<'c>> = block_arguments(block).map(|argument| argument.r#type()).collect();
    if arguments != inputs {
        return Err("has arguments of other types than its type says".into());
    }
    let last = block_operations(block).last();
    let Some(last) = last.and_then(ReturnOp::new) else {
        return Err(format!("must end with '{}'", ReturnOp::NAME).into());
    };
    let returned: Vec<Type<'c>> = last.outputs().iter().map(|output| output.r#type()).collect();
    if returned.len() != outputs.len() {
        return Err(format!("returns {} values where its type has {}", returned.len(), outputs.len()).into());
    }
    for (number, (returned, declared)) in returned.iter().zip(&outputs).enumerate() {
        if returned != declared {
            return Err(format!("returns {returned} as output {number}, which is declared as {declared}").into());
        }
    }
    Ok(())
}

/// Operators that are not declared, those of the model itself, are verified by their definitions as well.
pub fn verify_operators<'c: 'a, 'a>(graph: OperationRef<'c, 'a>) -> Result<(), Failure> {
    for operation in walk(graph) {
        let name = operation.full_name();
        if operator_path(name).is_some() && assembly::definition(name).is_none() {
            report(operation, operator::verify(operation))?;
        }
    }
    Ok(())
}
