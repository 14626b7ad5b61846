//! Assembly formats of operations as data.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    super::{
        attributes::built_type,
        names,
        rust::{doc, ident},
    },
    Generator,
};
use crate::ods::{Definition, DefinitionKind, Element, Format, Operand, Operation, Reference, TypeSource};

impl Generator<'_> {
    pub(super) fn format(&mut self, operation: &Operation, format: &Format) -> TokenStream {
        let elements = self.elements(&format.elements);
        let values = |values: &[Operand]| values.iter().map(|value| value.name.clone()).collect::<Vec<_>>();
        let operands = self.type_sources(operation, &format.operand_types, &values(&operation.operands));
        let results = self.type_sources(operation, &format.result_types, &values(&operation.results));
        quote!(Format { elements: #elements, operand_types: &[#(#operands),*], result_types: &[#(#results),*] })
    }

    pub(super) fn type_sources(
        &mut self,
        operation: &Operation,
        sources: &[TypeSource],
        names: &[String],
    ) -> Vec<TokenStream> {
        let each = sources.iter().zip(names).map(|(source, name)| match source {
            TypeSource::Text => quote!(TypeSource::Text),
            TypeSource::Inferred => quote!(TypeSource::Inferred),
            TypeSource::Built(call) => self.built(operation, name, call),
            TypeSource::Same(of) => {
                let of = reference(*of);
                quote!(TypeSource::Same(#of))
            }
            TypeSource::ElementsOf(of) => {
                let of = reference(*of);
                quote!(TypeSource::ElementsOf(#of))
            }
            TypeSource::Transformed(of, code) => {
                let (of, function) = (reference(*of), self.transformer(operation, name, code));
                quote!(TypeSource::Transformed(#of, #function))
            }
        });
        each.collect()
    }

    /// A type that is built of nothing: its text, or a function that Rust is asked for.
    fn built(&mut self, operation: &Operation, name: &str, call: &str) -> TokenStream {
        if let Some(text) = built_type(call).or_else(|| self.declared_type(call)) {
            return quote!(TypeSource::Built(#text));
        }
        let about = format!("The type of `{name}` of `{}`. Its C++:\n```text\n{}\n```", operation.name(), call.trim());
        let function = self.ask_type(operation, name, &about, &quote!((context: &Context) -> Type<'_>));
        quote!(TypeSource::Made(H::#function))
    }

    /// The text of a declared type without parameters, by the C++ that builds it: `$_builder.getType<::t::FooType>()`.
    fn declared_type(&self, call: &str) -> Option<String> {
        let class = call.trim().strip_prefix("$_builder.getType<")?.strip_suffix(">()")?;
        let class = class.rsplit("::").next()?;
        let fits =
            |item: &&Definition| item.kind == DefinitionKind::Type && item.class == class && item.parameters.is_empty();
        let found = self.model.definitions.iter().find(fits)?;
        Some(format!("!{}.{}", found.dialect, found.mnemonic.as_deref()?))
    }

    /// The function that makes a type of another: a known one, or one that Rust is asked for.
    fn transformer(&mut self, operation: &Operation, name: &str, code: &str) -> TokenStream {
        let known = code.replace("::mlir::", "").replace("mlir::", "").replace("::llvm::", "").replace("llvm::", "");
        let known = known.trim().trim_start_matches("::");
        let is_element = known.starts_with("cast<") && known.ends_with(">($_self).getElementType()");
        match known {
            "getElementTypeOrSelf($_self)" => return quote!(predicate::element_type),
            _ if is_element => return quote!(predicate::element_type),
            "getI1SameShape($_self)" => return quote!(predicate::i1_same_shape),
            _ => {}
        }
        let about = format!(
            "The type of `{name}` of `{}`, which follows from another one. Its C++:\n```text\n{}\n```",
            operation.name(),
            code.trim()
        );
        let function = self.ask_type(operation, name, &about, &quote!((this: Type<'_>) -> Type<'_>));
        quote!(H::#function)
    }

    fn ask_type(&mut self, operation: &Operation, name: &str, about: &str, signature: &TokenStream) -> Ident {
        let wanted = format!("{}_{}_type", names::constant(operation).to_lowercase(), names::snake_case(name));
        self.needs.constraints = true;
        self.constraints.ask(wanted, about, signature)
    }

    fn elements(&mut self, items: &[Element]) -> TokenStream {
        let items: Vec<TokenStream> = items.iter().map(|item| self.element(item)).collect();
        quote!(&[#(#items),*])
    }

    fn element(&mut self, item: &Element) -> TokenStream {
        match item {
            Element::Literal(text) => quote!(Element::Literal(#text)),
            Element::Variable(of) => {
                let of = reference(*of);
                quote!(Element::Variable(#of))
            }
            Element::Operands => quote!(Element::Operands),
            Element::Regions => quote!(Element::Regions),
            Element::Successors => quote!(Element::Successors),
            Element::AttributeDictionary { keyword } => quote!(Element::AttributeDictionary { keyword: #keyword }),
            Element::Type(of) => {
                let of = reference(*of);
                quote!(Element::Type(#of))
            }
            Element::FunctionalType(inputs, outputs) => {
                let (inputs, outputs) = (reference(*inputs), reference(*outputs));
                quote!(Element::FunctionalType(#inputs, #outputs))
            }
            // Attributes and types are printed with their dialects at all times.
            Element::Qualified(inner) => self.element(inner),
            Element::Custom { name, arguments } => self.directive(name, arguments),
            Element::Referenced(inner) => {
                let inner = self.element(inner);
                quote!(Element::Referenced(&#inner))
            }
            Element::Text(text) => quote!(Element::Text(#text)),
            Element::Optional { then, otherwise, anchors, inverted } => {
                let (then, otherwise) = (self.elements(then), self.elements(otherwise));
                let anchors = anchors.iter().map(|anchor| reference(*anchor));
                quote!(Element::Optional { then: #then, otherwise: #otherwise, anchors: &[#(#anchors),*], inverted: #inverted })
            }
            Element::Clauses(clauses) => {
                let clauses = clauses.iter().map(|clause| {
                    let (literal, elements) = (&clause.literal, self.elements(&clause.elements));
                    quote!(Clause { literal: #literal, elements: #elements })
                });
                let clauses: Vec<TokenStream> = clauses.collect();
                quote!(Element::Clauses(&[#(#clauses),*]))
            }
            Element::PropertyDictionary => quote!(Element::PropertyDictionary),
        }
    }

    fn directive(&mut self, name: &str, arguments: &[Element]) -> TokenStream {
        let function = self.assembly_names.name(&format!("<{name}>"), &[names::snake_case(name)]);
        let (parse, print) = (ident(&format!("parse_{function}")), ident(&format!("print_{function}")));
        self.directives.insert(function, name.to_string());
        self.needs.assembly = true;
        let arguments = self.elements(arguments);
        quote!(Element::Custom { arguments: #arguments, parse: H::#parse, print: H::#print })
    }

    pub(super) fn assembly_hooks(&self) -> Option<TokenStream> {
        let functions = self.directives.iter().map(|(function, name)| {
            let (parse, print) = (ident(&format!("parse_{function}")), ident(&format!("print_{function}")));
            let about_parse = doc(&format!("Parses `custom<{name}>`, whose arguments are `arguments`."));
            let about_print = doc(&format!("Prints `custom<{name}>`, whose arguments are `arguments`."));
            quote! {
                #about_parse
                fn #parse<'c, 'p>(
                    parser: &mut Parser<'c, 'p>,
                    parsed: &mut FormatParser<'c, 'p, '_>,
                    arguments: &[Element],
                ) -> Result<(), Failure>;
                #about_print
                fn #print(
                    operation: OperationRef<'_, '_>,
                    definition: &OperationDefinition,
                    arguments: &[Element],
                    printer: &mut Printer<'_>,
                );
            }
        });
        let required = self.required.values();
        (!self.directives.is_empty() || !self.required.is_empty()).then(|| {
            quote! {
                /// What assembly formats leave to Rust.
                pub trait AssemblyHooks {
                    #(#functions)*
                    #(#required)*
                }
            }
        })
    }
}

fn reference(reference: Reference) -> TokenStream {
    match reference {
        Reference::Operand(index) => quote!(Reference::Operand(#index)),
        Reference::Result(index) => quote!(Reference::Result(#index)),
        Reference::Attribute(index) => quote!(Reference::Attribute(#index)),
        // Attributes stand in their place by now.
        Reference::Property(index) => quote!(Reference::Attribute(#index)),
        Reference::Region(index) => quote!(Reference::Region(#index)),
        Reference::Successor(index) => quote!(Reference::Successor(#index)),
        Reference::Operands => quote!(Reference::Operands),
        Reference::Results => quote!(Reference::Results),
    }
}
