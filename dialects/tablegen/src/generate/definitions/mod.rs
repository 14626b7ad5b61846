//! Definitions of operations as data.

use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

mod entities;
mod format;
mod parameters;
mod syntax;

use super::{
    constraints::{Asked, Constraints, Subject},
    inference, interfaces,
    names::{self, Given},
    rust::{doc, ident},
    traits,
    views::{self, arity},
};
use crate::{
    error::Result,
    ods::{Arity, Definition, Model, Operand, Operation},
    predicate::{Kind, Scope},
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
    /// What each operation asks of Rust, in their order.
    pub needs: Vec<Needs>,
    /// What each type and attribute asks of Rust, in their order.
    pub parameter_needs: Vec<Needs>,
    /// The hooks that all of them ask for.
    pub together: Needs,
}

impl Definitions {
    /// Writes them.
    pub fn of(model: &Model) -> Result<Self> {
        let mut generator = Generator {
            model,
            constraints: Constraints::beside(functions(model), interfaces::without_test(model)),
            assembly_names: Given::default(),
            directives: BTreeMap::new(),
            required: BTreeMap::new(),
            needs: Needs::default(),
        };
        let mut items = Vec::new();
        let mut needs = Vec::new();
        for operation in &model.operations {
            generator.needs = Needs::default();
            items.push(generator.operation(operation)?);
            needs.push(generator.needs);
        }
        let mut parameter_needs = Vec::new();
        for definition in &model.definitions {
            generator.needs = Needs::default();
            items.push(generator.parameterized(definition)?);
            parameter_needs.push(generator.needs);
        }
        let is_assembled = !generator.directives.is_empty() || !generator.required.is_empty();
        let together = Needs { constraints: generator.constraints.are_required(), assembly: is_assembled };
        let all = all(model, together);
        let (assembly, constraints) = (generator.assembly_hooks(), generator.constraints.finish());
        Ok(Self { items: quote!(#all #(#items)* #assembly #constraints), needs, parameter_needs, together })
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

/// The same of a type or an attribute.
pub fn reference_to_parameterized(definition: &Definition, needs: Needs) -> TokenStream {
    let name = names::parameterized_constant(definition);
    match needs.any() {
        true => {
            let name = ident(&name.to_lowercase());
            quote!(definitions::#name::<H>())
        }
        false => {
            let name = ident(&name);
            quote!(&definitions::#name)
        }
    }
}

/// What definitions are called that depend on hooks.
fn functions(model: &Model) -> Vec<String> {
    let operations = model.operations.iter().map(names::constant);
    let all = operations.chain(model.definitions.iter().map(names::parameterized_constant));
    all.map(|name| name.to_lowercase()).collect()
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
    /// The names of what assembly asks of Rust, behind `parse_` and `print_`.
    assembly_names: Given,
    /// The custom directives, by the names of their functions.
    directives: BTreeMap<String, String>,
    /// What else the assembly of types and attributes asks of Rust, by name.
    required: BTreeMap<String, TokenStream>,
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
        let mut predicates = self.predicates(operation)?;
        predicates.extend(self.entities(operation)?);
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
        let about =
            format!("`{}`: {}", operation.name(), operation.summary.as_deref().unwrap_or("an operation").trim());
        let item = self.item(&names::constant(operation), &quote!(OperationDefinition), &about, &definition);
        Ok(quote!(#item #signature))
    }

    /// A definition as a static, or as a function where it depends on hooks.
    fn item(&self, constant: &str, kind: &TokenStream, about: &str, definition: &TokenStream) -> TokenStream {
        let about = doc(about);
        if !self.needs.any() {
            let name = ident(constant);
            return quote! {
                #about
                pub static #name: #kind = #definition;
            };
        }
        let name = ident(&constant.to_lowercase());
        let bounds = bounds(self.needs);
        quote! {
            #about
            pub fn #name<H: #bounds>() -> &'static #kind {
                const { &#definition }
            }
        }
    }

    fn accepts(&mut self, asked: &Asked<'_>, scope: &Scope) -> Result<TokenStream> {
        // What asks for the operation is asked together with it.
        if asked.is_within() && !scope.binds("$_op") {
            return Ok(quote!(|_| true));
        }
        let (path, is_required) = self.constraints.function(asked, scope)?;
        self.needs.constraints |= is_required;
        Ok(path)
    }

    fn values(&mut self, operation: &Operation, values: &[Operand]) -> Result<Vec<TokenStream>> {
        let scope = Scope::of_self("this", Kind::Type);
        let each = values.iter().map(|value| {
            let constraint = &value.constraint;
            let (summary, definition, predicate) = (&constraint.summary, &constraint.definition, &constraint.predicate);
            let asked = Asked { owner: &operation.mnemonic, subject: Subject::Type, definition, summary, predicate };
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
            let asked =
                Asked { owner: &operation.mnemonic, subject: Subject::Attribute, definition, summary, predicate };
            let accepts = self.accepts(&asked, &scope)?;
            let name = &attribute.name;
            let required = !attribute.optional && attribute.default.is_none();
            let syntax = self.syntax(operation, attribute);
            let default = optional(attribute.default_text.as_ref().map(|text| quote!(#text)));
            let property = attribute.property.is_some();
            Ok(quote! {
                AttributeDefinition {
                    name: #name, required: #required, default: #default, summary: #summary, accepts: #accepts,
                    syntax: #syntax, property: #property
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
            let asked = Asked { owner: &operation.mnemonic, subject: Subject::Region, definition, summary, predicate };
            let accepts = self.accepts(&asked, &scope)?;
            let (name, variadic) = (&region.name, region.variadic);
            Ok(quote!(RegionDefinition { name: #name, variadic: #variadic, summary: #summary, accepts: #accepts }))
        });
        each.collect()
    }

    fn predicates(&mut self, operation: &Operation) -> Result<Vec<TokenStream>> {
        let scope = operation_scope(operation);
        let each = traits::predicates(operation).map(|(summary, predicate)| {
            let asked =
                Asked { owner: &operation.mnemonic, subject: Subject::Operation, definition: "", summary, predicate };
            let holds = self.accepts(&asked, &scope)?;
            Ok(quote!(PredicateDefinition { summary: #summary, holds: #holds }))
        });
        each.collect()
    }

    /// How the types of the results follow from the rest.
    fn inferred(&mut self, operation: &Operation) -> Option<TokenStream> {
        let sources = inference::by_rule(operation)?;
        let names: Vec<String> = operation.results.iter().map(|result| result.name.clone()).collect();
        let sources = self.type_sources(operation, &sources, &names);
        Some(quote!(&[#(#sources),*]))
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
    (is_asked || entities::needs_signature(operation)).then(|| {
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
