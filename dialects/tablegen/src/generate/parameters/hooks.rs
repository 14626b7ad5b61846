//! What types and attributes leave to Rust, and how the dialect registers them.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Lifetime;

use super::super::{
    custom_builders::{about_builder, builder_parameters},
    definitions::{Needs, reference_to_parameterized},
    members, names,
    rust::{doc, ident},
};
use super::{module, structure, view::has_lifetime};
use crate::ods::{Builder, Definition, DefinitionKind, Model, Trait};

/// What hooks of flags are called.
const FIXED: [&str; 3] = ["verify", "parse", "print"];

/// Whether anything is left to Rust.
pub fn any(definition: &Definition, model: &Model) -> bool {
    !functions(definition, model).is_empty()
}

/// The name of the trait with what is left to Rust.
pub fn trait_name(definition: &Definition) -> String {
    format!("{}Hooks", names::parameterized(definition))
}

/// The trait, if anything is left to Rust.
pub fn declaration(definition: &Definition, model: &Model) -> Option<TokenStream> {
    let functions = functions(definition, model);
    let name = ident(&trait_name(definition));
    let about = doc(&format!("What the declaration of `{}` leaves to Rust.", definition.name()));
    (!functions.is_empty()).then(|| {
        quote! {
            #about
            pub trait #name {
                #(#functions)*
            }
        }
    })
}

fn functions(definition: &Definition, model: &Model) -> Vec<TokenStream> {
    let given = parameters_type(definition, model, "'c").map(|kind| quote!(, parameters: &#kind));
    let (generics, context) = match has_lifetime(definition, model) {
        true => (quote!(<'c>), quote!(&'c Context)),
        false => (quote!(), quote!(&Context)),
    };
    let verifier = |name: &str, about: &str| {
        let (name, about) = (ident(name), doc(about));
        quote! {
            #about
            fn #name #generics(context: #context #given) -> Result<(), Failure>;
        }
    };
    let mut found = Vec::new();
    let mut taken = BTreeSet::from(FIXED.map(str::to_string));
    for name in foreign(definition) {
        let about = format!("Verifies what the C++ trait `{name}` stands for.");
        found.push(verifier(&members::verifier(&mut taken, name), &about));
    }
    if definition.has_verifier {
        found
            .push(verifier("verify", "Verifies what the constraints of the parameters do not say; they hold already."));
    }
    if definition.has_custom_assembly {
        found.push(assembly(definition, model));
    }
    let mut types = BTreeSet::new();
    for item in &definition.builders {
        let name = members::builder(&mut taken, "get", item);
        found.push(builder(definition, item, (&name, &mut types), model));
    }
    found
}

/// The structure of the parameters, with its lifetime if it has one.
fn parameters_type(definition: &Definition, model: &Model, lifetime: &str) -> Option<TokenStream> {
    let name = ident(&structure(definition)?);
    let lifetime = Lifetime::new(lifetime, Span::call_site());
    Some(if has_lifetime(definition, model) { quote!(#name<#lifetime>) } else { quote!(#name) })
}

fn assembly(definition: &Definition, model: &Model) -> TokenStream {
    let parsed = parameters_type(definition, model, "'c").unwrap_or(quote!(()));
    let given = parameters_type(definition, model, "'_").map(|kind| quote!(parameters: &#kind,));
    let (generics, context) = match has_lifetime(definition, model) {
        true => (quote!(<'c>), quote!('c)),
        false => (quote!(), quote!('_)),
    };
    quote! {
        /// Parses what follows the name.
        fn parse #generics(parser: &mut ParameterParser<#context, '_>) -> Result<#parsed, Failure>;
        /// Prints what follows the name.
        fn print(#given printer: &mut ParameterPrinter<'_>);
    }
}

fn builder(
    definition: &Definition,
    builder: &Builder,
    (name, types): (&str, &mut BTreeSet<String>),
    model: &Model,
) -> TokenStream {
    let view = ident(&names::parameterized(definition));
    let context = (!builder.infers_context).then(|| quote!(context: &'c Context,));
    let (unknown, parameters) = builder_parameters(builder, (name, types), "context", model);
    let about = doc(&about_builder(builder, "Makes one."));
    let name = ident(name);
    quote! {
        #(#unknown)*
        #about
        fn #name<'c: 'a, 'a>(#context #(#parameters),*) -> Result<#view<'c>, Failure>;
    }
}

/// Traits in C++ of which MLIR says nothing to Rust.
fn foreign(definition: &Definition) -> impl Iterator<Item = &str> {
    definition.traits.iter().filter_map(|item| match item {
        Trait::Native(name) => Some(name.as_str()),
        _ => None,
    })
}

/// The call that adds it to the dialect.
pub fn registration(definition: &Definition, needs: Needs) -> TokenStream {
    let data = reference_to_parameterized(definition, needs);
    let module = ident(module(definition.kind));
    let hooks = ident(&trait_name(definition));
    let hooks = quote!(<H as #module::#hooks>);
    let mut calls = Vec::new();
    if definition.has_custom_assembly {
        calls.push(assembly_call(definition, &module, &hooks));
    }
    let mut taken = BTreeSet::from(FIXED.map(str::to_string));
    let mut verifiers: Vec<String> = foreign(definition).map(|name| members::verifier(&mut taken, name)).collect();
    verifiers.extend(definition.has_verifier.then(|| "verify".to_string()));
    for verifier in verifiers {
        let verifier = ident(&verifier);
        calls.push(match structure(definition).map(|name| ident(&name)) {
            Some(structure) => quote! {
                .further_verifier(|context, parameters| {
                    <#module::#structure as ParameterValues>::from_attributes(parameters)
                        .map_or(Ok(()), |parameters| #hooks::#verifier(context, &parameters))
                })
            },
            None => quote!(.further_verifier(|context, _| #hooks::#verifier(context))),
        });
    }
    if definition.has_mnemonic_alias {
        calls.push(quote!(.alias()));
    }
    let method = ident(if definition.kind == DefinitionKind::Type { "r#type" } else { "attribute" });
    quote!(.#method(definition_specification(#data) #(#calls)*))
}

fn assembly_call(definition: &Definition, module: &proc_macro2::Ident, hooks: &TokenStream) -> TokenStream {
    match structure(definition).map(|name| ident(&name)) {
        Some(structure) => quote! {
            .assembly(
                |parser| Ok(ParameterValues::into_attributes(#hooks::parse(parser)?, parser.context())),
                |parameters, printer| {
                    if let Some(parameters) = <#module::#structure as ParameterValues>::from_attributes(parameters) {
                        #hooks::print(&parameters, printer);
                    }
                },
            )
        },
        None => quote! {
            .assembly(
                |parser| #hooks::parse(parser).map(|()| Vec::new()),
                |_, printer| #hooks::print(printer),
            )
        },
    }
}
