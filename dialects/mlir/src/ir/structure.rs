//! Comparing operations by what they are made of.

use super::OperationRef;
use crate::ffi;

/// A number that is the same for operations whose regions contain the same, wherever they stand.
pub fn hash_bodies(operation: OperationRef<'_, '_>) -> u64 {
    // SAFETY: the operation is valid.
    unsafe { ffi::skndHashBodies(operation.to_raw()) }
}

/// Whether the regions of two operations contain the same, apart from locations.
pub fn equal_bodies(one: OperationRef<'_, '_>, other: OperationRef<'_, '_>) -> bool {
    // SAFETY: the operations are valid.
    unsafe { ffi::skndEqualBodies(one.to_raw(), other.to_raw()) }
}
