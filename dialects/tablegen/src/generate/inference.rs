//! What is known of result types without being told.

use super::traits;
use crate::ods::{Operation, TypeSource};

/// Whether builders may leave the types of results out.
pub fn is_inferred(operation: &Operation) -> bool {
    is_by_hand(operation) || by_rule(operation).is_some()
}

/// Whether a hook infers them.
pub fn is_by_hand(operation: &Operation) -> bool {
    traits::has_interface(operation, "InferTypeOpInterface")
        || ["InferTypeOpAdaptor", "InferShapedTypeOpAdaptor"].iter().any(|name| operation.has_trait(name))
}

/// How each follows from the declaration; none where they don't.
pub fn by_rule(operation: &Operation) -> Option<Vec<TypeSource>> {
    if is_by_hand(operation) { None } else { operation.result_types() }
}
