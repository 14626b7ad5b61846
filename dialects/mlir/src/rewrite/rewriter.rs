//! Changing IR while a driver watches.
//!
//! SAFETY, for all calls of MLIR here: a rewriter is valid for the lifetime `'a` that it is borrowed for from the driver, and
//! the operations, blocks and values given are valid by their types. What MLIR asserts is checked first.

use std::marker::PhantomData;

use melior::ir::operation::OperationRefMut;
use melior::ir::{BlockLike, RegionLike, ValueLike};
use mlir_sys::*;

use crate::ir::context::context_from_raw;
use crate::ir::{
    BlockRef, Context, Operation, OperationExt, OperationLike, OperationRef, RegionRef, Value, block_arguments,
};
use crate::{Error, ffi};

/// Changes IR so that the driver that runs the pattern knows of it.
pub struct Rewriter<'c, 'a> {
    raw: MlirRewriterBase,
    _context: PhantomData<&'c Context>,
    _scope: PhantomData<&'a ()>,
}

impl<'c, 'a> Rewriter<'c, 'a> {
    /// # Safety
    ///
    /// The rewriter must be valid for `'a`, its context for `'c`.
    pub(crate) unsafe fn from_raw(raw: MlirRewriterBase) -> Self {
        Self { raw, _context: PhantomData, _scope: PhantomData }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        unsafe { context_from_raw(mlirRewriterBaseGetContext(self.raw)) }
    }

    /// Inserts an operation at the insertion point.
    pub fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        unsafe { OperationRef::from_raw(mlirRewriterBaseInsert(self.raw, operation.into_raw())) }
    }

    /// Further operations go before this one.
    pub fn set_insertion_point_before(&self, operation: OperationRef<'c, 'a>) {
        unsafe { mlirRewriterBaseSetInsertionPointBefore(self.raw, OperationLike::to_raw(&operation)) }
    }

    /// Further operations go after this one.
    pub fn set_insertion_point_after(&self, operation: OperationRef<'c, 'a>) {
        unsafe { mlirRewriterBaseSetInsertionPointAfter(self.raw, OperationLike::to_raw(&operation)) }
    }

    /// Further operations go to the start of the block.
    pub fn set_insertion_point_to_start(&self, block: BlockRef<'c, 'a>) {
        unsafe { mlirRewriterBaseSetInsertionPointToStart(self.raw, block.to_raw()) }
    }

    /// Further operations go to the end of the block.
    pub fn set_insertion_point_to_end(&self, block: BlockRef<'c, 'a>) {
        unsafe { mlirRewriterBaseSetInsertionPointToEnd(self.raw, block.to_raw()) }
    }

    /// Replaces the results of an operation, one value for each, and erases it.
    pub fn replace(&self, operation: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<(), Error> {
        check_count(operation, values.len())?;
        let values: Vec<_> = values.iter().map(ValueLike::to_raw).collect();
        let operation = OperationLike::to_raw(&operation);
        unsafe { mlirRewriterBaseReplaceOpWithValues(self.raw, operation, values.len() as isize, values.as_ptr()) }
        Ok(())
    }

    /// Replaces an operation by another with as many results, and erases it.
    pub fn replace_with(&self, operation: OperationRef<'c, 'a>, by: OperationRef<'c, 'a>) -> Result<(), Error> {
        check_count(operation, by.result_count())?;
        let (operation, by) = (OperationLike::to_raw(&operation), OperationLike::to_raw(&by));
        unsafe { mlirRewriterBaseReplaceOpWithOperation(self.raw, operation, by) }
        Ok(())
    }

    /// Replaces the uses of a value.
    pub fn replace_all_uses(&self, value: Value<'c, 'a>, by: Value<'c, 'a>) {
        unsafe { mlirRewriterBaseReplaceAllUsesWith(self.raw, value.to_raw(), by.to_raw()) }
    }

    /// Erases an operation whose results are unused.
    pub fn erase(&self, operation: OperationRef<'c, 'a>) -> Result<(), Error> {
        if operation.is_used() {
            return Err(Error::Invalid(format!("`{}` cannot be erased: it is used", operation.full_name())));
        }
        unsafe { mlirRewriterBaseEraseOp(self.raw, OperationLike::to_raw(&operation)) }
        Ok(())
    }

    /// Changes an operation in place.
    pub fn modify<R>(
        &self,
        operation: OperationRef<'c, 'a>,
        change: impl FnOnce(&mut OperationRefMut<'c, 'a>) -> R,
    ) -> R {
        let raw = OperationLike::to_raw(&operation);
        unsafe { mlirRewriterBaseStartOpModification(self.raw, raw) };
        let result = change(&mut unsafe { OperationRefMut::from_raw(raw) });
        unsafe { mlirRewriterBaseFinalizeOpModification(self.raw, raw) };
        result
    }

    /// Moves an operation before another.
    pub fn move_before(&self, operation: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) {
        let (operation, other) = (OperationLike::to_raw(&operation), OperationLike::to_raw(&other));
        unsafe { mlirRewriterBaseMoveOpBefore(self.raw, operation, other) }
    }

    /// Moves the operations of a block before an operation, its arguments replaced by values, and erases the block. The
    /// block must not be branched to.
    pub fn inline_block_before(
        &self,
        block: BlockRef<'c, 'a>,
        operation: OperationRef<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) -> Result<(), Error> {
        let expected = block_arguments(block).count();
        if expected != arguments.len() {
            let found = arguments.len();
            return Err(Error::Invalid(format!("the block to inline has {expected} arguments, not {found}")));
        }
        if block.predecessor_count() > 0 {
            return Err(Error::Invalid("a block that is branched to cannot be inlined".into()));
        }
        let arguments: Vec<_> = arguments.iter().map(ValueLike::to_raw).collect();
        let (block, operation) = (block.to_raw(), OperationLike::to_raw(&operation));
        unsafe {
            ffi::skndRewriterInlineBlockBefore(self.raw, block, operation, arguments.as_ptr(), arguments.len());
        }
        Ok(())
    }

    /// Moves the blocks of a region before a block.
    pub fn inline_region_before(&self, region: RegionRef<'c, 'a>, block: BlockRef<'c, 'a>) {
        unsafe { mlirRewriterBaseInlineRegionBefore(self.raw, region.to_raw(), block.to_raw()) }
    }

    /// Inserts a copy of an operation at the insertion point; operands are mapped from the first to the second of each
    /// pair.
    pub fn clone_operation(
        &self,
        operation: OperationRef<'c, 'a>,
        mapping: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) -> OperationRef<'c, 'a> {
        let (from, to): (Vec<_>, Vec<_>) = mapping.iter().map(|(from, to)| (from.to_raw(), to.to_raw())).unzip();
        let operation = OperationLike::to_raw(&operation);
        unsafe {
            let (from, to, count) = (from.as_ptr(), to.as_ptr(), mapping.len());
            OperationRef::from_raw(ffi::skndRewriterClone(self.raw, operation, from, to, count))
        }
    }
}

fn check_count(operation: OperationRef<'_, '_>, found: usize) -> Result<(), Error> {
    let (name, expected) = (operation.full_name(), operation.result_count());
    if expected == found {
        return Ok(());
    }
    Err(Error::Invalid(format!("`{name}` has {expected} results, but is to be replaced by {found} values")))
}

/// Runs an action with a rewriter of its own, outside of any driver; the insertion point is before the operation.
pub fn with_rewriter<'c, 'a, R>(operation: OperationRef<'c, 'a>, action: impl FnOnce(&Rewriter<'c, 'a>) -> R) -> R {
    struct Owned(MlirRewriterBase);
    impl Drop for Owned {
        fn drop(&mut self) {
            unsafe { mlirIRRewriterDestroy(self.0) }
        }
    }
    let owned = Owned(unsafe { mlirIRRewriterCreateFromOp(OperationLike::to_raw(&operation)) });
    action(&unsafe { Rewriter::from_raw(owned.0) })
}
