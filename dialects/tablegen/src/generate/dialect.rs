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
    ods::{Dialect, Model, Operation},
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
    let Registered { calls, objects } = Registered::of(dialect, model, &definitions, !bounds.is_empty());
    let left = own_hooks(dialect);
    let own_calls = left.iter().map(|hook| &hook.registration);
    let dependent = &dialect.dependent_dialects;
    let specification = quote! {
        DialectSpec::new(NAMESPACE) #(.dependent_dialect(#dependent))* #(#calls)* #(#own_calls)*
    };
    let (own, function) = (own_trait(&left), function(dialect, &bounds, &specification));
    let objects = objects_module(&objects);
    let (imports, discardable) = (imports(), discardable::items(dialect, model));
    Ok(quote! {
        #imports

        /// What stands before the first dot of the names of its operations.
        pub const NAMESPACE: &str = #name;

        #own
        #function
        #objects
        #discardable
    })
}

/// How operations, types and attributes become part of the dialect.
struct Registered {
    /// The calls on its specification.
    calls: Vec<TokenStream>,
    /// What stands for those that have interfaces.
    objects: Vec<TokenStream>,
}

impl Registered {
    fn of(dialect: &Dialect, model: &Model, definitions: &Definitions, has_hooks: bool) -> Self {
        let (hooks, bound) = match has_hooks {
            false => (quote!(()), quote!('static)),
            true => (quote!(H), quote!(Hooks)),
        };
        let parameterized = model.definitions.iter().zip(&definitions.parameter_needs);
        let parameterized = parameterized.filter(|(item, _)| item.dialect == dialect.name).map(|(item, needs)| {
            let (object, implemented) = implementations::object(Owner::Definition(item), model, &hooks, &bound);
            (parameters::registration(item, *needs, &implemented), object)
        });
        let operations = model.operations.iter().zip(&definitions.needs).map(|(operation, needs)| {
            let (object, implemented) = implementations::object(Owner::Operation(operation), model, &hooks, &bound);
            (self::operation(operation, *needs, &implemented), object)
        });
        let (calls, objects) = parameterized.chain(operations).unzip();
        Self { calls, objects }
    }
}

fn operation(operation: &Operation, needs: Needs, implemented: &TokenStream) -> TokenStream {
    let definition = reference_to(operation, needs);
    let (specified, added) = hooks::registration(operation);
    let function = traits::has_interface(operation, "FunctionOpInterface").then(|| quote!(.function()));
    quote!(.operation(specification(#definition) #function #implemented #specified) #added)
}

/// The function that makes the dialect; where it leaves something to Rust, of a type that implements all of that.
fn function(dialect: &Dialect, bounds: &[TokenStream], specification: &TokenStream) -> TokenStream {
    let summary = dialect.summary.as_deref().unwrap_or("the operations that are declared");
    let about = doc(&format!("The dialect `{}`: {}.", dialect.name, summary.trim_end_matches('.')));
    if bounds.is_empty() {
        return quote! {
            #about
            pub fn dialect() -> DialectSpec {
                #specification
            }
        };
    }
    quote! {
        /// All that the declarations of the dialect leave to Rust.
        pub trait Hooks: #(#bounds)+* + 'static {}

        impl<H: #(#bounds)+* + 'static> Hooks for H {}

        #about
        pub fn dialect<H: Hooks>(_: H) -> DialectSpec {
            #specification
        }
    }
}

fn objects_module(objects: &[TokenStream]) -> Option<TokenStream> {
    let objects = quote!(#(#objects)*);
    (!objects.is_empty()).then(|| {
        quote! {
            /// What has interfaces, as they show it.
            mod objects {
                use super::*;
                #objects
            }
        }
    })
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
