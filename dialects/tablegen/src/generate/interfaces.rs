//! Interfaces: traits whose objects are found at run time through what has them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    clashes,
    imports::imports,
    methods::{Body, Declaration, Signature, body, with_code},
    names,
    rust::{self, doc, ident},
    subjects::{bounded, lifetimes, object_lifetime, root, subject, what},
};
use crate::{
    error::{Error, Result},
    ods::{Interface, InterfaceKind, Model, Operation},
};

/// Interfaces that MLIR reaches through hooks of their own.
const REACHED: [&str; 9] = [
    "InferTypeOpInterface",
    "MemoryEffectOpInterface",
    "CallOpInterface",
    "RegionBranchOpInterface",
    // By the trait `ReturnLike`.
    "RegionBranchTerminatorOpInterface",
    "FunctionOpInterface",
    "SymbolOpInterface",
    "ConditionallySpeculatable",
    super::text_names::INTERFACE,
];

/// `-gen-op-interface-decls` and its like: the interfaces of some kinds that the file itself defines.
pub fn interfaces(model: &Model, kinds: &[InterfaceKind], file_name: &str) -> Result<String> {
    let own = model.interfaces.iter().filter(|interface| kinds.contains(&interface.kind) && interface.is_own);
    let all = with_bases(own.collect(), model);
    Error::collect(clashes::of_interfaces(&all))?;
    rust::format(module(&all, model), file_name)
}

/// The module `interfaces`: those that operations of the model have.
pub fn used_interfaces(model: &Model) -> Option<TokenStream> {
    let all = used(model);
    (!all.is_empty()).then(|| module(&all, model))
}

/// The interfaces of all operations that Rust declares, with those that they extend, each once.
pub fn used(model: &Model) -> Vec<&Interface> {
    with_bases(model.operations.iter().flat_map(|operation| of_operation(operation, model)).collect(), model)
}

/// The interfaces of an operation that Rust declares, with those that they extend, each once.
pub fn of_operation<'m>(operation: &Operation, model: &'m Model) -> Vec<&'m Interface> {
    let used = operation.interfaces.iter().filter(|used| !REACHED.contains(&used.name.as_str()));
    with_bases(used.filter_map(|used| model.interface(&used.name)).collect(), model)
}

/// With the interfaces that they extend before them.
fn with_bases<'m>(interfaces: Vec<&'m Interface>, model: &'m Model) -> Vec<&'m Interface> {
    let mut all: Vec<&Interface> = Vec::new();
    for interface in interfaces {
        let bases = interface.bases.iter().filter_map(|base| model.interface(base)).collect();
        for found in with_bases(bases, model).into_iter().chain([interface]) {
            if all.iter().all(|known| known.name != found.name) && !REACHED.contains(&found.name.as_str()) {
                all.push(found);
            }
        }
    }
    all
}

fn module(interfaces: &[&Interface], model: &Model) -> TokenStream {
    let (mut items, mut elsewhere) = (TokenStream::new(), BTreeMap::<&str, Vec<TokenStream>>::new());
    for interface in interfaces {
        let declared = Declared::new(interface, model);
        match model.cpp.interface(&interface.name).filter(|_| !interface.is_own) {
            Some(path) => elsewhere.entry(path).or_default().extend(declared.names()),
            None => items.extend(declared.items()),
        }
    }
    let shared = elsewhere.into_iter().filter_map(|(path, names)| {
        let path: TokenStream = path.parse().ok()?;
        Some(quote!(pub use #path::{#(#names),*};))
    });
    let imports = imports(&items);
    quote! {
        /// Interfaces, to be found through what has them.
        pub mod interfaces {
            #imports
            #(#shared)*
            #items
        }
    }
}

fn bases<'m>(interface: &Interface, model: &'m Model) -> Vec<Declared<'m>> {
    let bases = interface.bases.iter().filter_map(|base| model.interface(base)).collect();
    with_bases(bases, model).into_iter().map(|base| Declared::new(base, model)).collect()
}

/// An interface as Rust declares it.
pub struct Declared<'m> {
    pub interface: &'m Interface,
    pub methods: Vec<Declaration<'m>>,
    model: &'m Model,
}

impl<'m> Declared<'m> {
    pub fn new(interface: &'m Interface, model: &'m Model) -> Self {
        let verify = interface.verify.as_ref().map(|_| "verify");
        let applies = interface.applies_if.as_ref().map(|_| "applies");
        let own = [Some(what(interface.kind)), verify, applies].into_iter().flatten();
        let mut taken: BTreeSet<String> = own.map(str::to_string).collect();
        let mut types: BTreeSet<String> = bases(interface, model).iter().flat_map(Self::type_names).collect();
        let methods = interface
            .methods
            .iter()
            .map(|method| Declaration::new(method, body(method, interface.kind, &model.cpp), &mut taken, &mut types));
        Self { interface, methods: methods.collect(), model }
    }

    /// The name of the trait.
    pub fn name(&self) -> proc_macro2::Ident {
        ident(&names::interface(self.interface))
    }

    /// The name of the trait with what the interface leaves to Rust.
    pub fn hooks(&self) -> proc_macro2::Ident {
        ident(&format!("{}Hooks", self.name()))
    }

    /// The name of the type of the function that finds it.
    pub fn finder(&self) -> proc_macro2::Ident {
        ident(&format!("{}Of", self.name()))
    }

    /// Whether the interface itself leaves something to Rust, once for all that have it.
    pub fn has_hooks(&self) -> bool {
        let interface = self.interface;
        self.methods.iter().any(|declaration| declaration.body == Body::Asked)
            || !self.own_types().is_empty()
            || interface.verify.is_some()
            || interface.applies_if.is_some()
    }

    /// The signature of a method, where `owner` has the types that stand for C++.
    pub fn signature(&self, declaration: &Declaration<'_>, owner: &TokenStream) -> Signature {
        Signature::of(declaration, owner, self.model)
    }

    /// The types that stand for C++ types in its own methods: name and C++.
    pub fn own_types(&self) -> Vec<(proc_macro2::Ident, String)> {
        let owner = quote!(Self);
        self.methods.iter().flat_map(|declaration| self.signature(declaration, &owner).unknown).collect()
    }

    fn bases(&self) -> Vec<Declared<'m>> {
        bases(self.interface, self.model)
    }

    fn type_names(&self) -> Vec<String> {
        self.own_types().into_iter().map(|(name, _)| name.to_string()).collect()
    }

    /// The types that stand for C++ types in all methods, those of the interfaces that it extends first.
    pub fn all_types(&self) -> Vec<proc_macro2::Ident> {
        let bases = self.bases();
        let declared = bases.iter().chain([self]);
        declared.flat_map(|declared| declared.own_types().into_iter().map(|(name, _)| name)).collect()
    }

    /// What objects of the trait are, `values` being what stands for the types.
    pub fn object(&self, path: &TokenStream, values: &[TokenStream]) -> TokenStream {
        let name = self.name();
        let types = self.all_types();
        let bindings = types.iter().zip(values).map(|(name, value)| quote!(#name = #value));
        let (lifetimes, outer) = (lifetimes(self.interface.kind), object_lifetime(self.interface.kind));
        quote!(dyn #path #name<#lifetimes #(, #bindings)*> + #outer)
    }

    fn names(&self) -> Vec<TokenStream> {
        let hooks = self.has_hooks().then(|| self.hooks());
        [Some(self.name()), Some(self.finder()), hooks].into_iter().flatten().map(|name| quote!(#name)).collect()
    }

    fn items(&self) -> TokenStream {
        let (declaration, lookup, hooks) = (self.declaration(), self.lookup(), self.hooks_trait());
        quote!(#declaration #lookup #hooks)
    }

    fn declaration(&self) -> TokenStream {
        let (name, about) = (self.name(), doc(&self.about()));
        let root = root(self.interface.kind);
        let (bounded, lifetimes) = (bounded(self.interface.kind), lifetimes(self.interface.kind));
        let bases = self.interface.bases.iter().filter_map(|base| self.model.interface(base));
        let bases =
            bases.filter(|base| !REACHED.contains(&base.name.as_str())).map(|base| ident(&names::interface(base)));
        let types = self.own_types().into_iter().map(|(name, cpp)| {
            let about = doc(&format!("What stands for the C++ type `{cpp}`."));
            quote!(#about type #name;)
        });
        let owner = quote!(Self);
        let methods = self.methods.iter().map(|declaration| {
            let signature = self.signature(declaration, &owner);
            let about = doc(&declaration.about());
            let head = signature.method(declaration, self.interface.kind);
            match &declaration.body {
                Body::Translated(code) => {
                    let code: TokenStream = code.parse().unwrap_or_default();
                    quote!(#about #head { #code })
                }
                Body::Required | Body::Asked => quote!(#about #head;),
            }
        });
        quote! {
            #about
            pub trait #name<#bounded>: #root<#lifetimes> #(+ #bases<#lifetimes>)* {
                #(#types)*
                #(#methods)*
            }
        }
    }

    fn about(&self) -> String {
        let description = self.interface.description.as_deref().map(crate::writer::dedent).unwrap_or_default();
        match description.trim() {
            "" => format!("The interface `{}`.", self.interface.name),
            text => text.to_string(),
        }
    }

    fn lookup(&self) -> TokenStream {
        let (finder, types) = (self.finder(), self.all_types());
        let values: Vec<TokenStream> = types.iter().map(|name| quote!(#name)).collect();
        let object = self.object(&TokenStream::new(), &values);
        let generics = (!types.is_empty()).then(|| quote!(<#(#types),*>));
        let (lifetimes, subject) = (lifetimes(self.interface.kind), subject(self.interface.kind));
        let this = ident(what(self.interface.kind));
        let about = doc(&format!("Finds `{}` in what may have it.", self.interface.name));
        quote! {
            #about
            pub type #finder #generics = for<#lifetimes> fn(#subject) -> Option<Box<#object>>;

            impl<#lifetimes #(, #types: 'static)*> #object {
                /// The interface, if there is one, whichever dialect implements it.
                pub fn of(#this: #subject) -> Option<Box<Self>> {
                    #this.implementation::<#finder #generics>().and_then(|find| find(#this))
                }
            }
        }
    }

    fn hooks_trait(&self) -> Option<TokenStream> {
        let name = self.hooks();
        let about = doc(&format!("What the declaration of `{}` leaves to Rust.", self.interface.name));
        let types = self.own_types().into_iter().map(|(name, cpp)| {
            let about = doc(&format!("What stands for the C++ type `{cpp}`."));
            quote!(#about type #name: 'static;)
        });
        let owner = quote!(Self);
        let asked = self.methods.iter().filter(|declaration| declaration.body == Body::Asked);
        let asked = asked.map(|declaration| {
            let signature = self.signature(declaration, &owner);
            let about = doc(&declaration.about_body());
            let function = signature.function(declaration, &self.receiver(), self.interface.kind);
            quote!(#about #function;)
        });
        let bounded = bounded(self.interface.kind);
        let receiver = self.receiver();
        let verify = self.interface.verify.as_ref().map(|code| {
            let about = doc(&with_code("Verifies what has the interface.", code));
            quote!(#about fn verify<#bounded>(this: #receiver) -> Result<(), Failure>;)
        });
        let applies = self.interface.applies_if.as_ref().map(|code| {
            let about = doc(&with_code("Whether it has the interface, which it declares.", code));
            quote!(#about fn applies<#bounded>(this: #receiver) -> bool;)
        });
        let extended = self.extended_hooks();
        self.has_hooks().then(|| {
            quote! {
                #about
                pub trait #name #extended {
                    #(#types)*
                    #(#asked)*
                    #verify
                    #applies
                }
            }
        })
    }

    /// The hooks of the interfaces that it extends, where their types stand in objects of this one.
    fn extended_hooks(&self) -> Option<TokenStream> {
        let bases = self.bases();
        let hooks = bases.iter().filter(|base| !base.own_types().is_empty()).map(Declared::hooks);
        let hooks: Vec<_> = hooks.collect();
        (!hooks.is_empty()).then(|| quote!(: #(#hooks)+*))
    }

    /// What a hook is given of what has the interface.
    fn receiver(&self) -> TokenStream {
        let values = self.values(&quote!(Self), &TokenStream::new());
        let object = self.object(&TokenStream::new(), &values);
        quote!(&(#object))
    }

    /// What stands for the types, where `hooks` implements the hooks and `path` leads to the interfaces.
    pub fn values(&self, hooks: &TokenStream, path: &TokenStream) -> Vec<TokenStream> {
        let bases = self.bases();
        let declared = bases.iter().chain([self]);
        let each = declared.flat_map(|declared| {
            let owner = declared.hooks();
            let types = declared.own_types().into_iter();
            types.map(move |(name, _)| quote!(<#hooks as #path #owner>::#name)).collect::<Vec<_>>()
        });
        each.collect()
    }
}
