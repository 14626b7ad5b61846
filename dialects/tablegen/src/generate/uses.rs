//! Operations that branch to blocks, cast types or name symbols: interfaces which MLIR's verifiers and passes ask.

use proc_macro2::TokenStream;
use quote::quote;

use super::{text_names::Method, traits};
use crate::ods::Operation;

/// What stands for an operation in generated code.
pub struct Names<'a> {
    /// Its view, as the hooks name it.
    pub view: &'a TokenStream,
    /// The same, as the dialect names it.
    pub path: &'a TokenStream,
    /// Its adaptor, as the hooks name it.
    pub adaptor: &'a TokenStream,
    /// The same, as the dialect names it.
    pub adaptor_path: &'a TokenStream,
    /// Its hooks, as the dialect names them.
    pub hooks: &'a TokenStream,
}

/// The functions of the interfaces that an operation has.
pub fn methods(operation: &Operation, names: &Names<'_>) -> Vec<Method> {
    let has = |interface| traits::has_interface(operation, interface);
    let mut found = Vec::new();
    if has("BranchOpInterface") {
        found.push(successor_operands(names));
        found.extend(chooses(operation).then(|| successor_for_operands(names)));
    }
    found.extend(has("CastOpInterface").then(|| are_cast_compatible(names)));
    found.extend(has("SymbolUserOpInterface").then(|| verify_symbol_uses(names)));
    found
}

/// Whether it says which successor constants choose.
fn chooses(operation: &Operation) -> bool {
    const METHOD: &str = "getSuccessorForOperands";
    let mut used = operation.interfaces.iter().filter(|used| used.name == "BranchOpInterface");
    used.any(|used| used.overridden.iter().any(|found| found == METHOD)) || operation.members.contains(METHOD)
}

fn successor_operands(Names { view, path, hooks, .. }: &Names<'_>) -> Method {
    Method {
        function: quote! {
            /// What the block of a successor takes as arguments.
            fn successor_operands(op: #view<'_, '_>, successor: usize) -> SuccessorOperands;
        },
        specification: quote! {
            .branch(|operation, successor| {
                #path::new(operation)
                    .map_or(SuccessorOperands::default(), |op| #hooks::successor_operands(op, successor))
            })
        },
    }
}

fn successor_for_operands(Names { view, path, adaptor, adaptor_path, hooks }: &Names<'_>) -> Method {
    Method {
        function: quote! {
            /// The successor that is taken, given which operands are constant; none where that is not known.
            fn successor_for_operands<'c, 'a>(
                op: #view<'c, 'a>,
                constants: &#adaptor<'c, 'a, Option<Attribute<'c>>>,
            ) -> Option<usize>;
        },
        specification: quote! {
            .chosen_successor(|operation, operands| {
                let constants = #adaptor_path::new(Adapted::with_operands(operation, operands.to_vec()));
                #path::new(operation).and_then(|op| #hooks::successor_for_operands(op, &constants))
            })
        },
    }
}

fn are_cast_compatible(Names { hooks, .. }: &Names<'_>) -> Method {
    Method {
        function: quote! {
            /// Whether values of some types can be cast to others.
            fn are_cast_compatible<'c>(inputs: &[Type<'c>], outputs: &[Type<'c>]) -> bool;
        },
        specification: quote!(.cast(|inputs, outputs| #hooks::are_cast_compatible(inputs, outputs))),
    }
}

fn verify_symbol_uses(Names { view, path, hooks, .. }: &Names<'_>) -> Method {
    Method {
        function: quote! {
            /// Verifies the symbols that the operation names.
            fn verify_symbol_uses(op: #view<'_, '_>, symbols: &mut SymbolTables<'_>) -> Result<(), Failure>;
        },
        specification: quote! {
            .verify_symbols(|operation, symbols| {
                #path::new(operation).map_or(Ok(()), |op| #hooks::verify_symbol_uses(op, symbols))
            })
        },
    }
}
