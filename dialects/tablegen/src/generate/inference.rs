//! What is known of result types without being told.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::traits;
use crate::ods::{Operation, TypeSource};

/// Whether builders may leave the types of results out.
pub fn is_inferred(operation: &Operation) -> bool {
    is_by_hand(operation) || by_rule(operation).is_some()
}

/// Whether a hook infers them.
pub fn is_by_hand(operation: &Operation) -> bool {
    traits::has_interface(operation, "InferTypeOpInterface") || operation.has_trait("InferTypeOpAdaptor")
}

/// Whether the types of the results need only be compatible with those that are inferred, which Rust decides.
pub fn is_compatible_by_hand(operation: &Operation) -> bool {
    let method = "isCompatibleReturnTypes";
    let mut interfaces = operation.interfaces.iter();
    interfaces.any(|used| used.overridden.iter().any(|name| name == method)) || operation.members.contains(method)
}

/// The functions of hooks that infer the types of the results, and what hands them to MLIR.
pub fn by_hand(
    operation: &Operation,
    module: &Ident,
    adaptor: &Ident,
    hooks: &TokenStream,
) -> (TokenStream, TokenStream) {
    let inferred = quote!(#hooks::infer_return_types(&#module::#adaptor::new(input), input));
    let infer = quote! {
        /// Infers the types of the results; `input` has the location as well, and other attributes.
        fn infer_return_types<'c, 'a>(
            op: &#adaptor<'c, 'a>,
            input: &InferenceInput<'c, 'a>,
        ) -> Result<Vec<Type<'c>>, Failure>;
    };
    if !is_compatible_by_hand(operation) {
        let verified = quote!(.further_verifier(|operation| verify_results(operation, |input| #inferred)));
        return (infer, quote!(.type_inference(|input| #inferred) #verified));
    }
    let compatible = quote! {
        /// Whether results may have these types, given those that are inferred.
        fn are_compatible_return_types(inferred: &[Type<'_>], found: &[Type<'_>]) -> bool;
    };
    let verified = quote! {
        .further_verifier(|operation| {
            verify_compatible_results(operation, |input| #inferred, #hooks::are_compatible_return_types)
        })
    };
    (quote!(#infer #compatible), quote!(.type_inference(|input| #inferred) #verified))
}

/// How each follows from the declaration; none where they don't.
pub fn by_rule(operation: &Operation) -> Option<Vec<TypeSource>> {
    if is_by_hand(operation) { None } else { operation.result_types() }
}
