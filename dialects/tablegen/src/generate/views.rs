//! Typed views of operations.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    attributes::{default, typed},
    names,
    rust::{doc, ident, skip},
    traits,
};
use crate::ods::{Arity, Attribute, AttributeKind, Formula, Model, Operand, Operation, PropertyKind};

/// The type that wraps an operation, with its accessors.
pub fn view(operation: &Operation, model: &Model) -> TokenStream {
    let name = ident(&names::structure(operation));
    let full_name = operation.name();
    let about = doc(&about(operation));
    let signature = signature(operation);
    let accessors = accessors(operation, model, Source::Operation);
    let reference = operation.reference.as_ref().map(reference);
    let side_effects = traits::side_effects(operation).map(|effects| {
        quote! {
            /// Its effects as they are declared, those that are none on memory too.
            pub const SIDE_EFFECTS: &'static [SideEffect] = #effects;
        }
    });
    quote! {
        #about
        #[derive(Clone, Copy, Debug)]
        pub struct #name<'c, 'a> {
            operation: OperationRef<'c, 'a>,
        }

        impl<'c: 'a, 'a> #name<'c, 'a> {
            /// The name of the operation.
            pub const NAME: &'static str = #full_name;
            /// Its shape.
            pub const SIGNATURE: &'static Signature = &#signature;
            #reference
            #side_effects

            /// The operation, if it is one of this kind.
            pub fn new(operation: OperationRef<'c, 'a>) -> Option<Self> {
                (operation.full_name() == Self::NAME).then_some(Self { operation })
            }

            /// The operation itself.
            pub fn operation(self) -> OperationRef<'c, 'a> {
                self.operation
            }

            #accessors
        }
    }
}

/// What the operation computes, as data and as a function that hooks may call.
fn reference(formula: &Formula) -> TokenStream {
    let (operator, text) = (&formula.operator, formula.module());
    quote! {
        /// What it computes, in SkriptND.
        pub const REFERENCE: skriptnd_ods::Formula<'static> = skriptnd_ods::Formula { operator: #operator, text: #text };

        /// What it computes of these operands and attributes.
        pub fn evaluate<E: skriptnd_ods::Evaluator>(
            evaluator: &E,
            operands: Vec<E::Value>,
            attributes: Vec<(String, E::Attribute)>,
        ) -> Result<Vec<E::Value>, E::Fault> {
            evaluator.evaluate(Self::REFERENCE, operands, attributes)
        }
    }
}

fn about(operation: &Operation) -> String {
    let summary = operation.summary.as_deref().unwrap_or("an operation");
    let description = operation.description.as_deref().map(crate::writer::dedent);
    let description = description.map_or(String::new(), |text| format!("\n\n{text}"));
    format!("`{}`: {}{description}", operation.name(), summary.trim())
}

/// The value of the operation's `Signature`.
pub fn signature(operation: &Operation) -> TokenStream {
    let full_name = operation.name();
    let arities = |values: &[Operand]| values.iter().map(|value| arity(value.arity)).collect::<Vec<_>>();
    let (operands, results) = (arities(&operation.operands), arities(&operation.results));
    let regions = operation.regions.iter().map(|region| {
        let (name, variadic) = (&region.name, region.variadic);
        quote!(RegionSignature { name: #name, variadic: #variadic })
    });
    let operand_segments = operation.has_trait("AttrSizedOperandSegments");
    let result_segments = operation.has_trait("AttrSizedResultSegments");
    quote! {
        Signature {
            name: #full_name,
            operands: &[#(#operands),*],
            results: &[#(#results),*],
            regions: &[#(#regions),*],
            operand_segments: #operand_segments,
            result_segments: #result_segments,
        }
    }
}

/// The arity as the runtime calls it.
pub fn arity(arity: Arity) -> TokenStream {
    match arity {
        Arity::One => quote!(GroupArity::One),
        Arity::Optional => quote!(GroupArity::Optional),
        Arity::Variadic | Arity::VariadicOfVariadic => quote!(GroupArity::Variadic),
    }
}

/// What getters read from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The operation of a view.
    Operation,
    /// The parts of an adaptor.
    Parts,
}

impl Source {
    /// What has the parts.
    fn path(self) -> TokenStream {
        match self {
            Self::Operation => quote!(self.operation),
            Self::Parts => quote!(self.parts),
        }
    }

    /// The same as what a signature is asked of.
    fn given(self) -> TokenStream {
        match self {
            Self::Operation => quote!(self.operation),
            Self::Parts => quote!(&self.parts),
        }
    }

    fn receiver(self) -> TokenStream {
        match self {
            Self::Operation => quote!(self),
            Self::Parts => quote!(&self),
        }
    }

    /// What stands for an operand.
    fn operand(self) -> TokenStream {
        match self {
            Self::Operation => quote!(Value<'c, 'a>),
            Self::Parts => quote!(V),
        }
    }
}

/// The getters of what an operation is made of; what only an operation has is that of views alone.
pub fn accessors(operation: &Operation, model: &Model, source: Source) -> TokenStream {
    let mut taken = BTreeSet::new();
    let mut code = TokenStream::new();
    for (index, operand) in operation.operands.iter().enumerate() {
        let name = if operand.name.is_empty() { format!("operand_{index}") } else { operand.name.clone() };
        code.extend(group(operand, index, ("operand", source), &names::unique(&mut taken, &name)));
    }
    for attribute in &operation.attributes {
        code.extend(attribute_accessors(attribute, model, source, &mut taken));
    }
    if source == Source::Operation {
        for (index, result) in operation.results.iter().enumerate() {
            let name = if result.name.is_empty() { format!("result_{index}") } else { result.name.clone() };
            let name = if taken.contains(&names::function(&name)) { format!("{name}_result") } else { name };
            code.extend(group(result, index, ("result", source), &names::unique(&mut taken, &name)));
        }
    }
    for index in 0..operation.regions.len() {
        code.extend(region(operation, index, source, &mut taken));
    }
    if source == Source::Operation {
        code.extend(successors(operation, &mut taken));
    }
    code
}

fn successors(operation: &Operation, taken: &mut BTreeSet<String>) -> TokenStream {
    let mut code = TokenStream::new();
    for (index, successor) in operation.successors.iter().enumerate() {
        let name = if successor.name.is_empty() { format!("successor_{index}") } else { successor.name.clone() };
        let getter = ident(&names::unique(taken, &name));
        let about = doc(&format!("The successor `{name}`."));
        let behind = skip(index);
        code.extend(match successor.variadic {
            false => quote! {
                #about
                pub fn #getter(self) -> Result<BlockRef<'c, 'a>, Failure> {
                    self.operation.successor(#index)
                }
            },
            true => quote! {
                #about
                pub fn #getter(self) -> Vec<BlockRef<'c, 'a>> {
                    self.operation.successors()#behind.collect()
                }
            },
        });
    }
    code
}

fn group(value: &Operand, index: usize, (side, source): (&str, Source), name: &str) -> TokenStream {
    let getter = ident(name);
    let about = doc(&format!(
        "The {side} `{}`: {}.",
        if value.name.is_empty() { name } else { &value.name },
        value.summary.as_ref().unwrap_or(&value.constraint.summary)
    ));
    let one = ident(side);
    let all = ident(&format!("{side}_group"));
    let (from, receiver, item) = (source.given(), source.receiver(), source.operand());
    let (kind, body) = match value.arity {
        Arity::One => (quote!(Result<#item, Failure>), quote!(Self::SIGNATURE.#one(#from, #index))),
        Arity::Optional => (quote!(Option<#item>), quote!(Self::SIGNATURE.#all(#from, #index).first().copied())),
        Arity::Variadic => (quote!(Vec<#item>), quote!(Self::SIGNATURE.#all(#from, #index))),
        Arity::VariadicOfVariadic => {
            let sizes = &value.segments;
            (quote!(Vec<Vec<#item>>), quote!(Self::SIGNATURE.operand_groups(#from, #index, #sizes)))
        }
    };
    quote! {
        #about
        pub fn #getter(#receiver) -> #kind {
            #body
        }
    }
}

fn region(operation: &Operation, index: usize, source: Source, taken: &mut BTreeSet<String>) -> TokenStream {
    let region = &operation.regions[index];
    let name = if region.name.is_empty() { format!("region_{index}") } else { region.name.clone() };
    let getter = ident(&names::unique(taken, &name));
    let about = doc(&format!("The region `{name}`: {}.", region.constraint.summary));
    let (from, receiver) = (source.path(), source.receiver());
    if region.variadic {
        let behind = skip(index);
        return quote! {
            #about
            pub fn #getter(#receiver) -> Vec<RegionRef<'c, 'a>> {
                #from.regions()#behind.collect()
            }
        };
    }
    let getter = quote! {
        #about
        pub fn #getter(#receiver) -> Result<RegionRef<'c, 'a>, Failure> {
            #from.region(#index)
        }
    };
    if source == Source::Parts {
        return getter;
    }
    let inside = ident(&names::unique(taken, &format!("inside_{}", names::snake_case(&name))));
    let about_inside = doc(&format!("A builder at the end of the first block of `{name}`, and its arguments."));
    quote! {
        #getter

        #about_inside
        pub fn #inside(
            self,
            builder: &Builder<'c, 'a>,
        ) -> Result<(Builder<'c, 'a>, Vec<Value<'c, 'a>>), Failure> {
            builder.inside(self.operation, #index)
        }
    }
}

fn attribute_accessors(
    attribute: &Attribute,
    model: &Model,
    source: Source,
    taken: &mut BTreeSet<String>,
) -> TokenStream {
    let key = &attribute.name;
    let what = attribute.summary.as_ref().unwrap_or(&attribute.constraint.summary);
    let getter = ident(&names::unique(taken, key));
    let about = doc(&format!("The {} `{key}`: {what}.", kind_of(attribute)));
    let (from, receiver) = (source.path(), source.receiver());
    let get = match &attribute.default_text {
        Some(text) => quote!(#from.get(#key).or_else(|| attributes::parse(#from.context(), #text))),
        None => quote!(#from.get(#key)),
    };
    let (kind, meaning) = presence(attribute);
    if attribute.kind == AttributeKind::Unit {
        // A property may be stored as `false` as well.
        let is_there = match attribute.property {
            Some(_) => quote!(is_some_and(|unit| attributes::as_bool(unit) != Some(false))),
            None => quote!(is_some()),
        };
        return quote! {
            #about
            pub fn #getter(#receiver) -> bool {
                #from.get(#key).#is_there
            }
        };
    }
    let Some(typed) = typed(attribute, model) else {
        let (result, body) = kind.of(&quote!(Attribute<'c>), key, get);
        return quote! {
            #about
            pub fn #getter(#receiver) -> #result {
                #body
            }
        };
    };
    let raw = ident(&names::unique(taken, &format!("{}_attribute", names::snake_case(key))));
    let (value, read) = (&typed.value, &typed.read);
    let read = match default(attribute) {
        Some(default) => quote!(self.#raw().map_or(Some(#default), #read)),
        None if attribute.default_text.is_some() => quote!(#get.and_then(#read)),
        None => quote!(self.#raw().and_then(#read)),
    };
    let (result, body) = kind.of(value, key, read);
    let about_value = doc(&format!("The value of `{key}`: {meaning}."));
    quote! {
        #about
        pub fn #raw(#receiver) -> Option<Attribute<'c>> {
            #from.get(#key)
        }

        #about_value
        pub fn #getter(#receiver) -> #result {
            #body
        }
    }
}

/// What a declaration calls it.
pub fn kind_of(attribute: &Attribute) -> &'static str {
    if attribute.property.is_some() { "property" } else { "attribute" }
}

/// What a getter returns.
enum Presence {
    /// What must be there, or has a default value.
    Required,
    Optional,
}

impl Presence {
    fn of(&self, value: &TokenStream, key: &str, body: TokenStream) -> (TokenStream, TokenStream) {
        match self {
            Self::Required => (quote!(Result<#value, Failure>), quote!(Self::SIGNATURE.required(#key, #body))),
            Self::Optional => (quote!(Option<#value>), body),
        }
    }
}

fn presence(attribute: &Attribute) -> (Presence, &'static str) {
    let has_default = attribute.default_text.is_some() || default(attribute).is_some();
    if attribute.property.as_ref().is_some_and(|property| matches!(property.kind, PropertyKind::Optional { .. })) {
        return (Presence::Optional, "none where it holds none");
    }
    match (has_default, attribute.may_be_absent()) {
        (true, _) => (Presence::Required, "the default where it is absent"),
        (false, true) => (Presence::Optional, "none where it is absent or of another kind"),
        (false, false) => (Presence::Required, "it must be there"),
    }
}
