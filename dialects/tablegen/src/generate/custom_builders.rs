//! Builders that a declaration adds, whose bodies are C++: Rust is asked for them.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    cpp_types,
    members::Members,
    names,
    rust::{doc, ident},
};
use crate::ods::{Builder, Model, Operation};

/// A required function for each. Of the types that stand for C++ each gets a name that is not among `types`.
pub fn functions(
    operation: &Operation,
    model: &Model,
    members: &Members,
    types: &mut BTreeSet<String>,
) -> Vec<TokenStream> {
    let named = operation.builders.iter().zip(&members.builders);
    named.map(|(builder, name)| self::builder(operation, builder, (name, types), model)).collect()
}

fn builder(
    operation: &Operation,
    builder: &Builder,
    (name, types): (&str, &mut BTreeSet<String>),
    model: &Model,
) -> TokenStream {
    let view = ident(&names::structure(operation));
    let (unknown, parameters) = builder_parameters(builder, (name, types), "builder", model);
    let about = doc(&about_builder(builder, "Builds the operation."));
    let name = ident(name);
    quote! {
        #(#unknown)*
        #about
        fn #name<'c: 'a, 'a>(builder: &Builder<'c, 'a>, #(#parameters),*) -> Result<#view<'c, 'a>, Failure>;
    }
}

/// The parameters of a builder in C++, beside the one that is called `first`, and the associated types that they need.
pub fn builder_parameters(
    builder: &Builder,
    (name, types): (&str, &mut BTreeSet<String>),
    first: &str,
    model: &Model,
) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let mut own = BTreeSet::from([first.to_string()]);
    let each = builder.parameters.iter().enumerate().map(|(index, parameter)| {
        let shown = if parameter.name.is_empty() { format!("argument_{index}") } else { parameter.name.clone() };
        let key = format!("{name}_{shown}");
        let (kind, missing) =
            signature_type(cpp_types::parameter(&parameter.cpp_type, model), &key, &parameter.cpp_type, types);
        let kind = if parameter.default.is_some() { quote!(Option<#kind>) } else { kind };
        let shown = ident(&names::unique(&mut own, &shown));
        (missing, quote!(#shown: #kind))
    });
    each.unzip()
}

/// The documentation of a builder, which begins so.
pub fn about_builder(builder: &Builder, begin: &str) -> String {
    let mut text = begin.to_string();
    for parameter in &builder.parameters {
        if let Some(default) = &parameter.default {
            text.push_str(&format!(" Where `{}` is not given, C++ takes `{default}`.", parameter.name));
        }
    }
    if let Some(reason) = &builder.deprecated {
        text.push_str(&format!(" Deprecated: {reason}."));
    }
    if let Some(body) = &builder.body {
        text.push_str(&format!(" Its C++:\n```text\n{}\n```", crate::writer::dedent(body)));
    }
    text
}

/// The type in a signature; one that has no counterpart becomes an associated type.
pub fn signature_type(
    known: Option<TokenStream>,
    name: &str,
    cpp: &str,
    types: &mut BTreeSet<String>,
) -> (TokenStream, TokenStream) {
    if let Some(known) = known {
        return (known, TokenStream::new());
    }
    let name = ident(&names::stand_in(types, name));
    let about = doc(&format!("What stands for the C++ type `{}`.", cpp.trim()));
    (quote!(Self::#name), quote!(#about type #name;))
}
