//! What parameters hold, by their C++ types.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{
    cpp_types::{last, list_of, normalized},
    names,
    rust::ident,
};
use crate::cpp::ends_in;
use crate::ods::{Definition, DefinitionKind, DefinitionParameter, Enumeration, InterfaceKind, Model};

/// What a parameter holds.
pub enum Kind<'m> {
    Boolean,
    Integer {
        width: u32,
        signed: bool,
    },
    Float,
    Text,
    /// A type; its declaration, if the files have it.
    Type(Option<&'m Definition>),
    /// An attribute; its declaration, if the files have it.
    Attribute(Option<&'m Definition>),
    List(Box<Kind<'m>>),
    /// `std::optional`.
    Optional(Box<Kind<'m>>),
    Enumeration(&'m Enumeration),
    /// A C++ class that has no counterpart.
    Opaque,
}

impl<'m> Kind<'m> {
    /// The kind of a parameter.
    pub fn of(parameter: &DefinitionParameter, model: &'m Model) -> Self {
        match &parameter.constraint {
            // Constraints say their classes in many ways; all are attributes or types.
            Some(_) if Self::by_class(&parameter.cpp_type, model).is_opaque() => Self::Attribute(None),
            _ => Self::by_class(&parameter.cpp_type, model),
        }
    }

    fn by_class(cpp: &str, model: &'m Model) -> Self {
        let name = normalized(cpp);
        if let Some(inner) = name.strip_prefix("optional<").and_then(|rest| rest.strip_suffix('>')) {
            return Self::Optional(Self::by_class(inner, model).into());
        }
        if let Some(inner) = list_of(&name) {
            return Self::List(Self::by_class(inner, model).into());
        }
        if let Some(found) = model.enumerations.iter().find(|item| is_named(&name, &item.namespace, &item.name)) {
            return Self::Enumeration(found);
        }
        match model.interfaces.iter().find(|item| is_named(&name, &item.namespace, &item.name)).map(|item| item.kind) {
            Some(InterfaceKind::Type) => return Self::Type(None),
            Some(InterfaceKind::Attribute) => return Self::Attribute(None),
            _ => {}
        }
        let declared = model.definitions.iter().find(|item| is_declared(&name, item));
        match (declared, last(&name)) {
            (Some(found), _) if found.kind == DefinitionKind::Type => Self::Type(declared),
            (Some(_), _) => Self::Attribute(declared),
            (_, "bool") => Self::Boolean,
            (_, "float" | "double" | "APFloat") => Self::Float,
            (_, "StringRef" | "string") => Self::Text,
            (_, "APInt") => Self::Integer { width: 64, signed: true },
            (_, last) if last == "Type" || last.ends_with("Type") => Self::Type(None),
            (_, last) if last == "Attribute" || last.ends_with("Attr") => Self::Attribute(None),
            (_, last) => integer(last).map_or(Self::Opaque, |(width, signed)| Self::Integer { width, signed }),
        }
    }

    /// Whether it has no counterpart.
    pub fn is_opaque(&self) -> bool {
        match self {
            Self::Opaque => true,
            Self::List(inner) | Self::Optional(inner) => inner.is_opaque(),
            _ => false,
        }
    }

    /// The Rust type of its values.
    pub fn rust(&self) -> TokenStream {
        match self {
            Self::Boolean => quote!(bool),
            Self::Integer { .. } => quote!(i64),
            Self::Float => quote!(f64),
            Self::Text => quote!(&'c str),
            Self::Type(_) => quote!(Type<'c>),
            Self::List(inner) if !inner.is_opaque() => {
                let inner = inner.rust();
                quote!(Vec<#inner>)
            }
            Self::Optional(inner) if !inner.is_opaque() => {
                let inner = inner.rust();
                quote!(Option<#inner>)
            }
            Self::Enumeration(found) => {
                let name = ident(&names::enumeration(found));
                quote!(super::#name)
            }
            Self::Attribute(_) | Self::Opaque | Self::List(_) | Self::Optional(_) => quote!(Attribute<'c>),
        }
    }

    /// Whether a value can be absent in no other way than by being nothing.
    fn has_no_zero(&self) -> bool {
        matches!(self, Self::Type(_) | Self::Attribute(_) | Self::Opaque | Self::Optional(_))
    }

    /// The C++ class that values must be of, where it says more than that they are types or attributes.
    pub fn class(&self, cpp: &str) -> Option<String> {
        let name = match normalized(cpp) {
            name if matches!(self, Self::Optional(_)) => name.strip_prefix("optional<")?.strip_suffix('>')?.to_string(),
            name => name,
        };
        let name = list_of(&name).map(str::to_string).unwrap_or(name);
        let says_nothing = matches!(last(&name), "Type" | "Attribute" | "TypedAttr" | "LocationAttr");
        (self.is_entity() && !says_nothing).then_some(name)
    }

    fn is_entity(&self) -> bool {
        match self {
            Self::Type(_) | Self::Attribute(_) => true,
            Self::List(inner) | Self::Optional(inner) => inner.is_entity(),
            _ => false,
        }
    }

    /// Whether types stand in it.
    pub fn holds_types(&self) -> bool {
        match self {
            Self::Type(_) => true,
            Self::List(inner) | Self::Optional(inner) => inner.holds_types(),
            _ => false,
        }
    }

    /// What stands for an absent value; none where its C++ is no literal.
    pub fn default(&self, code: &str) -> Option<TokenStream> {
        let code = code.trim();
        let is_empty = matches!(code, "{}" | "\"\"") || code.ends_with("()") && !code.contains('$');
        let number = || code.trim_end_matches(['u', 'l', 'L', 'U']).parse::<i64>().ok();
        Some(match self {
            Self::Optional(_) if code.ends_with("nullopt") => quote!(ParameterDefault::Nothing),
            Self::Type(_) | Self::Attribute(_) if matches!(code, "nullptr" | "Type()" | "Attribute()") => {
                quote!(ParameterDefault::Nothing)
            }
            _ if is_empty && self.has_no_zero() => quote!(ParameterDefault::Nothing),
            Self::Boolean if matches!(code, "true" | "false") => {
                let value = code == "true";
                quote!(ParameterDefault::Boolean(#value))
            }
            _ if is_empty => quote!(ParameterDefault::Zero),
            Self::Integer { .. } => {
                let value = Literal::i64_unsuffixed(number()?);
                quote!(ParameterDefault::Integer(#value))
            }
            Self::Float => {
                let value = code.trim_end_matches(['f', 'F']).parse::<f64>().ok().filter(|value| value.is_finite())?;
                quote!(ParameterDefault::Float(#value))
            }
            Self::Text => {
                let text = code.strip_prefix('"')?.strip_suffix('"')?;
                let plain = (!text.contains(['"', '\\'])).then_some(text)?;
                quote!(ParameterDefault::Text(#plain))
            }
            Self::Enumeration(found) => {
                let case = found.cases.iter().find(|case| case.symbol == last(code))?;
                let value = Literal::i64_unsuffixed(case.value);
                quote!(ParameterDefault::Integer(#value))
            }
            _ => return None,
        })
    }
}

/// Whether a parameter may be nothing at all.
pub fn is_nothing(default: &TokenStream) -> bool {
    default.to_string().ends_with("Nothing")
}

/// Whether a C++ name, with some of its namespaces, is that of a class in a namespace.
fn is_named(name: &str, namespace: &str, class: &str) -> bool {
    if !ends_in(name, class) {
        return false;
    }
    let whole = normalized(&format!("{namespace}::{class}"));
    let is_part = |part: &str| whole.strip_suffix(part).is_some_and(|rest| rest.is_empty() || rest.ends_with("::"));
    is_part(name) || name.ends_with(&format!("::{whole}"))
}

fn is_declared(name: &str, definition: &Definition) -> bool {
    let (namespace, class) = definition.cpp_type.rsplit_once("::").unwrap_or(("", &definition.cpp_type));
    is_named(name, namespace, class)
}

fn integer(name: &str) -> Option<(u32, bool)> {
    Some(match name {
        "int" => (32, true),
        "long" | "longlong" | "ssize_t" | "ptrdiff_t" => (64, true),
        "unsigned" | "unsignedint" => (32, false),
        "size_t" | "unsignedlong" => (64, false),
        "short" => (16, true),
        "char" => (8, true),
        _ => {
            let signed = !name.starts_with('u');
            let bits = name.trim_start_matches('u').strip_prefix("int")?.strip_suffix("_t")?;
            (bits.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64))?, signed)
        }
    })
}

/// The name of what is asked of Rust for a parameter.
pub fn hook_name(definition: &Definition, parameter: &str) -> String {
    format!("{}_{}", names::snake_case(&definition.class), names::snake_case(parameter))
}
