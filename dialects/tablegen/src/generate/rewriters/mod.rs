//! `-gen-rewriters`: patterns as PDL, with the native functions that they call, in Rust.

mod functions;
mod natives;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{
    imports::imports,
    rust::{self, ident, mentions, tokens},
};
use crate::{
    drr::{self, PdlModule, Rule},
    error::Result,
    records::Records,
};

/// Rust and the PDL that it includes.
#[derive(Debug, Clone)]
pub struct Rewriters {
    /// The Rust text of a module `rewrites`.
    pub rust: String,
    /// The PDL of the patterns.
    pub pdl: String,
}

/// The patterns in Rust; the PDL stands in the file `pdl_file` beside it, or in the Rust where there is none. What is
/// probably not meant becomes a warning of the records.
///
/// # Errors
/// What is wrong with the patterns, each at its place.
pub fn rewriters(records: &Records, pdl_file: Option<&str>) -> Result<Rewriters> {
    let module = drr::translate(records)?;
    let file_name = records.file_name();
    let pdl = pdl_text(&module, file_name);
    let rust = rust::format(rewrites(&module, file_name, &pdl, pdl_file)?, file_name)?;
    module.warnings.into_iter().for_each(|warning| records.warn(warning));
    Ok(Rewriters { rust, pdl })
}

/// The patterns in PDL alone. What is probably not meant becomes a warning of the records.
///
/// # Errors
/// What is wrong with the patterns, each at its place.
pub fn pdl(records: &Records) -> Result<String> {
    let module = drr::translate(records)?;
    let text = pdl_text(&module, records.file_name());
    module.warnings.into_iter().for_each(|warning| records.warn(warning));
    Ok(text)
}

/// The constraints of the records as functions that patterns call by their names, in Rust.
///
/// # Errors
/// Where the counterpart of a C++ name that somebody declared is no Rust.
pub fn named_constraints(records: &Records) -> Result<String> {
    let natives = natives::function(&drr::constraints(records), false, &quote!(Natives::new()))?;
    let items = quote! {
        /// All of them, by their names.
        #natives
    };
    let module = module(&ident("constraints"), "The constraints that have a name.", &items);
    rust::format(module, records.file_name())
}

/// The PDL with a line about where it comes from, and what it calls that the .td file does not declare.
fn pdl_text(module: &PdlModule, file_name: &str) -> String {
    let mut text = super::header(file_name);
    let legend = drr::legend(&module.natives);
    if !legend.is_empty() {
        text.push_str("// All patterns share these functions:\n");
        legend.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        text.push('\n');
    }
    text + &module.text
}

fn rewrites(patterns: &PdlModule, file_name: &str, pdl: &str, pdl_file: Option<&str>) -> Result<TokenStream> {
    let names = patterns.rules.iter().map(|Rule { name, .. }| name);
    let pdl = match pdl_file {
        Some(file) => quote!(include_str!(#file)),
        None => tokens(&format!("r##\"{pdl}\"##"))?,
    };
    let methods = functions::methods(&patterns.natives);
    let functions = functions::declaration(&methods);
    let natives = natives::function(&patterns.natives, !methods.is_empty(), &quote!(natives::library()))?;
    let (parameter, argument) = match methods.is_empty() {
        true => (None, None),
        false => (Some(quote!(functions: impl Functions)), Some(quote!(functions))),
    };
    let file = std::path::Path::new(file_name).file_name().map(|name| name.to_string_lossy().into_owned());
    let file = file.unwrap_or_default();
    let items = quote! {
        /// The names of the patterns, those of greater benefit first.
        pub const PATTERNS: &[&str] = &[#(#names),*];

        /// The patterns in PDL.
        pub const PDL: &str = #pdl;

        #functions

        /// The native functions that the patterns call.
        #natives

        /// The patterns with their native functions.
        pub fn patterns(#parameter) -> PdlPatterns {
            PdlPatterns::new(PDL, #file, natives(#argument))
        }
    };
    Ok(module(&ident("rewrites"), "The rewrite patterns.", &items))
}

/// A module with what its items use.
fn module(name: &Ident, about: &str, items: &TokenStream) -> TokenStream {
    let rewriting = ["Editor", "Natives", "PdlPatterns", "PdlValue"];
    let rewriting = rewriting.into_iter().filter(|name| mentions(items, name)).map(ident);
    let (imports, about) = (imports(), rust::doc(about));
    quote! {
        #about
        pub mod #name {
            #imports
            use skriptnd_ods::mlir::rewrite::{#(#rewriting),*};

            #items
        }
    }
}
