//! What the declaration of an operation leaves to Rust: a trait with one required function for each of its flags.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    adaptors, cpp_types, custom_builders, implementations, inference,
    members::Members,
    names,
    owners::Owner,
    rust::{doc, ident},
    text_names, traits, uses,
};
use crate::ods::{Model, Operation};

/// A required function, and how the dialect hands it to MLIR.
struct Hook {
    function: TokenStream,
    /// A call of a method of `OperationSpec`, if it is one.
    specification: TokenStream,
    /// A call of a method of `DialectSpec`, if it is one.
    dialect: TokenStream,
}

/// Whether anything is left to Rust.
pub fn any(operation: &Operation, model: &Model) -> bool {
    hooks(operation).iter().any(|hook| !hook.function.is_empty())
        || !operation.builders.is_empty()
        || !operation.derived.is_empty()
        || !implementations::functions(Owner::Operation(operation), model).is_empty()
}

/// The trait with what is left to Rust, if anything is.
pub fn declaration(operation: &Operation, model: &Model) -> Option<TokenStream> {
    let hooks = hooks(operation);
    let functions = hooks.into_iter().map(|hook| hook.function).filter(|function| !function.is_empty());
    let mut functions: Vec<TokenStream> = functions.collect();
    let (members, mut types) = (Members::of(operation), BTreeSet::new());
    functions.extend(derived(operation, model, &members, &mut types));
    functions.extend(custom_builders::functions(operation, model, &members, &mut types));
    functions.extend(implementations::functions(Owner::Operation(operation), model));
    let extended = implementations::extended(Owner::Operation(operation), model);
    let name = ident(&names::hooks(operation));
    let about = doc(&format!("What the declaration of `{}` leaves to Rust.", operation.name()));
    (!functions.is_empty()).then(|| {
        quote! {
            #about
            pub trait #name #extended {
                #(#functions)*
            }
        }
    })
}

/// What is added to the specification of the operation, and to that of the dialect.
pub fn registration(operation: &Operation) -> (TokenStream, TokenStream) {
    let hooks = hooks(operation);
    let (specification, dialect) =
        hooks.iter().map(|hook| (hook.specification.clone(), hook.dialect.clone())).unzip::<_, _, Vec<_>, Vec<_>>();
    (quote!(#(#specification)*), quote!(#(#dialect)*))
}

fn hooks(operation: &Operation) -> Vec<Hook> {
    let mut hooks = verification(operation);
    hooks.extend(simplification(operation));
    hooks.extend(assembly(operation));
    hooks.extend(interfaces(operation));
    hooks
}

/// The paths of the view and of the trait, from the root of what is generated.
fn paths(operation: &Operation) -> (TokenStream, TokenStream) {
    let module = ident(&names::module_or_default(operation));
    let (view, hooks) = (ident(&names::structure(operation)), ident(&names::hooks(operation)));
    (quote!(#module::#view), quote!(<H as #module::#hooks>))
}

fn verification(operation: &Operation) -> Vec<Hook> {
    let mut found = Vec::new();
    for ((name, parameters), function) in traits::foreign(operation).zip(&Members::of(operation).verifiers) {
        let about = format!("Verifies what the C++ trait `{name}` stands for.");
        found.push(verifier(operation, function, "further_verifier", &about, parameters));
    }
    if operation.has_verifier {
        let mut about = "Verifies what constraints and traits do not say; they hold already.".to_string();
        if let Some(code) = &operation.former_verifier {
            about.push_str(&format!("\n\nIts C++:\n```text\n{}\n```", crate::writer::dedent(code).trim()));
        }
        found.push(verifier(operation, "verify", "further_verifier", &about, None));
    }
    if operation.has_region_verifier {
        let about = "Verifies what concerns the operations inside, which are verified already.";
        found.push(verifier(operation, "verify_regions", "further_region_verifier", about, None));
    }
    found
}

/// A verifier, which is given the parameters of its trait, if that has some.
fn verifier(operation: &Operation, name: &str, method: &str, about: &str, parameters: Option<&str>) -> Hook {
    let (path, hooks) = paths(operation);
    let view = ident(&names::structure(operation));
    let (name, method, about) = (ident(name), ident(method), doc(about));
    let taken = parameters.map(|_| quote!(, parameters: &str));
    let call = match parameters {
        Some(given) => quote!(|op| #hooks::#name(op, #given)),
        None => quote!(#hooks::#name),
    };
    Hook {
        function: quote! {
            #about
            fn #name(op: #view<'_, '_> #taken) -> Result<(), Failure>;
        },
        specification: quote!(.#method(|operation| #path::new(operation).map_or(Ok(()), #call))),
        dialect: TokenStream::new(),
    }
}

fn simplification(operation: &Operation) -> Vec<Hook> {
    let (path, hooks) = paths(operation);
    let view = ident(&names::structure(operation));
    let (module, adaptor) = (ident(&names::module_or_default(operation)), adaptors::name(operation));
    let mut found = Vec::new();
    if operation.has_folder {
        found.push(Hook {
            function: quote! {
                /// Folds the operation, given which of its operands are constant.
                fn fold<'c, 'a>(
                    op: #view<'c, 'a>,
                    constants: &#adaptor<'c, 'a, Option<Attribute<'c>>>,
                ) -> Fold<'c, 'a>;
            },
            specification: quote! {
                .folder(|operation, operands| {
                    let constants = Adapted::with_operands(operation, operands.to_vec());
                    let constants = #module::#adaptor::new(constants);
                    #path::new(operation).map_or(Fold::Unchanged, |op| #hooks::fold(op, &constants))
                })
            },
            dialect: TokenStream::new(),
        });
    }
    if operation.has_canonicalize_method {
        let pattern = format!("canonicalize {}", operation.name());
        found.push(Hook {
            function: quote! {
                /// Brings the operation into its canonical form; whether that changed anything.
                fn canonicalize<'c, 'a>(op: #view<'c, 'a>, rewriter: &Rewriter<'c, 'a>) -> Result<bool, Failure>;
            },
            specification: TokenStream::new(),
            dialect: quote! {
                .canonicalization_pattern(OperationPattern::new(#pattern, #path::NAME, |operation, rewriter| {
                    #path::new(operation).map_or(Ok(false), |op| #hooks::canonicalize(op, rewriter))
                }))
            },
        });
    }
    if operation.has_canonicalizer {
        found.push(Hook {
            function: quote! {
                /// The patterns that bring the operation into its canonical form.
                fn canonicalization_patterns() -> Vec<OperationPattern>;
            },
            specification: TokenStream::new(),
            dialect: quote!(.canonicalization_patterns(#hooks::canonicalization_patterns())),
        });
    }
    found
}

fn assembly(operation: &Operation) -> Vec<Hook> {
    if !operation.has_custom_assembly {
        return Vec::new();
    }
    let (path, hooks) = paths(operation);
    let view = ident(&names::structure(operation));
    vec![Hook {
        function: quote! {
            /// Parses what follows the name of the operation.
            fn parse<'c, 'p>(parser: &mut Parser<'c, 'p>) -> Result<(), Failure>;
            /// Prints what follows the name of the operation.
            fn print(op: #view<'_, '_>, printer: &mut Printer<'_>);
        },
        specification: quote! {
            .assembly(
                |parser| #hooks::parse(parser),
                |operation, printer| {
                    if let Some(op) = #path::new(operation) {
                        #hooks::print(op, printer);
                    }
                },
            )
        },
        dialect: TokenStream::new(),
    }]
}

fn interfaces(operation: &Operation) -> Vec<Hook> {
    let (path, hooks) = paths(operation);
    let view = ident(&names::structure(operation));
    let (module, adaptor) = (ident(&names::module_or_default(operation)), adaptors::name(operation));
    let mut found = Vec::new();
    if inference::is_by_hand(operation) {
        let (function, specification) = inference::by_hand(operation, &module, &adaptor, &hooks);
        found.push(Hook { function, specification, dialect: TokenStream::new() });
    }
    if traits::has_interface(operation, "MemoryEffectOpInterface") && traits::effects(operation).is_none() {
        found.push(Hook {
            function: quote! {
                /// What the operation does to memory.
                fn effects(op: #view<'_, '_>) -> Vec<Effect>;
            },
            specification: quote! {
                .effects(Effects::Computed(Box::new(|operation| {
                    #path::new(operation).map_or(Vec::new(), #hooks::effects)
                })))
            },
            dialect: TokenStream::new(),
        });
    }
    if traits::has_interface(operation, "CallOpInterface") {
        found.push(Hook {
            function: quote! {
                /// How the operation calls.
                fn call() -> CallInterface;
            },
            specification: quote!(.call(#hooks::call())),
            dialect: TokenStream::new(),
        });
    }
    if traits::has_interface(operation, "RegionBranchOpInterface") {
        found.push(Hook {
            function: quote! {
                /// Where control can flow from a point.
                fn region_successors(op: #view<'_, '_>, from: RegionPoint) -> Vec<RegionSuccessor>;
            },
            specification: quote! {
                .region_branch(|operation, from| {
                    #path::new(operation).map_or(Vec::new(), |op| #hooks::region_successors(op, from))
                })
            },
            dialect: TokenStream::new(),
        });
    }
    let names = uses::Names {
        view: &quote!(#view),
        path: &path,
        adaptor: &quote!(#adaptor),
        adaptor_path: &quote!(#module::#adaptor),
        hooks: &hooks,
    };
    let methods = text_names::methods(operation, names.view, &path, &hooks).into_iter();
    found.extend(methods.chain(uses::methods(operation, &names)).map(|method| Hook {
        function: method.function,
        specification: method.specification,
        dialect: TokenStream::new(),
    }));
    found
}

/// What is computed of an operation and not stored: `Hooks::name(op)` is its getter.
fn derived(operation: &Operation, model: &Model, members: &Members, types: &mut BTreeSet<String>) -> Vec<TokenStream> {
    let view = ident(&names::structure(operation));
    let functions = operation.derived.iter().zip(&members.derived).map(|(item, name)| {
        let name = ident(name);
        let text = format!("The derived attribute `{}`. Its C++:\n```text\n{}\n```", item.name, item.body.trim());
        let about = doc(&text);
        let (kind, unknown) = custom_builders::signature_type(
            cpp_types::returned(&item.returned, model),
            &item.name,
            &item.returned,
            types,
        );
        quote! {
            #unknown
            #about
            fn #name<'c: 'a, 'a>(op: #view<'c, 'a>) -> #kind;
        }
    });
    functions.collect()
}
