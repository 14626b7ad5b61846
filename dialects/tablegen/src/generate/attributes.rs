//! What Rust sees of attributes.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{names, rust::ident};
use crate::ods::{Attribute, AttributeKind, Definition, DefinitionKind, Enumeration, Model, PropertyKind};

/// An attribute whose value is a Rust value.
pub struct Typed {
    /// The type of the value that is read.
    pub value: TokenStream,
    /// The function that reads it of an attribute: `Option` of the value.
    pub read: TokenStream,
    /// The type of the value that is given.
    pub given: TokenStream,
    /// An expression of `context` and `value`: `Option` of the attribute.
    pub make: TokenStream,
}

/// The Rust value of an attribute, if it has one.
pub fn typed(attribute: &Attribute, model: &Model) -> Option<Typed> {
    if let Some(property) = &attribute.property {
        return stored(&property.kind, model);
    }
    let enumeration = attribute.enumeration.as_ref();
    if let Some(name) = enumeration {
        return model.enumerations.iter().find(|item| item.definition == *name).map(enumerated);
    }
    if let Some(definition) = defined(attribute, model) {
        return Some(view(definition, model));
    }
    match attribute.kind {
        AttributeKind::Bool => stored(&PropertyKind::Bool, model),
        AttributeKind::Integer => integer(&numeric_type(attribute)?),
        AttributeKind::Float => real(attribute),
        AttributeKind::String => stored(&PropertyKind::String, model),
        AttributeKind::Type => of(quote!(Type<'c>), quote!(as_type), quote!(Type<'c>), quote!(r#type(value))),
        AttributeKind::Integers(64) => stored(&PropertyKind::Integers(64), model),
        AttributeKind::Floats(64) => {
            of(quote!(Vec<f64>), quote!(as_reals), quote!(&[f64]), quote!(reals(context, value)))
        }
        AttributeKind::Bools => {
            of(quote!(Vec<bool>), quote!(as_booleans), quote!(&[bool]), quote!(booleans(context, value)))
        }
        AttributeKind::Array => {
            of(quote!(Vec<Attribute<'c>>), quote!(as_array), quote!(&[Attribute<'c>]), quote!(array(context, value)))
        }
        AttributeKind::Symbol => of(quote!(&'c str), quote!(as_symbol), quote!(&str), quote!(symbol(context, value))),
        AttributeKind::Unit | AttributeKind::Integers(_) | AttributeKind::Floats(_) | AttributeKind::Other => None,
    }
}

/// The definition of an attribute of one's own.
fn defined<'m>(attribute: &Attribute, model: &'m Model) -> Option<&'m Definition> {
    let is_it = |item: &&Definition| item.kind == DefinitionKind::Attribute && item.definition == attribute.base;
    model.definitions.iter().find(is_it).filter(|_| attribute.kind == AttributeKind::Other)
}

/// The view of an attribute of one's own; of one that holds the case of an enumeration, that case.
fn view(definition: &Definition, model: &Model) -> Typed {
    let (module, name) =
        (ident(names::module_of_definitions(definition.kind)), ident(&names::parameterized(definition)));
    let view = quote!(super::#module::#name);
    let is_it = |item: &&Enumeration| Some(&item.definition) == definition.enumeration.as_ref();
    match model.enumerations.iter().find(is_it) {
        Some(enumeration) => {
            let case = ident(&names::enumeration(enumeration));
            Typed {
                value: quote!(super::#case),
                read: quote!(|value| #view::new(value)?.value().ok()),
                given: quote!(super::#case),
                make: quote!(#view::get(context, value).ok().map(Attribute::from)),
            }
        }
        None => Typed {
            value: quote!(#view<'c>),
            read: quote!(#view::new),
            given: quote!(#view<'c>),
            make: quote!(Some(Attribute::from(value))),
        },
    }
}

/// One that is read and made by functions of `attributes`.
fn of(value: TokenStream, read: TokenStream, given: TokenStream, make: TokenStream) -> Option<Typed> {
    let make = quote!(Some(attributes::#make));
    Some(Typed { value, read: quote!(attributes::#read), given, make })
}

/// The Rust value of a property, if it has one.
fn stored(kind: &PropertyKind, model: &Model) -> Option<Typed> {
    match kind {
        PropertyKind::Bool => of(quote!(bool), quote!(as_bool), quote!(bool), quote!(boolean(context, value))),
        PropertyKind::Integer(width) => integer(&format!("i{width}")),
        PropertyKind::String => of(quote!(&'c str), quote!(as_string), quote!(&str), quote!(string(context, value))),
        PropertyKind::Integers(64) => {
            of(quote!(Vec<i64>), quote!(as_integers), quote!(&[i64]), quote!(integers(context, value)))
        }
        PropertyKind::Enumeration { definition, .. } => {
            let found = model.enumerations.iter().find(|item| item.definition == *definition);
            found.map(|found| of_cases(found, &number_of(found)))
        }
        PropertyKind::Optional { value, .. } => {
            let Typed { value, read, given, make } = stored(value, model)?;
            Some(Typed {
                value,
                read: quote!(|value| attributes::as_array(value)?.first().copied().and_then(#read)),
                given,
                make: quote!(#make.map(|value| attributes::array(context, &[value]))),
            })
        }
        PropertyKind::List(item) => {
            let Typed { value, read, given, make } = stored(item, model)?;
            Some(Typed {
                value: quote!(Vec<#value>),
                read: quote!(|value| attributes::as_array(value)?.into_iter().map(#read).collect::<Option<Vec<_>>>()),
                given: quote!(&[#given]),
                make: quote! {
                    value
                        .iter()
                        .map(|&value| #make)
                        .collect::<Option<Vec<_>>>()
                        .map(|values| attributes::array(context, &values))
                },
            })
        }
        PropertyKind::Unit | PropertyKind::Integers(_) | PropertyKind::Other => None,
    }
}

fn integer(name: &str) -> Option<Typed> {
    let r#type = match name {
        "index" => quote!(types::index(context)),
        name => match name.strip_prefix('i').and_then(|width| width.parse::<u32>().ok()) {
            Some(width) => quote!(types::integer(context, #width)),
            None => {
                let make = quote!(types::parse(context, #name).and_then(|kind| attributes::typed_integer(kind, value)));
                return Some(Typed {
                    value: quote!(i64),
                    read: quote!(attributes::as_integer),
                    given: quote!(i64),
                    make,
                });
            }
        },
    };
    let make = quote!(attributes::typed_integer(#r#type, value));
    Some(Typed { value: quote!(i64), read: quote!(attributes::as_integer), given: quote!(i64), make })
}

fn real(attribute: &Attribute) -> Option<Typed> {
    let name = numeric_type(attribute)?;
    let make = match name.as_str() {
        "f64" => quote!(Some(attributes::real(context, value))),
        name => quote!(types::parse(context, #name).and_then(|kind| attributes::typed_real(context, kind, value))),
    };
    Some(Typed { value: quote!(f64), read: quote!(attributes::as_real), given: quote!(f64), make })
}

fn enumerated(enumeration: &Enumeration) -> Typed {
    match enumeration.is_text {
        true => of_cases(enumeration, &quote!(Some(attributes::string(context, value.text())))),
        false => of_cases(enumeration, &number_of(enumeration)),
    }
}

/// The attribute of a case that is stored as its number.
fn number_of(enumeration: &Enumeration) -> TokenStream {
    let width = enumeration.width;
    quote!(attributes::typed_integer(types::integer(context, #width), value.value()))
}

fn of_cases(enumeration: &Enumeration, make: &TokenStream) -> Typed {
    let name = ident(&names::enumeration(enumeration));
    let make = make.clone();
    Typed { value: quote!(super::#name), read: quote!(super::#name::of), given: quote!(super::#name), make }
}

/// The type of the number in an attribute, where its constraint fixes one: `i32`, `index`, `f64`.
pub fn numeric_type(attribute: &Attribute) -> Option<String> {
    match attribute.kind {
        AttributeKind::Integer | AttributeKind::Float => built_type(attribute.value_type_builder.as_deref()?),
        _ => None,
    }
}

/// The text of the type that a C++ expression builds of nothing: `$_builder.getI32Type()` is `i32`.
pub fn built_type(expression: &str) -> Option<String> {
    let (function, arguments) = expression.trim().strip_prefix("$_builder.get")?.strip_suffix(')')?.split_once('(')?;
    let width = || arguments.split(',').next()?.trim().parse::<u32>().ok();
    Some(match function {
        "IndexType" => "index".into(),
        "NoneType" => "none".into(),
        "IntegerType" if arguments.contains("true") => format!("si{}", width()?),
        "IntegerType" if arguments.contains("false") => format!("ui{}", width()?),
        "IntegerType" => format!("i{}", width()?),
        "BF16Type" => "bf16".into(),
        "TF32Type" => "tf32".into(),
        _ => match function.strip_suffix("Type")? {
            name if name.len() > 1 && name[1..].bytes().all(|byte| byte.is_ascii_digit()) => name.to_lowercase(),
            name if name.starts_with("Float") => format!("f{}", name.strip_prefix("Float")?),
            _ => return None,
        },
    })
}

/// The Rust text of the value that stands for an absent attribute, where the C++ text is a literal.
pub fn default(attribute: &Attribute) -> Option<TokenStream> {
    let text = attribute.default.as_deref()?.trim();
    match attribute.kind {
        _ if attribute.enumeration.is_some() => None,
        AttributeKind::Bool => text.parse::<bool>().ok().map(|value| quote!(#value)),
        AttributeKind::Integer => text.parse::<i64>().ok().map(|value| {
            let value = Literal::i64_unsuffixed(value);
            quote!(#value)
        }),
        AttributeKind::Float => {
            let value = text.trim_end_matches('f').parse::<f64>().ok().filter(|value| value.is_finite())?;
            let value = Literal::f64_unsuffixed(value);
            Some(quote!(#value))
        }
        AttributeKind::String => {
            // The early texts write a word without quotes.
            let text = attribute.default_text.as_deref()?.strip_prefix('"')?.strip_suffix('"')?;
            (!text.contains(['"', '\\'])).then(|| quote!(#text))
        }
        AttributeKind::Integers(_) | AttributeKind::Floats(_) | AttributeKind::Bools => {
            let items = text.strip_prefix('{')?.strip_suffix('}')?;
            let items: Vec<&str> = items.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
            let good = items.iter().all(|item| match attribute.kind {
                AttributeKind::Integers(_) => item.parse::<i64>().is_ok(),
                AttributeKind::Bools => item.parse::<bool>().is_ok(),
                _ => item.parse::<f64>().is_ok() && item.contains('.'),
            });
            let items: TokenStream = good.then(|| items.join(", "))?.parse().ok()?;
            Some(quote!(vec![#items]))
        }
        _ => None,
    }
}
