//! `skriptnd-lower-operators`: operators replaced by their formulas (specification, section 2.12).

use super::named_shape;
use super::origin::OperatorOrigin;
use crate::call::operator_path;
use crate::report::report;
use crate::{formula, operator};
use skriptnd_language::compose::InstanceBody;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, walk};
use skriptnd_mlir::rewrite::with_rewriter;

/// Replaces all operators that have a formula.
pub fn run<'c: 'a, 'a>(root: OperationRef<'c, 'a>) -> Result<(), Failure> {
    for operation in walk(root) {
        if operator_path(operation.full_name()).is_some() {
            report(operation, lower(operation))?;
        }
    }
    Ok(())
}

fn lower<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<(), Failure> {
    let Some(instance) = operator::instance(operation)? else { return Ok(()) };
    let InstanceBody::Formula(body) = &instance.body else { return Ok(()) };
    let builder = Builder::before(operation)?;
    let operands: Vec<Value<'c, 'a>> = operation.operands().collect();
    let outputs = operation.result_types().into_iter().map(named_shape);
    let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
    // A formula operation has numbers for extents.
    if outputs.iter().any(|shape| shape.as_known().is_none()) {
        return Ok(());
    }
    let origin = OperatorOrigin { operation, instance: &instance, formula: body };
    let results = formula::write(&builder, body, &operands, &outputs, &origin)?;
    with_rewriter(operation, |rewriter| rewriter.replace(operation, &results))?;
    Ok(())
}
