//! What types and attributes leave to Rust, and how the dialect registers them.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Lifetime;

use super::super::{
    custom_builders::{about_builder, builder_parameters},
    definitions::{Needs, reference_to_parameterized},
    implementations,
    members::Members,
    names,
    owners::Owner,
    rust::{doc, ident},
    traits::foreign_of_definition,
};
use super::{structure, view::has_lifetime};
use crate::ods::{Builder, Definition, DefinitionKind, Model};

/// Whether anything is left to Rust.
pub fn any(definition: &Definition, model: &Model) -> bool {
    !functions(definition, model).is_empty()
}

/// The trait, if anything is left to Rust.
pub fn declaration(definition: &Definition, model: &Model) -> Option<TokenStream> {
    let functions = functions(definition, model);
    let extended = implementations::extended(Owner::Definition(definition), model);
    let name = ident(&names::hooks_of_definition(definition));
    let about = doc(&format!("What the declaration of `{}` leaves to Rust.", definition.name()));
    (!functions.is_empty()).then(|| {
        quote! {
            #about
            pub trait #name #extended {
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
    let verifier = |name: &str, about: &str, further: Option<TokenStream>| {
        let (name, about) = (ident(name), doc(about));
        quote! {
            #about
            fn #name #generics(context: #context #given #further) -> Result<(), Failure>;
        }
    };
    let (mut found, members) = (Vec::new(), Members::of_definition(definition));
    for ((name, parameters), function) in foreign_of_definition(definition).zip(&members.verifiers) {
        let about = format!("Verifies what the C++ trait `{name}` stands for.");
        found.push(verifier(function, &about, parameters.map(|_| quote!(, of_trait: &str))));
    }
    if definition.has_verifier {
        let about = "Verifies what the constraints of the parameters do not say; they hold already.";
        found.push(verifier("verify", about, None));
    }
    if definition.has_custom_assembly {
        found.push(assembly(definition, model));
    }
    let mut types = BTreeSet::new();
    for (item, name) in definition.builders.iter().zip(&members.builders) {
        found.push(builder(definition, item, (name, &mut types), model));
    }
    found.extend(implementations::functions(Owner::Definition(definition), model));
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

/// The call that adds it to the dialect, `implemented` being what gives it its interfaces.
pub fn registration(definition: &Definition, needs: Needs, implemented: &TokenStream) -> TokenStream {
    let data = reference_to_parameterized(definition, needs);
    let module = ident(names::module_of_definitions(definition.kind));
    let hooks = ident(&names::hooks_of_definition(definition));
    let hooks = quote!(<H as #module::#hooks>);
    let mut calls = Vec::new();
    if definition.has_custom_assembly {
        calls.push(assembly_call(definition, &module, &hooks));
    }
    let members = Members::of_definition(definition);
    for ((_, parameters), function) in foreign_of_definition(definition).zip(&members.verifiers) {
        calls.push(verifier_call(definition, function, parameters));
    }
    if definition.has_verifier {
        calls.push(verifier_call(definition, "verify", None));
    }
    if definition.has_mnemonic_alias {
        calls.push(quote!(.alias()));
    }
    let method = ident(if definition.kind == DefinitionKind::Type { "r#type" } else { "attribute" });
    quote!(.#method(definition_specification(#data) #(#calls)* #implemented))
}

/// The call that adds a verifier, which is given the parameters of its trait, if that has some.
fn verifier_call(definition: &Definition, function: &str, of_trait: Option<&str>) -> TokenStream {
    let (module, hooks, function) = (
        ident(names::module_of_definitions(definition.kind)),
        ident(&names::hooks_of_definition(definition)),
        ident(function),
    );
    let function = quote!(<H as #module::#hooks>::#function);
    let of_trait = of_trait.map(|given| quote!(, #given));
    match structure(definition).map(|name| ident(&name)) {
        Some(structure) => quote! {
            .further_verifier(|context, parameters| {
                <#module::#structure as ParameterValues>::from_attributes(parameters)
                    .map_or(Ok(()), |parameters| #function(context, &parameters #of_trait))
            })
        },
        None => quote!(.further_verifier(|context, _| #function(context #of_trait))),
    }
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
