//! What is known of result types without being told.

use proc_macro2::TokenStream;
use quote::quote;

use super::traits;
use crate::ods::{Arity, Operation};

/// Whether builders may leave the types of results out.
pub fn is_inferred(operation: &Operation) -> bool {
    is_by_hand(operation) || by_rule(operation).is_some()
}

/// Whether a hook infers them.
pub fn is_by_hand(operation: &Operation) -> bool {
    traits::has_interface(operation, "InferTypeOpInterface")
        || ["InferTypeOpAdaptor", "InferShapedTypeOpAdaptor"].iter().any(|name| operation.has_trait(name))
}

/// How they follow from the declaration; none where they don't.
pub fn by_rule(operation: &Operation) -> Option<TokenStream> {
    let single = |arity: Arity| arity == Arity::One;
    let results = !operation.results.is_empty() && operation.results.iter().all(|result| single(result.arity));
    match () {
        () if is_by_hand(operation) || !results => None,
        () if operation.has_trait("SameOperandsAndResultType") => {
            (!operation.operands.is_empty()).then(|| quote!(ResultTypes::FirstOperand))
        }
        () if operation.has_trait("FirstAttrDerivedResultType") => {
            let name = &operation.attributes.first()?.name;
            Some(quote!(ResultTypes::Attribute(#name)))
        }
        () => None,
    }
}
