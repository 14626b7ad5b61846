//! What generated code imports of the runtime: of all names that it may use, those that stand in it.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fmt::Write as _,
    sync::LazyLock,
};

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
            "SuccessorOperands",
            "SymbolTables",
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

/// The names of all modules.
static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| NAMES.iter().flat_map(|(_, names)| *names).copied().collect());

/// Whether generated code imports something of this name.
pub fn is_imported(name: &str) -> bool {
    ALL.contains(name)
}

/// `use` items for the names of the runtime that stand in some code.
pub fn imports(code: &TokenStream) -> TokenStream {
    let mut used = BTreeSet::new();
    identifiers(code.clone(), &mut used, &mut String::new());
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
///
/// Each is written to `text`: there are many, and few are imported.
fn identifiers(code: TokenStream, found: &mut BTreeSet<&'static str>, text: &mut String) {
    let mut rest = code.into_iter().peekable();
    let (mut is_half, mut is_behind_colons) = (false, false);
    while let Some(token) = rest.next() {
        let (was_half, is_tail) = (std::mem::take(&mut is_half), std::mem::take(&mut is_behind_colons));
        match token {
            TokenTree::Ident(ident) if ident == "enum" => rest.by_ref().take(2).for_each(drop),
            TokenTree::Ident(ident) => {
                if is_tail {
                    continue;
                }
                text.clear();
                let Some(name) = write!(text, "{ident}").ok().and_then(|()| ALL.get(text.as_str())) else { continue };
                let is_before_colons = rest.peek().is_some_and(begins_path);
                if is_before_colons || !name.starts_with(char::is_lowercase) || FUNCTIONS.contains(name) {
                    found.insert(*name);
                }
            }
            TokenTree::Group(group) => identifiers(group.stream(), found, text),
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
