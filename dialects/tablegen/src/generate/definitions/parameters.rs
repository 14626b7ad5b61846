//! Types and attributes of one's own as data.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    super::{
        constraints::{Asked, Subject},
        cpp_types::normalized,
        enumerations, names,
        parameter_kind::{Kind, hook_name},
        rust::{doc, ident},
    },
    Generator,
};
use crate::{
    error::Result,
    ods::{Definition, DefinitionElement, DefinitionParameter},
    predicate::{Kind as Subjected, Predicate, Scope},
};

impl Generator<'_> {
    /// A type or an attribute.
    pub(super) fn parameterized(&mut self, definition: &Definition) -> Result<TokenStream> {
        let name = definition.name();
        let parameters = definition.parameters.iter().map(|parameter| self.parameter(definition, parameter));
        let parameters = parameters.collect::<Result<Vec<_>>>()?;
        let format = match (&definition.format, definition.has_custom_assembly) {
            (Some(format), false) => {
                let elements = self.parameter_elements(format);
                quote!(Some(&[#(#elements),*]))
            }
            _ => quote!(None),
        };
        let data = quote!(ParameterizedDefinition { name: #name, parameters: &[#(#parameters),*], format: #format });
        let about = format!("`{name}`: {}", definition.summary.as_deref().unwrap_or(&definition.class).trim());
        let constant = names::parameterized_constant(definition);
        Ok(self.item(&constant, &quote!(ParameterizedDefinition), &about, &data))
    }

    fn parameter(&mut self, definition: &Definition, parameter: &DefinitionParameter) -> Result<TokenStream> {
        let kind = Kind::of(parameter, self.model);
        let (name, is_self_type) = (&parameter.name, parameter.is_self_type);
        let default = self.parameter_default(definition, parameter, &kind);
        let constraint = self.parameter_constraint(definition, parameter, &kind)?;
        let summary = match &parameter.constraint {
            Some(constraint) => constraint.summary.clone(),
            None => parameter.summary.clone().unwrap_or_else(|| format!("`{}`", normalized(&parameter.cpp_type))),
        };
        let opaque = (format!("{} {name}", definition.class), hook_name(definition, name));
        let has_text = definition.format.is_some() && !definition.has_custom_assembly;
        let kind = self.kind(&kind, has_text.then_some(&opaque), &parameter.cpp_type);
        Ok(quote! {
            ParameterDefinition {
                name: #name,
                kind: #kind,
                default: #default,
                summary: #summary,
                constraint: #constraint,
                is_self_type: #is_self_type,
            }
        })
    }

    fn kind(&mut self, kind: &Kind<'_>, opaque: Option<&(String, String)>, cpp: &str) -> TokenStream {
        let named = |definition: &Option<&Definition>| match definition.map(Definition::name) {
            Some(name) => quote!(Some(#name)),
            None => quote!(None),
        };
        match kind {
            _ if kind.is_opaque() => match opaque {
                Some((key, name)) => {
                    let name = self.assembly_names.name(key, std::slice::from_ref(name));
                    self.opaque(&name, cpp)
                }
                None => quote!(ParameterKind::Attribute(None)),
            },
            Kind::Boolean => quote!(ParameterKind::Boolean),
            Kind::Integer { width, signed } => quote!(ParameterKind::Integer { width: #width, signed: #signed }),
            Kind::Float => quote!(ParameterKind::Float),
            Kind::Text => quote!(ParameterKind::Text),
            Kind::Type(found) => {
                let name = named(found);
                quote!(ParameterKind::Type(#name))
            }
            Kind::Attribute(found) => {
                let name = named(found);
                quote!(ParameterKind::Attribute(#name))
            }
            Kind::List(inner) => {
                let inner = self.kind(inner, opaque, cpp);
                quote!(ParameterKind::List(&#inner))
            }
            Kind::Optional(inner) => self.kind(inner, opaque, cpp),
            Kind::Enumeration(found) => {
                let data = enumerations::data(found, &TokenStream::new());
                quote!(ParameterKind::Enumeration(#data))
            }
            Kind::Opaque => quote!(ParameterKind::Attribute(None)),
        }
    }

    /// A C++ class that has no counterpart: Rust parses it to an attribute of its choice.
    fn opaque(&mut self, name: &str, cpp: &str) -> TokenStream {
        self.needs.assembly = true;
        let (parse, print) = (ident(&format!("parse_{name}")), ident(&format!("print_{name}")));
        let about_parse =
            doc(&format!("Parses a parameter to the attribute that stores it. In C++ it is a `{}`.", cpp.trim()));
        let about_print = doc("Prints that parameter.");
        let functions = quote! {
            #about_parse
            fn #parse<'c>(parser: &mut ParameterParser<'c, '_>) -> Result<Attribute<'c>, Failure>;
            #about_print
            fn #print(value: Attribute<'_>, printer: &mut ParameterPrinter<'_>);
        };
        self.required.insert(name.to_string(), functions);
        quote!(ParameterKind::Opaque { parse: H::#parse, print: H::#print })
    }

    fn parameter_default(
        &mut self,
        definition: &Definition,
        parameter: &DefinitionParameter,
        kind: &Kind<'_>,
    ) -> TokenStream {
        let Some(code) = &parameter.default else { return quote!(ParameterDefault::Required) };
        // An attribute of no type has none.
        if parameter.is_self_type && code.contains("NoneType::get") {
            return quote!(ParameterDefault::Nothing);
        }
        kind.default(code).unwrap_or_else(|| {
            let wanted = format!("{}_default", hook_name(definition, &parameter.name));
            let (parameter, class, code) = (&parameter.name, &definition.class, code.trim());
            let about = format!("What stands for an absent `{parameter}` of `{class}`. Its C++:\n```text\n{code}\n```");
            self.needs.constraints = true;
            let function = self.constraints.ask(wanted, &about, &quote!((context: &Context) -> Attribute<'_>));
            quote!(ParameterDefault::Made(H::#function))
        })
    }

    fn parameter_constraint(
        &mut self,
        definition: &Definition,
        parameter: &DefinitionParameter,
        kind: &Kind<'_>,
    ) -> Result<TokenStream> {
        let class = || {
            let class = kind.class(&parameter.cpp_type)?;
            let predicate = definition.constraint.predicate.saying(&format!("::llvm::isa<{class}>($_self)"));
            Some((class.rsplit("::").next().unwrap_or(&class).to_string(), class.clone(), predicate))
        };
        let declared = parameter.constraint.as_ref();
        let declared = declared.map(|found| (found.definition.clone(), found.summary.clone(), found.predicate.clone()));
        let found: Option<(String, String, Predicate)> = declared.or_else(class);
        let Some((name, summary, predicate)) = found else { return Ok(quote!(ParameterConstraint::Anything)) };
        let (subject, subjected, variant) = match kind.holds_types() {
            true => (Subject::Type, Subjected::Type, quote!(Type)),
            false => (Subject::Attribute, Subjected::Attribute("Attribute"), quote!(Attribute)),
        };
        let owner = &names::snake_case(&definition.class);
        let asked = Asked { owner, subject, definition: &name, summary: &summary, predicate: &predicate };
        let accepts = self.accepts(&asked, &Scope::of_self("this", subjected))?;
        Ok(quote!(ParameterConstraint::#variant(#accepts)))
    }

    fn parameter_elements(&mut self, elements: &[DefinitionElement]) -> Vec<TokenStream> {
        elements.iter().map(|element| self.parameter_element(element)).collect()
    }

    fn parameter_element(&mut self, element: &DefinitionElement) -> TokenStream {
        match element {
            DefinitionElement::Literal(text) => quote!(ParameterElement::Literal(#text)),
            DefinitionElement::Parameter { index, qualified } => {
                quote!(ParameterElement::Parameter { index: #index, qualified: #qualified })
            }
            DefinitionElement::Parameters(indices) => quote!(ParameterElement::Parameters(&[#(#indices),*])),
            DefinitionElement::Structure(items) => {
                let items = self.parameter_elements(items);
                quote!(ParameterElement::Structure(&[#(#items),*]))
            }
            DefinitionElement::Custom { name, arguments } => self.parameter_directive(name, arguments),
            DefinitionElement::Referenced(inner) => {
                let inner = self.parameter_element(inner);
                quote!(ParameterElement::Referenced(&#inner))
            }
            DefinitionElement::Text(text) => quote!(ParameterElement::Text(#text)),
            DefinitionElement::Optional { then, otherwise, anchors, inverted } => {
                let (then, otherwise) = (self.parameter_elements(then), self.parameter_elements(otherwise));
                quote! {
                    ParameterElement::Optional {
                        then: &[#(#then),*],
                        otherwise: &[#(#otherwise),*],
                        anchors: &[#(#anchors),*],
                        inverted: #inverted,
                    }
                }
            }
        }
    }

    fn parameter_directive(&mut self, name: &str, arguments: &[DefinitionElement]) -> TokenStream {
        let wanted = format!("{}_parameters", names::snake_case(name));
        let function = self.assembly_names.name(&format!("{name} of parameters"), &[wanted]);
        let (parse, print) = (ident(&format!("parse_{function}")), ident(&format!("print_{function}")));
        let about_parse = doc(&format!("Parses `custom<{name}>` of a type or an attribute."));
        let about_print = doc(&format!("Prints `custom<{name}>` of a type or an attribute, given all parameters."));
        let functions = quote! {
            #about_parse
            fn #parse<'c>(
                parser: &mut ParameterParser<'c, '_>,
                parsed: &mut ParsedParameters<'c, '_>,
                arguments: &[ParameterElement],
            ) -> Result<(), Failure>;
            #about_print
            fn #print(parameters: &[Attribute<'_>], arguments: &[ParameterElement], printer: &mut ParameterPrinter<'_>);
        };
        self.required.insert(function, functions);
        self.needs.assembly = true;
        let arguments = self.parameter_elements(arguments);
        quote!(ParameterElement::Custom { arguments: &[#(#arguments),*], parse: H::#parse, print: H::#print })
    }
}
