//! What generated code imports of the runtime: of all names that it may use, those that stand in it.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fmt::Write as _,
    sync::LazyLock,
};

use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{
    Item, ItemMod, ItemUse, Macro, MetaList, Path, UseTree,
    visit_mut::{self, VisitMut},
};

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
            "natives",
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

/// Stands for the `use` items of a module until [`resolve`] knows the names that stand in it.
pub fn imports() -> TokenStream {
    let marker = plain(MARKER);
    quote!(use #marker;)
}

/// The name that [`imports`] uses.
const MARKER: &str = "names_of_the_runtime";

/// Puts `use` items for the names of the runtime where [`imports`] stands for them.
pub fn resolve(items: &mut Vec<Item>) {
    for item in items.iter_mut() {
        if let Item::Mod(ItemMod { content: Some((_, inner)), .. }) = item {
            resolve(inner);
        }
    }
    let Some(at) = items.iter().position(is_marker) else { return };
    let mut names = Names::default();
    items.iter_mut().for_each(|item| names.visit_item_mut(item));
    items.splice(at..=at, uses(&names.found));
}

fn is_marker(item: &Item) -> bool {
    let Item::Use(ItemUse { tree: UseTree::Name(name), .. }) = item else { return false };
    name.ident == MARKER
}

fn uses(used: &BTreeSet<&str>) -> Vec<Item> {
    let mut found: BTreeMap<&str, Vec<Ident>> = BTreeMap::new();
    for (module, names) in NAMES {
        let names: Vec<Ident> = names.iter().filter(|name| used.contains(**name)).map(|name| plain(name)).collect();
        if !names.is_empty() {
            found.insert(module, names);
        }
    }
    let items = found.into_iter().map(|(module, names)| -> Item {
        let module: Vec<Ident> = module.split("::").map(plain).collect();
        syn::parse_quote!(use #(#module)::*::{#(#names),*};)
    });
    items.collect()
}

/// Functions among the names; other names in small letters are modules, and stand before `::`.
const FUNCTIONS: [&str; 4] =
    ["specification", "definition_specification", "verify_compatible_results", "verify_results"];

/// The names of the runtime that paths begin with.
#[derive(Default)]
struct Names {
    found: BTreeSet<&'static str>,
    text: String,
}

impl Names {
    /// Notes a name that stands for itself, and does not follow `::`.
    fn note(&mut self, ident: &Ident, is_before_colons: bool) {
        // There are many, and few are imported.
        self.text.clear();
        let name = write!(self.text, "{ident}").ok().and_then(|()| ALL.get(self.text.as_str()));
        let Some(name) = name else { return };
        if is_before_colons || !name.starts_with(char::is_lowercase) || FUNCTIONS.contains(name) {
            self.found.insert(*name);
        }
    }

    /// The same of all names in some code that `syn` leaves as it is.
    fn note_all(&mut self, code: TokenStream) {
        let mut rest = code.into_iter().peekable();
        let (mut is_half, mut is_behind_colons) = (false, false);
        while let Some(token) = rest.next() {
            let (was_half, is_tail) = (std::mem::take(&mut is_half), std::mem::take(&mut is_behind_colons));
            match token {
                TokenTree::Ident(ident) if !is_tail => self.note(&ident, rest.peek().is_some_and(begins_path)),
                TokenTree::Group(group) => self.note_all(group.stream()),
                TokenTree::Punct(_) if begins_path(&token) => is_half = true,
                TokenTree::Punct(punct) => is_behind_colons = was_half && punct.as_char() == ':',
                TokenTree::Ident(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl VisitMut for Names {
    fn visit_path_mut(&mut self, path: &mut Path) {
        if let (None, Some(first)) = (path.leading_colon, path.segments.first()) {
            self.note(&first.ident, path.segments.len() > 1);
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        self.note_all(call.tokens.clone());
        visit_mut::visit_macro_mut(self, call);
    }

    fn visit_meta_list_mut(&mut self, list: &mut MetaList) {
        self.note_all(list.tokens.clone());
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        let Some((_, items)) = &mut module.content else { return };
        // Others import for themselves.
        if items.iter().any(takes_all_of_super) {
            items.iter_mut().for_each(|item| self.visit_item_mut(item));
        }
    }
}

/// Whether it is `use super::*;`.
fn takes_all_of_super(item: &Item) -> bool {
    let Item::Use(ItemUse { tree: UseTree::Path(path), .. }) = item else { return false };
    path.ident == "super" && matches!(*path.tree, UseTree::Glob(_))
}

/// Whether it is the first half of `::`.
fn begins_path(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint)
}

fn plain(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
