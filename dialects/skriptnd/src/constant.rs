//! `skriptnd.constant`: its type is that of its value, and it folds to it.

use skriptnd_mlir::dialect::{Fold, FoldResult, OperationSpec};

/// Adds folding and type inference.
pub fn specify(specification: OperationSpec) -> OperationSpec {
    specification
        .folder(|operation, _| match operation.get("value") {
            Some(value) => Fold::Results(vec![FoldResult::Constant(value)]),
            None => Fold::Unchanged,
        })
        .type_inference(|input| {
            let value = input.attribute("value").ok_or("needs the attribute 'value'")?;
            Ok(vec![value.r#type()])
        })
}
