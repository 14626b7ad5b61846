//! `-gen-type-constraint-defs` and `-gen-attr-constraint-defs`: constraints as functions for code of one's own.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    imports::imports,
    names,
    rust::{self, doc, ident, tokens},
};
use crate::{
    error::{Error, Result},
    ods::{Constraint, DefinitionKind},
    predicate::{Kind, Scope, snake_case},
    records::{self, Records},
};

/// The constraints on types, or on attributes, that have a `cppFunctionName`: a module of functions of these names. Those
/// whose C++ has no counterpart are the functions of a trait.
///
/// # Errors
/// Predicates that are wrong, and two constraints with one name.
pub fn constraint_functions(records: &Records, kind: DefinitionKind) -> Result<String> {
    let class = match kind {
        DefinitionKind::Type => "TypeConstraint",
        DefinitionKind::Attribute => "AttrConstraint",
    };
    let mut written = Written::default();
    let mut errors = Vec::new();
    for record in records.derived(class) {
        if let Some(name) = records::text(record, "cppFunctionName") {
            let name = names::function(&snake_case(&name));
            let added = match written.names.contains(&name) {
                true => Err(Error::at(records, record, format!("a second constraint is the function '{name}'"))),
                false => Constraint::read(records, record).and_then(|constraint| written.add(name, &constraint, kind)),
            };
            errors.extend(added.err());
        }
    }
    Error::collect(errors)?;
    rust::format(written.module(kind), records.file_name())
}

/// The functions.
#[derive(Default)]
struct Written {
    names: Vec<String>,
    functions: TokenStream,
    required: Vec<TokenStream>,
}

impl Written {
    fn add(&mut self, name: String, constraint: &Constraint, kind: DefinitionKind) -> Result<()> {
        let (subject, scope) = match kind {
            DefinitionKind::Type => (quote!(Type<'_>), Scope::of_self("this", Kind::Type)),
            DefinitionKind::Attribute => (quote!(Attribute<'_>), Scope::of_self("this", Kind::Attribute("Attribute"))),
        };
        let (function, about) = (ident(&name), format!("Whether it is: {}.", constraint.summary.trim()));
        match constraint.predicate.to_rust(&scope) {
            Ok(body) => {
                let (code, about) = (tokens(&body)?, doc(&about));
                let this = if rust::mentions(&code, "this") { quote!(this) } else { quote!(_) };
                self.functions.extend(quote!(#about pub fn #function(#this: #subject) -> bool { #code }));
            }
            Err(_) => {
                let cpp = constraint.predicate.text();
                let about = doc(&format!("{about}\n\nIts C++, which has no counterpart:\n```text\n{cpp}\n```"));
                self.required.push(quote!(#about fn #function(this: #subject) -> bool;));
            }
        }
        self.names.push(name);
        Ok(())
    }

    fn module(self, kind: DefinitionKind) -> TokenStream {
        let Self { functions, required, .. } = self;
        let (name, about) = match kind {
            DefinitionKind::Type => ("type_constraints", "Constraints on types."),
            DefinitionKind::Attribute => ("attribute_constraints", "Constraints on attributes."),
        };
        let (name, about, imports) = (ident(name), doc(about), imports());
        let hooks = (!required.is_empty()).then(|| {
            quote! {
                /// The constraints whose C++ has no counterpart in Rust.
                pub trait ConstraintHooks {
                    #(#required)*
                }
            }
        });
        quote! {
            #about
            pub mod #name {
                #imports
                #hooks
                #functions
            }
        }
    }
}
