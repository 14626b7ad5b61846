//! What generated code imports of the runtime: of all names that it may use, those that stand in it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

/// Where the names stand that generated code may use.
const NAMES: [(&str, &[&str]); 7] = [
    ("std::marker", &["PhantomData"]),
    (
        "skriptnd_ods",
        &[
            "Adapted",
            "AttributeDefinition",
            "AttributeInterface",
            "AttributeSyntax",
            "Build",
            "Clause",
            "Affected",
            "DeclaredEffect",
            "Element",
            "EnumerationDefinition",
            "Format",
            "FormatParser",
            "GroupArity",
            "OperationDefinition",
            "OperationInterface",
            "ParameterConstraint",
            "ParameterDefault",
            "ParameterDefinition",
            "ParameterElement",
            "ParameterKind",
            "ParameterValue",
            "ParameterValues",
            "ParameterizedDefinition",
            "ParsedParameters",
            "PredicateDefinition",
            "Reference",
            "RegionDefinition",
            "RegionSignature",
            "SetSyntax",
            "SideEffect",
            "Signature",
            "TypeInterface",
            "TypeSource",
            "SuccessorDefinition",
            "ValueDefinition",
            "definition_specification",
            "predicate",
            "specification",
            "verify_compatible_results",
            "verify_results",
        ],
    ),
    ("skriptnd_ods::mlir", &["Failure"]),
    (
        "skriptnd_ods::mlir::dialect",
        &[
            "CallInterface",
            "DialectSpec",
            "Effect",
            "EffectKind",
            "Effects",
            "Fold",
            "FoldResult",
            "InferenceInput",
            "ParameterParser",
            "ParameterPrinter",
            "Parser",
            "Printer",
            "RegionEntry",
            "RegionPoint",
            "RegionSuccessor",
            "Trait",
            "ValueNames",
        ],
    ),
    (
        "skriptnd_ods::mlir::ir",
        &[
            "Attribute",
            "BlockRef",
            "Builder",
            "Context",
            "Location",
            "OperationRef",
            "RegionRef",
            "Root",
            "Type",
            "Value",
            "attributes",
            "block_arguments",
            "defined",
            "types",
        ],
    ),
    ("skriptnd_ods::mlir::pass", &["Admitted", "OptionValue", "PassRun", "PassSpec"]),
    ("skriptnd_ods::mlir::rewrite", &["OperationPattern", "Rewriter"]),
];

/// Whether generated code imports something of this name.
pub fn is_imported(name: &str) -> bool {
    NAMES.iter().any(|(_, names)| names.contains(&name))
}

/// `use` items for the names of the runtime that stand in some code.
pub fn imports(code: &TokenStream) -> TokenStream {
    let mut used = BTreeSet::new();
    identifiers(code.clone(), &mut used);
    let mut found: BTreeMap<&str, Vec<Ident>> = BTreeMap::new();
    for (module, names) in NAMES {
        let names: Vec<Ident> = names.iter().filter(|name| used.contains(**name)).map(|name| plain(name)).collect();
        if !names.is_empty() {
            found.insert(module, names);
        }
    }
    let items = found.into_iter().map(|(module, names)| {
        let module: Vec<Ident> = module.split("::").map(plain).collect();
        quote!(use #(#module)::*::{#(#names),*};)
    });
    items.collect()
}

/// Functions among the names; other names in small letters are modules, and stand before `::`.
const FUNCTIONS: [&str; 4] =
    ["specification", "definition_specification", "verify_compatible_results", "verify_results"];

/// The names that stand for themselves: none behind `::`, and no cases of enumerations that are declared there.
fn identifiers(code: TokenStream, found: &mut BTreeSet<String>) {
    let mut rest = code.into_iter().peekable();
    let (mut is_half, mut is_behind_colons) = (false, false);
    while let Some(token) = rest.next() {
        let (was_half, is_tail) = (std::mem::take(&mut is_half), std::mem::take(&mut is_behind_colons));
        match token {
            TokenTree::Ident(ident) if ident == "enum" => rest.by_ref().take(2).for_each(drop),
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let is_before_colons = rest.peek().is_some_and(begins_path);
                let stands_alone = !name.starts_with(char::is_lowercase) || FUNCTIONS.contains(&name.as_str());
                if !is_tail && (is_before_colons || stands_alone) {
                    found.insert(name);
                }
            }
            TokenTree::Group(group) => identifiers(group.stream(), found),
            TokenTree::Punct(_) if begins_path(&token) => is_half = true,
            TokenTree::Punct(punct) => is_behind_colons = was_half && punct.as_char() == ':',
            TokenTree::Literal(_) => {}
        }
    }
}

/// Whether it is the first half of `::`.
fn begins_path(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
}

fn plain(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
