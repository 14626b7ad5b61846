//! How assembly writes attributes, and properties, which attributes store.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    super::{
        attributes::numeric_type,
        cpp_types::{last, normalized},
        enumerations, names,
        rust::{doc, ident},
    },
    Generator,
};
use crate::{
    ods::{Attribute, AttributeKind, Definition, Operation, Property, PropertyKind},
    writer::dedent,
};

impl Generator<'_> {
    pub(super) fn syntax(&mut self, operation: &Operation, attribute: &Attribute) -> TokenStream {
        let typed = |name: &str| quote!(AttributeSyntax::Typed(#name));
        if let Some(property) = &attribute.property {
            return self.property(operation, property);
        }
        if let Some(name) = &attribute.enumeration {
            let found = self.model.enumerations.iter().find(|item| item.definition == *name);
            return found.map_or(quote!(AttributeSyntax::Any), |found| match found.is_text {
                true => typed("none"),
                false => {
                    let data = enumerations::data(found, &TokenStream::new());
                    quote!(AttributeSyntax::Enumeration(#data))
                }
            });
        }
        if let Some(name) = attribute.written_name.clone().or_else(|| self.defined(attribute)) {
            return quote!(AttributeSyntax::Defined(#name));
        }
        match attribute.kind {
            AttributeKind::Unit if attribute.property.is_some() => quote!(AttributeSyntax::Flag),
            _ if attribute.base == "SymbolNameAttr" => quote!(AttributeSyntax::SymbolName),
            AttributeKind::Unit => quote!(AttributeSyntax::Unit),
            AttributeKind::Bool => typed("i1"),
            AttributeKind::String => typed("none"),
            _ => match numeric_type(attribute) {
                Some(name) => typed(&name),
                None => quote!(AttributeSyntax::Any),
            },
        }
    }

    /// The name of the declared attribute that it holds.
    fn defined(&self, attribute: &Attribute) -> Option<String> {
        let class = normalized(&attribute.storage);
        let fits = |item: &&Definition| last(&item.cpp_type) == last(&class) && normalized(&item.cpp_type) == class;
        self.model.definitions.iter().find(fits).map(Definition::name)
    }

    fn property(&mut self, operation: &Operation, property: &Property) -> TokenStream {
        let is_written = operation
            .format
            .as_ref()
            .zip(operation.find(&property.name))
            .is_some_and(|(format, reference)| format.writes(reference));
        match (property.assembly.is_empty(), &property.mnemonic) {
            (false, _) if is_written => self.custom_property(operation, property),
            (false, _) => quote!(AttributeSyntax::Any),
            (true, None) => self.property_kind(&property.kind),
            (true, Some(name)) => {
                let value = self.property_kind(&property.kind);
                quote!(AttributeSyntax::Named(#name, &#value))
            }
        }
    }

    fn property_kind(&self, kind: &PropertyKind) -> TokenStream {
        match kind {
            PropertyKind::Bool => quote!(AttributeSyntax::Typed("i1")),
            PropertyKind::Unit => quote!(AttributeSyntax::Flag),
            PropertyKind::String => quote!(AttributeSyntax::Typed("none")),
            PropertyKind::Integer(width) => {
                let name = format!("i{width}");
                quote!(AttributeSyntax::Typed(#name))
            }
            PropertyKind::Integers(width) => {
                let name = format!("builtin.array<i{width}>");
                quote!(AttributeSyntax::Defined(#name))
            }
            PropertyKind::Enumeration { definition, .. } => {
                let found = self.model.enumerations.iter().find(|item| item.definition == *definition);
                found.map_or(quote!(AttributeSyntax::Any), |found| {
                    let data = enumerations::data(found, &TokenStream::new());
                    quote!(AttributeSyntax::Cases(#data))
                })
            }
            PropertyKind::Optional { value, bracketed } => {
                let (value, name) = (self.property_kind(value), ident(if *bracketed { "Some" } else { "Possible" }));
                quote!(AttributeSyntax::#name(&#value))
            }
            PropertyKind::List(item) => {
                let item = self.property_kind(item);
                quote!(AttributeSyntax::List(&#item))
            }
            PropertyKind::Other => quote!(AttributeSyntax::Any),
        }
    }

    /// A property that C++ of its own parses and prints: Rust is asked for both.
    fn custom_property(&mut self, operation: &Operation, property: &Property) -> TokenStream {
        let named = if property.base.is_empty() { &property.name } else { &property.base };
        let wanted = [names::snake_case(named), format!("{}_{}", operation.mnemonic, names::snake_case(named))];
        let code: Vec<String> =
            property.assembly.iter().map(|(field, code)| format!("{field}: {}", dedent(code).trim())).collect();
        let cpp = format!("Its C++:\n```text\n{}\n```", code.join("\n"));
        let function =
            self.assembly_names.name(&format!("property {named} {cpp}"), &wanted.map(|name| names::snake_case(&name)));
        let (parse, print) = (ident(&format!("parse_{function}")), ident(&format!("print_{function}")));
        self.needs.assembly = true;
        self.required.entry(function).or_insert_with(|| {
            let about_parse = doc(&format!("Parses the property `{named}` as the attribute that stores it; nothing if it does not stand there. {cpp}"));
            let about_print = doc(&format!("Prints the property `{named}` of the attribute that stores it."));
            quote! {
                #about_parse
                fn #parse<'c>(parser: &mut Parser<'c, '_>) -> Result<Option<Attribute<'c>>, Failure>;
                #about_print
                fn #print(value: Attribute<'_>, printer: &mut Printer<'_>);
            }
        });
        quote!(AttributeSyntax::Custom { parse: H::#parse, print: H::#print })
    }
}
