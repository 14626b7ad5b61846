//! The dialect as it is registered.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    definitions::{Definitions, Needs, reference_to},
    dialect_hooks::{OwnHook, own_hooks},
    discardable, hooks, implementations,
    imports::imports,
    names,
    owners::Owner,
    parameters,
    rust::{self, doc, ident},
    traits, unsupported,
};
use crate::{
    error::Result,
    ods::{Definition, Dialect, Model, Operation},
};

/// `-gen-dialect-decls` and `-gen-dialect-defs`: the name, what it leaves to Rust, and the function that makes the
/// dialect of that. It needs the modules of the operations and `definitions` beside it.
pub fn dialect(model: &Model, file_name: &str) -> Result<String> {
    rust::format(dialect_items(&unsupported::prepared(model)?)?, file_name)
}

/// The items.
pub fn dialect_items(model: &Model) -> Result<TokenStream> {
    let dialect = model.only_dialect()?;
    let name = &dialect.name;
    let definitions = Definitions::of(model)?;
    let bounds = bounds(dialect, model, &definitions);
    let summary = dialect.summary.as_deref().unwrap_or("the operations that are declared");
    let about = doc(&format!("The dialect `{name}`: {}.", summary.trim_end_matches('.')));
    let (hooks, bound) = match bounds.is_empty() {
        true => (quote!(()), quote!('static)),
        false => (quote!(H), quote!(Hooks)),
    };
    let mut objects = Vec::new();
    let operations = model.operations.iter().zip(&definitions.needs).map(|(operation, needs)| {
        let definition = reference_to(operation, *needs);
        let (object, implemented) = implementations::object(Owner::Operation(operation), model, &hooks, &bound);
        objects.push(object);
        let (specified, added) = hooks::registration(operation);
        let function = traits::has_interface(operation, "FunctionOpInterface").then(|| quote!(.function()));
        quote!(.operation(specification(#definition) #function #implemented #specified) #added)
    });
    let operations: Vec<TokenStream> = operations.collect();
    let parameterized = model.definitions.iter().zip(&definitions.parameter_needs);
    let is_own = |(item, _): &(&Definition, &Needs)| item.dialect == dialect.name;
    let parameterized = parameterized.filter(is_own).map(|(item, needs)| {
        let (object, implemented) = implementations::object(Owner::Definition(item), model, &hooks, &bound);
        objects.push(object);
        parameters::registration(item, *needs, &implemented)
    });
    let parameterized: Vec<TokenStream> = parameterized.collect();
    let dependent = &dialect.dependent_dialects;
    let left = own_hooks(dialect);
    let registered = left.iter().map(|hook| &hook.registration);
    let body = quote! {
        DialectSpec::new(NAMESPACE) #(.dependent_dialect(#dependent))* #(#parameterized)* #(#operations)* #(#registered)*
    };
    let function = match bounds.is_empty() {
        true => quote! {
            #about
            pub fn dialect() -> DialectSpec {
                #body
            }
        },
        false => quote! {
            /// All that the declarations of the dialect leave to Rust.
            pub trait Hooks: #(#bounds)+* + 'static {}

            impl<H: #(#bounds)+* + 'static> Hooks for H {}

            #about
            pub fn dialect<H: Hooks>(_: H) -> DialectSpec {
                #body
            }
        },
    };
    let own = own_trait(&left);
    let discardable = discardable::items(dialect, model);
    let objects = quote!(#(#objects)*);
    let objects = (!objects.is_empty()).then(|| {
        quote! {
            /// What has interfaces, as they show it.
            mod objects {
                use super::*;
                #objects
            }
        }
    });
    let items = quote! {
        /// What stands before the first dot of the names of its operations.
        pub const NAMESPACE: &str = #name;

        #own
        #function
        #objects
    };
    let imports = imports();
    Ok(quote!(#imports #items #discardable))
}

/// The trait of what the dialect itself leaves to Rust, if it leaves anything.
fn own_trait(hooks: &[OwnHook]) -> Option<TokenStream> {
    let functions = hooks.iter().map(|hook| &hook.function);
    (!hooks.is_empty()).then(|| {
        quote! {
            /// What the declaration of the dialect leaves to Rust.
            pub trait DialectHooks {
                #(#functions)*
            }
        }
    })
}

/// The traits of all hooks.
fn bounds(dialect: &Dialect, model: &Model, definitions: &Definitions) -> Vec<TokenStream> {
    let mut bounds = Vec::new();
    if !own_hooks(dialect).is_empty() {
        bounds.push(quote!(DialectHooks));
    }
    if definitions.together.constraints {
        bounds.push(quote!(definitions::ConstraintHooks));
    }
    if definitions.together.assembly {
        bounds.push(quote!(definitions::AssemblyHooks));
    }
    bounds.extend(implementations::bounds(model));
    let own = model.definitions.iter().filter(|item| item.dialect == dialect.name && parameters::any(item, model));
    bounds.extend(own.map(|item| {
        let module = ident(names::module_of_definitions(item.kind));
        let name = ident(&names::hooks_of_definition(item));
        quote!(#module::#name)
    }));
    let with_hooks = model.operations.iter().filter(|operation| hooks::any(operation, model));
    bounds.extend(with_hooks.map(|operation: &Operation| {
        let module = ident(&names::module_or_default(operation));
        let name = ident(&names::hooks(operation));
        quote!(#module::#name)
    }));
    bounds
}
