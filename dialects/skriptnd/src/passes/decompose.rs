//! `skriptnd-decompose`: operators replaced by their compositions (specification, section 2.10).

use crate::call::operator_path;
use crate::definitions;
use crate::import::compose_at;
use crate::operator;
use crate::report::report;
use skriptnd_language::compose::InstanceBody;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Value, walk};
use skriptnd_mlir::rewrite::with_rewriter;

/// Operators inside operators: composition refuses more.
const MAXIMUM_NESTING: usize = 256;

/// Replaces all operators that have a composition, again and again, but those named in `keep`.
pub fn run<'c: 'a, 'a>(root: OperationRef<'c, 'a>, keep: &[String]) -> Result<(), Failure> {
    for _ in 0..MAXIMUM_NESTING {
        let mut replaced = false;
        for operation in walk(root) {
            let kept = |path: &str| keep.iter().any(|name| name == path);
            if operator_path(operation.full_name()).is_some_and(|path| !kept(path)) {
                replaced |= report(operation, decompose(operation))?;
            }
        }
        if !replaced {
            return Ok(());
        }
    }
    Err(Failure::new(format!("operators are nested more than {MAXIMUM_NESTING} levels deep")))
}

/// Replaces one operation by the composition of its operator; false if it has none.
pub fn decompose<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<bool, Failure> {
    let Some(instance) = operator::instance(operation)? else { return Ok(false) };
    let InstanceBody::Composition(composition) = &instance.body else { return Ok(false) };
    let builder = Builder::before(operation)?;
    let operands: Vec<Value<'c, 'a>> = operation.operands().collect();
    let definitions = definitions::of(operation, &instance.call.operator);
    let results = compose_at(&builder, &definitions, composition, &operands, &instance.call.operator)?;
    with_rewriter(operation, |rewriter| rewriter.replace(operation, &results))?;
    Ok(true)
}
