//! Blocks and regions.

use melior::ir::{BlockLike, RegionLike};
use mlir_sys::{
    mlirBlockAppendOwnedOperation, mlirBlockCreate, mlirBlockGetNextInRegion, mlirBlockGetParentRegion,
    mlirOperationRemoveFromParent, mlirRegionInsertOwnedBlockAfter,
};

use super::references::{BlockRef, OperationRef, RegionRef, Value, within};
use super::{Location, Type};
use crate::Failure;

impl<'c: 'a, 'a> BlockRef<'c, 'a> {
    /// What tells blocks that exist at the same time apart; a key for maps.
    pub fn key(&self) -> usize {
        self.to_raw().ptr as usize
    }

    /// An argument, if it has so many.
    pub fn argument(&self, index: usize) -> Option<Value<'c, 'a>> {
        within(index, self.argument_count(), |index| self.0.argument(index)).map(|argument| Value(argument.into()))
    }

    /// The number of arguments.
    pub fn argument_count(&self) -> usize {
        self.0.argument_count()
    }

    /// Adds an argument behind the others.
    pub fn add_argument(&self, r#type: Type<'c>, location: Location<'c>) -> Value<'c, 'a> {
        Value(self.0.add_argument(r#type.0, location.0))
    }

    /// The first operation.
    pub fn first_operation(&self) -> Option<OperationRef<'c, 'a>> {
        self.0.first_operation().map(OperationRef)
    }

    /// The operation at the end, if it is a terminator.
    pub fn terminator(&self) -> Option<OperationRef<'c, 'a>> {
        self.0.terminator().map(OperationRef)
    }

    /// The operation around it.
    pub fn parent_operation(&self) -> Option<OperationRef<'c, 'a>> {
        self.0.parent_operation().map(OperationRef)
    }
}

/// Moves an operation and all behind it to a new block behind their own, which is left without a terminator: whatever takes its
/// place may branch there.
///
/// # Errors
/// Where the operation stands in no block.
pub fn split_before<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Result<BlockRef<'c, 'a>, Failure> {
    let block = operation.block();
    let block = block.ok_or_else(|| Failure::new(format!("`{}` stands in no block", operation.full_name())))?;
    let moved: Vec<OperationRef<'c, 'a>> = std::iter::successors(Some(operation), OperationRef::next).collect();
    // SAFETY: the new block belongs to the region of the old one from here on, and each operation to the one it is moved to.
    unsafe {
        let new = mlirBlockCreate(0, std::ptr::null(), std::ptr::null());
        mlirRegionInsertOwnedBlockAfter(mlirBlockGetParentRegion(block.to_raw()), block.to_raw(), new);
        for operation in moved {
            mlirOperationRemoveFromParent(operation.to_raw());
            mlirBlockAppendOwnedOperation(new, operation.to_raw());
        }
    }
    operation.block().ok_or_else(|| "a block that was split has no second part".into())
}

impl<'c: 'a, 'a> RegionRef<'c, 'a> {
    /// The first block; none in an empty region.
    pub fn first_block(&self) -> Option<BlockRef<'c, 'a>> {
        self.0.first_block().map(BlockRef)
    }
}

/// The operations of a block.
pub fn block_operations<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let mut next = block.first_operation();
    std::iter::from_fn(move || {
        let current = next?;
        next = current.next();
        Some(current)
    })
}

/// The arguments of a block.
pub fn block_arguments<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> impl Iterator<Item = Value<'c, 'a>> {
    (0..block.argument_count()).filter_map(move |index| block.argument(index))
}

/// The blocks of a region.
pub fn region_blocks<'c: 'a, 'a>(region: RegionRef<'c, 'a>) -> impl Iterator<Item = BlockRef<'c, 'a>> {
    let mut next = region.first_block();
    std::iter::from_fn(move || {
        let current = next?;
        // SAFETY: the block is valid, and so is its successor in the region.
        next = unsafe { BlockRef::from_option_raw(mlirBlockGetNextInRegion(current.to_raw())) };
        Some(current)
    })
}
