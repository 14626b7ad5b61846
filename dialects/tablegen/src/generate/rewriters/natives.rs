//! The native functions that patterns call, each registered under its name.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{
    super::rust::{mentions, tokens},
    functions::function_name,
};
use crate::{
    drr::{Native, NativeKind, NativePlace, ParameterKind, Part, ReturnKind, Side},
    error::Result,
};

/// The function that registers all of them beside those of `library`; it takes the author's where there are methods.
pub fn function(natives: &[Native], has_methods: bool, library: &TokenStream) -> Result<TokenStream> {
    let each: Vec<TokenStream> =
        natives.iter().filter_map(|native| registration(native).transpose()).collect::<Result<_>>()?;
    let parameter = has_methods.then(|| quote!(functions: impl Functions));
    let shared = has_methods.then(|| quote!(let functions = std::sync::Arc::new(functions);));
    let body = match each.is_empty() {
        true => library.clone(),
        false => quote! {
            let mut natives = #library;
            #(#each)*
            natives
        },
    };
    Ok(quote! {
        pub fn natives(#parameter) -> Natives {
            #shared
            #body
        }
    })
}

/// The statement that registers a native function; none for those of the library.
fn registration(native: &Native) -> Result<Option<TokenStream>> {
    let name = &native.name;
    Ok(Some(match &native.kind {
        NativeKind::Library { .. } => return Ok(None),
        NativeKind::Predicate { parameters, rust } => {
            let holds = tokens(rust)?;
            let body = quote!(let holds = #holds; holds.then(Vec::new));
            constraint(name, parameters, false, &body)
        }
        NativeKind::Asked { method, parameters } => {
            let (method, arguments) = (function_name(method), arguments(parameters));
            constraint(name, parameters, true, &quote!(functions.#method(#(#arguments),*).then(Vec::new)))
        }
        NativeKind::Matcher { place, parameters, returns } => {
            let (callee, arguments, told) = (callee(place)?, arguments(parameters), Returned::new("told", returns));
            let (pattern, values) = (told.pattern(), told.values());
            let body = quote!(let #pattern = #callee(#(#arguments),*)?; Some(vec![#(#values),*]));
            constraint(name, parameters, is_method(place), &body)
        }
        NativeKind::Function { place, parameters, returns } => {
            let (callee, arguments, made) = (callee(place)?, arguments(parameters), Returned::new("made", returns));
            let (pattern, values) = (made.pattern(), made.values());
            let body = quote!(let #pattern = #callee(editor #(, #arguments)*)?; Ok(vec![#(#values),*]));
            rewrite(name, parameters, is_method(place), &body)
        }
    }))
}

fn constraint(name: &str, parameters: &[ParameterKind], is_method: bool, body: &TokenStream) -> TokenStream {
    let read = read(parameters, body, None);
    let arguments = if read.is_empty() { quote!(_) } else { quote!(arguments) };
    registered(&quote!(constraint), name, &quote!(|_, #arguments|), is_method, &quote!(#read #body))
}

fn rewrite(name: &str, parameters: &[ParameterKind], is_method: bool, body: &TokenStream) -> TokenStream {
    let read = read(parameters, body, Some(&quote!(.ok_or_else(natives::mismatch))));
    let arguments = if read.is_empty() { quote!(_) } else { quote!(arguments) };
    registered(&quote!(rewrite), name, &quote!(|editor, #arguments|), is_method, &quote!(#read #body))
}

/// `body` as the function `name`, which has the author's functions where it calls one of them.
fn registered(
    kind: &TokenStream,
    name: &str,
    parameters: &TokenStream,
    is_method: bool,
    body: &TokenStream,
) -> TokenStream {
    match is_method {
        false => quote!(natives = natives.#kind(#name, #parameters { #body });),
        true => quote! {
            let asked = functions.clone();
            natives = natives.#kind(#name, move #parameters {
                let functions = asked.as_ref();
                #body
            });
        },
    }
}

/// Statements that read the arguments as what the parameters are; `body` uses some of them.
fn read(parameters: &[ParameterKind], body: &TokenStream, or: Option<&TokenStream>) -> TokenStream {
    let each = parameters.iter().enumerate().map(|(index, parameter)| {
        let name = parameter_name(index);
        let is_used = mentions(body, &name.to_string());
        match (reader(parameter), is_used) {
            (Some(read), true) => quote!(let #name = given.#read #or?;),
            // What nobody uses must be what it is declared to be all the same.
            (Some(read), false) => quote!(given.#read #or?;),
            (None, true) => quote!(let #name: Option<Attribute<'_>> = None;),
            (None, false) => TokenStream::new(),
        }
    });
    let each: TokenStream = each.collect();
    let given = mentions(&each, "given").then(|| quote!(let mut given = natives::Given::new(arguments);));
    quote!(#given #each)
}

/// The call that reads an argument; none where nothing is given.
fn reader(parameter: &ParameterKind) -> Option<TokenStream> {
    Some(match parameter {
        ParameterKind::Value => quote!(value()),
        ParameterKind::OptionalValue => quote!(optional_value()),
        ParameterKind::PartOptionalValue(part) => {
            let part = self::part(part);
            quote!(part_optional_value(#part))
        }
        ParameterKind::Values(None) => quote!(values()),
        ParameterKind::Values(Some(count)) => quote!(several(#count)),
        ParameterKind::PartValue(part) => {
            let part = self::part(part);
            quote!(part_value(#part))
        }
        ParameterKind::PartValues(part) => {
            let part = self::part(part);
            quote!(part_values(#part))
        }
        ParameterKind::Attribute => quote!(attribute()),
        ParameterKind::OptionalAttribute => quote!(optional_attribute()),
        ParameterKind::AbsentAttribute => return None,
        ParameterKind::Type => quote!(r#type()),
        ParameterKind::Operation => quote!(operation()),
        ParameterKind::DefiningOperation => quote!(defining_operation()),
        ParameterKind::Location { text, sources } => quote!(location(#text, #sources)),
    })
}

/// A part as the argument of what takes it.
fn part(part: &Part) -> TokenStream {
    let Part { side, groups, index, item, .. } = part;
    let side = match side {
        Side::Operands => quote!(Operands),
        Side::Results => quote!(Results),
    };
    let item = match item {
        Some(item) => quote!(Some(#item)),
        None => quote!(None),
    };
    quote!(&natives::Part { side: natives::Side::#side, groups: &[#(#groups),*], index: #index, item: #item })
}

fn is_method(place: &NativePlace) -> bool {
    matches!(place, NativePlace::Method(_))
}

fn callee(place: &NativePlace) -> Result<TokenStream> {
    match place {
        NativePlace::Path(path) => tokens(path),
        NativePlace::Method(method) => {
            let method = function_name(method);
            Ok(quote!(functions.#method))
        }
    }
}

fn parameter_name(index: usize) -> Ident {
    format_ident!("p{index}")
}

fn arguments(parameters: &[ParameterKind]) -> Vec<TokenStream> {
    let argument = |(index, kind): (usize, &ParameterKind)| {
        let name = parameter_name(index);
        match kind {
            ParameterKind::Values(_) | ParameterKind::PartValues(_) => quote!(&#name),
            _ => quote!(#name),
        }
    };
    parameters.iter().enumerate().map(argument).collect()
}

/// What a function returns.
struct Returned<'a> {
    returns: &'a [ReturnKind],
    names: Vec<Ident>,
}

impl<'a> Returned<'a> {
    fn new(name: &str, returns: &'a [ReturnKind]) -> Self {
        let names = match returns {
            [_] => vec![format_ident!("{name}")],
            several => (0..several.len()).map(|index| format_ident!("{name}_{index}")).collect(),
        };
        Self { returns, names }
    }

    /// What binds it.
    fn pattern(&self) -> TokenStream {
        let names = &self.names;
        match names.as_slice() {
            [only] => quote!(#only),
            several => quote!((#(#several),*)),
        }
    }

    /// It as values of PDL.
    fn values(&self) -> Vec<TokenStream> {
        let value = |(name, kind): (&Ident, &ReturnKind)| match kind {
            ReturnKind::Value => quote!(PdlValue::Value(#name)),
            ReturnKind::Attribute => quote!(PdlValue::Attribute(#name)),
            ReturnKind::Type => quote!(PdlValue::Type(#name)),
            ReturnKind::Types => quote!(PdlValue::Types(#name)),
            ReturnKind::Operation => quote!(PdlValue::Operation(#name)),
        };
        self.names.iter().zip(self.returns).map(value).collect()
    }
}
