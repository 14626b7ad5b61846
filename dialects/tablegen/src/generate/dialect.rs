//! The dialect as it is registered.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    definitions::{Definitions, Needs, reference_to},
    hooks, implementations,
    imports::imports,
    names,
    owners::Owner,
    parameters,
    rust::{self, doc, ident},
    traits,
};
use crate::{
    error::{Error, Result},
    ods::{Definition, Dialect, Model, Operation},
};

/// `-gen-dialect-decls` and `-gen-dialect-defs`: the name, what it leaves to Rust, and the function that makes the
/// dialect of that. It needs the modules of the operations and `definitions` beside it.
pub fn dialect(model: &Model, file_name: &str) -> Result<String> {
    super::check(model)?;
    rust::format(dialect_items(&crate::ods::as_attributes(model))?, file_name)
}

/// The items.
pub fn dialect_items(model: &Model) -> Result<TokenStream> {
    let dialect = only_dialect(model)?;
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
    let materializer =
        dialect.has_constant_materializer.then(|| quote!(.constant_materializer(H::materialize_constant)));
    let body = quote!(DialectSpec::new(NAMESPACE) #(#parameterized)* #(#operations)* #materializer);
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
    let own = own_hooks(dialect);
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
    let imports = imports(&items);
    Ok(quote!(#imports #items))
}

fn only_dialect(model: &Model) -> Result<&Dialect> {
    let used: Vec<&Dialect> = match model.dialects.as_slice() {
        [only] => vec![only],
        several => {
            let has_operations =
                |dialect: &&Dialect| model.operations.iter().any(|operation| operation.dialect == dialect.name);
            several.iter().filter(has_operations).collect()
        }
    };
    match used.as_slice() {
        [only] => Ok(only),
        [] => Err(Error::new("no dialect is declared")),
        several => {
            let names: Vec<&str> = several.iter().map(|dialect| dialect.name.as_str()).collect();
            Err(Error::new(format!(
                "more than one dialect is declared ({}): choose one with -dialect",
                names.join(", ")
            )))
        }
    }
}

/// What the dialect itself leaves to Rust.
fn own_hooks(dialect: &Dialect) -> Option<TokenStream> {
    dialect.has_constant_materializer.then(|| {
        quote! {
            /// What the declaration of the dialect leaves to Rust.
            pub trait DialectHooks {
                /// Builds an operation that yields a constant, for an attribute that folding made of a value.
                fn materialize_constant<'c, 'a>(
                    builder: &Builder<'c, 'a>,
                    value: Attribute<'c>,
                    r#type: Type<'c>,
                ) -> Option<OperationRef<'c, 'a>>;
            }
        }
    })
}

/// The traits of all hooks.
fn bounds(dialect: &Dialect, model: &Model, definitions: &Definitions) -> Vec<TokenStream> {
    let mut bounds = Vec::new();
    if dialect.has_constant_materializer {
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
