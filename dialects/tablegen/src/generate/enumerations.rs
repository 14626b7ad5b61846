//! `-gen-enum-decls` and `-gen-enum-defs`: enumerations as Rust types.
//!
//! They stand beside what imports for itself, so that everything is named with its path.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{
    names,
    rust::{self, doc, ident},
    unsupported,
};
use crate::{
    error::Result,
    ods::{Enumeration, EnumerationCase, Model},
};

/// The Rust text.
///
/// # Errors
/// Enumerations of one name, each at its declaration.
pub fn enumerations(model: &Model, file_name: &str) -> Result<String> {
    unsupported::check_enumerations(model)?;
    let items = model.enumerations.iter().map(|enumeration| match enumeration.is_bits {
        true => set(enumeration),
        false => choice(enumeration),
    });
    rust::format(items.collect(), file_name)
}

/// A case with its name in Rust.
struct Case<'e> {
    case: &'e EnumerationCase,
    name: Ident,
    value: Literal,
}

impl Case<'_> {
    fn about(&self) -> TokenStream {
        doc(&format!("`{}`", self.case.text.escape_debug()))
    }
}

fn cases(enumeration: &Enumeration) -> Vec<Case<'_>> {
    let named = enumeration.cases.iter().zip(names::cases(enumeration));
    named.map(|(case, name)| Case { case, name: ident(&name), value: Literal::i64_unsuffixed(case.value) }).collect()
}

fn choice(enumeration: &Enumeration) -> TokenStream {
    let name = ident(&names::enumeration(enumeration));
    let about = doc(&format!("{}.", enumeration.summary.as_deref().unwrap_or(&enumeration.name).trim_end_matches('.')));
    let cases = cases(enumeration);
    let first_of = |value: i64| cases.iter().find(|case| case.case.value == value);
    // Of several cases with one value the first is it, the others are other names of it.
    let (first, others): (Vec<&Case<'_>>, Vec<&Case<'_>>) =
        cases.iter().partition(|case| first_of(case.case.value).is_some_and(|first| first.name == case.name));
    let variants = first.iter().map(|case| {
        let (about, name, value) = (case.about(), &case.name, &case.value);
        quote!(#about #name = #value)
    });
    let others = others.iter().filter_map(|case| {
        let (about, name, first) = (case.about(), &case.name, &first_of(case.case.value)?.name);
        Some(quote!(#about #[allow(non_upper_case_globals)] pub const #name: Self = Self::#first;))
    });
    let (value, representation) = representation(enumeration);
    let (lookups, functions) = (lookups(&first, &by_text(&cases)), attribute_functions(&value, enumeration));
    let stored = stored(&name, enumeration);
    quote! {
        #about
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #representation
        pub enum #name { #(#variants),* }

        impl #name {
            #(#others)*
            #lookups
            #functions
        }

        #stored
    }
}

/// The functions from values and texts to cases, and from cases to texts.
fn lookups(cases: &[&Case<'_>], by_text: &[TokenStream]) -> TokenStream {
    let (names, values): (Vec<_>, Vec<_>) = cases.iter().map(|case| (&case.name, &case.value)).unzip();
    let texts = cases.iter().map(|case| &case.case.text);
    if cases.is_empty() {
        return quote! {
            /// The case of a value: there are none.
            pub fn from_value(_: i64) -> Option<Self> {
                None
            }

            /// The case of a text: there are none.
            pub fn from_text(_: &str) -> Option<Self> {
                None
            }

            /// Its text.
            pub fn text(self) -> &'static str {
                match self {}
            }
        };
    }
    quote! {
        /// The case of a value.
        pub fn from_value(value: i64) -> Option<Self> {
            match value {
                #(#values => Some(Self::#names),)*
                _ => None,
            }
        }

        /// The case of a text.
        pub fn from_text(text: &str) -> Option<Self> {
            match text {
                #(#by_text)*
                _ => None,
            }
        }

        /// Its text.
        pub fn text(self) -> &'static str {
            match self {
                #(Self::#names => #texts,)*
            }
        }
    }
}

/// The arms that find cases by their texts: of equal ones the first.
fn by_text(cases: &[Case<'_>]) -> Vec<TokenStream> {
    let is_first = |index: usize, text: &str| cases[..index].iter().all(|earlier| earlier.case.text != text);
    let firsts = cases.iter().enumerate().filter(|(index, case)| is_first(*index, &case.case.text));
    let arms = firsts.map(|(_, case)| {
        let (text, name) = (&case.case.text, &case.name);
        quote!(#text => Some(Self::#name),)
    });
    arms.collect()
}

/// The expression of a case's value, and the attribute that makes room for values that need it.
fn representation(enumeration: &Enumeration) -> (TokenStream, Option<TokenStream>) {
    let is_wide = |case: &EnumerationCase| i32::try_from(case.value).is_err();
    match enumeration.cases.iter().any(is_wide) {
        _ if enumeration.cases.is_empty() => (quote!(match self {}), None),
        true => (quote!(self as i64), Some(quote!(#[repr(i64)]))),
        false => (quote!(self as i64), None),
    }
}

/// How parameters of types and attributes store it.
fn stored(name: &Ident, enumeration: &Enumeration) -> TokenStream {
    let value = if enumeration.is_text { quote!(self.text()) } else { quote!(self.value()) };
    quote! {
        impl<'c> skriptnd_ods::ParameterValue<'c> for #name {
            fn into_attribute(self, context: &'c skriptnd_ods::mlir::ir::Context) -> skriptnd_ods::mlir::ir::Attribute<'c> {
                skriptnd_ods::ParameterValue::into_attribute(#value, context)
            }

            fn from_attribute(attribute: skriptnd_ods::mlir::ir::Attribute<'c>) -> Option<Self> {
                Self::of(attribute)
            }
        }
    }
}

/// What typed views of operations call.
fn attribute_functions(value: &TokenStream, enumeration: &Enumeration) -> TokenStream {
    let held = match enumeration.is_text {
        true => quote!(as_string(attribute).and_then(Self::from_text)),
        false => quote!(as_integer(attribute).and_then(Self::from_value)),
    };
    quote! {
        /// Its value.
        pub fn value(self) -> i64 {
            #value
        }

        /// The one that an attribute holds.
        pub fn of(attribute: skriptnd_ods::mlir::ir::Attribute<'_>) -> Option<Self> {
            skriptnd_ods::mlir::ir::attributes::#held
        }
    }
}

fn set(enumeration: &Enumeration) -> TokenStream {
    let name = ident(&names::enumeration(enumeration));
    let about = doc(&format!("{}: a set.", enumeration.summary.as_deref().unwrap_or(&enumeration.name)));
    let constants = cases(enumeration);
    let constants = constants.iter().map(|case| {
        let (about, name, value) = (case.about(), &case.name, &case.value);
        quote!(#about pub const #name: Self = Self(#value);)
    });
    let all = enumeration.cases.iter().fold(0, |all, case| all | case.value);
    let valid = Literal::i64_unsuffixed(all);
    let is_valid = if all == 0 { quote!(value == 0) } else { quote!(value & !#valid == 0) };
    let (definition, operators) = (data(enumeration, &quote!(skriptnd_ods::)), operators(&name, all));
    let functions = attribute_functions(&quote!(self.0), enumeration);
    let stored = stored(&name, enumeration);
    quote! {
        #about
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct #name(pub i64);

        impl #name {
            #(#constants)*

            /// The set of a value, if it has no other bits.
            pub fn from_value(value: i64) -> Option<Self> {
                (#is_valid).then_some(Self(value))
            }

            /// The set of a text, which has the texts of its cases.
            pub fn from_text(text: &str) -> Option<Self> {
                Self::definition().value(text).map(Self)
            }

            /// Its text; empty where it has bits that no case has.
            pub fn text(self) -> String {
                Self::definition().text(self.0).unwrap_or_default()
            }

            /// Whether all of `other` is in it.
            pub fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether something of `other` is in it.
            pub fn intersects(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            #functions

            fn definition() -> &'static skriptnd_ods::EnumerationDefinition {
                #definition
            }
        }

        #operators
        #stored
    }
}

/// What sets are joined, cut and compared with; the complement has the bits of cases only.
fn operators(name: &Ident, all: i64) -> TokenStream {
    let binary = [("BitOr", "bitor", quote!(|)), ("BitAnd", "bitand", quote!(&)), ("BitXor", "bitxor", quote!(^))];
    let binary = binary.into_iter().map(|(operation, function, operator)| {
        let (assignment, assigning) = (format_ident!("{operation}Assign"), format_ident!("{function}_assign"));
        let (operation, function) = (ident(operation), ident(function));
        quote! {
            impl std::ops::#operation for #name {
                type Output = Self;

                fn #function(self, other: Self) -> Self {
                    Self(self.0 #operator other.0)
                }
            }

            impl std::ops::#assignment for #name {
                fn #assigning(&mut self, other: Self) {
                    *self = *self #operator other;
                }
            }
        }
    });
    let valid = Literal::i64_unsuffixed(all);
    // Of no bits there is one set only.
    let complement = if all == 0 { quote!(0) } else { quote!(!self.0 & #valid) };
    quote! {
        #(#binary)*

        impl std::ops::Not for #name {
            type Output = Self;

            fn not(self) -> Self {
                Self(#complement)
            }
        }
    }
}

/// How text writes the values of an enumeration: a reference to an `EnumerationDefinition`, which is found at `path`.
pub fn data(enumeration: &Enumeration, path: &TokenStream) -> TokenStream {
    let (name, width) = (&enumeration.name, enumeration.width);
    let cases = enumeration.cases.iter().map(|case| {
        let (value, text) = (case.value, &case.text);
        quote!((#value, #text))
    });
    let set = match enumeration.is_bits {
        true => {
            let groups = enumeration.cases.iter().filter(|case| case.is_group).map(|case| case.value);
            let (separator, prints_groups) = (&enumeration.separator, enumeration.prints_groups);
            let quoted = enumeration.prints_quoted;
            quote! {
                Some(#path SetSyntax {
                    separator: #separator,
                    groups: &[#(#groups),*],
                    prints_groups: #prints_groups,
                    quoted: #quoted,
                })
            }
        }
        false => quote!(None),
    };
    quote!(&#path EnumerationDefinition { name: #name, width: #width, cases: &[#(#cases),*], set: #set })
}
