//! References to IR, which are copied freely: operations, their regions, blocks of these, and values. What they are asked is
//! in the modules beside this one.

use melior::ir::{BlockLike as _, RegionLike as _, ValueLike as _};
use mlir_sys::{MlirBlock, MlirOperation, MlirRegion, MlirValue};

/// An operation that stands somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct OperationRef<'c, 'a>(pub(crate) melior::ir::OperationRef<'c, 'a>);

impl OperationRef<'_, '_> {
    pub(crate) fn to_raw(self) -> MlirOperation {
        self.0.to_raw()
    }

    /// # Safety
    ///
    /// The operation must be valid for the chosen lifetimes.
    pub(crate) unsafe fn from_raw(raw: MlirOperation) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { melior::ir::OperationRef::from_raw(raw) })
    }

    /// # Safety
    ///
    /// The operation must be valid for the chosen lifetimes, or null.
    pub(crate) unsafe fn from_option_raw(raw: MlirOperation) -> Option<Self> {
        // SAFETY: as the caller promises.
        unsafe { melior::ir::OperationRef::from_option_raw(raw) }.map(Self)
    }
}

/// A region of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct RegionRef<'c, 'a>(pub(crate) melior::ir::RegionRef<'c, 'a>);

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

/// A block that stands in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct BlockRef<'c, 'a>(pub(crate) melior::ir::BlockRef<'c, 'a>);

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

/// A result of an operation, or an argument of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Value<'c, 'a>(pub(crate) melior::ir::Value<'c, 'a>);

impl Value<'_, '_> {
    pub(crate) fn to_raw(self) -> MlirValue {
        self.0.to_raw()
    }

    /// # Safety
    ///
    /// The value must be valid for the chosen lifetimes.
    pub(crate) unsafe fn from_raw(raw: MlirValue) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { melior::ir::Value::from_raw(raw) })
    }
}

/// Part `index` of `count`. Beyond them nothing is asked: for their error, the bindings would print the whole module.
pub(super) fn within<T, E>(index: usize, count: usize, part: impl FnOnce(usize) -> Result<T, E>) -> Option<T> {
    (index < count).then(|| part(index).ok())?
}
