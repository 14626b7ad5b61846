//! What the declaration of an operation leaves to Rust: a trait with one required function for each of its flags.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    cpp_types, inference, names,
    rust::{doc, ident},
    traits,
    views::unique,
};
use crate::{
    ods::{Builder, Method, Model, Operation},
    predicate::snake_case,
};

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
    !hooks(operation).is_empty()
        || !operation.builders.is_empty()
        || !operation.derived.is_empty()
        || required_methods(operation, model).next().is_some()
}

/// The trait with what is left to Rust, if anything is.
pub fn declaration(operation: &Operation, model: &Model) -> Option<TokenStream> {
    let hooks = hooks(operation);
    let mut functions: Vec<TokenStream> = hooks.iter().map(|hook| hook.function.clone()).collect();
    functions.extend(derived(operation, model));
    functions.extend(builders(operation, model));
    functions.extend(methods(operation, model));
    let name = ident(&trait_name(operation));
    let about = doc(&format!("What the declaration of `{}` leaves to Rust.", operation.name()));
    (!functions.is_empty()).then(|| {
        quote! {
            #about
            pub trait #name {
                #(#functions)*
            }
        }
    })
}

/// The name of that trait.
pub fn trait_name(operation: &Operation) -> String {
    format!("{}Hooks", names::structure(operation))
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
    let (view, hooks) = (ident(&names::structure(operation)), ident(&trait_name(operation)));
    (quote!(#module::#view), quote!(<H as #module::#hooks>))
}

fn verification(operation: &Operation) -> Vec<Hook> {
    let (path, hooks) = paths(operation);
    let view = ident(&names::structure(operation));
    let hook = |name: &str, method: &str, about: &str| {
        let (name, method, about) = (ident(name), ident(method), doc(about));
        Hook {
            function: quote! {
                #about
                fn #name(op: #view<'_, '_>) -> Result<(), Failure>;
            },
            specification: quote!(.#method(|operation| #path::new(operation).map_or(Ok(()), #hooks::#name))),
            dialect: TokenStream::new(),
        }
    };
    let mut found = Vec::new();
    for name in traits::foreign(operation) {
        let about = format!("Verifies what the C++ trait `{name}` stands for.");
        found.push(hook(&format!("verify_{}", snake_case(name)), "further_verifier", &about));
    }
    if operation.has_verifier {
        let about = "Verifies what constraints and traits do not say; they hold already.";
        found.push(hook("verify", "further_verifier", about));
    }
    if operation.has_region_verifier {
        let about = "Verifies what concerns the operations inside, which are verified already.";
        found.push(hook("verify_regions", "region_verifier", about));
    }
    found
}

fn simplification(operation: &Operation) -> Vec<Hook> {
    let (path, hooks) = paths(operation);
    let view = ident(&names::structure(operation));
    let mut found = Vec::new();
    if operation.has_folder {
        found.push(Hook {
            function: quote! {
                /// Folds the operation, given the operands that are constant.
                fn fold<'c, 'a>(op: #view<'c, 'a>, operands: &[Option<Attribute<'c>>]) -> Fold<'c, 'a>;
            },
            specification: quote! {
                .folder(|operation, operands| {
                    #path::new(operation).map_or(Fold::Unchanged, |op| #hooks::fold(op, operands))
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
    let mut found = Vec::new();
    if inference::is_by_hand(operation) {
        found.push(Hook {
            function: quote! {
                /// Infers the types of the results.
                fn infer_return_types<'c, 'a>(input: &InferenceInput<'c, 'a>) -> Result<Vec<Type<'c>>, Failure>;
            },
            specification: quote!(.type_inference(|input| #hooks::infer_return_types(input))),
            dialect: TokenStream::new(),
        });
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
    found
}

/// What is computed of an operation and not stored: `Hooks::name(op)` is its getter.
fn derived(operation: &Operation, model: &Model) -> Vec<TokenStream> {
    let view = ident(&names::structure(operation));
    let functions = operation.derived.iter().map(|item| {
        let name = ident(&names::function(&item.name));
        let text = format!("The derived attribute `{}`. Its C++:\n```text\n{}\n```", item.name, item.body.trim());
        let about = doc(&text);
        let (kind, unknown) = signature_type(cpp_types::returned(&item.returned, model), &item.name, &item.returned);
        quote! {
            #unknown
            #about
            fn #name<'c: 'a, 'a>(op: #view<'c, 'a>) -> #kind;
        }
    });
    functions.collect()
}

/// The builders of the declaration, whose bodies are C++.
fn builders(operation: &Operation, model: &Model) -> Vec<TokenStream> {
    let mut taken = BTreeSet::new();
    operation.builders.iter().map(|builder| self::builder(operation, builder, model, &mut taken)).collect()
}

fn builder(operation: &Operation, builder: &Builder, model: &Model, taken: &mut BTreeSet<String>) -> TokenStream {
    let view = ident(&names::structure(operation));
    let named = builder.parameters.iter().map(|parameter| snake_case(&parameter.name)).filter(|name| !name.is_empty());
    let name = match named.collect::<Vec<_>>().join("_") {
        words if words.is_empty() => "build".to_string(),
        words => format!("build_with_{words}"),
    };
    let name = unique(taken, &name);
    let mut own = BTreeSet::from(["builder".to_string()]);
    let mut unknown = Vec::new();
    let parameters: Vec<TokenStream> = builder
        .parameters
        .iter()
        .enumerate()
        .map(|(index, parameter)| {
            let shown = if parameter.name.is_empty() { format!("argument_{index}") } else { parameter.name.clone() };
            let key = format!("{name}_{shown}");
            let (kind, missing) =
                signature_type(cpp_types::parameter(&parameter.cpp_type, model), &key, &parameter.cpp_type);
            unknown.push(missing);
            let kind = if parameter.default.is_some() { quote!(Option<#kind>) } else { kind };
            let shown = ident(&unique(&mut own, &shown));
            quote!(#shown: #kind)
        })
        .collect();
    let about = doc(&about_builder(builder));
    let name = ident(&name);
    quote! {
        #(#unknown)*
        #about
        fn #name<'c: 'a, 'a>(builder: &Builder<'c, 'a>, #(#parameters),*) -> Result<#view<'c, 'a>, Failure>;
    }
}

fn about_builder(builder: &Builder) -> String {
    let mut text = String::from("Builds the operation.");
    for parameter in &builder.parameters {
        if let Some(default) = &parameter.default {
            text.push_str(&format!(" Where `{}` is not given, C++ takes `{default}`.", parameter.name));
        }
    }
    if let Some(reason) = &builder.deprecated {
        text.push_str(&format!(" Deprecated: {reason}."));
    }
    if let Some(body) = &builder.body {
        text.push_str(&format!(" Its C++:\n```text\n{}\n```", crate::writer::dedent(body)));
    }
    text
}

/// The type in a signature; one that has no counterpart becomes an associated type.
fn signature_type(known: Option<TokenStream>, name: &str, cpp: &str) -> (TokenStream, TokenStream) {
    if let Some(known) = known {
        return (known, TokenStream::new());
    }
    // Functions of one name are told apart by underscores behind it.
    let number = name.matches("__").count();
    let words = snake_case(name);
    let camel: String = words
        .split('_')
        .map(|word| word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect::<String>())
        .collect();
    let name = ident(&if number == 0 { camel } else { format!("{camel}{}", number + 1) });
    let about = doc(&format!("What stands for the C++ type `{}`.", cpp.trim()));
    (quote!(Self::#name), quote!(#about type #name;))
}

/// Interfaces that MLIR reaches through hooks of their own.
const REACHED: [&str; 8] = [
    "InferTypeOpInterface",
    "MemoryEffectOpInterface",
    "CallOpInterface",
    "RegionBranchOpInterface",
    // By the trait `ReturnLike`.
    "RegionBranchTerminatorOpInterface",
    "FunctionOpInterface",
    "SymbolOpInterface",
    "ConditionallySpeculatable",
];

/// The methods of interfaces that have no C++ of their own.
fn required_methods<'a>(operation: &'a Operation, model: &'a Model) -> impl Iterator<Item = &'a Method> {
    let is_first = |index: usize, name: &str| operation.interfaces[..index].iter().all(|used| used.name != name);
    let used = operation.interfaces.iter().enumerate();
    let used = used.filter(move |(index, used)| is_first(*index, &used.name) && !REACHED.contains(&used.name.as_str()));
    used.flat_map(|(_, used)| {
        let interface = model.interfaces.iter().find(|interface| interface.name == used.name);
        let methods = interface.map(|interface| interface.methods.iter()).into_iter().flatten();
        methods.filter(|method| {
            let is_overridden = used.overridden.contains(&method.name);
            method.body.is_none() && (method.default_body.is_none() || is_overridden)
        })
    })
}

/// What interfaces ask of the operation.
fn methods(operation: &Operation, model: &Model) -> Vec<TokenStream> {
    let view = ident(&names::structure(operation));
    let mut taken: BTreeSet<String> = OWN.iter().map(|name| (*name).to_string()).collect();
    let functions = required_methods(operation, model).map(|method| {
        let name = unique(&mut taken, &method.name);
        let text = method.description.clone().unwrap_or_else(|| format!("`{}`", method.name));
        let about = doc(&text);
        let (kind, missing) =
            signature_type(cpp_types::returned(&method.returned, model), &format!("{name}_result"), &method.returned);
        let mut unknown = vec![missing];
        let mut own = BTreeSet::from(["op".to_string()]);
        let parameters: Vec<TokenStream> = method
            .parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| {
                let shown =
                    if parameter.name.is_empty() { format!("argument_{index}") } else { parameter.name.clone() };
                let known = cpp_types::parameter(&parameter.cpp_type, model);
                let (kind, missing) = signature_type(known, &format!("{name}_{shown}"), &parameter.cpp_type);
                unknown.push(missing);
                let shown = ident(&unique(&mut own, &shown));
                quote!(#shown: #kind)
            })
            .collect();
        let name = ident(&name);
        let this = (!method.is_static).then(|| quote!(op: #view<'c, 'a>,));
        quote! {
            #(#unknown)*
            #about
            fn #name<'c: 'a, 'a>(#this #(#parameters),*) -> #kind;
        }
    });
    functions.collect()
}

/// Names of hooks that methods of interfaces must not have.
const OWN: [&str; 12] = [
    "verify",
    "verify_regions",
    "fold",
    "canonicalize",
    "canonicalization_patterns",
    "parse",
    "print",
    "infer_return_types",
    "effects",
    "call",
    "region_successors",
    "build",
];
