//! C++ types of parameters and results, as Rust signatures have them.

use proc_macro2::TokenStream;
use quote::quote;

use super::{names, rust::ident};
use crate::{
    ods::{InterfaceKind, Model},
    predicate::Kind,
};

/// The Rust type of a C++ parameter; none where there is no counterpart. References live as long as the call.
pub fn parameter(cpp: &str, model: &Model) -> Option<TokenStream> {
    let name = normalized(cpp);
    if let Some(known) = listed(&name, model) {
        return Some(known);
    }
    if let Some(inner) = name.strip_prefix("optional<").and_then(|rest| rest.strip_suffix('>')) {
        let inner = parameter(inner, model)?;
        return Some(quote!(Option<#inner>));
    }
    if let Some(list) = list_of(&name) {
        let item = parameter(list, model)?;
        return Some(quote!(&[#item]));
    }
    Some(match name.as_str() {
        "Value" => quote!(Value<'c, 'a>),
        "ValueRange" | "OperandRange" => quote!(&[Value<'c, 'a>]),
        "TypeRange" => quote!(&[Type<'c>]),
        "StringRef" | "Twine" | "string" | "StringLiteral" => quote!(&str),
        "NamedAttribute" => quote!((&str, Attribute<'c>)),
        "Block*" => quote!(BlockRef<'c, 'a>),
        "BlockRange" => quote!(&[BlockRef<'c, 'a>]),
        "Region*" | "Region" => quote!(RegionRef<'c, 'a>),
        "Operation*" | "Operation" => quote!(OperationRef<'c, 'a>),
        "OpBuilder" | "Builder" => quote!(&Builder<'c, 'a>),
        "PatternRewriter" | "RewriterBase" => quote!(&Rewriter<'c, 'a>),
        "MLIRContext*" => quote!(&'c Context),
        name => return value(name, model),
    })
}

/// The Rust type of what a C++ function returns; none where there is no counterpart.
pub fn returned(cpp: &str, model: &Model) -> Option<TokenStream> {
    let name = normalized(cpp);
    if let Some(known) = listed(&name, model) {
        return Some(known);
    }
    if let Some(inner) = name.strip_prefix("optional<").and_then(|rest| rest.strip_suffix('>')) {
        let inner = returned(inner, model)?;
        return Some(quote!(Option<#inner>));
    }
    if let Some(list) = list_of(&name) {
        let item = returned(list, model)?;
        return Some(quote!(Vec<#item>));
    }
    Some(match name.as_str() {
        "void" => quote!(()),
        "Value" | "OpResult" => quote!(Value<'c, 'a>),
        "ValueRange" | "OperandRange" | "ResultRange" | "Operation::operand_range" | "Operation::result_range" => {
            quote!(Vec<Value<'c, 'a>>)
        }
        "TypeRange" => quote!(Vec<Type<'c>>),
        "StringRef" | "string" => quote!(String),
        "LogicalResult" => quote!(Result<(), Failure>),
        "Block*" => quote!(BlockRef<'c, 'a>),
        "Region*" | "Region" => quote!(RegionRef<'c, 'a>),
        "Operation*" => quote!(OperationRef<'c, 'a>),
        name => return value(name, model),
    })
}

/// What the user's table says of it.
fn listed(name: &str, model: &Model) -> Option<TokenStream> {
    model.cpp.rust_type(name)?.parse().ok()
}

/// What a value of a C++ type is to expressions, where Rust has it as it is.
pub fn kind(cpp: &str) -> Option<Kind> {
    let name = normalized(cpp);
    Some(match name.as_str() {
        "bool" => Kind::Boolean,
        "Type" => Kind::Type,
        "Attribute" => Kind::Attribute("Attribute"),
        "Value" => Kind::Value,
        "int" | "unsigned" | "unsignedint" | "size_t" => Kind::LONG,
        name if is_integer(name) => Kind::LONG,
        _ => return None,
    })
}

fn value(name: &str, model: &Model) -> Option<TokenStream> {
    if let Some(enumeration) = model.enumerations.iter().find(|item| item.name == last(name)) {
        let name = ident(&names::enumeration(enumeration));
        return Some(quote!(super::#name));
    }
    match model.interfaces.iter().find(|item| item.name == last(name)).map(|item| item.kind) {
        Some(InterfaceKind::Type) => return Some(quote!(Type<'c>)),
        Some(InterfaceKind::Attribute) => return Some(quote!(Attribute<'c>)),
        _ => {}
    }
    Some(match name {
        "Location" => quote!(Location<'c>),
        "OpFoldResult" => quote!(FoldResult<'c, 'a>),
        "bool" => quote!(bool),
        "int" | "unsigned" | "unsignedint" | "size_t" | "char" => quote!(i64),
        "double" | "float" => quote!(f64),
        _ if is_integer(name) => quote!(i64),
        _ if last(name).ends_with("Attr") || matches!(name, "Attribute" | "AffineMap" | "IntegerSet") => {
            quote!(Attribute<'c>)
        }
        _ if last(name).ends_with("Type") || name == "Type" => quote!(Type<'c>),
        _ => return None,
    })
}

fn is_integer(name: &str) -> bool {
    let bits = name.trim_start_matches('u').strip_prefix("int").and_then(|rest| rest.strip_suffix("_t"));
    bits.is_some_and(|bits| bits.parse::<u32>().is_ok())
}

pub fn list_of(name: &str) -> Option<&str> {
    let (list, rest) = name.split_once('<')?;
    let inner = rest.strip_suffix('>')?;
    let inner = inner.split_once(',').map_or(inner, |(first, _)| first);
    matches!(list, "ArrayRef" | "SmallVector" | "SmallVectorImpl" | "vector").then_some(inner)
}

pub fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Without what says how C++ hands it over.
pub fn normalized(cpp: &str) -> String {
    let mut text = cpp.replace("const ", "").replace("&", "").replace("mlir::", "").replace("llvm::", "");
    text = text.replace("std::", "");
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.trim_start_matches("::").replace("<::", "<")
}
