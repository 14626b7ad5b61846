//! `-gen-rewriters`: patterns as PDL, with the native functions that they call, in Rust.

use crate::writer::Writer;
use crate::{
    drr::{self, Native, NativeKind, NativePlace, ParameterKind, Part, PdlModule, ReturnKind, Rule},
    error::Result,
    predicate::snake_case,
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
pub fn rewriters(records: &Records, pdl_file: Option<&str>) -> Result<Rewriters> {
    let module = drr::translate(records)?;
    let rust = rust(&module, records.file_name(), pdl_file);
    let pdl = pdl_text(&module, records.file_name());
    module.warnings.into_iter().for_each(|warning| records.warn(warning));
    Ok(Rewriters { rust, pdl })
}

/// The patterns in PDL alone. What is probably not meant becomes a warning of the records.
pub fn pdl(records: &Records) -> Result<String> {
    let module = drr::translate(records)?;
    let text = pdl_text(&module, records.file_name());
    module.warnings.into_iter().for_each(|warning| records.warn(warning));
    Ok(text)
}

/// The constraints of the records as functions that patterns call by their names, in Rust.
pub fn named_constraints(records: &Records) -> String {
    let mut writer = Writer::default();
    writer.line(super::header(records.file_name()).trim_end());
    writer.line("");
    writer.line("/// The constraints that have a name.");
    writer.line("#[allow(unused_parens, unused_variables)]");
    writer.block("pub mod constraints {", "}", |writer| {
        writer.line("use skriptnd_ods::mlir::rewrite::Natives;");
        writer.line("use skriptnd_ods::{natives, predicate};");
        writer.line("");
        writer.line("/// All of them, by their names.");
        writer.block("pub fn natives() -> Natives {", "}", |writer| {
            writer.line("let mut natives = Natives::new();");
            drr::constraints(records).iter().for_each(|constraint| native(constraint, writer));
            writer.line("natives");
        });
    });
    writer.finish()
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

fn rust(module: &PdlModule, file_name: &str, pdl_file: Option<&str>) -> String {
    let mut writer = Writer::default();
    writer.line(super::header(file_name).trim_end());
    writer.line("");
    writer.line("/// The rewrite patterns.");
    writer.line("#[allow(unused_imports, unused_mut, unused_parens, unused_braces, unused_variables)]");
    writer.block("pub mod rewrites {", "}", |writer| {
        imports(writer);
        constants(module, file_name, pdl_file, writer);
        let methods = methods(&module.natives);
        if !methods.is_empty() {
            functions_trait(&methods, writer);
        }
        natives(module, !methods.is_empty(), writer);
        patterns(file_name, !methods.is_empty(), writer);
    });
    writer.finish()
}

fn imports(writer: &mut Writer) {
    writer.line("use skriptnd_ods::mlir::Failure;");
    writer.line("use skriptnd_ods::mlir::ir::{Attribute, Location, OperationRef, Type, Value};");
    writer.line("use skriptnd_ods::mlir::rewrite::{Editor, Natives, PdlPatterns, PdlValue};");
    writer.line("use skriptnd_ods::{natives, predicate};");
}

fn constants(module: &PdlModule, file_name: &str, pdl_file: Option<&str>, writer: &mut Writer) {
    writer.line("");
    writer.line("/// The names of the patterns, those of greater benefit first.");
    let names: Vec<String> = module.rules.iter().map(|Rule { name, .. }| format!("{name:?}")).collect();
    writer.line(format_args!("pub const PATTERNS: &[&str] = &[{}];", names.join(", ")));
    writer.line("");
    writer.line("/// The patterns in PDL.");
    match pdl_file {
        Some(file) => writer.line(format_args!("pub const PDL: &str = include_str!({file:?});")),
        None => writer.line(format_args!("pub const PDL: &str = r##\"{}\"##;", pdl_text(module, file_name))),
    }
}

/// A method that the author writes: its signature, and what the .td file says of it.
struct Method {
    signature: String,
    name: String,
    text: String,
}

fn methods(natives: &[Native]) -> Vec<Method> {
    let mut methods: Vec<Method> = Vec::new();
    for native in natives {
        let Some((name, signature)) = signature(&native.kind) else { continue };
        if methods.iter().all(|method| method.name != name) {
            methods.push(Method { signature, name, text: native.text.clone() });
        }
    }
    methods
}

fn signature(kind: &NativeKind) -> Option<(String, String)> {
    let list = |parameters: &[ParameterKind]| -> String {
        parameters
            .iter()
            .enumerate()
            .map(|(index, kind)| format!(", {}: {}", parameter_name(kind, index, parameters), parameter_type(kind)))
            .collect()
    };
    match kind {
        NativeKind::Asked { method, parameters } => {
            let (name, given) = (function_name(method), list(parameters));
            Some((name.clone(), format!("fn {name}{}(&self{given}) -> bool;", lifetimes(&given))))
        }
        NativeKind::Matcher { place: NativePlace::Method(method), parameters, returns } => {
            let (name, returned) = (function_name(method), returned_type(returns));
            let rest = format!("(&self{}) -> Option<{returned}>;", list(parameters));
            Some((name.clone(), format!("fn {name}{}{rest}", lifetimes(&rest))))
        }
        NativeKind::Function { place: NativePlace::Method(method), parameters, returns } => {
            let name = function_name(method);
            let returned = returned_type(returns);
            let editor = "editor: &Editor<'c, 'a>";
            let signature =
                format!("fn {name}<'c, 'a>(&self, {editor}{}) -> Result<{returned}, Failure>;", list(parameters));
            Some((name, signature))
        }
        _ => None,
    }
}

/// The lifetimes that a signature mentions.
fn lifetimes(signature: &str) -> String {
    let mentioned: Vec<&str> = ["'c", "'a"].into_iter().filter(|lifetime| signature.contains(lifetime)).collect();
    if mentioned.is_empty() { String::new() } else { format!("<{}>", mentioned.join(", ")) }
}

fn function_name(method: &str) -> String {
    super::names::function(&snake_case(method))
}

/// What a parameter is, in a word; numbered where several are the same.
fn parameter_name(kind: &ParameterKind, index: usize, all: &[ParameterKind]) -> String {
    let word = |kind: &ParameterKind| match kind {
        ParameterKind::Value
        | ParameterKind::PartValue(_)
        | ParameterKind::OptionalValue
        | ParameterKind::PartOptionalValue(_) => "value",
        ParameterKind::Values(_) | ParameterKind::PartValues(_) => "values",
        ParameterKind::Attribute | ParameterKind::OptionalAttribute | ParameterKind::AbsentAttribute => "attribute",
        ParameterKind::Type => "of_type",
        ParameterKind::Operation | ParameterKind::DefiningOperation => "operation",
        ParameterKind::Location { .. } => "location",
    };
    let name = word(kind);
    let same = |range: &[ParameterKind]| range.iter().filter(|other| word(other) == name).count();
    if same(all) == 1 { name.to_string() } else { format!("{name}_{}", same(&all[..=index])) }
}

fn parameter_type(kind: &ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Value | ParameterKind::PartValue(_) => "Value<'c, 'a>",
        ParameterKind::OptionalValue | ParameterKind::PartOptionalValue(_) => "Option<Value<'c, 'a>>",
        ParameterKind::Values(_) | ParameterKind::PartValues(_) => "&[Value<'c, 'a>]",
        ParameterKind::Attribute => "Attribute<'c>",
        ParameterKind::OptionalAttribute | ParameterKind::AbsentAttribute => "Option<Attribute<'c>>",
        ParameterKind::Type => "Type<'c>",
        ParameterKind::Operation | ParameterKind::DefiningOperation => "OperationRef<'c, 'a>",
        ParameterKind::Location { .. } => "Location<'c>",
    }
}

fn returned_type(returns: &[ReturnKind]) -> String {
    let name = |kind: &ReturnKind| match kind {
        ReturnKind::Value => "Value<'c, 'a>",
        ReturnKind::Attribute => "Attribute<'c>",
        ReturnKind::Type => "Type<'c>",
        ReturnKind::Types => "Vec<Type<'c>>",
        ReturnKind::Operation => "OperationRef<'c, 'a>",
    };
    match returns {
        [one] => name(one).to_string(),
        several => format!("({})", several.iter().map(name).collect::<Vec<_>>().join(", ")),
    }
}

fn functions_trait(methods: &[Method], writer: &mut Writer) {
    writer.line("");
    writer.line("/// What the patterns ask of Rust. Constraints are pure and total: they may be asked in any order, of candidates");
    writer.line("/// that match no further than their arguments.");
    writer.block("pub trait Functions: Send + Sync + 'static {", "}", |writer| {
        for (index, method) in methods.iter().enumerate() {
            if index > 0 {
                writer.line("");
            }
            writer.documentation("In the .td file:");
            writer.line("///");
            writer.documentation(&format!("```text\n{}\n```", method.text));
            writer.line(&method.signature);
        }
    });
}

fn natives(module: &PdlModule, has_methods: bool, writer: &mut Writer) {
    writer.line("");
    writer.line("/// The native functions that the patterns call.");
    let open = match has_methods {
        true => "pub fn natives(functions: impl Functions) -> Natives {",
        false => "pub fn natives() -> Natives {",
    };
    writer.block(open, "}", |writer| {
        if has_methods {
            writer.line("let functions = std::sync::Arc::new(functions);");
        }
        let mut own =
            module.natives.iter().filter(|native| !matches!(native.kind, NativeKind::Library { .. })).peekable();
        if own.peek().is_none() {
            writer.line("natives::library()");
            return;
        }
        writer.line("let mut natives = natives::library();");
        own.for_each(|native| self::native(native, writer));
        writer.line("natives");
    });
}

fn patterns(file_name: &str, has_methods: bool, writer: &mut Writer) {
    let name = std::path::Path::new(file_name).file_name().map(|name| name.to_string_lossy().into_owned());
    let (parameter, argument) = if has_methods { ("functions: impl Functions", "functions") } else { ("", "") };
    writer.line("");
    writer.line("/// The patterns with their native functions.");
    writer.block(format_args!("pub fn patterns({parameter}) -> PdlPatterns {{"), "}", |writer| {
        let name = name.unwrap_or_default();
        writer.line(format_args!("PdlPatterns::new(PDL, {name:?}, natives({argument}))"));
    });
}

fn native(native: &Native, writer: &mut Writer) {
    let name = &native.name;
    match &native.kind {
        NativeKind::Library { .. } => {}
        NativeKind::Predicate { parameters, rust } => {
            constraint(name, parameters, None, writer, |writer| {
                writer.line(format_args!("let holds = {};", bare(rust)));
                writer.line("holds.then(Vec::new)");
            });
        }
        NativeKind::Asked { method, parameters } => {
            constraint(name, parameters, Some(()), writer, |writer| {
                let call = format!("functions.{}({})", function_name(method), arguments(parameters));
                writer.line(format_args!("{call}.then(Vec::new)"));
            });
        }
        NativeKind::Matcher { place, parameters, returns } => {
            let method = matches!(place, NativePlace::Method(_)).then_some(());
            constraint(name, parameters, method, writer, |writer| {
                let call = format!("{}({})", callee(place), arguments(parameters));
                writer.line(format_args!("let told: {} = {call}?;", anonymous(&returned_type(returns))));
                writer.line(format_args!("Some(vec![{}])", packed("told", returns)));
            });
        }
        NativeKind::Function { place, parameters, returns } => rewrite(name, place, parameters, returns, writer),
    }
}

fn constraint(
    name: &str,
    parameters: &[ParameterKind],
    method: Option<()>,
    writer: &mut Writer,
    body: impl FnOnce(&mut Writer),
) {
    let inside = |writer: &mut Writer| {
        read(parameters, "", writer);
        body(writer);
    };
    match method {
        None => writer.block(format_args!("natives = natives.constraint({name:?}, |_, arguments| {{"), "});", inside),
        Some(()) => {
            writer.line("let asked = functions.clone();");
            writer.block(
                format_args!("natives = natives.constraint({name:?}, move |_, arguments| {{"),
                "});",
                |writer| {
                    writer.line("let functions = asked.as_ref();");
                    inside(writer);
                },
            );
        }
    }
}

fn rewrite(name: &str, place: &NativePlace, parameters: &[ParameterKind], returns: &[ReturnKind], writer: &mut Writer) {
    let inside = |writer: &mut Writer| {
        read(parameters, ".ok_or_else(natives::mismatch)", writer);
        let separator = if parameters.is_empty() { "" } else { ", " };
        let call = format!("{}(editor{separator}{})", callee(place), arguments(parameters));
        writer.line(format_args!("let made: {} = {call}?;", anonymous(&returned_type(returns))));
        writer.line(format_args!("Ok(vec![{}])", packed("made", returns)));
    };
    match place {
        NativePlace::Path(_) => {
            writer.block(format_args!("natives = natives.rewrite({name:?}, |editor, arguments| {{"), "});", inside);
        }
        NativePlace::Method(_) => {
            writer.line("let asked = functions.clone();");
            writer.block(
                format_args!("natives = natives.rewrite({name:?}, move |editor, arguments| {{"),
                "});",
                |writer| {
                    writer.line("let functions = asked.as_ref();");
                    inside(writer);
                },
            );
        }
    }
}

/// Lines that read the arguments as what the parameters are.
fn read(parameters: &[ParameterKind], or: &str, writer: &mut Writer) {
    if parameters.is_empty() {
        return;
    }
    writer.line("let mut given = natives::Given::new(arguments);");
    for (index, parameter) in parameters.iter().enumerate() {
        let read = match parameter {
            ParameterKind::Value => "value()".to_string(),
            ParameterKind::OptionalValue => "optional_value()".into(),
            ParameterKind::PartOptionalValue(part) => format!("part_optional_value({})", self::part(part)),
            ParameterKind::Values(None) => "values()".into(),
            ParameterKind::Values(Some(count)) => format!("several({count})"),
            ParameterKind::PartValue(part) => format!("part_value({})", self::part(part)),
            ParameterKind::PartValues(part) => format!("part_values({})", self::part(part)),
            ParameterKind::Attribute => "attribute()".into(),
            ParameterKind::OptionalAttribute => "optional_attribute()".into(),
            ParameterKind::AbsentAttribute => {
                writer.line(format_args!("let p{index}: Option<Attribute<'_>> = None;"));
                continue;
            }
            ParameterKind::Type => "r#type()".into(),
            ParameterKind::Operation => "operation()".into(),
            ParameterKind::DefiningOperation => "defining_operation()".into(),
            ParameterKind::Location { text, sources } => format!("location({text}, {sources})"),
        };
        writer.line(format_args!("let p{index} = given.{read}{or}?;"));
    }
}

/// A part as the argument of what takes it.
fn part(part: &Part) -> String {
    let Part { side, groups, index, item, .. } = part;
    format!("&natives::Part {{ side: natives::Side::{side:?}, groups: &{groups:?}, index: {index}, item: {item:?} }}")
}

fn callee(place: &NativePlace) -> String {
    match place {
        NativePlace::Path(path) => path.clone(),
        NativePlace::Method(method) => format!("functions.{}", function_name(method)),
    }
}

fn arguments(parameters: &[ParameterKind]) -> String {
    let argument = |(index, kind): (usize, &ParameterKind)| match kind {
        ParameterKind::Values(_) | ParameterKind::PartValues(_) => format!("&p{index}"),
        _ => format!("p{index}"),
    };
    parameters.iter().enumerate().map(argument).collect::<Vec<_>>().join(", ")
}

/// The type with lifetimes that are found out.
fn anonymous(name: &str) -> String {
    name.replace("'c", "'_").replace("'a", "'_")
}

/// What was returned as values of PDL.
fn packed(name: &str, returns: &[ReturnKind]) -> String {
    let pack = |(index, kind): (usize, &ReturnKind)| {
        let kind = match kind {
            ReturnKind::Value => "Value",
            ReturnKind::Attribute => "Attribute",
            ReturnKind::Type => "Type",
            ReturnKind::Types => "Types",
            ReturnKind::Operation => "Operation",
        };
        let part = if returns.len() == 1 { name.to_string() } else { format!("{name}.{index}") };
        format!("PdlValue::{kind}({part})")
    };
    returns.iter().enumerate().map(pack).collect::<Vec<_>>().join(", ")
}

/// An expression without brackets around it.
fn bare(expression: &str) -> &str {
    let mut bare = expression.trim();
    while let Some(inner) = bare.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        let mut depth = 0i32;
        let whole = inner.chars().all(|c| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth >= 0
        });
        if !whole {
            break;
        }
        bare = inner.trim();
    }
    bare
}
