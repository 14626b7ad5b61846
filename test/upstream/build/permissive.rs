//! What a generated dialect leaves to Rust, done so that it admits everything.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, ItemTrait, ReturnType, Signature, TraitItem, Type};

/// The generated text with a structure `Permissive` that has all hooks.
pub fn with_hooks(text: &str) -> syn::Result<String> {
    let mut file = syn::parse_file(text)?;
    implement(&mut file.items, &quote!(Permissive))?;
    file.items.push(syn::parse_quote! {
        /// Has all hooks, and refuses nothing.
        pub struct Permissive;
    });
    Ok(prettyplease::unparse(&file))
}

/// Implements the traits of hooks beside them, where the names that they use mean the same.
fn implement(items: &mut Vec<Item>, permissive: &TokenStream) -> syn::Result<()> {
    let mut added = Vec::new();
    for item in items.iter_mut() {
        match item {
            Item::Mod(inside) => {
                if let Some((_, items)) = &mut inside.content {
                    implement(items, &quote!(super::#permissive))?;
                }
            }
            Item::Trait(found) if found.ident != "Hooks" && found.ident.to_string().ends_with("Hooks") => {
                added.push(syn::parse2(implementation(found, permissive))?);
            }
            _ => {}
        }
    }
    items.extend(added);
    Ok(())
}

fn implementation(hooks: &ItemTrait, permissive: &TokenStream) -> TokenStream {
    let name = &hooks.ident;
    let members = hooks.items.iter().filter_map(|item| match item {
        TraitItem::Fn(function) if function.default.is_none() => {
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
