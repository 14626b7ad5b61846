//! What a generated dialect leaves to Rust: by hand where a file has it, and otherwise done so that it admits everything.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ImplItem, Item, ItemTrait, ReturnType, Signature, TraitItem, Type};

/// What is written by hand, by the names of the traits.
type ByHand = BTreeMap<String, Vec<ImplItem>>;

/// The generated text with a structure `Permissive` that has all hooks. What `by_hand` implements for it stands where the
/// names that the traits use mean the same.
pub fn with_hooks(text: &str, by_hand: &str) -> syn::Result<String> {
    let mut file = syn::parse_file(text)?;
    let mut written = read(by_hand)?;
    implement(&mut file.items, &quote!(Permissive), &mut written)?;
    if let Some(name) = written.keys().next() {
        return Err(syn::Error::new(proc_macro2::Span::call_site(), format!("there is no trait {name}")));
    }
    file.items.push(syn::parse_quote! {
        /// Has all hooks, and refuses nothing.
        pub struct Permissive;
    });
    Ok(prettyplease::unparse(&file))
}

fn read(by_hand: &str) -> syn::Result<ByHand> {
    let mut found = ByHand::new();
    for item in syn::parse_file(by_hand)?.items {
        let Item::Impl(item) = item else { return Err(syn::Error::new_spanned(item, "expected an implementation")) };
        let name = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        let name = name.ok_or_else(|| syn::Error::new_spanned(&item.self_ty, "expected a trait"))?;
        found.insert(name.ident.to_string(), item.items.clone());
    }
    Ok(found)
}

/// Implements the traits of hooks beside them.
fn implement(items: &mut Vec<Item>, permissive: &TokenStream, by_hand: &mut ByHand) -> syn::Result<()> {
    let mut added = Vec::new();
    for item in items.iter_mut() {
        match item {
            Item::Mod(inside) => {
                if let Some((_, items)) = &mut inside.content {
                    implement(items, &quote!(super::#permissive), by_hand)?;
                }
            }
            Item::Trait(found) if found.ident != "Hooks" && found.ident.to_string().ends_with("Hooks") => {
                let written = by_hand.remove(&found.ident.to_string()).unwrap_or_default();
                added.push(syn::parse2(implementation(found, permissive, &written))?);
            }
            _ => {}
        }
    }
    items.extend(added);
    Ok(())
}

fn implementation(hooks: &ItemTrait, permissive: &TokenStream, written: &[ImplItem]) -> TokenStream {
    let name = &hooks.ident;
    let is_written = |name: &syn::Ident| {
        written.iter().any(|item| matches!(item, ImplItem::Fn(function) if function.sig.ident == *name))
    };
    let members = hooks.items.iter().filter_map(|item| match item {
        TraitItem::Fn(function) if function.default.is_none() && !is_written(&function.sig.ident) => {
            let signature = &function.sig;
            let body = body(signature);
            Some(quote!(#[allow(unused_variables)] #signature { #body }))
        }
        TraitItem::Type(item) => {
            let name = &item.ident;
            Some(quote!(type #name = ();))
        }
        _ => None,
    });
    quote! {
        impl #name for #permissive {
            #(#written)*
            #(#members)*
        }
    }
}

/// What admits everything, by what is returned.
fn body(signature: &Signature) -> TokenStream {
    let ReturnType::Type(_, kind) = &signature.output else { return quote!() };
    let text = quote!(#kind).to_string();
    let has = |name: &str| signature.inputs.iter().any(|input| quote!(#input).to_string().starts_with(name));
    match kind.as_ref() {
        Type::Tuple(tuple) if tuple.elems.is_empty() => quote!(),
        _ if text == "bool" => quote!(true),
        _ if text == "& 'static str" => quote!(""),
        _ if text.starts_with("Result < ()") => quote!(Ok(())),
        _ if text.starts_with("Vec <") => quote!(Vec::new()),
        _ if text.starts_with("Option <") => quote!(None),
        _ if text.starts_with("Fold <") => quote!(Fold::Unchanged),
        _ if text.starts_with("Result < bool") => quote!(Ok(false)),
        _ if text == "CallInterface" => quote!(CallInterface { callee_attribute: "callee".into() }),
        _ if text.starts_with("Type <") && has("this : Type") => quote!(this),
        _ if text.starts_with("Type <") && has("context") => quote!(skriptnd_ods::mlir::ir::types::none(context)),
        _ if text.starts_with("Attribute <") && has("context") => {
            quote!(skriptnd_ods::mlir::ir::attributes::unit(context))
        }
        _ if text == "i64" => quote!(0),
        _ if text == "f64" => quote!(0.0),
        _ if text == "String" => quote!(String::new()),
        _ if text.starts_with("Result <") => quote!(Err(skriptnd_ods::mlir::Failure::new("left to nobody"))),
        _ => quote!(unimplemented!("left to nobody")),
    }
}
