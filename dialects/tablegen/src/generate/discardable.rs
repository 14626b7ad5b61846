//! Attributes that operations of any dialect may carry.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    attributes::{Typed, typed},
    imports::imports,
    names,
    rust::{self, doc, ident},
};
use crate::{
    error::Result,
    ods::{Attribute, AttributeKind, Dialect, Model},
};

/// A module `discardable` with the `discardableAttrs` of the dialect: their names, and how they are read and set. It is part
/// of what [`super::dialect`] makes; by itself it serves crates that share no more of a dialect.
///
/// # Errors
/// Where the model has not exactly one dialect.
pub fn discardable_attributes(model: &Model, file_name: &str) -> Result<String> {
    rust::format(items(model.only_dialect()?, model).unwrap_or_default(), file_name)
}

/// The module, if the dialect has such attributes.
pub(super) fn items(dialect: &Dialect, model: &Model) -> Option<TokenStream> {
    let mut taken = BTreeSet::new();
    let attributes = dialect.discardable_attributes.iter();
    let items: TokenStream = attributes.map(|item| attribute(item, dialect, model, &mut taken)).collect();
    let imports = imports();
    (!items.is_empty()).then(|| {
        quote! {
            /// Attributes of the dialect that operations of any dialect may carry.
            pub mod discardable {
                #imports
                #items
            }
        }
    })
}

fn attribute(attribute: &Attribute, dialect: &Dialect, model: &Model, taken: &mut BTreeSet<String>) -> TokenStream {
    let name = format!("{}.{}", dialect.name, attribute.name);
    let r#type = ident(&names::free(taken, format!("{}Attribute", names::upper_camel(&attribute.name))));
    let what = attribute.summary.as_ref().unwrap_or(&attribute.constraint.summary);
    let about = doc(&format!("The attribute `{name}`: {what}."));
    let value = match attribute.kind {
        AttributeKind::Unit => presence(),
        _ => typed(attribute, model).map_or_else(whole, of_value),
    };
    quote! {
        #about
        #[derive(Clone, Copy, Debug)]
        pub struct #r#type;

        impl #r#type {
            /// The name of the attribute.
            pub const NAME: &'static str = #name;

            /// Whether an operation has it.
            pub fn is_present(operation: OperationRef<'_, '_>) -> bool {
                operation.get(Self::NAME).is_some()
            }

            #value

            /// Takes it from an operation, if that has it.
            pub fn remove(operation: OperationRef<'_, '_>) {
                operation.unset(Self::NAME);
            }
        }
    }
}

fn presence() -> TokenStream {
    quote! {
        /// Gives it to an operation.
        pub fn set(operation: OperationRef<'_, '_>) {
            operation.set(Self::NAME, attributes::unit(operation.context()));
        }
    }
}

fn whole() -> TokenStream {
    quote! {
        /// The one of an operation.
        pub fn get<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<Attribute<'c>> {
            operation.get(Self::NAME)
        }

        /// Gives it to an operation.
        pub fn set<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, attribute: Attribute<'c>) {
            operation.set(Self::NAME, attribute);
        }
    }
}

fn of_value(Typed { value, read, given, make }: Typed) -> TokenStream {
    let context = make.to_string().contains("context").then(|| quote!(let context = operation.context();));
    quote! {
        /// Its value, if the operation has it and it holds such a value.
        pub fn get<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<#value> {
            operation.get(Self::NAME).and_then(#read)
        }

        /// Gives it to an operation.
        ///
        /// # Errors
        /// Where no attribute of its type has the value.
        pub fn set<'c: 'a, 'a>(operation: OperationRef<'c, 'a>, value: #given) -> Result<(), Failure> {
            #context
            let attribute: Option<Attribute<'c>> = #make;
            let attribute = attribute.ok_or_else(|| Failure::new(format!("'{}' cannot hold the value", Self::NAME)))?;
            operation.set(Self::NAME, attribute);
            Ok(())
        }
    }
}
