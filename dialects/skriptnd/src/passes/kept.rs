//! What may fail, while rewrites are applied: they may leave nothing that uses it, as a choice of two equal tensors does not need its
//! condition. A run fails all the same where something required does not hold (section 2.12).

use super::named_shape;
use crate::call::operator_path;
use crate::generated::operations::{KeepOp, KeepOpBuilder, LoopOp};
use crate::import::invocation_may_fail;
use crate::lowering::limits::Limits;
use crate::lowering::plan::TensorShape;
use crate::operator;
use skriptnd_mlir::Failure;
use skriptnd_mlir::ir::{Builder, OperationRef, Type, Value, operations_named, walk};
use skriptnd_mlir::rewrite::with_rewriter;
use std::collections::HashSet;

/// The keys of the operations that use what may fail.
pub(super) struct Kept(HashSet<usize>);

/// Lets all that may fail be used.
pub(super) fn keep(root: OperationRef<'_, '_>) -> Result<Kept, Failure> {
    let mut kept = HashSet::new();
    for operation in walk(root).into_iter().filter(|operation| may_fail(*operation)) {
        let next = operation.next().ok_or("an operation at the end of a block")?;
        let builder = Builder::before(next)?.located(operation.location());
        kept.insert(KeepOpBuilder::new(&builder).values(operation.result_values()).build()?.operation().key());
    }
    Ok(Kept(kept))
}

/// Erases those uses again, but where there is no other one.
pub(super) fn release(root: OperationRef<'_, '_>, Kept(kept): &Kept) -> Result<(), Failure> {
    for keep in operations_named(root, KeepOp::NAME).into_iter().filter(|keep| kept.contains(&keep.key())) {
        let has_others = |value: Value<'_, '_>| value.uses().iter().any(|(user, _)| *user != keep);
        if keep.operands().any(has_others) {
            with_rewriter(keep, |rewriter| rewriter.erase(keep))?;
        }
    }
    Ok(())
}

/// Whether an operation that something uses may fail. What is in its regions counts by itself.
fn may_fail<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> bool {
    if !operation.result_values().iter().any(Value::is_used) {
        return false;
    }
    if operation.full_name() == LoopOp::NAME {
        return true;
    }
    if operator_path(operation.full_name()).is_none() {
        return false;
    }
    let Ok(Some(instance)) = operator::instance(operation) else { return false };
    let shapes = |types: Vec<Type<'c>>| types.into_iter().map(named_shape).collect::<Result<Vec<TensorShape>, _>>();
    let (Ok(inputs), Ok(outputs)) = (shapes(operation.operand_types()), shapes(operation.result_types())) else {
        return false;
    };
    invocation_may_fail(&instance, &inputs, &outputs, &Limits::around(operation))
}
