//! `runtime/include/skriptnd_runtime.h`: the functions of the library that programs in C link, from the declarations in
//! `runtime/c/src`.

use crate::{Generated, root};
use std::fmt::Write;
use syn::{Attribute, Expr, Fields, File, FnArg, Item, ItemFn, ItemStruct, Lit, Meta, Pat, ReturnType, Type};

/// The files, in the order in which the header has them.
const FILES: [&str; 7] = ["status", "call", "tensor", "library", "model", "session", "program"];
/// Where the types of the functions of compiled models stand.
const FUNCTIONS: &str = "runtime/src/library.rs";
/// The header of compiled models.
const INTERFACE: &str = "runtime/include/skriptnd.h";

/// The header.
///
/// # Errors
/// Where a source can't be read, or declares what C has not.
pub fn all() -> Result<Vec<Generated>, String> {
    let whole = parsed("runtime/c/src/lib.rs")?;
    let mut text = format!("{}#ifndef SKRIPTND_RUNTIME_H\n#define SKRIPTND_RUNTIME_H\n\n", comment(&whole.attrs, ""));
    text += "#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    for name in FILES {
        if name == "library" {
            text += &pool()?;
            text += &function_types()?;
        }
        for item in parsed(&format!("runtime/c/src/{name}.rs"))?.items {
            text += &declared(&item)?;
        }
    }
    text += "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    Ok(vec![Generated { path: "runtime/include/skriptnd_runtime.h".into(), text }])
}

fn parsed(path: &str) -> Result<File, String> {
    let text = std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
    syn::parse_file(&text).map_err(|error| format!("{path}: {error}"))
}

/// The declaration of what a module makes public.
fn declared(item: &Item) -> Result<String, String> {
    let is_public = |visibility: &syn::Visibility| matches!(visibility, syn::Visibility::Public(_));
    match item {
        Item::Const(constant) if is_public(&constant.vis) => {
            let value = number(&constant.expr).ok_or_else(|| format!("{} is no number", constant.ident))?;
            Ok(format!("{}#define {} {value}\n\n", comment(&constant.attrs, ""), constant.ident))
        }
        Item::Struct(structure) if is_public(&structure.vis) => of_structure(structure),
        Item::Fn(function) if is_public(&function.vis) => of_function(function),
        _ => Ok(String::new()),
    }
}

fn number(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(int) => Some(int.base10_digits().to_owned()),
            _ => None,
        },
        Expr::Unary(negated) => Some(format!("(-{})", number(&negated.expr)?)),
        _ => None,
    }
}

/// A structure of C, or one that C knows by name only.
fn of_structure(structure: &ItemStruct) -> Result<String, String> {
    let (name, about) = (&structure.ident, comment(&structure.attrs, ""));
    let Fields::Named(fields) = &structure.fields else {
        return Ok(format!("{about}typedef struct {name} {name};\n\n"));
    };
    if !structure.attrs.iter().any(|attribute| attribute.path().is_ident("repr")) {
        return Ok(format!("{about}typedef struct {name} {name};\n\n"));
    }
    let mut text = format!("{about}typedef struct {name} {{\n");
    for field in &fields.named {
        let field_name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "{}  {};", comment(&field.attrs, "  "), variable(&field.ty, &field_name)?);
    }
    Ok(text + &format!("}} {name};\n\n"))
}

fn of_function(function: &ItemFn) -> Result<String, String> {
    let mut arguments = Vec::new();
    for argument in &function.sig.inputs {
        let FnArg::Typed(argument) = argument else { return Err(format!("{} has a receiver", function.sig.ident)) };
        let Pat::Ident(name) = &*argument.pat else { return Err(format!("{}: a pattern", function.sig.ident)) };
        arguments.push(variable(&argument.ty, &name.ident.to_string())?);
    }
    let name = format!("{}({})", function.sig.ident, arguments_or_none(&arguments));
    let whole = match &function.sig.output {
        ReturnType::Default => format!("void {name}"),
        ReturnType::Type(_, r#type) => variable(r#type, &name)?,
    };
    Ok(format!("{}{};\n\n", comment(&function.attrs, ""), wrapped(&whole)))
}

fn arguments_or_none(arguments: &[String]) -> String {
    if arguments.is_empty() { "void".into() } else { arguments.join(", ") }
}

/// The threads that a run is given, as the interface of compiled models has them.
fn pool() -> Result<String, String> {
    let header = std::fs::read_to_string(root().join(INTERFACE)).map_err(|error| format!("{INTERFACE}: {error}"))?;
    let found = header.find("#ifndef SKRIPTND_POOL").and_then(|guard| {
        let begin = header[..guard].rfind("/*")?;
        let end = guard + header[guard..].find("#endif\n")? + "#endif\n".len();
        Some(format!("{}\n", &header[begin..end]))
    });
    found.ok_or_else(|| format!("{INTERFACE} declares no pool"))
}

/// The types of the functions that a program may link a model by.
fn function_types() -> Result<String, String> {
    let mut text = String::new();
    for item in parsed(FUNCTIONS)?.items {
        let Item::Type(alias) = item else { continue };
        let Type::BareFn(function) = &*alias.ty else { continue };
        let arguments = function.inputs.iter().map(|argument| c_type(&argument.ty)).collect::<Result<Vec<_>, _>>()?;
        let arguments: Vec<_> = arguments.iter().map(|argument| argument.trim_end().to_owned()).collect();
        let whole = format!("typedef int32_t (*{})({})", c_name(&alias.ident.to_string()), arguments.join(", "));
        let _ = write!(text, "/* A function of skriptnd.h. */\n{};\n\n", wrapped(&whole));
    }
    Ok(text)
}

/// `skriptnd_run_function` of `RunFunction`
fn c_name(name: &str) -> String {
    let mut text = String::from("skriptnd");
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

/// A declaration of a name.
fn variable(r#type: &Type, name: &str) -> Result<String, String> {
    c_type(r#type).map(|r#type| format!("{type}{name}"))
}

/// A type as it stands before a name.
fn c_type(r#type: &Type) -> Result<String, String> {
    match r#type {
        Type::Ptr(pointer) => {
            let inner = c_type(&pointer.elem)?;
            Ok(match (&*pointer.elem, pointer.const_token) {
                (Type::Ptr(_), Some(_)) => format!("{inner}const *"),
                (_, Some(_)) => format!("const {inner}*"),
                (_, None) => format!("{inner}*"),
            })
        }
        Type::Path(path) => {
            let last = path.path.segments.last().ok_or("a type without a name")?;
            let name = last.ident.to_string();
            Ok(match name.as_str() {
                "i32" => "int32_t ".into(),
                "i64" => "int64_t ".into(),
                "u64" => "uint64_t ".into(),
                "usize" => "size_t ".into(),
                "c_char" => "char ".into(),
                "c_void" => "void ".into(),
                "Option" => match &last.arguments {
                    syn::PathArguments::AngleBracketed(inside) => match inside.args.first() {
                        Some(syn::GenericArgument::Type(inner)) => return c_type(inner),
                        _ => return Err("an option of no type".into()),
                    },
                    _ => return Err("an option of no type".into()),
                },
                "PoolFunctions" => "skriptnd_pool ".into(),
                function if function.ends_with("Function") => format!("{} ", c_name(function)),
                other if other.starts_with("skriptnd_") => format!("{other} "),
                other => return Err(format!("C has no type `{other}`")),
            })
        }
        _ => Err("C has no such type".into()),
    }
}

/// A declaration on lines of 120 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(", ") {
        let last = lines.len() - 1;
        if lines[last].len() + word.trim_end().len() > 118 {
            lines.push(format!("    {word}"));
        } else {
            lines[last].push_str(word);
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// The documentation of an item as a comment, without what is said of safety: that is what the documentation asks for.
fn comment(attributes: &[Attribute], indent: &str) -> String {
    let lines = attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).filter_map(|attribute| {
        let Meta::NameValue(value) = &attribute.meta else { return None };
        let Expr::Lit(literal) = &value.value else { return None };
        match &literal.lit {
            Lit::Str(text) => Some(text.value().trim().replace(['*', '`'], "")),
            _ => None,
        }
    });
    let mut lines: Vec<String> = lines.take_while(|line| line != "# Safety").collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    match lines.as_slice() {
        [] => String::new(),
        [one] => format!("{indent}/* {one} */\n"),
        [first, rest @ ..] => {
            let rest: String = rest.iter().map(|line| format!("\n{indent} * {line}").trim_end().to_owned()).collect();
            // `trim_end` takes no line break: each begins with one.
            format!("{indent}/* {first}{rest} */\n")
        }
    }
}
