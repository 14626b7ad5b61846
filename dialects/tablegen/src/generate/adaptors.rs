//! Adaptors: the getters of an operation for parts that need not be one.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    names,
    rust::{self, doc, ident},
    views::{Source, accessors},
};
use crate::ods::{Model, Operation};

/// The name of the adaptor of an operation.
pub fn name(operation: &Operation) -> proc_macro2::Ident {
    ident(&format!("{}Adaptor", names::structure(operation)))
}

/// The adaptor of an operation.
pub fn adaptor(operation: &Operation, model: &Model) -> TokenStream {
    let (name, view) = (name(operation), ident(&names::structure(operation)));
    let about = doc(&format!(
        "Operands, attributes and regions as those of a [`{view}`], which need not exist.\n\n`V` is what is known of an operand: \
         its value, or whether it is constant."
    ));
    let accessors = accessors(operation, model, Source::Parts);
    let signature = rust::mentions(&accessors, "SIGNATURE").then(|| {
        quote! {
            const SIGNATURE: &'static Signature = #view::SIGNATURE;
        }
    });
    quote! {
        #about
        #[derive(Clone, Debug)]
        pub struct #name<'c, 'a, V = Value<'c, 'a>> {
            /// The parts themselves.
            pub parts: Adapted<'c, 'a, V>,
        }

        impl<'c: 'a, 'a, V: Copy> #name<'c, 'a, V> {
            #signature

            /// Of these parts.
            pub fn new(parts: impl Into<Adapted<'c, 'a, V>>) -> Self {
                Self { parts: parts.into() }
            }

            #accessors
        }
    }
}
