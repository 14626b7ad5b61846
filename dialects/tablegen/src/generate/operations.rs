//! `-gen-op-decls` and `-gen-op-defs`.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    adaptors, builders,
    definitions::Definitions,
    hooks,
    imports::imports,
    interfaces, names, parameters,
    rust::{self, doc, ident},
    unsupported, views,
};
use crate::{
    error::Result,
    ods::{Model, Operation},
};

/// `-gen-op-decls`: a typed view, a builder and the hooks of each operation, in modules by namespace.
pub fn operation_declarations(model: &Model, file_name: &str) -> Result<String> {
    rust::format(declaration_items(&unsupported::prepared(model)?), file_name)
}

/// `-gen-op-defs`: definitions of operations as data, with the predicates of their constraints, in a module
/// `definitions`.
pub fn operation_definitions(model: &Model, file_name: &str) -> Result<String> {
    rust::format(definition_items(&unsupported::prepared(model)?)?, file_name)
}

/// The modules of the operations and of their interfaces.
pub fn declaration_items(model: &Model) -> TokenStream {
    let mut modules: BTreeMap<String, Vec<&Operation>> = BTreeMap::new();
    for operation in &model.operations {
        modules.entry(names::module_or_default(operation)).or_default().push(operation);
    }
    let modules = modules.into_iter().map(|(name, operations)| {
        let about = match name.as_str() {
            names::DEFAULT_MODULE => doc("Operations as types."),
            name => doc(&format!("Operations of the module `{}`, as types.", name.trim_start_matches("r#"))),
        };
        let items = operations.iter().map(|operation| {
            let hooks = hooks::declaration(operation, model);
            let (view, builder) = (views::view(operation, model), builders::builder(operation, model));
            let adaptor = adaptors::adaptor(operation, model);
            quote!(#view #adaptor #hooks #builder)
        });
        let items = quote!(#(#items)*);
        let imports = imports();
        let name = ident(&name);
        quote! {
            #about
            pub mod #name {
                #imports
                #items
            }
        }
    });
    let interfaces = interfaces::used_interfaces(model);
    let modules: TokenStream = modules.collect();
    let parameterized = parameters::declarations(model);
    quote!(#modules #parameterized #interfaces)
}

/// The module `definitions`.
pub fn definition_items(model: &Model) -> Result<TokenStream> {
    let items = Definitions::of(model)?.items();
    let imports = imports();
    Ok(quote! {
        /// The operations as they are declared.
        pub mod definitions {
            #imports
            #items
        }
    })
}
