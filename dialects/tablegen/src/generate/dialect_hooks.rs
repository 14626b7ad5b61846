//! What the declaration of a dialect itself leaves to Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::rust::{doc, ident};
use crate::ods::Dialect;

/// A required function, and how the dialect hands it to MLIR.
pub(super) struct OwnHook {
    pub function: TokenStream,
    /// A call of a method of `DialectSpec`.
    pub registration: TokenStream,
}

/// One for each flag of the record that is set.
pub(super) fn own_hooks(dialect: &Dialect) -> Vec<OwnHook> {
    let flags = [
        (dialect.has_constant_materializer, constant_materializer as fn() -> OwnHook),
        (dialect.has_canonicalizer, canonicalizer),
        (dialect.verifies_operation_attributes, operation_attributes),
        (dialect.verifies_region_argument_attributes, || region_attributes("argument")),
        (dialect.verifies_region_result_attributes, || region_attributes("result")),
    ];
    flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, hook)| hook()).collect()
}

fn constant_materializer() -> OwnHook {
    OwnHook {
        function: quote! {
            /// Builds an operation that yields a constant, for an attribute that folding made of a value.
            fn materialize_constant<'c, 'a>(
                builder: &Builder<'c, 'a>,
                value: Attribute<'c>,
                r#type: Type<'c>,
            ) -> Option<OperationRef<'c, 'a>>;
        },
        registration: quote!(.constant_materializer(<H as DialectHooks>::materialize_constant)),
    }
}

fn canonicalizer() -> OwnHook {
    OwnHook {
        function: quote! {
            /// The patterns that belong to none of its operations and bring operations into their canonical form.
            fn canonicalization_patterns() -> Vec<OperationPattern>;
        },
        registration: quote!(.canonicalization_patterns(<H as DialectHooks>::canonicalization_patterns())),
    }
}

fn operation_attributes() -> OwnHook {
    OwnHook {
        function: quote! {
            /// Verifies an attribute of the dialect, given its whole name, that an operation of any dialect carries.
            fn verify_operation_attribute(
                operation: OperationRef<'_, '_>,
                name: &str,
                attribute: Attribute<'_>,
            ) -> Result<(), Failure>;
        },
        registration: quote!(.operation_attribute_verifier(<H as DialectHooks>::verify_operation_attribute)),
    }
}

/// That of attributes of arguments or results of regions.
fn region_attributes(side: &str) -> OwnHook {
    let about = doc(&format!(
        "Verifies an attribute of the dialect, given its whole name, that {} {side} of a region of an operation carries.",
        if side == "argument" { "an" } else { "a" }
    ));
    let name = ident(&format!("verify_region_{side}_attribute"));
    let method = ident(&format!("region_{side}_attribute_verifier"));
    OwnHook {
        function: quote! {
            #about
            fn #name(
                operation: OperationRef<'_, '_>,
                entry: RegionEntry,
                name: &str,
                attribute: Attribute<'_>,
            ) -> Result<(), Failure>;
        },
        registration: quote!(.#method(<H as DialectHooks>::#name)),
    }
}
