//! `-gen-pass-decls`: passes with their options and statistics, to be given what they do.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{imports::imports, names, rust};
use crate::{
    error::{Error, Result},
    ods::{Model, OptionDefault, OptionKind, Pass, PassOption, Word, integer_range, last_unsigned},
};

/// The Rust text of a module `passes`.
///
/// # Errors
/// Things of one name, each at its declaration.
pub fn passes(model: &Model, file_name: &str) -> Result<String> {
    let mut taken = Taken::default();
    let items: Vec<TokenStream> = model.passes.iter().map(|item| pass(item, &mut taken)).collect();
    Error::collect(taken.errors)?;
    let arguments = model.passes.iter().map(|pass| &pass.argument);
    let items = quote!(#(#items)*);
    let imports = imports();
    let module = quote! {
        /// The passes, each to be given what it does.
        pub mod passes {
            #imports
            /// The arguments of all passes, in the order of their declaration.
            pub const ARGUMENTS: &[&str] = &[#(#arguments),*];
            #items
        }
    };
    rust::format(module, file_name)
}

/// The names that items of the module have.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    errors: Vec<Error>,
}

impl Taken {
    fn take(&mut self, name: &str, pass: &Pass) -> Ident {
        if !self.names.insert(name.to_string()) {
            let message = format!("pass '{}': '{name}' is the name of something else in Rust", pass.argument);
            self.errors.push(pass.place.error(message));
        }
        rust::ident(name)
    }
}

fn pass(pass: &Pass, taken: &mut Taken) -> TokenStream {
    let options = (!pass.options.is_empty()).then(|| options(pass, taken));
    let statistics = (!pass.statistics.is_empty()).then(|| statistics(pass, taken));
    let function = function(pass, taken);
    quote!(#options #statistics #function)
}

/// The name of a type that belongs to a pass.
fn type_name(pass: &Pass, suffix: &str) -> String {
    names::of_pass(&pass.definition, suffix)
}

fn function(pass: &Pass, taken: &mut Taken) -> TokenStream {
    let Pass { argument, summary, .. } = pass;
    let name = taken.take(&names::function(&argument.replace('-', "_")), pass);
    let title = rust::doc(&format!("`{argument}`: {}.", summary.trim_end_matches('.')));
    let text = (!pass.description.is_empty()).then(|| {
        let text = rust::doc(&pass.description);
        quote!(#[doc = ""] #text)
    });
    let (given, run) = match pass.options.is_empty() {
        true => (None, quote!(run)),
        false => {
            let options = rust::ident(&type_name(pass, "Options"));
            (Some(quote!(, &#options)), quote!(move |root, pass| run(root, pass, &#options::of(pass))))
        }
    };
    let required = pass.options.iter().filter_map(|option| match &option.default {
        OptionDefault::Required(cpp) => {
            Some((default_of(option), format!("`{}` is by default, in C++: `{cpp}`.", option.name)))
        }
        _ => None,
    });
    let (defaults, reasons): (Vec<Ident>, Vec<String>) = required.unzip();
    let reasons = reasons.iter().map(|reason| {
        let reason = rust::doc(reason);
        quote!(#[doc = ""] #reason)
    });
    let anchor = (!pass.operation.is_empty()).then(|| {
        let operation = &pass.operation;
        quote!(.anchor(#operation))
    });
    let interface = pass.interface.iter().map(|interface| quote!(.interface(#interface)));
    let dialects = &pass.dependent_dialects;
    let options = pass.options.iter().map(registered);
    let statistics = pass.statistics.iter().map(|statistic| {
        let (name, description) = (&statistic.name, &statistic.description);
        quote!(.statistic(#name, #description))
    });
    quote! {
        #title #text #(#reasons)*
        pub fn #name(
            #(#defaults: impl Into<String>,)*
            run: impl for<'c, 'r, 'p> Fn(&mut Root<'c, 'r>, &PassRun<'p> #given) -> Result<(), Failure> + Send + Sync + 'static,
        ) -> PassSpec {
            PassSpec::new(#argument, #summary, #run)
                #anchor #(#interface)* #(.dependent_dialect(#dialects))* #(#options)* #(#statistics)*
        }
    }
}

/// The argument for a default value that only C++ says.
fn default_of(option: &PassOption) -> Ident {
    rust::ident(&format!("default_{}", names::field(&option.member).trim_start_matches("r#")))
}

/// The option as the pass registers it.
fn registered(option: &PassOption) -> TokenStream {
    let (name, description) = (&option.name, &option.description);
    let value = match (&option.default, option.is_list) {
        (OptionDefault::Flag(value), false) => quote!(OptionValue::Flag(#value)),
        (OptionDefault::Integer(value), false) => quote!(OptionValue::Integer(#value)),
        (OptionDefault::Unsigned(value), false) => quote!(OptionValue::Unsigned(#value)),
        (OptionDefault::Real(value), false) => quote!(OptionValue::Real(#value)),
        (OptionDefault::Text(value), false) => quote!(OptionValue::Text(#value.into())),
        (OptionDefault::Required(_), false) => {
            let default = default_of(option);
            quote!(OptionValue::Text(#default.into()))
        }
        (OptionDefault::Flag(_) | OptionDefault::Text(_) | OptionDefault::Required(_), true) => {
            quote!(OptionValue::Texts(Vec::new()))
        }
        (OptionDefault::Integer(_), true) => quote!(OptionValue::Integers(Vec::new())),
        (OptionDefault::Unsigned(_), true) => quote!(OptionValue::Unsigneds(Vec::new())),
        (OptionDefault::Real(_), true) => quote!(OptionValue::Reals(Vec::new())),
    };
    let words = |words: Vec<(&str, &str)>| {
        let (words, meanings): (Vec<_>, Vec<_>) = words.into_iter().unzip();
        quote!(Admitted::Words(vec![#((#words.into(), #meanings.into())),*]))
    };
    let admitted = match &option.kind {
        OptionKind::Integer(bits @ 0..64) => {
            let (first, last) = integer_range(*bits);
            Some(quote!(Admitted::Integers(#first, #last)))
        }
        OptionKind::Unsigned(bits @ 0..64) => {
            let last = last_unsigned(*bits);
            Some(quote!(Admitted::Unsigneds(#last)))
        }
        OptionKind::Words(cases) => {
            Some(words(cases.iter().map(|word| (word.text.as_str(), word.description.as_str())).collect()))
        }
        // A list of truths is read as words.
        OptionKind::Flag if option.is_list => Some(words(vec![("true", ""), ("false", ""), ("1", ""), ("0", "")])),
        _ => None,
    };
    match admitted {
        Some(admitted) => quote!(.option_of(#name, #description, #value, #admitted)),
        None => quote!(.option(#name, #description, #value)),
    }
}

/// A structure of all options, and enumerations of those that are words.
fn options(pass: &Pass, taken: &mut Taken) -> TokenStream {
    let name = taken.take(&type_name(pass, "Options"), pass);
    let title = rust::doc(&format!("The options of `{}`.", pass.argument));
    let (mut words, mut fields, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut members = HashSet::new();
    for option in &pass.options {
        let member = names::field(&option.member);
        if !members.insert(member.clone()) {
            taken.errors.push(option.place.error(format!("pass '{}' has two options '{member}'", pass.argument)));
        }
        let (r#type, value) = match &option.kind {
            OptionKind::Words(cases) => {
                let name = taken.take(&type_name(pass, &option.member), pass);
                words.push(enumeration(&name, option, cases, pass, taken));
                of_word(&name, option, cases)
            }
            kind => of_kind(kind, option),
        };
        let (doc, member) = (rust::doc(&option.description), rust::ident(&member));
        fields.push(quote!(#doc pub #member: #r#type));
        values.push(quote!(#member: #value));
    }
    quote! {
        #(#words)*
        #title
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name { #(#fields),* }

        impl #name {
            /// Those that the pass was given.
            pub fn of(pass: &PassRun<'_>) -> Self {
                Self { #(#values),* }
            }
        }
    }
}

/// The type of a field, and its value in a run.
fn of_kind(kind: &OptionKind, option: &PassOption) -> (TokenStream, TokenStream) {
    let (r#type, getter) = match kind {
        OptionKind::Flag => (quote!(bool), "flag"),
        OptionKind::Integer(_) => (quote!(i64), "integer"),
        OptionKind::Unsigned(_) => (quote!(u64), "unsigned"),
        OptionKind::Real => (quote!(f64), "real"),
        OptionKind::Text | OptionKind::Words(_) => (quote!(String), "text"),
    };
    let name = &option.name;
    if !option.is_list {
        let getter = rust::ident(getter);
        return (r#type, quote!(pass.#getter(#name)));
    }
    let value = match kind {
        OptionKind::Flag => {
            quote!(pass.texts(#name).iter().map(|text| matches!(text.as_str(), "true" | "1")).collect())
        }
        _ => {
            let getter = format_ident!("{getter}s");
            quote!(pass.#getter(#name))
        }
    };
    (quote!(Vec<#r#type>), value)
}

fn of_word(enumeration: &Ident, option: &PassOption, words: &[Word]) -> (TokenStream, TokenStream) {
    let name = &option.name;
    if option.is_list {
        let value = quote!(pass.texts(#name).iter().filter_map(|text| #enumeration::of(text)).collect());
        return (quote!(Vec<#enumeration>), value);
    }
    let default = words.iter().find(|word| option.default == OptionDefault::Text(word.text.clone()));
    let default = default.map(|word| rust::ident(&names::case(&word.case)));
    (quote!(#enumeration), quote!(#enumeration::of(&pass.text(#name)).unwrap_or(#enumeration::#default)))
}

/// The enumeration of the words of an option.
fn enumeration(name: &Ident, option: &PassOption, words: &[Word], pass: &Pass, taken: &mut Taken) -> TokenStream {
    let title = rust::doc(&format!("What the option `{}` of `{}` may be.", option.name, pass.argument));
    let mut distinct = HashSet::new();
    for word in words {
        if !distinct.insert(names::case(&word.case)) || !distinct.insert(format!("'{}'", word.text)) {
            taken.errors.push(option.place.error(format!("option '{}' has two words '{}'", option.name, word.text)));
        }
    }
    let cases: Vec<Ident> = words.iter().map(|word| rust::ident(&names::case(&word.case))).collect();
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let docs = words.iter().map(|word| match word.description.is_empty() {
        true if word.text.is_empty() => rust::doc("The option is not given."),
        true => rust::doc(&format!("`{}`", word.text)),
        false => rust::doc(&format!("`{}`: {}", word.text, word.description)),
    });
    quote! {
        #title
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name { #(#docs #cases),* }

        impl #name {
            /// The case of a word.
            pub fn of(text: &str) -> Option<Self> {
                match text {
                    #(#texts => Some(Self::#cases),)*
                    _ => None,
                }
            }

            /// Its word.
            pub fn text(self) -> &'static str {
                match self {
                    #(Self::#cases => #texts),*
                }
            }
        }
    }
}

/// An enumeration of what a pass counts.
fn statistics(pass: &Pass, taken: &mut Taken) -> TokenStream {
    let name = taken.take(&type_name(pass, "Statistic"), pass);
    let title = rust::doc(&format!("What `{}` counts.", pass.argument));
    let mut members = HashSet::new();
    for statistic in &pass.statistics {
        if !members.insert(names::case(&statistic.member)) {
            let message = format!("pass '{}' has two statistics '{}'", pass.argument, statistic.member);
            taken.errors.push(statistic.place.error(message));
        }
    }
    let cases: Vec<Ident> =
        pass.statistics.iter().map(|statistic| rust::ident(&names::case(&statistic.member))).collect();
    let docs = pass.statistics.iter().map(|statistic| rust::doc(&statistic.description));
    let texts = pass.statistics.iter().map(|statistic| &statistic.name);
    quote! {
        #title
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name { #(#docs #cases),* }

        impl #name {
            /// Adds to it.
            pub fn add(self, pass: &PassRun<'_>, number: u64) {
                let name = match self {
                    #(Self::#cases => #texts),*
                };
                pass.count(name, number);
            }
        }
    }
}
