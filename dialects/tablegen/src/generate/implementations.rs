//! How an operation has the interfaces that it declares: what it must bring is asked of Rust, and an object of all of them
//! stands for it.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    interfaces::{Declared, of_operation},
    members::Members,
    methods::{Body, Declaration},
    names,
    rust::{doc, ident},
};
use crate::ods::{Model, Operation};

/// An interface of an operation.
pub struct Implementation<'m> {
    declared: Declared<'m>,
    /// For each method the hook of the operation that it is, if it is one.
    hooks: Vec<Option<Ident>>,
}

/// The interfaces of an operation.
pub fn implementations<'m>(operation: &Operation, model: &'m Model) -> Vec<Implementation<'m>> {
    let mut members = Members::of(operation);
    let each = of_operation(operation, model).into_iter().map(|interface| {
        let declared = Declared::new(interface, model);
        let is_own = |declaration: &Declaration<'_>| {
            let method = declaration.method;
            let used = operation.interfaces.iter().filter(|used| used.name == interface.name);
            let is_overridden = used.clone().any(|used| used.overridden.contains(&method.name));
            method.body.is_none() && (declaration.body == Body::Required || is_overridden)
        };
        let hooks = declared
            .methods
            .iter()
            .map(|declaration| is_own(declaration).then(|| ident(&members.method(&declaration.method.name))));
        let hooks = hooks.collect();
        Implementation { declared, hooks }
    });
    each.collect()
}

/// What the hooks of an operation must be able to do beside their own functions: say what stands for C++ types.
pub fn extended(operation: &Operation, model: &Model) -> Vec<TokenStream> {
    let implementations = implementations(operation, model);
    let asking = implementations.iter().filter(|item| {
        let owner = quote!(Self);
        let mut own = item.declared.methods.iter().zip(&item.hooks).filter(|(_, hook)| hook.is_some());
        own.any(|(declaration, _)| !item.declared.signature(declaration, &owner).unknown.is_empty())
    });
    let names = asking.map(|item| {
        let hooks = item.declared.hooks();
        quote!(super::interfaces::#hooks)
    });
    names.collect()
}

/// The functions that interfaces ask of an operation.
pub fn functions(operation: &Operation, model: &Model) -> Vec<TokenStream> {
    let view = ident(&names::structure(operation));
    let mut functions = Vec::new();
    for item in implementations(operation, model) {
        let hooks = item.declared.hooks();
        let owner = quote!(<Self as super::interfaces::#hooks>);
        for (declaration, hook) in item.declared.methods.iter().zip(&item.hooks) {
            let Some(hook) = hook else { continue };
            let signature = item.declared.signature(declaration, &owner);
            let head = signature.hook(hook, &view, declaration.method.is_static);
            let about = doc(&declaration.about());
            functions.push(quote!(#about #head;));
        }
    }
    functions
}

/// The traits of what the interfaces of a model leave to Rust by themselves.
pub fn bounds(model: &Model) -> Vec<TokenStream> {
    let mut seen = BTreeSet::new();
    let used = model.operations.iter().flat_map(|operation| of_operation(operation, model));
    let used = used.filter(|interface| seen.insert(&interface.name)).map(|interface| Declared::new(interface, model));
    let with_hooks = used.filter(Declared::has_hooks).map(|declared| {
        let hooks = declared.hooks();
        quote!(interfaces::#hooks)
    });
    with_hooks.collect()
}

/// The object that stands for an operation, and what is added to the specification of the operation. `hooks` is the type
/// that implements all hooks, `bound` what is asked of it.
pub fn object(
    operation: &Operation,
    model: &Model,
    hooks: &TokenStream,
    bound: &TokenStream,
) -> (TokenStream, TokenStream) {
    let implementations = implementations(operation, model);
    if implementations.is_empty() {
        return (TokenStream::new(), TokenStream::new());
    }
    let path = {
        let (module, view) = (ident(&names::module_or_default(operation)), ident(&names::structure(operation)));
        quote!(#module::#view)
    };
    let name = ident(&names::object(operation));
    let about = doc(&format!("`{}` as its interfaces show it.", operation.name()));
    let traits = implementations.iter().map(|item| item.methods(operation, &name, bound));
    let added = implementations.iter().map(|item| item.registration(&name, hooks));
    let object = quote! {
        #about
        pub struct #name<'c, 'a, H> {
            op: #path<'c, 'a>,
            hooks: PhantomData<H>,
        }

        impl<'c: 'a, 'a, H> #name<'c, 'a, H> {
            pub fn new(operation: OperationRef<'c, 'a>) -> Option<Self> {
                #path::new(operation).map(|op| Self { op, hooks: PhantomData })
            }
        }

        impl<'c: 'a, 'a, H> OperationInterface<'c, 'a> for #name<'c, 'a, H> {
            fn operation(&self) -> OperationRef<'c, 'a> {
                self.op.operation()
            }
        }

        #(#traits)*
    };
    (object, quote!(#(#added)*))
}

impl Implementation<'_> {
    fn methods(&self, operation: &Operation, object: &Ident, bound: &TokenStream) -> TokenStream {
        let (name, hooks) = (self.declared.name(), self.declared.hooks());
        let types = self
            .declared
            .own_types()
            .into_iter()
            .map(|(name, _)| quote!(type #name = <H as interfaces::#hooks>::#name;));
        let declared = self.declared.methods.iter().zip(&self.hooks);
        let methods = declared.filter_map(|(declaration, hook)| self.method(operation, declaration, hook.as_ref()));
        quote! {
            impl<'c: 'a, 'a, H: #bound> interfaces::#name<'c, 'a> for #object<'c, 'a, H> {
                #(#types)*
                #(#methods)*
            }
        }
    }

    fn method(
        &self,
        operation: &Operation,
        declaration: &Declaration<'_>,
        hook: Option<&Ident>,
    ) -> Option<TokenStream> {
        let signature = self.declared.signature(declaration, &quote!(Self));
        let head = signature.method(declaration, self.declared.interface.kind);
        let arguments: Vec<&Ident> = signature.names().collect();
        let (function, this) = match (hook, &declaration.body) {
            (Some(hook), _) => {
                let module = ident(&names::module_or_default(operation));
                let hooks = ident(&names::hooks(operation));
                (quote!(<H as #module::#hooks>::#hook), quote!(self.op,))
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

    fn registration(&self, object: &Ident, hooks: &TokenStream) -> TokenStream {
        let (interface, own) = (self.declared.interface, self.declared.hooks());
        let finder = self.declared.finder();
        let values = self.declared.values(hooks, &quote!(interfaces::));
        let generics = (!values.is_empty()).then(|| quote!(<#(#values),*>));
        let applies =
            interface.applies_if.as_ref().map(|_| quote!(.filter(|this| <#hooks as interfaces::#own>::applies(this))));
        let verifier = ident(if interface.verifies_regions { "further_region_verifier" } else { "further_verifier" });
        let verify = interface.verify.as_ref().map(|_| {
            quote! {
                .#verifier(|operation| {
                    let this = objects::#object::<#hooks>::new(operation);
                    this #applies.map_or(Ok(()), |this| <#hooks as interfaces::#own>::verify(&this))
                })
            }
        });
        quote! {
            .implement::<interfaces::#finder #generics>(|operation| {
                let this = objects::#object::<#hooks>::new(operation) #applies?;
                Some(Box::new(this))
            })
            #verify
        }
    }
}
