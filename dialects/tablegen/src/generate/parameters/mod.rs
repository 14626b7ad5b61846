//! Types and attributes of one's own: their views, what they leave to Rust, and how the dialect registers them.

mod hooks;
mod view;

pub use hooks::{any, registration};

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    imports::imports,
    names,
    rust::{doc, ident},
};
use crate::ods::{Definition, DefinitionKind, Model};

/// The name of the structure of the parameters; none where there are none.
pub fn structure(definition: &Definition) -> Option<String> {
    (!definition.parameters.is_empty()).then(|| format!("{}Parameters", names::parameterized(definition)))
}

/// The modules of the types and of the attributes, where the dialect has some.
pub fn declarations(model: &Model) -> TokenStream {
    let kinds = [DefinitionKind::Type, DefinitionKind::Attribute];
    kinds.into_iter().filter_map(|kind| declared(model, kind)).collect()
}

fn declared(model: &Model, kind: DefinitionKind) -> Option<TokenStream> {
    let definitions: Vec<&Definition> = model.definitions.iter().filter(|item| item.kind == kind).collect();
    let items = definitions.iter().map(|definition| {
        let (parameters, view) = (view::parameters(definition, model), view::view(definition, model));
        let hooks = hooks::declaration(definition, model);
        quote!(#parameters #view #hooks)
    });
    let items = quote!(#(#items)*);
    let imports = imports();
    let name = ident(names::module_of_definitions(kind));
    let about = doc(match kind {
        DefinitionKind::Type => "The types of the dialect.",
        DefinitionKind::Attribute => "The attributes of the dialect.",
    });
    (!definitions.is_empty()).then(|| {
        quote! {
            #about
            pub mod #name {
                #imports
                #items
            }
        }
    })
}
