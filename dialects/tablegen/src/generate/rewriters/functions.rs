//! The trait of what patterns ask of Rust.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::{
    names,
    rust::{doc, ident, mentions},
};
use crate::{
    drr::{Native, NativeKind, NativePlace, ParameterKind, ReturnKind},
    predicate::snake_case,
};

/// A method that the author writes: its signature, and what the .td file says of it.
pub struct Method {
    name: Ident,
    signature: TokenStream,
    text: String,
}

/// The methods that native functions call, each once.
pub fn methods(natives: &[Native]) -> Vec<Method> {
    let mut methods: Vec<Method> = Vec::new();
    for native in natives {
        let Some((name, signature)) = signature(&native.kind) else { continue };
        if methods.iter().all(|method| method.name != name) {
            methods.push(Method { name, signature, text: native.text.clone() });
        }
    }
    methods
}

/// The trait, where there are methods.
pub fn declaration(methods: &[Method]) -> Option<TokenStream> {
    let methods = methods.iter().map(|method| {
        let about = doc(&format!("In the .td file:\n\n```text\n{}\n```", method.text));
        let signature = &method.signature;
        quote!(#about #signature;)
    });
    let methods: Vec<TokenStream> = methods.collect();
    (!methods.is_empty()).then(|| {
        quote! {
            /// What the patterns ask of Rust. Constraints are pure and total: they may be asked in any order, of candidates
            /// that match no further than their arguments.
            pub trait Functions: Send + Sync + 'static {
                #(#methods)*
            }
        }
    })
}

fn signature(kind: &NativeKind) -> Option<(Ident, TokenStream)> {
    let (method, parameters, receiver, returned) = match kind {
        NativeKind::Asked { method, parameters } => (method, parameters, quote!(&self), quote!(bool)),
        NativeKind::Matcher { place: NativePlace::Method(method), parameters, returns } => {
            let returned = returned_type(returns);
            (method, parameters, quote!(&self), quote!(Option<#returned>))
        }
        NativeKind::Function { place: NativePlace::Method(method), parameters, returns } => {
            let returned = returned_type(returns);
            (method, parameters, quote!(&self, editor: &Editor<'c, 'a>), quote!(Result<#returned, Failure>))
        }
        _ => return None,
    };
    let name = function_name(method);
    let given = parameters.iter().enumerate().map(|(index, kind)| {
        let (name, kind) = (parameter_name(kind, index, parameters), parameter_type(kind));
        quote!(#name: #kind)
    });
    let rest = quote!((#receiver #(, #given)*) -> #returned);
    let lifetimes = lifetimes(&rest, &returned);
    Some((name.clone(), quote!(fn #name #lifetimes #rest)))
}

/// The lifetimes that a signature mentions. Values that are returned may be those of new operations, which live no longer
/// than the context.
fn lifetimes(signature: &TokenStream, returned: &TokenStream) -> Option<TokenStream> {
    match (mentions(signature, "c"), mentions(signature, "a")) {
        (true, true) if mentions(returned, "a") => Some(quote!(<'c: 'a, 'a>)),
        (true, true) => Some(quote!(<'c, 'a>)),
        (true, false) => Some(quote!(<'c>)),
        (false, true) => Some(quote!(<'a>)),
        (false, false) => None,
    }
}

/// What Rust calls a method.
pub fn function_name(method: &str) -> Ident {
    ident(&names::function(&snake_case(method)))
}

/// What a parameter is, in a word; numbered where several are the same.
fn parameter_name(kind: &ParameterKind, index: usize, all: &[ParameterKind]) -> Ident {
    let word = |kind: &ParameterKind| match kind {
        ParameterKind::Value
        | ParameterKind::PartValue(_)
        | ParameterKind::OptionalValue
        | ParameterKind::PartOptionalValue(_) => "value",
        ParameterKind::Values(_) | ParameterKind::PartValues(_) => "values",
        ParameterKind::Attribute | ParameterKind::OptionalAttribute | ParameterKind::AbsentAttribute => "attribute",
        ParameterKind::Type => "of_type",
        ParameterKind::Operation | ParameterKind::DefiningOperation => "operation",
        ParameterKind::Location { .. } => "location",
    };
    let name = word(kind);
    let same = |range: &[ParameterKind]| range.iter().filter(|other| word(other) == name).count();
    if same(all) == 1 { ident(name) } else { ident(&format!("{name}_{}", same(&all[..=index]))) }
}

fn parameter_type(kind: &ParameterKind) -> TokenStream {
    match kind {
        ParameterKind::Value | ParameterKind::PartValue(_) => quote!(Value<'c, 'a>),
        ParameterKind::OptionalValue | ParameterKind::PartOptionalValue(_) => quote!(Option<Value<'c, 'a>>),
        ParameterKind::Values(_) | ParameterKind::PartValues(_) => quote!(&[Value<'c, 'a>]),
        ParameterKind::Attribute => quote!(Attribute<'c>),
        ParameterKind::OptionalAttribute | ParameterKind::AbsentAttribute => quote!(Option<Attribute<'c>>),
        ParameterKind::Type => quote!(Type<'c>),
        ParameterKind::Operation | ParameterKind::DefiningOperation => quote!(OperationRef<'c, 'a>),
        ParameterKind::Location { .. } => quote!(Location<'c>),
    }
}

fn returned_type(returns: &[ReturnKind]) -> TokenStream {
    let each = returns.iter().map(|kind| match kind {
        ReturnKind::Value => quote!(Value<'c, 'a>),
        ReturnKind::Attribute => quote!(Attribute<'c>),
        ReturnKind::Type => quote!(Type<'c>),
        ReturnKind::Types => quote!(Vec<Type<'c>>),
        ReturnKind::Operation => quote!(OperationRef<'c, 'a>),
    });
    match returns {
        [_] => quote!(#(#each)*),
        _ => quote!((#(#each),*)),
    }
}
