//! Blocks and regions.

use melior::ir::{BlockLike, RegionLike};
use mlir_sys::{MlirBlock, MlirRegion, mlirBlockGetNextInRegion};

use super::{Location, OperationRef, Type, Value};

/// A block that stands in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct BlockRef<'c, 'a>(pub(crate) melior::ir::BlockRef<'c, 'a>);

impl<'c: 'a, 'a> BlockRef<'c, 'a> {
    /// What tells blocks that exist at the same time apart; a key for maps.
    pub fn key(&self) -> usize {
        self.to_raw().ptr as usize
    }

    /// An argument, if it has so many.
    pub fn argument(&self, index: usize) -> Option<Value<'c, 'a>> {
        self.0.argument(index).ok().map(|argument| Value(argument.into()))
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

impl BlockRef<'_, '_> {
    pub(crate) fn to_raw(self) -> MlirBlock {
        self.0.to_raw()
    }

    /// # Safety
    ///
    /// The block must be valid for the chosen lifetimes, or null.
    pub(crate) unsafe fn from_option_raw(raw: MlirBlock) -> Option<Self> {
        // SAFETY: as the caller promises.
        unsafe { melior::ir::BlockRef::from_option_raw(raw) }.map(Self)
    }
}

/// A region of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct RegionRef<'c, 'a>(pub(crate) melior::ir::RegionRef<'c, 'a>);

impl<'c: 'a, 'a> RegionRef<'c, 'a> {
    /// The first block; none in an empty region.
    pub fn first_block(&self) -> Option<BlockRef<'c, 'a>> {
        self.0.first_block().map(BlockRef)
    }
}

impl RegionRef<'_, '_> {
    pub(crate) fn to_raw(self) -> MlirRegion {
        self.0.to_raw()
    }

    /// # Safety
    ///
    /// The region must be valid for the chosen lifetimes.
    pub(crate) unsafe fn from_raw(raw: MlirRegion) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { melior::ir::RegionRef::from_raw(raw) })
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
