//! How an operation names values and blocks in text: `OpAsmOpInterface`, which MLIR asks.

use proc_macro2::TokenStream;
use quote::quote;

use super::traits;
use crate::ods::Operation;

/// The interface.
pub const INTERFACE: &str = "OpAsmOpInterface";

/// A method of the interface as a function of hooks.
pub struct Method {
    pub function: TokenStream,
    /// The call that hands it to MLIR.
    pub specification: TokenStream,
}

/// The methods that an operation brings: those that it declares, or that its C++ members define.
pub fn methods(operation: &Operation, view: &TokenStream, path: &TokenStream, hooks: &TokenStream) -> Vec<Method> {
    if !traits::has_interface(operation, INTERFACE) {
        return Vec::new();
    }
    let used = operation.interfaces.iter().filter(|used| used.name == INTERFACE);
    let brings = |name: &str| {
        used.clone().any(|used| used.overridden.iter().any(|found| found == name)) || operation.members.contains(name)
    };
    let mut found = vec![results(brings("getAsmResultNames"), view, path, hooks)];
    found.extend(brings("getAsmBlockArgumentNames").then(|| arguments(view, path, hooks)));
    found.extend(brings("getAsmBlockNames").then(|| blocks(view, path, hooks)));
    found.extend(brings("getDefaultDialect").then(|| default_dialect(hooks)));
    found
}

/// Who has the interface names no results by their declaration.
fn results(brings: bool, view: &TokenStream, path: &TokenStream, hooks: &TokenStream) -> Method {
    if !brings {
        return Method { function: TokenStream::new(), specification: quote!(.result_names(|_| Vec::new())) };
    }
    Method {
        function: quote! {
            /// What results are called in text; a name holds for the results behind, up to the next that has one.
            fn result_names<'c: 'a, 'a>(op: #view<'c, 'a>) -> ValueNames<'c, 'a>;
        },
        specification: quote! {
            .result_names(|operation| #path::new(operation).map_or(Vec::new(), #hooks::result_names))
        },
    }
}

fn arguments(view: &TokenStream, path: &TokenStream, hooks: &TokenStream) -> Method {
    Method {
        function: quote! {
            /// What the arguments of the blocks of a region are called in text.
            fn argument_names<'c: 'a, 'a>(op: #view<'c, 'a>, region: RegionRef<'c, 'a>) -> ValueNames<'c, 'a>;
        },
        specification: quote! {
            .argument_names(|operation, region| {
                #path::new(operation).map_or(Vec::new(), |op| #hooks::argument_names(op, region))
            })
        },
    }
}

fn blocks(view: &TokenStream, path: &TokenStream, hooks: &TokenStream) -> Method {
    Method {
        function: quote! {
            /// What blocks are called in text.
            fn block_names<'c: 'a, 'a>(op: #view<'c, 'a>) -> Vec<(BlockRef<'c, 'a>, String)>;
        },
        specification: quote! {
            .block_names(|operation| #path::new(operation).map_or(Vec::new(), #hooks::block_names))
        },
    }
}

fn default_dialect(hooks: &TokenStream) -> Method {
    Method {
        function: quote! {
            /// The dialect whose operations are written without its name inside of this one.
            fn default_dialect() -> &'static str;
        },
        specification: quote!(.default_dialect(#hooks::default_dialect())),
    }
}
