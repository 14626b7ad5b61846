//! Typed views of operations.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    attributes::{default, typed},
    names,
    rust::{doc, ident},
};
use crate::{
    ods::{Arity, Attribute, AttributeKind, Model, Operand, Operation},
    predicate::snake_case,
};

/// The type that wraps an operation, with its accessors.
pub fn view(operation: &Operation, model: &Model) -> TokenStream {
    let name = ident(&names::structure(operation));
    let full_name = operation.name();
    let about = doc(&about(operation));
    let signature = signature(operation);
    let accessors = accessors(operation, model);
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

/// A name that no other accessor has.
pub fn unique(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut name = names::function(name);
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

fn accessors(operation: &Operation, model: &Model) -> TokenStream {
    let mut taken = BTreeSet::new();
    let mut code = TokenStream::new();
    for (index, operand) in operation.operands.iter().enumerate() {
        let name = if operand.name.is_empty() { format!("operand_{index}") } else { operand.name.clone() };
        code.extend(group(operand, index, "operand", &unique(&mut taken, &name)));
    }
    for attribute in &operation.attributes {
        code.extend(attribute_accessors(attribute, model, &mut taken));
    }
    for (index, result) in operation.results.iter().enumerate() {
        let name = if result.name.is_empty() { format!("result_{index}") } else { result.name.clone() };
        let name = if taken.contains(&names::function(&name)) { format!("{name}_result") } else { name };
        code.extend(group(result, index, "result", &unique(&mut taken, &name)));
    }
    for index in 0..operation.regions.len() {
        code.extend(region(operation, index, &mut taken));
    }
    for (index, successor) in operation.successors.iter().enumerate() {
        let name = if successor.name.is_empty() { format!("successor_{index}") } else { successor.name.clone() };
        let getter = ident(&unique(&mut taken, &name));
        let about = doc(&format!("The successor `{name}`."));
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
                    self.operation.successors().skip(#index).collect()
                }
            },
        });
    }
    code
}

fn group(value: &Operand, index: usize, side: &str, name: &str) -> TokenStream {
    let getter = ident(name);
    let about = doc(&format!(
        "The {side} `{}`: {}.",
        if value.name.is_empty() { name } else { &value.name },
        value.summary.as_ref().unwrap_or(&value.constraint.summary)
    ));
    let one = ident(side);
    let all = ident(&format!("{side}_group"));
    let (kind, body) = match value.arity {
        Arity::One => (quote!(Result<Value<'c, 'a>, Failure>), quote!(Self::SIGNATURE.#one(self.operation, #index))),
        Arity::Optional => {
            (quote!(Option<Value<'c, 'a>>), quote!(Self::SIGNATURE.#all(self.operation, #index).first().copied()))
        }
        Arity::Variadic | Arity::VariadicOfVariadic => {
            (quote!(Vec<Value<'c, 'a>>), quote!(Self::SIGNATURE.#all(self.operation, #index)))
        }
    };
    quote! {
        #about
        pub fn #getter(self) -> #kind {
            #body
        }
    }
}

fn region(operation: &Operation, index: usize, taken: &mut BTreeSet<String>) -> TokenStream {
    let region = &operation.regions[index];
    let name = if region.name.is_empty() { format!("region_{index}") } else { region.name.clone() };
    let getter = ident(&unique(taken, &name));
    let about = doc(&format!("The region `{name}`: {}.", region.constraint.summary));
    if region.variadic {
        return quote! {
            #about
            pub fn #getter(self) -> Vec<RegionRef<'c, 'a>> {
                self.operation.regions().skip(#index).collect()
            }
        };
    }
    let inside = ident(&unique(taken, &format!("inside_{}", snake_case(&name))));
    let about_inside = doc(&format!("A builder at the end of the first block of `{name}`, and its arguments."));
    quote! {
        #about
        pub fn #getter(self) -> Result<RegionRef<'c, 'a>, Failure> {
            self.operation.region(#index)
        }

        #about_inside
        pub fn #inside(
            self,
            builder: &Builder<'c, 'a>,
        ) -> Result<(Builder<'c, 'a>, Vec<Value<'c, 'a>>), Failure> {
            builder.inside(self.operation, #index)
        }
    }
}

fn attribute_accessors(attribute: &Attribute, model: &Model, taken: &mut BTreeSet<String>) -> TokenStream {
    let key = &attribute.name;
    let what = attribute.summary.as_ref().unwrap_or(&attribute.constraint.summary);
    let getter = ident(&unique(taken, key));
    let about = doc(&format!("The attribute `{key}`: {what}."));
    if attribute.kind == AttributeKind::Unit {
        return quote! {
            #about
            pub fn #getter(self) -> bool {
                self.operation.get(#key).is_some()
            }
        };
    }
    let Some(typed) = typed(attribute, model) else {
        let (kind, body) = match attribute.optional || attribute.default.is_some() {
            true => (quote!(Option<Attribute<'c>>), quote!(self.operation.get(#key))),
            false => (
                quote!(Result<Attribute<'c>, Failure>),
                quote!(Self::SIGNATURE.required(#key, self.operation.get(#key))),
            ),
        };
        return quote! {
            #about
            pub fn #getter(self) -> #kind {
                #body
            }
        };
    };
    let raw = ident(&unique(taken, &format!("{}_attribute", snake_case(key))));
    let (value, read) = (&typed.value, &typed.read);
    let raw_getter = quote! {
        #about
        pub fn #raw(self) -> Option<Attribute<'c>> {
            self.operation.get(#key)
        }
    };
    let read = match default(attribute) {
        Some(default) => quote!(self.#raw().map_or(Some(#default), #read)),
        None => quote!(self.#raw().and_then(#read)),
    };
    let (kind, body, meaning) = match attribute.optional
        || (attribute.default.is_some() && default(attribute).is_none())
    {
        true => (quote!(Option<#value>), read, "none where it is absent or of another kind"),
        false if attribute.default.is_some() => (
            quote!(Result<#value, Failure>),
            quote!(Self::SIGNATURE.required(#key, #read)),
            "the default where it is absent",
        ),
        false => (quote!(Result<#value, Failure>), quote!(Self::SIGNATURE.required(#key, #read)), "it must be there"),
    };
    let about = doc(&format!("The value of `{key}`: {meaning}."));
    quote! {
        #raw_getter

        #about
        pub fn #getter(self) -> #kind {
            #body
        }
    }
}
