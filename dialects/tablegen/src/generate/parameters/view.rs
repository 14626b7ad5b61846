//! Typed views of types and attributes.

use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeSet;

use super::super::{
    names,
    parameter_kind::{Kind, is_nothing},
    rust::{doc, ident},
};
use super::structure;
use crate::{
    ods::{Definition, DefinitionKind, DefinitionParameter, Model},
    writer::dedent,
};

/// A parameter as Rust sees it.
pub struct Field {
    pub name: proc_macro2::Ident,
    pub rust: TokenStream,
    about: TokenStream,
}

/// The parameters in order.
pub fn fields(definition: &Definition, model: &Model) -> Vec<Field> {
    // Beside which parameters stand as arguments.
    let mut taken = BTreeSet::from(["context".to_string()]);
    let each = definition.parameters.iter().map(|parameter| Field {
        name: ident(&names::unique(&mut taken, &parameter.name)),
        rust: rust_type(parameter, model),
        about: doc(parameter.summary.as_deref().unwrap_or(&format!("`{}`", parameter.name))),
    });
    each.collect()
}

/// Whether a parameter lives as long as the context.
pub fn has_lifetime(definition: &Definition, model: &Model) -> bool {
    fields(definition, model).iter().any(|field| field.rust.to_string().contains("'c"))
}

fn rust_type(parameter: &DefinitionParameter, model: &Model) -> TokenStream {
    let kind = Kind::of(parameter, model);
    let rust = kind.rust();
    let may_be_nothing = parameter
        .default
        .as_ref()
        .is_some_and(|code| parameter.is_self_type || kind.default(code).is_some_and(|default| is_nothing(&default)));
    match may_be_nothing && !matches!(kind, Kind::Optional(_)) {
        true => quote!(Option<#rust>),
        false => rust,
    }
}

/// The structure of the parameters.
pub fn parameters(definition: &Definition, model: &Model) -> Option<TokenStream> {
    let name = ident(&structure(definition)?);
    let fields = fields(definition, model);
    let about = doc(&format!("The parameters of `{}`.", definition.name()));
    let lifetime = has_lifetime(definition, model).then(|| quote!(<'c>));
    let declared = fields.iter().map(|Field { name, rust, about }| quote!(#about pub #name: #rust,));
    let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let indices = 0..fields.len();
    let count = fields.len();
    Some(quote! {
        #about
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name #lifetime {
            #(#declared)*
        }

        impl<'c> ParameterValues<'c> for #name #lifetime {
            fn into_attributes(self, context: &'c Context) -> Vec<Attribute<'c>> {
                vec![#(self.#names.into_attribute(context)),*]
            }

            fn from_attributes(parameters: &[Attribute<'c>]) -> Option<Self> {
                if parameters.len() != #count {
                    return None;
                }
                Some(Self { #(#names: ParameterValue::from_attribute(parameters[#indices])?),* })
            }
        }
    })
}

/// What differs between types and attributes.
struct Words {
    /// The Rust type of what is wrapped.
    whole: TokenStream,
    /// The name of the field and the function that give it.
    field: proc_macro2::Ident,
    /// The function that makes it of parameters.
    make: TokenStream,
    /// The function that gives a parameter.
    parameter: TokenStream,
    /// The test for its class.
    is: TokenStream,
}

fn words(kind: DefinitionKind) -> Words {
    match kind {
        DefinitionKind::Type => Words {
            whole: quote!(Type<'c>),
            field: ident("r#type"),
            make: quote!(defined::r#type),
            parameter: quote!(defined::type_parameter),
            is: quote!(predicate::is_type),
        },
        DefinitionKind::Attribute => Words {
            whole: quote!(Attribute<'c>),
            field: ident("attribute"),
            make: quote!(defined::attribute),
            parameter: quote!(defined::attribute_parameter),
            is: quote!(predicate::is_attribute),
        },
    }
}

/// The view.
pub fn view(definition: &Definition, model: &Model) -> TokenStream {
    let name = ident(&names::parameterized(definition));
    let full_name = definition.name();
    let about = doc(&about(definition));
    let Words { whole, field, is, .. } = words(definition.kind);
    let makers = makers(definition, model);
    let getters = getters(definition, model);
    let (says_no, about_field) = match definition.kind {
        DefinitionKind::Type => (format!("the type is no `{full_name}`"), doc("The type itself.")),
        DefinitionKind::Attribute => (format!("the attribute is no `{full_name}`"), doc("The attribute itself.")),
    };
    quote! {
        #about
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct #name<'c> {
            #field: #whole,
        }

        impl<'c> #name<'c> {
            /// The name with the dialect.
            pub const NAME: &'static str = #full_name;

            #makers

            /// The view, if it is one of this kind.
            pub fn new(#field: #whole) -> Option<Self> {
                #is(#field, Self::NAME).then_some(Self { #field })
            }

            #about_field
            pub fn #field(self) -> #whole {
                self.#field
            }

            #getters
        }

        impl<'c> TryFrom<#whole> for #name<'c> {
            type Error = Failure;

            fn try_from(#field: #whole) -> Result<Self, Failure> {
                Self::new(#field).ok_or_else(|| Failure::new(#says_no))
            }
        }

        impl<'c> From<#name<'c>> for #whole {
            fn from(view: #name<'c>) -> Self {
                view.#field
            }
        }
    }
}

fn about(definition: &Definition) -> String {
    let sigil = if definition.kind == DefinitionKind::Type { '!' } else { '#' };
    let summary = definition.summary.as_deref().unwrap_or(&definition.class);
    let description = definition.description.as_deref().map(dedent);
    let description = description.map_or(String::new(), |text| format!("\n\n{text}"));
    format!("`{sigil}{}`: {}{description}", definition.name(), summary.trim())
}

/// `get`, and `of` where the parameters are a structure.
fn makers(definition: &Definition, model: &Model) -> TokenStream {
    let Words { field, make, .. } = words(definition.kind);
    let errors = doc("# Errors\nWhere the dialect is not registered, or its verifier refuses the parameters.");
    let Some(structure) = structure(definition) else {
        return quote! {
            /// The only one.
            ///
            #errors
            pub fn get(context: &'c Context) -> Result<Self, Failure> {
                #make(context, Self::NAME, &[]).map(|#field| Self { #field })
            }
        };
    };
    let structure = ident(&structure);
    let fields = fields(definition, model);
    let lifetime = has_lifetime(definition, model).then(|| quote!(<'c>));
    let of = quote! {
        /// The one of these parameters.
        ///
        #errors
        pub fn of(context: &'c Context, parameters: #structure #lifetime) -> Result<Self, Failure> {
            let parameters = parameters.into_attributes(context);
            #make(context, Self::NAME, &parameters).map(|#field| Self { #field })
        }
    };
    let names = fields.iter().map(|field| &field.name);
    let arguments = fields.iter().map(|Field { name, rust, .. }| quote!(#name: #rust));
    let get = (!definition.skips_default_builders).then(|| {
        // As many as the declaration has.
        let allowed = (fields.len() > 6).then(|| quote!(#[allow(clippy::too_many_arguments)]));
        quote! {
            /// The one of these parameters.
            ///
            #errors
            #allowed
            pub fn get(context: &'c Context, #(#arguments),*) -> Result<Self, Failure> {
                Self::of(context, #structure { #(#names),* })
            }
        }
    });
    quote!(#get #of)
}

fn getters(definition: &Definition, model: &Model) -> TokenStream {
    if !definition.has_accessors {
        return TokenStream::new();
    }
    let Words { field: whole, parameter, .. } = words(definition.kind);
    let own = ["new", "get", "of", "r#type", "attribute"];
    let mut taken = BTreeSet::from(own.map(str::to_string));
    let each = fields(definition, model).into_iter().enumerate().map(|(index, Field { name, rust, about })| {
        let plain = name.to_string();
        let getter = ident(&names::free(&mut taken, plain.clone()));
        let missing = format!("`{}` has no parameter '{plain}' of the declared kind", definition.name());
        quote! {
            #about
            pub fn #getter(self) -> Result<#rust, Failure> {
                let value = #parameter(self.#whole, #index).and_then(ParameterValue::from_attribute);
                value.ok_or_else(|| Failure::new(#missing))
            }
        }
    });
    each.collect()
}
