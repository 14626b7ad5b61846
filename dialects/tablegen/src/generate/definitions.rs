//! Definitions of operations as data.

use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

use super::{
    attributes::{built_type, numeric_type},
    constraints::{Asked, Constraints, Subject},
    inference, names,
    rust::{doc, ident},
    traits,
    views::{self, arity},
};
use crate::{
    error::Result,
    ods::{
        Arity, Attribute, AttributeKind, Definition, DefinitionKind, Element, Enumeration, Format, Model, Operand,
        Operation, Reference, TypeSource,
    },
    predicate::{Kind, Scope, snake_case},
};

/// What the definition of an operation asks of Rust.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// Constraints that could not be translated.
    pub constraints: bool,
    /// Custom directives.
    pub assembly: bool,
}

impl Needs {
    /// Whether the definition depends on hooks.
    pub fn any(self) -> bool {
        self.constraints || self.assembly
    }
}

/// The definitions of all operations of a model.
pub struct Definitions {
    items: TokenStream,
    /// What each asks of Rust, in their order.
    pub needs: Vec<Needs>,
    /// The hooks that all of them ask for.
    pub together: Needs,
}

impl Definitions {
    /// Writes them.
    pub fn of(model: &Model) -> Result<Self> {
        let mut generator = Generator {
            model,
            constraints: Constraints::default(),
            directives: BTreeMap::new(),
            needs: Needs::default(),
        };
        let mut items = Vec::new();
        let mut needs = Vec::new();
        for operation in &model.operations {
            generator.needs = Needs::default();
            items.push(generator.operation(operation)?);
            needs.push(generator.needs);
        }
        let together =
            Needs { constraints: generator.constraints.are_required(), assembly: !generator.directives.is_empty() };
        let all = all(model, together);
        let (assembly, constraints) = (generator.assembly_hooks(), generator.constraints.finish());
        Ok(Self { items: quote!(#all #(#items)* #assembly #constraints), needs, together })
    }

    /// The items of the module `definitions`.
    pub fn items(self) -> TokenStream {
        self.items
    }
}

/// The expression of the reference to the definition of an operation.
pub fn reference_to(operation: &Operation, needs: Needs) -> TokenStream {
    match needs.any() {
        true => {
            let name = ident(&names::constant(operation).to_lowercase());
            quote!(definitions::#name::<H>())
        }
        false => {
            let name = ident(&names::constant(operation));
            quote!(&definitions::#name)
        }
    }
}

/// The list of all, where none depends on hooks.
fn all(model: &Model, together: Needs) -> Option<TokenStream> {
    let names = model.operations.iter().map(|operation| ident(&names::constant(operation)));
    (!together.any()).then(|| {
        quote! {
            /// All of them, in the order of their declaration.
            pub static ALL: &[&OperationDefinition] = &[#(&#names),*];
        }
    })
}

struct Generator<'a> {
    model: &'a Model,
    constraints: Constraints,
    /// The custom directives, by the names of their functions.
    directives: BTreeMap<String, String>,
    /// What the operation at hand asks for.
    needs: Needs,
}

impl Generator<'_> {
    fn operation(&mut self, operation: &Operation) -> Result<TokenStream> {
        let full_name = operation.name();
        let summary = operation.summary.clone().unwrap_or_default();
        let operands = self.values(operation, &operation.operands)?;
        let results = self.values(operation, &operation.results)?;
        let attributes = self.attributes(operation)?;
        let regions = self.regions(operation)?;
        let predicates = self.predicates(operation)?;
        let arguments = operation.arguments.iter().map(|argument| operation.argument_name(*argument));
        let successors = operation.successors.iter().map(|successor| {
            let (name, variadic) = (&successor.name, successor.variadic);
            quote!(SuccessorDefinition { name: #name, variadic: #variadic })
        });
        let format = optional(operation.format.as_ref().map(|format| self.format(operation, format)));
        let traits = traits::native(operation);
        let effects = optional(traits::effects(operation));
        let parents = traits::parametric(operation, "HasParent");
        let terminator = optional(traits::parametric(operation, "SingleBlockImplicitTerminator").pop());
        let inferred = optional(self.inferred(operation));
        let definition = quote! {
            OperationDefinition {
                name: #full_name,
                summary: #summary,
                operands: &[#(#operands),*],
                results: &[#(#results),*],
                attributes: &[#(#attributes),*],
                regions: &[#(#regions),*],
                successors: &[#(#successors),*],
                traits: &[#(#traits),*],
                effects: #effects,
                parents: &[#(#parents),*],
                implicit_terminator: #terminator,
                predicates: &[#(#predicates),*],
                format: #format,
                arguments: &[#(#arguments),*],
                inferred: #inferred,
            }
        };
        let signature = self::signature(operation);
        let item = self.item(operation, &definition);
        Ok(quote!(#item #signature))
    }

    /// The definition as a static, or as a function where it depends on hooks.
    fn item(&self, operation: &Operation, definition: &TokenStream) -> TokenStream {
        let summary = operation.summary.as_deref().unwrap_or("an operation");
        let about = doc(&format!("`{}`: {}", operation.name(), summary.trim()));
        let constant = names::constant(operation);
        if !self.needs.any() {
            let name = ident(&constant);
            return quote! {
                #about
                pub static #name: OperationDefinition = #definition;
            };
        }
        let name = ident(&constant.to_lowercase());
        let bounds = bounds(self.needs);
        quote! {
            #about
            pub fn #name<H: #bounds>() -> &'static OperationDefinition {
                const { &#definition }
            }
        }
    }

    fn accepts(&mut self, asked: &Asked<'_>, scope: &Scope) -> Result<TokenStream> {
        let (path, is_required) = self.constraints.function(asked, scope)?;
        self.needs.constraints |= is_required;
        Ok(path)
    }

    fn values(&mut self, operation: &Operation, values: &[Operand]) -> Result<Vec<TokenStream>> {
        let scope = Scope::of_self("this", Kind::Type);
        let each = values.iter().map(|value| {
            let constraint = &value.constraint;
            let (summary, definition, predicate) = (&constraint.summary, &constraint.definition, &constraint.predicate);
            let asked = Asked { operation, subject: Subject::Type, definition, summary, predicate };
            let accepts = self.accepts(&asked, &scope)?;
            let (name, arity, minimum) = (&value.name, arity(value.arity), value.minimum);
            let groups = optional(value.segments.as_ref().map(|name| quote!(#name)));
            Ok(quote! {
                ValueDefinition {
                    name: #name, arity: #arity, minimum: #minimum, groups: #groups, summary: #summary, accepts: #accepts
                }
            })
        });
        each.collect()
    }

    fn attributes(&mut self, operation: &Operation) -> Result<Vec<TokenStream>> {
        let scope = Scope::of_self("this", Kind::Attribute("Attribute"));
        let each = operation.attributes.iter().map(|attribute| {
            let constraint = &attribute.constraint;
            let (summary, definition, predicate) = (&constraint.summary, &constraint.definition, &constraint.predicate);
            let asked = Asked { operation, subject: Subject::Attribute, definition, summary, predicate };
            let accepts = self.accepts(&asked, &scope)?;
            let name = &attribute.name;
            let required = !attribute.optional && attribute.default.is_none();
            let syntax = syntax(attribute, self.model);
            let default = optional(attribute.default_text.as_ref().map(|text| quote!(#text)));
            Ok(quote! {
                AttributeDefinition {
                    name: #name, required: #required, default: #default, summary: #summary, accepts: #accepts,
                    syntax: #syntax
                }
            })
        });
        each.collect()
    }

    fn regions(&mut self, operation: &Operation) -> Result<Vec<TokenStream>> {
        let scope = Scope::of_self("this", Kind::Region);
        let each = operation.regions.iter().map(|region| {
            let constraint = &region.constraint;
            let (summary, definition, predicate) = (&constraint.summary, &constraint.definition, &constraint.predicate);
            let asked = Asked { operation, subject: Subject::Region, definition, summary, predicate };
            let accepts = self.accepts(&asked, &scope)?;
            let (name, variadic) = (&region.name, region.variadic);
            Ok(quote!(RegionDefinition { name: #name, variadic: #variadic, summary: #summary, accepts: #accepts }))
        });
        each.collect()
    }

    fn predicates(&mut self, operation: &Operation) -> Result<Vec<TokenStream>> {
        let scope = operation_scope(operation);
        let each = traits::predicates(operation).map(|(summary, predicate)| {
            let asked = Asked { operation, subject: Subject::Operation, definition: "", summary, predicate };
            let holds = self.accepts(&asked, &scope)?;
            Ok(quote!(PredicateDefinition { summary: #summary, holds: #holds }))
        });
        each.collect()
    }

    fn format(&mut self, operation: &Operation, format: &Format) -> TokenStream {
        let elements = self.elements(&format.elements);
        let values = |values: &[Operand]| values.iter().map(|value| value.name.clone()).collect::<Vec<_>>();
        let operands = self.type_sources(operation, &format.operand_types, &values(&operation.operands));
        let results = self.type_sources(operation, &format.result_types, &values(&operation.results));
        quote!(Format { elements: #elements, operand_types: &[#(#operands),*], result_types: &[#(#results),*] })
    }

    /// How the types of the results follow from the rest.
    fn inferred(&mut self, operation: &Operation) -> Option<TokenStream> {
        let sources = inference::by_rule(operation)?;
        let names: Vec<String> = operation.results.iter().map(|result| result.name.clone()).collect();
        let sources = self.type_sources(operation, &sources, &names);
        Some(quote!(&[#(#sources),*]))
    }

    fn type_sources(&mut self, operation: &Operation, sources: &[TypeSource], names: &[String]) -> Vec<TokenStream> {
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
        let function = format!("{}_{}_type", names::constant(operation).to_lowercase(), snake_case(name));
        self.needs.constraints = true;
        let path = ident(&function);
        self.constraints.require_built_type(&function, &operation.name(), name, call);
        quote!(TypeSource::Made(H::#path))
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
        let known = code.replace("::mlir::", "").replace("mlir::", "");
        if let "getElementTypeOrSelf($_self)" | "cast<ShapedType>($_self).getElementType()" = known.trim() {
            return quote!(predicate::element_type);
        }
        let function = format!("{}_{}_type", names::constant(operation).to_lowercase(), snake_case(name));
        self.needs.constraints = true;
        let path = ident(&function);
        self.constraints.require_type(&function, &operation.name(), name, code);
        quote!(H::#path)
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
        let function = snake_case(name);
        let (parse, print) = (ident(&format!("parse_{function}")), ident(&format!("print_{function}")));
        self.directives.insert(function, name.to_string());
        self.needs.assembly = true;
        let arguments = self.elements(arguments);
        quote!(Element::Custom { arguments: #arguments, parse: H::#parse, print: H::#print })
    }

    fn assembly_hooks(&self) -> Option<TokenStream> {
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
        (!self.directives.is_empty()).then(|| {
            quote! {
                /// The custom directives of assembly formats.
                pub trait AssemblyHooks {
                    #(#functions)*
                }
            }
        })
    }
}

/// The traits of the hooks that are needed.
pub fn bounds(needs: Needs) -> TokenStream {
    let constraints = needs.constraints.then(|| quote!(ConstraintHooks));
    let assembly = needs.assembly.then(|| quote!(AssemblyHooks));
    let traits = [constraints, assembly].into_iter().flatten();
    quote!(#(#traits)+*)
}

/// The shape of the operation, where a predicate asks for its groups.
fn signature(operation: &Operation) -> Option<TokenStream> {
    let name = signature_name(operation);
    let scope = operation_scope(operation);
    let asks = |body: String| body.contains(&name);
    let is_asked = traits::predicates(operation).any(|(_, predicate)| predicate.to_rust(&scope).is_ok_and(asks));
    is_asked.then(|| {
        let (name, signature) = (ident(&name), views::signature(operation));
        quote!(static #name: Signature = #signature;)
    })
}

fn signature_name(operation: &Operation) -> String {
    format!("{}_SIGNATURE", names::constant(operation))
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}

fn reference(reference: Reference) -> TokenStream {
    match reference {
        Reference::Operand(index) => quote!(Reference::Operand(#index)),
        Reference::Result(index) => quote!(Reference::Result(#index)),
        Reference::Attribute(index) => quote!(Reference::Attribute(#index)),
        // Refused by `check`.
        Reference::Property(index) => quote!(Reference::Attribute(#index)),
        Reference::Region(index) => quote!(Reference::Region(#index)),
        Reference::Successor(index) => quote!(Reference::Successor(#index)),
        Reference::Operands => quote!(Reference::Operands),
        Reference::Results => quote!(Reference::Results),
    }
}

/// What the names of arguments and results stand for in a predicate over the whole operation.
fn operation_scope(operation: &Operation) -> Scope {
    let mut scope = Scope::default();
    scope.bind("$_op", "this", Kind::Operation);
    let signature = signature_name(operation);
    let sides = [(&operation.operands, "operand_group"), (&operation.results, "result_group")];
    for (values, group) in sides {
        for (index, value) in values.iter().enumerate() {
            let code = format!("{signature}.{group}(this, {index})");
            match value.arity {
                // Groups are counted before predicates are asked.
                Arity::One => scope.bind(&format!("${}", value.name), &format!("{code}[0]"), Kind::Value),
                _ => scope.bind(&format!("${}", value.name), &format!("(&{code})"), Kind::Values),
            }
        }
    }
    for attribute in operation.attributes.iter().filter(|attribute| !attribute.optional) {
        let code = format!("this.get({:?}).unwrap_or(predicate::unit(this))", attribute.name);
        scope.bind(&format!("${}", attribute.name), &code, Kind::Attribute("Attribute"));
    }
    scope
}

fn syntax(attribute: &Attribute, model: &Model) -> TokenStream {
    let typed = |name: &str| quote!(AttributeSyntax::Typed(#name));
    if let Some(name) = &attribute.enumeration {
        return enumeration_syntax(model.enumerations.iter().find(|item| item.definition == *name));
    }
    match attribute.kind {
        _ if attribute.constraint.definition == "SymbolNameAttr" => quote!(AttributeSyntax::SymbolName),
        AttributeKind::Unit => quote!(AttributeSyntax::Unit),
        AttributeKind::Bool => typed("i1"),
        AttributeKind::String => typed("none"),
        _ => match numeric_type(attribute) {
            Some(name) => typed(&name),
            None => quote!(AttributeSyntax::Any),
        },
    }
}

fn enumeration_syntax(enumeration: Option<&Enumeration>) -> TokenStream {
    let cases = enumeration.map_or(&[][..], |enumeration| &enumeration.cases);
    let cases = cases.iter().map(|case| {
        let (value, text) = (case.value, &case.text);
        quote!((#value, #text))
    });
    let width = enumeration.map_or(32, |enumeration| enumeration.width);
    quote!(AttributeSyntax::Enumeration(#width, &[#(#cases),*]))
}
