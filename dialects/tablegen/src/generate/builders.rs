//! Builders of operations: what must be given is part of the builder's type, so that an operation of which something
//! misses does not compile.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    attributes::{Typed, typed},
    inference, names,
    rust::{doc, ident},
    views::kind_of,
};
use crate::ods::{Arity, Attribute, AttributeKind, Model, Operation};

/// A function that sets one part.
struct Setter {
    /// The part that is then no longer missing, if it must be given.
    needed: Option<String>,
    name: String,
    about: String,
    parameter: TokenStream,
    body: TokenStream,
}

/// The builder of an operation.
pub fn builder(operation: &Operation, model: &Model) -> TokenStream {
    let view = ident(&names::structure(operation));
    let name = ident(&format!("{view}Builder"));
    let setters = setters(operation, model);
    let mut needed: Vec<&str> = setters.iter().filter_map(|setter| setter.needed.as_deref()).collect();
    needed.dedup();
    let states: Vec<Ident> = needed.iter().map(|part| ident(&format!("HAS_{}", part.to_uppercase()))).collect();
    let functions = setters.iter().map(|setter| function(setter, &name, &needed, &states));
    let (missing, complete) = (states.iter().map(|_| quote!(false)), states.iter().map(|_| quote!(true)));
    let about = doc(&match needed.as_slice() {
        [] => format!("Builds a [`{view}`]."),
        needed => format!(
            "Builds a [`{view}`]; {} must be given.",
            needed.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(", ")
        ),
    });
    quote! {
        #about
        #[derive(Clone)]
        pub struct #name<'c, 'a #(, const #states: bool)*> {
            build: Build<'c, 'a>,
        }

        impl<'c: 'a, 'a> #name<'c, 'a #(, #missing)*> {
            /// Begins one where a builder stands.
            pub fn new(builder: &Builder<'c, 'a>) -> Self {
                Self { build: Build::new(#view::SIGNATURE, builder) }
            }
        }

        impl<'c: 'a, 'a #(, const #states: bool)*> #name<'c, 'a #(, #states)*> {
            #(#functions)*
        }

        impl<'c: 'a, 'a> #name<'c, 'a #(, #complete)*> {
            /// Builds the operation.
            ///
            /// # Errors
            /// Where MLIR does not make it, or a value is not usable there.
            pub fn build(self) -> Result<#view<'c, 'a>, Failure> {
                Ok(#view { operation: self.build.build()? })
            }
        }
    }
}

fn function(setter: &Setter, builder: &Ident, needed: &[&str], states: &[Ident]) -> TokenStream {
    let (name, parameter, body) = (ident(&setter.name), &setter.parameter, &setter.body);
    // `impl Trait` needs a name for the lifetime of a text.
    let lifetime = parameter.to_string().contains("& 'v str").then(|| quote!(<'v>));
    let about = doc(&setter.about);
    let (result, value) = match &setter.needed {
        None => (quote!(Self), quote!(self)),
        Some(part) => {
            let after = needed.iter().zip(states).map(|(other, state)| match other == part {
                true => quote!(true),
                false => quote!(#state),
            });
            (quote!(#builder<'c, 'a #(, #after)*>), quote!(#builder { build: self.build }))
        }
    };
    quote! {
        #about
        pub fn #name #lifetime(mut self, value: #parameter) -> #result {
            #body
            #value
        }
    }
}

fn setters(operation: &Operation, model: &Model) -> Vec<Setter> {
    let mut taken = BTreeSet::new();
    let mut setters = Vec::new();
    operands(operation, &mut taken, &mut setters);
    // The sizes of groups follow from the groups.
    let is_size = |name: &String| operation.operands.iter().any(|operand| operand.segments.as_ref() == Some(name));
    for attribute in operation.attributes.iter().filter(|attribute| !is_size(&attribute.name)) {
        attribute_setters(attribute, model, &mut taken, &mut setters);
    }
    results(operation, &mut taken, &mut setters);
    regions(operation, &mut taken, &mut setters);
    successors(operation, &mut taken, &mut setters);
    setters
}

fn plain(name: &str) -> String {
    name.trim_start_matches("r#").to_string()
}

fn operands(operation: &Operation, taken: &mut BTreeSet<String>, setters: &mut Vec<Setter>) {
    for (index, operand) in operation.operands.iter().enumerate() {
        let shown = if operand.name.is_empty() { format!("operand_{index}") } else { operand.name.clone() };
        let name = names::unique(taken, &shown);
        let (parameter, body) = match operand.arity {
            Arity::One => (quote!(Value<'c, 'a>), quote!(self.build.operands(#index, [value]);)),
            Arity::Optional => {
                (quote!(impl Into<Option<Value<'c, 'a>>>), quote!(self.build.operands(#index, value.into());))
            }
            Arity::Variadic => {
                (quote!(impl IntoIterator<Item = Value<'c, 'a>>), quote!(self.build.operands(#index, value);))
            }
            Arity::VariadicOfVariadic => {
                let sizes = &operand.segments;
                (
                    quote!(impl IntoIterator<Item = Vec<Value<'c, 'a>>>),
                    quote!(self.build.operand_groups(#index, #sizes, value);),
                )
            }
        };
        let needed = (operand.arity != Arity::Optional).then(|| plain(&name));
        let about = format!("Sets the operand `{shown}`.");
        setters.push(Setter { needed, name, about, parameter, body });
    }
}

fn attribute_setters(attribute: &Attribute, model: &Model, taken: &mut BTreeSet<String>, setters: &mut Vec<Setter>) {
    let key = &attribute.name;
    let name = names::unique(taken, key);
    let is_needed = !attribute.optional && attribute.default.is_none() && attribute.kind != AttributeKind::Unit;
    let needed = is_needed.then(|| plain(&name));
    let about = format!("Sets the {} `{key}`.", kind_of(attribute));
    let raw = match is_needed {
        true => (quote!(Attribute<'c>), quote!(self.build.attribute(#key, Some(value));)),
        false => (quote!(impl Into<Option<Attribute<'c>>>), quote!(self.build.attribute(#key, value.into());)),
    };
    if attribute.kind == AttributeKind::Unit {
        let body = quote! {
            let unit = value.then(|| attributes::unit(self.build.context()));
            self.build.attribute(#key, unit);
        };
        return setters.push(Setter { needed, name, about, parameter: quote!(bool), body });
    }
    let Some(typed) = typed(attribute, model) else {
        return setters.push(Setter { needed, name, about, parameter: raw.0, body: raw.1 });
    };
    let (parameter, body) = typed_setter(key, typed, is_needed);
    setters.push(Setter { needed: needed.clone(), name, about: about.clone(), parameter, body });
    let name = names::unique(taken, &format!("{}_attribute", names::snake_case(key)));
    let absent = if is_needed { "" } else { ", or leaves it out" };
    let about = match attribute.property {
        Some(_) => format!("Sets the attribute that stores the property `{key}`{absent}."),
        None => format!("Sets the attribute `{key}` as it is{absent}."),
    };
    setters.push(Setter { needed, name, about, parameter: raw.0, body: raw.1 });
}

/// Parameter and body of the setter that takes what an attribute stands for; lists may be empty instead of absent.
fn typed_setter(key: &str, typed: Typed, is_needed: bool) -> (TokenStream, TokenStream) {
    let Typed { given, make, .. } = typed;
    let uses_context = make.to_string().contains("context");
    let context = uses_context.then(|| quote!(let context = self.build.context();));
    let set = quote! {
        #context
        self.build.possible_attribute(#key, #make);
    };
    if is_needed || given.to_string().starts_with("& [") {
        return (given, set);
    }
    let parameter = match given.to_string().as_str() {
        "& str" => quote!(impl Into<Option<&'v str>>),
        _ => quote!(impl Into<Option<#given>>),
    };
    let body = quote! {
        match value.into() {
            Some(value) => { #set }
            None => self.build.attribute(#key, None),
        }
    };
    (parameter, body)
}

fn results(operation: &Operation, taken: &mut BTreeSet<String>, setters: &mut Vec<Setter>) {
    let inferred = inference::is_inferred(operation);
    for (index, result) in operation.results.iter().enumerate() {
        let name = if result.name.is_empty() { format!("result_{index}") } else { names::snake_case(&result.name) };
        let (parameter, body) = match result.arity {
            Arity::One => (quote!(Type<'c>), quote!(self.build.results(#index, [value]);)),
            Arity::Optional => (quote!(impl Into<Option<Type<'c>>>), quote!(self.build.results(#index, value.into());)),
            Arity::Variadic | Arity::VariadicOfVariadic => {
                (quote!(impl IntoIterator<Item = Type<'c>>), quote!(self.build.results(#index, value);))
            }
        };
        let about = match inferred {
            true => format!("Sets the type of the result `{name}`, which is inferred otherwise."),
            false => format!("Sets the type of the result `{name}`."),
        };
        let name = names::unique(taken, &format!("{name}_type"));
        let needed = (!inferred && result.arity != Arity::Optional).then(|| plain(&name));
        setters.push(Setter { needed, name, about, parameter, body });
    }
}

fn regions(operation: &Operation, taken: &mut BTreeSet<String>, setters: &mut Vec<Setter>) {
    for (index, region) in operation.regions.iter().enumerate() {
        let shown = if region.name.is_empty() { format!("region_{index}") } else { names::snake_case(&region.name) };
        let name = names::unique(taken, &format!("{shown}_arguments"));
        // One that must have blocks.
        let is_needed = region.variadic
            || region.constraint.predicate.text().contains("hasNItems(")
            || region.constraint.predicate.text().contains("hasNItemsOrMore(");
        let needed = is_needed.then(|| plain(&name));
        let (parameter, body, about) = match region.variadic {
            false => (
                quote!(&[Type<'c>]),
                quote!(self.build.block(#index, value);),
                format!("Gives the region `{shown}` a block with arguments of these types."),
            ),
            true => (
                quote!(impl IntoIterator<Item = Option<Vec<Type<'c>>>>),
                quote!(self.build.regions(#index, value);),
                format!(
                    "Makes the regions `{shown}`, each with a block with arguments of these types, or without a block."
                ),
            ),
        };
        setters.push(Setter { needed: needed.clone(), name, about, parameter, body });
        if !region.variadic {
            setters.push(Setter {
                needed,
                name: names::unique(taken, &format!("{shown}_located_arguments")),
                about: "The same with arguments that have locations of their own.".into(),
                parameter: quote!(&[(Type<'c>, Location<'c>)]),
                body: quote!(self.build.located_block(#index, value);),
            });
        }
    }
}

fn successors(operation: &Operation, taken: &mut BTreeSet<String>, setters: &mut Vec<Setter>) {
    for (index, successor) in operation.successors.iter().enumerate() {
        let shown = if successor.name.is_empty() { format!("successor_{index}") } else { successor.name.clone() };
        let name = names::unique(taken, &shown);
        let (parameter, body) = match successor.variadic {
            false => (quote!(BlockRef<'c, 'a>), quote!(self.build.successors(#index, [value]);)),
            true => (quote!(impl IntoIterator<Item = BlockRef<'c, 'a>>), quote!(self.build.successors(#index, value);)),
        };
        let about = format!("Sets the successor `{shown}`.");
        setters.push(Setter { needed: Some(plain(&name)), name, about, parameter, body });
    }
}
