//! Methods of interfaces: their signatures, and C++ bodies that Rust can say.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    cpp_types, names,
    rust::{ident, mentions, tokens},
    subjects::bounded,
};
use crate::{
    cpp::{self, Table},
    ods::{InterfaceKind, Method, Model, Parameter},
    predicate::{Kind, Scope},
};

/// Where the body of a method comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// What has the interface brings it.
    Required,
    /// The declaration has it, and this is its Rust.
    Translated(String),
    /// The declaration has it in C++ that has no counterpart: Rust is asked for it, once for the interface.
    Asked,
}

/// The body that the declaration gives a method.
pub fn body(method: &Method, kind: InterfaceKind, table: &Table) -> Body {
    match method.body.as_deref().or(method.default_body.as_deref()) {
        None => Body::Required,
        Some(code) => translated(code, method, kind, table).map_or(Body::Asked, Body::Translated),
    }
}

/// The Rust of a body that returns an expression whose kind is that of the method.
fn translated(code: &str, method: &Method, kind: InterfaceKind, table: &Table) -> Option<String> {
    let expression = code.trim().strip_prefix("return")?.trim().strip_suffix(';')?;
    let mut scope = Scope::default();
    let (name, this, subject) = match kind {
        InterfaceKind::Operation | InterfaceKind::Dialect => ("$_op", "self.operation()", Kind::Operation),
        InterfaceKind::Attribute => ("$_attr", "self.attribute()", Kind::Attribute("Attribute")),
        InterfaceKind::Type => ("$_type", "self.r#type()", Kind::Type),
    };
    if !method.is_static {
        [name, "op", "$_self"].iter().for_each(|name| scope.bind(name, this, subject.clone()));
    }
    let expression = expression.replace("this->getOperation()", name).replace("getOperation()", name);
    let (code, found) = cpp::translate_value(&cpp::parse(&expression).ok()?, &scope, table).ok()?;
    let returned = cpp_types::kind(&method.returned)?;
    (found == returned && tokens(&code).is_ok()).then_some(code)
}

/// What a method takes and returns in Rust.
pub struct Signature {
    parameters: Vec<(Ident, TokenStream)>,
    returned: TokenStream,
    /// The types that stand for C++ types without a counterpart, with these.
    pub unknown: Vec<(Ident, String)>,
}

impl Signature {
    /// Of a method; `owner` has the types that stand for C++.
    pub fn of(declaration: &Declaration<'_>, owner: &TokenStream) -> Self {
        let method = declaration.method;
        let mut unknown = Vec::new();
        let mut types = declaration.types.iter();
        let mut known_or = |cpp: &str| match types.next() {
            Some(Counterpart::Known(known)) => known.clone(),
            Some(Counterpart::StandIn(name)) => {
                let name = ident(name);
                unknown.push((name.clone(), cpp.trim().to_string()));
                quote!(#owner::#name)
            }
            None => TokenStream::new(),
        };
        let returned = known_or(&method.returned);
        let mut taken = BTreeSet::from(["this".to_string()]);
        let parameters = method.parameters.iter().enumerate().map(|(index, parameter)| {
            let shown = shown(index, parameter);
            (ident(&names::unique(&mut taken, &shown)), known_or(&parameter.cpp_type))
        });
        let parameters = parameters.collect();
        Self { parameters, returned, unknown }
    }

    /// The head of the method of the trait. An object has no types of its own, so static methods take it, too.
    pub fn method(&self, declaration: &Declaration<'_>, kind: InterfaceKind) -> TokenStream {
        let (name, returned, parameters) = (ident(&declaration.name), self.arrow(), self.parameters());
        let own = self.own_lifetime(kind);
        quote!(fn #name #own(&self #(, #parameters)*) #returned)
    }

    /// The head of a function without `self`; what has the interface is the `receiver`, unless it is static.
    pub fn function(&self, declaration: &Declaration<'_>, receiver: &TokenStream, kind: InterfaceKind) -> TokenStream {
        let (name, returned, parameters) = (ident(&declaration.name), self.arrow(), self.parameters());
        let this = (!declaration.method.is_static).then(|| quote!(this: #receiver,));
        let own = self.free_lifetimes(kind, declaration.method.is_static);
        quote!(fn #name #own(#this #(#parameters),*) #returned)
    }

    /// The head of the hook of what has the interface, which is given as `this`, a parameter, unless it is static.
    pub fn hook(&self, name: &Ident, this: Option<TokenStream>, kind: InterfaceKind) -> TokenStream {
        let own = self.free_lifetimes(kind, this.is_none());
        let (returned, parameters) = (self.arrow(), self.parameters());
        quote!(fn #name #own(#this #(#parameters),*) #returned)
    }

    /// The names of the parameters.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        self.parameters.iter().map(|(name, _)| name)
    }

    /// Says that it is on purpose that a body does without some of the parameters, which keep their names.
    pub fn unused(&self, body: &TokenStream) -> Option<TokenStream> {
        let unused: Vec<&Ident> = self.names().filter(|name| !mentions(body, &name.to_string())).collect();
        match unused.as_slice() {
            [] => None,
            [only] => Some(quote!(let _ = #only;)),
            several => Some(quote!(let _ = (#(#several),*);)),
        }
    }

    /// `-> T`; nothing for what returns nothing.
    fn arrow(&self) -> Option<TokenStream> {
        let returned = &self.returned;
        (returned.to_string() != "()").then(|| quote!(-> #returned))
    }

    fn parameters(&self) -> Vec<TokenStream> {
        self.parameters.iter().map(|(name, kind)| quote!(#name: #kind)).collect()
    }

    /// The lifetimes of a function without `self`, which may be given what has the interface.
    fn free_lifetimes(&self, kind: InterfaceKind, is_static: bool) -> Option<TokenStream> {
        let stands = matches!(kind, InterfaceKind::Operation | InterfaceKind::Dialect);
        match self.own_lifetime(kind) {
            Some(_) => Some(quote!(<'c: 'a, 'a>)),
            None if !stands && is_static && !self.mentions("c") => None,
            None => {
                let bounded = bounded(kind);
                Some(quote!(<#bounded>))
            }
        }
    }

    fn mentions(&self, lifetime: &str) -> bool {
        let mut types = self.parameters.iter().map(|(_, kind)| kind).chain([&self.returned]);
        types.any(|kind| mentions(kind, lifetime))
    }

    /// Types and attributes do not stand anywhere: a method that takes values has their lifetime for itself.
    fn own_lifetime(&self, kind: InterfaceKind) -> Option<TokenStream> {
        let stands = matches!(kind, InterfaceKind::Operation | InterfaceKind::Dialect);
        (!stands && self.mentions("a")).then(|| quote!(<'a>))
    }
}

fn shown(index: usize, parameter: &Parameter) -> String {
    if parameter.name.is_empty() { format!("argument_{index}") } else { parameter.name.clone() }
}

/// A method with its name in Rust and where its body comes from.
pub struct Declaration<'m> {
    pub method: &'m Method,
    pub name: String,
    pub body: Body,
    /// What stands for the types of its result and of its parameters.
    types: Vec<Counterpart>,
}

/// What stands for a C++ type.
enum Counterpart {
    /// A Rust type.
    Known(TokenStream),
    /// The name of a type that Rust is asked for.
    StandIn(String),
}

impl<'m> Declaration<'m> {
    /// Gives a method names that its trait has not, neither among the functions nor among the types.
    pub fn new(
        method: &'m Method,
        body: Body,
        taken: &mut BTreeSet<String>,
        types: &mut BTreeSet<String>,
        model: &Model,
    ) -> Self {
        let name = names::unique(taken, &method.name);
        let mut counterpart = |key: &str, known: Option<TokenStream>| {
            let stand_in = || Counterpart::StandIn(names::stand_in(types, &format!("{name}_{key}")));
            known.map_or_else(stand_in, Counterpart::Known)
        };
        let mut all = vec![counterpart("result", cpp_types::returned(&method.returned, model))];
        all.extend(method.parameters.iter().enumerate().map(|(index, parameter)| {
            counterpart(&shown(index, parameter), cpp_types::parameter(&parameter.cpp_type, model))
        }));
        Self { method, name, body, types: all }
    }

    /// What is said of it.
    pub fn about(&self) -> String {
        self.method.description.clone().unwrap_or_else(|| format!("`{}`", self.method.name))
    }

    /// The same with the C++ of its body.
    pub fn about_body(&self) -> String {
        let code = self.method.body.as_deref().or(self.method.default_body.as_deref()).unwrap_or_default();
        with_code(&self.about(), code)
    }
}

/// A text with the C++ that it is about.
pub fn with_code(about: &str, code: &str) -> String {
    format!("{}\n\nIts C++:\n```text\n{}\n```", crate::writer::dedent(about).trim(), crate::writer::dedent(code).trim())
}
