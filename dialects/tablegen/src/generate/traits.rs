//! Traits of operations, as the runtime knows them.

use proc_macro2::TokenStream;
use quote::quote;

use super::rust::ident;
use crate::{
    ods::{Definition, Effect, EffectKind, Operation, Trait},
    predicate::Predicate,
};

/// The C++ names of the traits that the bridge knows, and its own.
const TRAITS: [(&str, &str); 29] = [
    ("IsTerminator", "Terminator"),
    ("IsCommutative", "Commutative"),
    ("IsIdempotent", "Idempotent"),
    ("IsInvolution", "Involution"),
    ("SameOperandsAndResultType", "SameOperandsAndResultType"),
    ("SameOperandsAndResultElementType", "SameOperandsAndResultElementType"),
    ("SameOperandsAndResultShape", "SameOperandsAndResultShape"),
    ("SameTypeOperands", "SameTypeOperands"),
    ("SameOperandsShape", "SameOperandsShape"),
    ("SameOperandsElementType", "SameOperandsElementType"),
    ("SameOperandsAndResultRank", "SameOperandsAndResultRank"),
    ("IsIsolatedFromAbove", "IsolatedFromAbove"),
    ("SymbolTable", "SymbolTable"),
    ("NoTerminator", "NoTerminator"),
    ("SingleBlock", "SingleBlock"),
    ("ConstantLike", "ConstantLike"),
    ("HasRecursiveMemoryEffects", "RecursiveMemoryEffects"),
    ("AttrSizedOperandSegments", "AttrSizedOperandSegments"),
    ("AttrSizedResultSegments", "AttrSizedResultSegments"),
    ("ReturnLike", "ReturnLike"),
    ("AffineScope", "AffineScope"),
    ("AutomaticAllocationScope", "AutomaticAllocationScope"),
    ("Elementwise", "Elementwise"),
    ("AlwaysSpeculatableImplTrait", "AlwaysSpeculatable"),
    ("RecursivelySpeculatableImplTrait", "RecursivelySpeculatable"),
    ("NoRegionArguments", "NoRegionArguments"),
    ("Scalarizable", "Scalarizable"),
    ("Vectorizable", "Vectorizable"),
    ("Tensorizable", "Tensorizable"),
];

/// Traits that say what follows from the declaration, or how C++ finds it.
const IMPLIED: [&str; 5] = [
    "SameVariadicOperandSize",
    "SameVariadicResultSize",
    "FirstAttrDerivedResultType",
    "InferTypeOpAdaptor",
    "InferShapedTypeOpAdaptor",
];

/// Those with parameters that MLIR knows.
const PARAMETRIC: [&str; 2] = ["HasParent", "SingleBlockImplicitTerminator"];

/// Those of which MLIR knows nothing that Rust could reach, with their parameters: what they verify is written in Rust.
pub fn foreign(operation: &Operation) -> impl Iterator<Item = (&str, Option<&str>)> {
    let is_foreign = |name: &str| !IMPLIED.contains(&name) && TRAITS.iter().all(|(theirs, _)| *theirs != name);
    operation.traits.iter().filter_map(move |item| match item {
        Trait::Native(name) if is_foreign(name) => Some((name.as_str(), None)),
        Trait::Parametric { name, parameters } if !PARAMETRIC.contains(&name.as_str()) => {
            Some((name.as_str(), Some(parameters.as_str())))
        }
        _ => None,
    })
}

/// The same of a type or an attribute, of whose traits MLIR tells Rust nothing.
pub fn foreign_of_definition(definition: &Definition) -> impl Iterator<Item = (&str, Option<&str>)> {
    definition.traits.iter().filter_map(|item| match item {
        Trait::Native(name) => Some((name.as_str(), None)),
        Trait::Parametric { name, parameters } => Some((name.as_str(), Some(parameters.as_str()))),
        _ => None,
    })
}

/// Those that MLIR knows by themselves.
pub fn native(operation: &Operation) -> Vec<TokenStream> {
    let mut names: Vec<&str> = Vec::new();
    for item in &operation.traits {
        let name = match item {
            Trait::Native(name) => match TRAITS.iter().find(|(theirs, _)| theirs == name) {
                Some((_, ours)) => *ours,
                None => continue,
            },
            Trait::Interface(name) => match name.rsplit("::").find(|part| *part != "Trait").unwrap_or_default() {
                "SymbolOpInterface" | "Symbol" => "Symbol",
                // Hooks implement the others.
                _ => continue,
            },
            Trait::Parametric { .. } | Trait::Predicate { .. } | Trait::Effects(_) => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let paths = names.into_iter().map(ident).map(|name| quote!(Trait::#name));
    paths.collect()
}

/// The predicates over the whole operation, with what they say.
pub fn predicates(operation: &Operation) -> impl Iterator<Item = (&str, &Predicate)> {
    operation.traits.iter().filter_map(|item| match item {
        Trait::Predicate { summary, predicate } => Some((summary.as_str(), predicate)),
        _ => None,
    })
}

/// The declared effects on memory.
pub fn effects(operation: &Operation) -> Option<TokenStream> {
    let mut effects = Vec::new();
    let mut is_declared = false;
    let effect = |kind: &EffectKind, of: TokenStream| {
        let kind = ident(&format!("{kind:?}"));
        quote!(DeclaredEffect { kind: EffectKind::#kind, of: #of })
    };
    for item in &operation.traits {
        if let Trait::Effects(kinds) = item {
            is_declared = true;
            effects.extend(kinds.iter().map(|kind| effect(kind, quote!(Affected::Anything))));
        }
    }
    let kinds = |effects: &[Effect]| effects.iter().filter_map(|effect| effect.kind).collect::<Vec<_>>();
    for (index, operand) in operation.operands.iter().enumerate() {
        effects.extend(kinds(&operand.effects).iter().map(|kind| effect(kind, quote!(Affected::Operand(#index)))));
    }
    for (index, result) in operation.results.iter().enumerate() {
        effects.extend(kinds(&result.effects).iter().map(|kind| effect(kind, quote!(Affected::Result(#index)))));
    }
    // What a symbol names may be anything.
    for attribute in &operation.attributes {
        effects.extend(kinds(&attribute.effects).iter().map(|kind| effect(kind, quote!(Affected::Anything))));
    }
    (is_declared || !effects.is_empty()).then(|| quote!(&[#(#effects),*]))
}

/// All effects as they are declared, where MLIR is told less of them: it hears of what is done to memory, and not to which.
pub fn side_effects(operation: &Operation) -> Option<TokenStream> {
    let anything = quote!(Affected::Anything);
    let of = |effects: &[Effect], of: &TokenStream| effects.iter().map(|item| (item.clone(), of.clone())).collect();
    let mut all: Vec<(Effect, TokenStream)> = of(&operation.effects, &anything);
    for (index, operand) in operation.operands.iter().enumerate() {
        all.extend(of(&operand.effects, &quote!(Affected::Operand(#index))));
    }
    for (index, result) in operation.results.iter().enumerate() {
        all.extend(of(&result.effects, &quote!(Affected::Result(#index))));
    }
    for attribute in &operation.attributes {
        all.extend(of(&attribute.effects, &anything));
    }
    let effects = all.iter().map(|(effect, of)| {
        let Effect { interface, effect: class, resource, stage, full, .. } = effect;
        quote! {
            SideEffect {
                interface: #interface, effect: #class, resource: #resource, of: #of, stage: #stage, full: #full
            }
        }
    });
    let effects: Vec<TokenStream> = effects.collect();
    all.iter().any(|(effect, _)| says_more(effect)).then(|| quote!(&[#(#effects),*]))
}

/// Whether an effect is more than one on memory of any kind, at any time.
fn says_more(effect: &Effect) -> bool {
    let is_default = effect.resource.trim_start_matches("::mlir::") == "SideEffects::DefaultResource";
    effect.kind.is_none() || !is_default || effect.stage != 0 || effect.full
}

/// The parameters of a trait: C++ classes of operations, which stand for their names, or the names themselves.
pub fn parametric(operation: &Operation, name: &str) -> Vec<TokenStream> {
    let parameters = operation.traits.iter().filter_map(|item| match item {
        Trait::Parametric { name: found, parameters } if found == name => Some(parameters),
        _ => None,
    });
    let names = parameters
        .flat_map(|parameters| parameters.split(','))
        .filter_map(|parameter| operation.named_operations.get(parameter.trim()));
    names.map(|name| quote!(#name)).collect()
}

/// Whether an interface is among the traits.
pub fn has_interface(operation: &Operation, name: &str) -> bool {
    let is_it = |full: &str| full.rsplit("::").find(|part| *part != "Trait") == Some(name);
    operation.traits.iter().any(|item| matches!(item, Trait::Interface(full) if is_it(full)))
}
