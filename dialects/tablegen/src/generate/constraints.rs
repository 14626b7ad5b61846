//! Constraints as functions named after them; those that the table of C++ predicates does not know are left to Rust.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    names::{self, Given},
    rust::{doc, ident, mentions, tokens},
};
use crate::{
    error::Result,
    predicate::{Predicate, Scope},
};

/// What a constraint is asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A type.
    Type,
    /// An attribute.
    Attribute,
    /// A region.
    Region,
    /// A block that is a successor.
    Block,
    /// An operation.
    Operation,
}

impl Subject {
    fn parameter(self) -> TokenStream {
        match self {
            Self::Type => quote!(Type<'_>),
            Self::Attribute => quote!(Attribute<'_>),
            Self::Region => quote!(RegionRef<'_, '_>),
            Self::Block => quote!(BlockRef<'_, '_>),
            Self::Operation => quote!(OperationRef<'_, '_>),
        }
    }
}

/// A constraint with what names it.
pub struct Asked<'a> {
    /// What it is asked for: the mnemonic of an operation, or the name of a type or an attribute.
    pub owner: &'a str,
    pub subject: Subject,
    /// The name of its definition; empty if it has none.
    pub definition: &'a str,
    pub summary: &'a str,
    pub predicate: &'a Predicate,
}

impl Asked<'_> {
    /// Whether what is asked of a part asks for the operation that has it as well.
    pub fn is_within(&self) -> bool {
        self.subject != Subject::Operation && self.predicate.asks_operation()
    }

    /// The parameter for that operation.
    fn operation(&self, is_used: bool) -> Option<TokenStream> {
        let name = if is_used { quote!(operation) } else { quote!(_) };
        self.is_within().then(|| quote!(, #name: OperationRef<'_, '_>))
    }
}

/// The functions of all constraints of a dialect.
pub struct Constraints {
    /// By subject and body, or by what Rust is asked for.
    names: Given,
    /// By name.
    functions: BTreeMap<String, TokenStream>,
    /// Those that Rust is asked for, by name.
    required: BTreeMap<String, TokenStream>,
    /// The tests for interfaces that there are none of.
    missing: BTreeSet<String>,
}

/// The longest name of a function.
const LONGEST: usize = 70;

impl Constraints {
    /// Beside functions of these names, and without some tests for interfaces.
    pub fn beside(taken: impl IntoIterator<Item = String>, missing: BTreeSet<String>) -> Self {
        Self { names: Given::beside(taken), functions: BTreeMap::new(), required: BTreeMap::new(), missing }
    }

    /// What a constraint is in Rust.
    fn body(&self, asked: &Asked<'_>, scope: &Scope) -> std::result::Result<String, String> {
        let body = asked.predicate.to_rust(scope)?;
        // Most constraints have none of the words, and reading Rust takes long.
        let words: BTreeSet<&str> = body.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let asks =
            |test: &&String| words.contains(test.as_str()) && tokens(&body).is_ok_and(|code| mentions(&code, test));
        match self.missing.iter().find(asks) {
            Some(test) => Err(format!("the interface of '{test}' has C++ types of its own")),
            None => Ok(body),
        }
    }

    /// The path of the function that answers a constraint, and whether it is one that Rust is asked for.
    pub fn function(&mut self, asked: &Asked<'_>, scope: &Scope) -> Result<(TokenStream, bool)> {
        let body = self.body(asked, scope);
        let key = match &body {
            Ok(body) => body.clone(),
            Err(_) => format!("C++ {}", asked.predicate.text()),
        };
        let name = self.names.name(&format!("{:?} {key}", asked.subject), &wanted(asked));
        if !self.functions.contains_key(&name) && !self.required.contains_key(&name) {
            match &body {
                Ok(body) => self.write(asked, &name, body)?,
                Err(reason) => self.require(asked, &name, reason),
            }
        }
        let function = ident(&name);
        Ok(match body {
            Ok(_) => (quote!(#function), false),
            Err(_) => (quote!(H::#function), true),
        })
    }

    fn write(&mut self, asked: &Asked<'_>, name: &str, body: &str) -> Result<()> {
        let code = tokens(body)?;
        let parameter = asked.subject.parameter();
        let this = if mentions(&code, "this") { quote!(this) } else { quote!(_) };
        let (function, about) = (ident(name), doc(&sentence(asked.summary)));
        let operation = asked.operation(mentions(&code, "operation"));
        let item = quote! {
            #about
            fn #function(#this: #parameter #operation) -> bool {
                #code
            }
        };
        self.functions.insert(name.to_string(), item);
        Ok(())
    }

    fn require(&mut self, asked: &Asked<'_>, name: &str, reason: &str) {
        let parameter = asked.subject.parameter();
        // The C++ itself follows.
        let reason = reason.lines().next().unwrap_or_default();
        let about = doc(&format!(
            "{}\n\nIts C++, of which no Rust could be made ({reason}):\n```text\n{}\n```",
            sentence(asked.summary),
            asked.predicate.text()
        ));
        let (function, operation) = (ident(name), asked.operation(true));
        let item = quote! {
            #about
            fn #function(this: #parameter #operation) -> bool;
        };
        self.required.insert(name.to_string(), item);
    }

    /// The name of a function that Rust is asked for, with its parameters and what it returns.
    pub fn ask(&mut self, wanted: String, about: &str, signature: &TokenStream) -> Ident {
        let name = self.names.name(about, &[wanted]);
        let (about, function) = (doc(about), ident(&name));
        self.required.insert(name, quote!(#about fn #function #signature;));
        function
    }

    /// Whether Rust is asked for any.
    pub fn are_required(&self) -> bool {
        !self.required.is_empty()
    }

    /// The functions, and the trait of those that Rust is asked for.
    pub fn finish(self) -> TokenStream {
        let functions = self.functions.values();
        let required = self.required.values();
        let hooks = (!self.required.is_empty()).then(|| {
            quote! {
                /// The constraints whose C++ has no counterpart in Rust.
                pub trait ConstraintHooks {
                    #(#required)*
                }
            }
        });
        quote! {
            #hooks
            #(#functions)*
        }
    }
}

/// What a constraint may be called: as its definition or summary, or after what it is asked for as well.
fn wanted(asked: &Asked<'_>) -> [String; 2] {
    let base = match asked.definition {
        "" => words(asked.summary),
        definition => names::snake_case(definition),
    };
    let base = match asked.subject {
        Subject::Operation => base,
        _ => format!("is_{base}"),
    };
    let own = format!("{}_{base}", names::snake_case(&words(asked.owner)));
    [base, own]
}

fn sentence(summary: &str) -> String {
    match summary.trim() {
        "" => "Whether it is accepted.".into(),
        summary => format!("Whether it is: {summary}."),
    }
}

/// The words of a text as one name.
fn words(text: &str) -> String {
    let mut name = String::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        if !name.is_empty() && name.len() + word.len() > LONGEST {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(&word.to_lowercase());
    }
    match name.chars().next() {
        None => "constraint".into(),
        Some(first) if first.is_ascii_digit() => format!("of_{name}"),
        _ => name,
    }
}
