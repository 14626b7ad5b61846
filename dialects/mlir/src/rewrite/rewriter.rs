//! Changing IR while a driver watches.

use std::marker::PhantomData;

use mlir_sys::MlirRewriterBase;

use crate::Error;
use crate::ir::{BlockRef, Context, Operation, OperationRef, RegionRef, Value};

/// Changes IR so that the driver that runs the pattern knows of it.
pub struct Rewriter<'c, 'a> {
    raw: MlirRewriterBase,
    _context: PhantomData<&'c Context>,
    _scope: PhantomData<&'a ()>,
}

impl<'c, 'a> Rewriter<'c, 'a> {
    /// The context.
    pub fn context(&self) -> &'c Context {
        todo!()
    }

    /// Inserts an operation at the insertion point.
    pub fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        todo!()
    }

    /// Further operations go before this one.
    pub fn set_insertion_point_before(&self, operation: OperationRef<'c, 'a>) {
        todo!()
    }

    /// Further operations go after this one.
    pub fn set_insertion_point_after(&self, operation: OperationRef<'c, 'a>) {
        todo!()
    }

    /// Further operations go to the start of the block.
    pub fn set_insertion_point_to_start(&self, block: BlockRef<'c, 'a>) {
        todo!()
    }

    /// Further operations go to the end of the block.
    pub fn set_insertion_point_to_end(&self, block: BlockRef<'c, 'a>) {
        todo!()
    }

    /// Replaces the results of an operation, one value for each, and erases it.
    pub fn replace(&self, operation: OperationRef<'c, 'a>, values: &[Value<'c, 'a>]) -> Result<(), Error> {
        todo!()
    }

    /// Replaces an operation by another with as many results, and erases it.
    pub fn replace_with(&self, operation: OperationRef<'c, 'a>, by: OperationRef<'c, 'a>) -> Result<(), Error> {
        todo!()
    }

    /// Replaces the uses of a value.
    pub fn replace_all_uses(&self, value: Value<'c, 'a>, by: Value<'c, 'a>) {
        todo!()
    }

    /// Erases an operation whose results are unused.
    pub fn erase(&self, operation: OperationRef<'c, 'a>) -> Result<(), Error> {
        todo!()
    }

    /// Changes an operation in place.
    pub fn modify<R>(
        &self,
        operation: OperationRef<'c, 'a>,
        change: impl FnOnce(&mut crate::ir::OperationRefMut<'c, 'a>) -> R,
    ) -> R {
        todo!()
    }

    /// Moves an operation before another.
    pub fn move_before(&self, operation: OperationRef<'c, 'a>, other: OperationRef<'c, 'a>) {
        todo!()
    }

    /// Moves the operations of a block before an operation, its arguments replaced by values, and erases the block.
    pub fn inline_block_before(
        &self,
        block: BlockRef<'c, 'a>,
        operation: OperationRef<'c, 'a>,
        arguments: &[Value<'c, 'a>],
    ) -> Result<(), Error> {
        todo!()
    }

    /// Moves the blocks of a region before a block.
    pub fn inline_region_before(&self, region: RegionRef<'c, 'a>, block: BlockRef<'c, 'a>) {
        todo!()
    }

    /// Inserts a copy of an operation at the insertion point; operands are mapped from the first to the second of each
    /// pair.
    pub fn clone_operation(
        &self,
        operation: OperationRef<'c, 'a>,
        mapping: &[(Value<'c, 'a>, Value<'c, 'a>)],
    ) -> OperationRef<'c, 'a> {
        todo!()
    }
}

/// Runs an action with a rewriter of its own, outside of any driver; the insertion point is before the operation.
pub fn with_rewriter<'c, 'a, R>(operation: OperationRef<'c, 'a>, action: impl FnOnce(&Rewriter<'c, 'a>) -> R) -> R {
    todo!()
}
