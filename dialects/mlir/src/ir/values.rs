//! Uses and definitions of values.

use melior::ir::operation::OperationResult;
use melior::ir::{OperationRef, Value, ValueLike};
use mlir_sys::{
    mlirOpOperandGetNextUse, mlirOpOperandGetOperandNumber, mlirOpOperandGetOwner, mlirOpOperandIsNull,
    mlirValueGetFirstUse, mlirValueReplaceAllUsesOfWith,
};

/// What melior's values lack.
pub trait ValueExt<'c: 'a, 'a> {
    /// The value as melior's type.
    fn as_value(&self) -> Value<'c, 'a>;

    /// What tells values apart; a key for maps.
    fn key(&self) -> usize {
        self.as_value().to_raw().ptr as usize
    }

    /// The operation whose result it is; none for a block argument.
    fn defining_operation(&self) -> Option<OperationRef<'c, 'a>> {
        OperationResult::try_from(self.as_value()).ok().map(|result| result.owner())
    }

    /// Its uses: the operation and the operand's number, latest first.
    fn uses(&self) -> Vec<(OperationRef<'c, 'a>, usize)> {
        let mut uses = Vec::new();
        // SAFETY: the value is valid, and the list of its uses is not changed while it is read.
        unsafe {
            let mut r#use = mlirValueGetFirstUse(self.as_value().to_raw());
            while !mlirOpOperandIsNull(r#use) {
                let owner = OperationRef::from_raw(mlirOpOperandGetOwner(r#use));
                uses.push((owner, mlirOpOperandGetOperandNumber(r#use) as usize));
                r#use = mlirOpOperandGetNextUse(r#use);
            }
        }
        uses
    }

    /// Whether it is used.
    fn is_used(&self) -> bool {
        // SAFETY: the value is valid.
        unsafe { !mlirOpOperandIsNull(mlirValueGetFirstUse(self.as_value().to_raw())) }
    }

    /// Replaces all its uses. Inside a driver, use the rewriter.
    fn replace_all_uses_with(&self, by: Value<'c, 'a>) {
        // SAFETY: both values are valid.
        unsafe { mlirValueReplaceAllUsesOfWith(self.as_value().to_raw(), by.to_raw()) }
    }
}

impl<'c: 'a, 'a, V: Copy + Into<Value<'c, 'a>>> ValueExt<'c, 'a> for V {
    fn as_value(&self) -> Value<'c, 'a> {
        (*self).into()
    }
}
