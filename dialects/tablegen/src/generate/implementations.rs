//! How operations, types and attributes have the interfaces that they declare: what they must bring is asked of Rust, and
//! an object of all of them stands for each.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    interfaces::{Declared, of_owner},
    methods::{Body, Declaration},
    owners::Owner,
    rust::{doc, ident},
    subjects::{bounded, lifetimes, root, subject, what},
};
use crate::ods::{InterfaceKind, Model};

/// An interface of something.
struct Implementation<'m> {
    owner: Owner<'m>,
    declared: Declared<'m>,
    /// For each method the hook of the owner that it is, if it is one.
    hooks: Vec<Option<Ident>>,
}

fn implementations<'m>(owner: Owner<'m>, model: &'m Model) -> Vec<Implementation<'m>> {
    let mut members = owner.members();
    let each = of_owner(owner, model).into_iter().map(|interface| {
        let declared = Declared::new(interface, model);
        let is_own = |declaration: &Declaration<'_>| {
            let method = declaration.method;
            let used = owner.interfaces().iter().filter(|used| used.name == interface.name);
            let is_overridden = used.clone().any(|used| used.overridden.contains(&method.name));
            method.body.is_none() && (declaration.body == Body::Required || is_overridden)
        };
        let hooks = declared
            .methods
            .iter()
            .map(|declaration| is_own(declaration).then(|| ident(&members.method(&declaration.method.name))));
        let hooks = hooks.collect();
        Implementation { owner, declared, hooks }
    });
    each.collect()
}

/// What the hooks of an owner must be able to do beside their own functions: say what stands for C++ types.
pub fn extended(owner: Owner<'_>, model: &Model) -> Option<TokenStream> {
    let implementations = implementations(owner, model);
    let asking = implementations.iter().filter(|item| {
        let owner = quote!(Self);
        let mut own = item.declared.methods.iter().zip(&item.hooks).filter(|(_, hook)| hook.is_some());
        own.any(|(declaration, _)| !item.declared.signature(declaration, &owner).unknown.is_empty())
    });
    let names = asking.map(|item| {
        let hooks = item.declared.hooks();
        quote!(super::interfaces::#hooks)
    });
    let names: Vec<TokenStream> = names.collect();
    (!names.is_empty()).then(|| quote!(: #(#names)+*))
}

/// The functions that interfaces ask of an owner.
pub fn functions(owner: Owner<'_>, model: &Model) -> Vec<TokenStream> {
    let (view, lifetimes) = (owner.view(), lifetimes(owner.kind()));
    let (argument, view) = (owner.argument(), quote!(#view<#lifetimes>));
    let mut functions = Vec::new();
    for item in implementations(owner, model) {
        let hooks = item.declared.hooks();
        let types = quote!(<Self as super::interfaces::#hooks>);
        for (declaration, hook) in item.declared.methods.iter().zip(&item.hooks) {
            let Some(hook) = hook else { continue };
            let signature = item.declared.signature(declaration, &types);
            let this = (!declaration.method.is_static).then(|| quote!(#argument: #view,));
            let head = signature.hook(hook, this, owner.kind());
            let about = doc(&declaration.about());
            functions.push(quote!(#about #head;));
        }
    }
    functions
}

/// The traits of what the interfaces of a model leave to Rust by themselves.
pub fn bounds(model: &Model) -> Vec<TokenStream> {
    let mut seen = BTreeSet::new();
    let used = Owner::all(model).flat_map(|owner| of_owner(owner, model));
    let used = used.filter(|interface| seen.insert(&interface.name)).map(|interface| Declared::new(interface, model));
    let with_hooks = used.filter(Declared::has_hooks).map(|declared| {
        let hooks = declared.hooks();
        quote!(interfaces::#hooks)
    });
    with_hooks.collect()
}

/// The object that stands for an owner, and what is added to its specification. `hooks` is the type that implements all
/// hooks, `bound` what is asked of it.
pub fn object(owner: Owner<'_>, model: &Model, hooks: &TokenStream, bound: &TokenStream) -> (TokenStream, TokenStream) {
    let implementations = implementations(owner, model);
    if implementations.is_empty() {
        return (TokenStream::new(), TokenStream::new());
    }
    let (kind, name, module, view) = (owner.kind(), owner.object(), owner.module(), owner.view());
    let (bounded, lifetimes, subject, root, what) =
        (bounded(kind), lifetimes(kind), subject(kind), root(kind), ident(what(kind)));
    let about = doc(&format!("`{}` as its interfaces show it.", owner.name()));
    let traits = implementations.iter().map(|item| item.methods(bound));
    let added = implementations.iter().map(|item| item.registration(hooks));
    let object = quote! {
        #about
        pub struct #name<#lifetimes, H> {
            view: #module::#view<#lifetimes>,
            hooks: PhantomData<H>,
        }

        impl<#bounded, H> #name<#lifetimes, H> {
            pub fn new(#what: #subject) -> Option<Self> {
                #module::#view::new(#what).map(|view| Self { view, hooks: PhantomData })
            }
        }

        impl<#bounded, H> #root<#lifetimes> for #name<#lifetimes, H> {
            fn #what(&self) -> #subject {
                self.view.#what()
            }
        }

        #(#traits)*
    };
    (object, quote!(#(#added)*))
}

impl Implementation<'_> {
    fn methods(&self, bound: &TokenStream) -> TokenStream {
        let (name, hooks, object) = (self.declared.name(), self.declared.hooks(), self.owner.object());
        let (bounded, lifetimes) = (bounded(self.owner.kind()), lifetimes(self.owner.kind()));
        let types = self
            .declared
            .own_types()
            .into_iter()
            .map(|(name, _)| quote!(type #name = <H as interfaces::#hooks>::#name;));
        let declared = self.declared.methods.iter().zip(&self.hooks);
        let methods = declared.filter_map(|(declaration, hook)| self.method(declaration, hook.as_ref()));
        quote! {
            impl<#bounded, H: #bound> interfaces::#name<#lifetimes> for #object<#lifetimes, H> {
                #(#types)*
                #(#methods)*
            }
        }
    }

    fn method(&self, declaration: &Declaration<'_>, hook: Option<&Ident>) -> Option<TokenStream> {
        let signature = self.declared.signature(declaration, &quote!(Self));
        let head = signature.method(declaration, self.declared.interface.kind);
        let arguments: Vec<&Ident> = signature.names().collect();
        let (function, this) = match (hook, &declaration.body) {
            (Some(hook), _) => {
                let (module, hooks) = (self.owner.module(), self.owner.hooks());
                (quote!(<H as #module::#hooks>::#hook), quote!(self.view,))
            }
            (None, Body::Asked) => {
                let (hooks, name) = (self.declared.hooks(), ident(&declaration.name));
                (quote!(<H as interfaces::#hooks>::#name), quote!(self,))
            }
            (None, Body::Translated(_) | Body::Required) => return None,
        };
        let this = (!declaration.method.is_static).then_some(this);
        Some(quote! {
            #head {
                #function(#this #(#arguments),*)
            }
        })
    }

    fn registration(&self, hooks: &TokenStream) -> TokenStream {
        let (interface, own, object) = (self.declared.interface, self.declared.hooks(), self.owner.object());
        let finder = self.declared.finder();
        let values = self.declared.values(hooks, &quote!(interfaces::));
        let generics = (!values.is_empty()).then(|| quote!(<#(#values),*>));
        let what = ident(what(self.owner.kind()));
        let applies =
            interface.applies_if.as_ref().map(|_| quote!(.filter(|this| <#hooks as interfaces::#own>::applies(this))));
        let verifier = ident(if interface.verifies_regions { "further_region_verifier" } else { "further_verifier" });
        // Only interfaces of operations have a verifier.
        let is_verified = self.owner.kind() == InterfaceKind::Operation && interface.verify.is_some();
        let verify = is_verified.then(|| {
            quote! {
                .#verifier(|operation| {
                    let this = objects::#object::<#hooks>::new(operation);
                    this #applies.map_or(Ok(()), |this| <#hooks as interfaces::#own>::verify(&this))
                })
            }
        });
        quote! {
            .implement::<interfaces::#finder #generics>(|#what| {
                let this = objects::#object::<#hooks>::new(#what) #applies?;
                Some(Box::new(this))
            })
            #verify
        }
    }
}
