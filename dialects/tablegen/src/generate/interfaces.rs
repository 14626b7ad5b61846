//! Interfaces: traits whose objects are found at run time through what has them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    clashes,
    imports::imports,
    methods::{Body, Declaration, Signature, body, with_code},
    names,
    owners::Owner,
    rust::{self, doc, ident},
    subjects::{bounded, lifetimes, object_lifetime, root, subject, what},
    traits,
};
use crate::{
    error::{Error, Result},
    ods::{Constraint, Interface, InterfaceKind, Model, is_reached},
    predicate::interface_test,
};

/// `-gen-op-interface-decls` and its like: the interfaces of some kinds that the file itself defines.
pub fn interfaces(model: &Model, kinds: &[InterfaceKind], file_name: &str) -> Result<String> {
    let own = model.interfaces.iter().filter(|interface| kinds.contains(&interface.kind) && interface.is_own);
    let all = with_bases(own.collect(), model);
    Error::collect(clashes::of_interfaces(&all))?;
    rust::format(module(&all, model), file_name)
}

/// The module `interfaces`: those that operations, types and attributes of the model have.
pub fn used_interfaces(model: &Model) -> Option<TokenStream> {
    let all = used(model);
    (!all.is_empty()).then(|| module(&all, model))
}

/// The interfaces of all of these that Rust declares, with those that they extend, each once.
pub fn used(model: &Model) -> Vec<&Interface> {
    let declared = Owner::all(model).flat_map(|owner| of_owner(owner, model));
    with_bases(declared.chain(asked(model)).collect(), model)
}

/// The interfaces that constraints ask for.
fn asked(model: &Model) -> impl Iterator<Item = &Interface> {
    let texts = constraints(model);
    model.interfaces.iter().filter(move |interface| {
        let names =
            |text: &String| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == interface.name);
        has_test(interface, model) && texts.iter().any(names)
    })
}

/// The C++ of all constraints on types and attributes.
fn constraints(model: &Model) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |constraint: &Constraint| found.push(constraint.predicate.text().to_string());
    for operation in &model.operations {
        operation.operands.iter().chain(&operation.results).for_each(|value| add(&value.constraint));
        operation.attributes.iter().for_each(|attribute| add(&attribute.constraint));
    }
    for parameter in model.definitions.iter().flat_map(|definition| &definition.parameters) {
        parameter.constraint.iter().for_each(&mut add);
    }
    let predicates = model.operations.iter().flat_map(traits::predicates);
    let relations = predicates.map(|(_, predicate)| predicate.text().to_string());
    let parameters = model.definitions.iter().flat_map(|definition| &definition.parameters);
    let all: Vec<String> = relations.chain(parameters.map(|parameter| parameter.cpp_type.clone())).collect();
    found.extend(all);
    found
}

/// Whether constraints can ask for an interface: one of values that Rust declares, whose objects are of one type.
fn has_test(interface: &Interface, model: &Model) -> bool {
    let is_of_value = matches!(interface.kind, InterfaceKind::Attribute | InterfaceKind::Type);
    is_of_value && !interface.is_upstream && Declared::new(interface, model).all_types().is_empty()
}

/// The tests for interfaces that only objects with types of the dialect's own would answer.
pub fn without_test(model: &Model) -> BTreeSet<String> {
    let without = model.interfaces.iter().filter(|interface| !has_test(interface, model));
    without.map(|interface| interface_test(&interface.name)).collect()
}

/// The interfaces of an operation, a type or an attribute that Rust declares, with those that they extend, each once.
pub fn of_owner<'m>(owner: Owner<'_>, model: &'m Model) -> Vec<&'m Interface> {
    let used = owner.interfaces().iter().filter(|used| !is_reached(&used.name));
    with_bases(used.filter_map(|used| model.interface_of(used)).collect(), model)
}

/// With the interfaces that they extend before them.
fn with_bases<'m>(interfaces: Vec<&'m Interface>, model: &'m Model) -> Vec<&'m Interface> {
    let mut all: Vec<&Interface> = Vec::new();
    for interface in interfaces {
        let bases = base_interfaces(interface, model).collect();
        for found in with_bases(bases, model).into_iter().chain([interface]) {
            if all.iter().all(|known| known.definition != found.definition) && !is_reached(&found.name) {
                all.push(found);
            }
        }
    }
    all
}

/// Those that it extends right away.
fn base_interfaces<'m>(interface: &Interface, model: &'m Model) -> impl Iterator<Item = &'m Interface> {
    interface.bases.iter().filter_map(|(name, namespace)| model.interface(name, namespace))
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
    let imports = imports();
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
    let bases = base_interfaces(interface, model).collect();
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
        let methods = interface.methods.iter().map(|method| {
            let body = body(method, interface.kind, &model.cpp);
            Declaration::new(method, body, &mut taken, &mut types, model)
        });
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
        Signature::of(declaration, owner)
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
        let test = has_test(self.interface, self.model).then(|| ident(&interface_test(&self.interface.name)));
        [Some(self.name()), Some(self.finder()), hooks, test].into_iter().flatten().map(|name| quote!(#name)).collect()
    }

    fn items(&self) -> TokenStream {
        let (declaration, lookup, hooks) = (self.declaration(), self.lookup(), self.hooks_trait());
        quote!(#declaration #lookup #hooks)
    }

    fn declaration(&self) -> TokenStream {
        let (name, about) = (self.name(), doc(&self.about()));
        let root = root(self.interface.kind);
        let (bounded, lifetimes) = (bounded(self.interface.kind), lifetimes(self.interface.kind));
        let bases = base_interfaces(self.interface, self.model);
        let bases = bases.filter(|base| !is_reached(&base.name)).map(|base| ident(&names::interface(base)));
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
                    let unused = signature.unused(&code);
                    quote!(#about #head { #unused #code })
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
        let test = self.test();
        quote! {
            #about
            pub type #finder #generics = for<#lifetimes> fn(#subject) -> Option<Box<#object>>;

            impl<#lifetimes #(, #types: 'static)*> #object {
                /// The interface, if there is one, whichever dialect implements it.
                pub fn of(#this: #subject) -> Option<Box<Self>> {
                    #this.implementation::<#finder #generics>().and_then(|find| find(#this))
                }
            }

            #test
        }
    }

    /// The function that constraints ask.
    fn test(&self) -> Option<TokenStream> {
        let (name, lifetimes, subject) = (self.name(), lifetimes(self.interface.kind), subject(self.interface.kind));
        let (test, this) = (ident(&interface_test(&self.interface.name)), ident(what(self.interface.kind)));
        let about = doc(&format!("Whether it has the interface `{}`.", self.interface.name));
        has_test(self.interface, self.model).then(|| {
            quote! {
                #about
                pub fn #test<#lifetimes>(#this: #subject) -> bool {
                    <dyn #name<#lifetimes>>::of(#this).is_some()
                }
            }
        })
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
