//! What interfaces are of, in the words of Rust.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ods::InterfaceKind;

/// What has interfaces of a kind, as a variable.
pub fn what(kind: InterfaceKind) -> &'static str {
    match kind {
        InterfaceKind::Operation | InterfaceKind::Dialect => "operation",
        InterfaceKind::Attribute => "attribute",
        InterfaceKind::Type => "r#type",
    }
}

pub fn subject(kind: InterfaceKind) -> TokenStream {
    match kind {
        InterfaceKind::Operation | InterfaceKind::Dialect => quote!(OperationRef<'c, 'a>),
        InterfaceKind::Attribute => quote!(Attribute<'c>),
        InterfaceKind::Type => quote!(Type<'c>),
    }
}

pub fn root(kind: InterfaceKind) -> TokenStream {
    match kind {
        InterfaceKind::Operation | InterfaceKind::Dialect => quote!(OperationInterface),
        InterfaceKind::Attribute => quote!(AttributeInterface),
        InterfaceKind::Type => quote!(TypeInterface),
    }
}

pub fn lifetimes(kind: InterfaceKind) -> TokenStream {
    match kind {
        InterfaceKind::Operation | InterfaceKind::Dialect => quote!('c, 'a),
        InterfaceKind::Attribute | InterfaceKind::Type => quote!('c),
    }
}

pub fn bounded(kind: InterfaceKind) -> TokenStream {
    match kind {
        InterfaceKind::Operation | InterfaceKind::Dialect => quote!('c: 'a, 'a),
        InterfaceKind::Attribute | InterfaceKind::Type => quote!('c),
    }
}

pub fn object_lifetime(kind: InterfaceKind) -> TokenStream {
    match kind {
        InterfaceKind::Operation | InterfaceKind::Dialect => quote!('a),
        InterfaceKind::Attribute | InterfaceKind::Type => quote!('c),
    }
}
